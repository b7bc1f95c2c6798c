"""Applying a filter to the channels of a motion that move."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..numerics import Array
from .joint_blocks import Mask, chosen_joints, moving_blocks
from .motion import Motion

# From channels (F, N, C) of N joints to new ones.
ChannelFilter = Callable[[Array], Array]


def with_channels(motion: Motion, joints: Any, of_rotations: ChannelFilter, of_vectors: ChannelFilter) -> Motion:
    """The motion with the channels of chosen joints filtered; those that do not move stay bit for bit.

    Args:
        joints: (J,) which joints; all if None.
        of_rotations: Makes quaternions with continuous signs of quaternions with continuous signs.
        of_vectors: For locations and scales.
    """
    chosen = chosen_joints(motion, joints)
    return replace(
        motion,
        rotations=_filtered(motion.rotations, chosen, of_rotations),
        locations=_filtered(motion.locations, chosen, of_vectors),
        scales=_filtered(motion.scales, chosen, of_vectors),
    )


def _filtered(values: Array, chosen: Mask, channel_filter: ChannelFilter) -> Array:
    memory = None
    for block in moving_blocks(values, chosen):
        memory = np.array(values.T) if memory is None else memory
        # Component-first and one joint after the other: what filters along time are quick with.
        memory[:, block] = channel_filter(np.array(values.T[:, block]).T).T
    return values if memory is None else memory.T
