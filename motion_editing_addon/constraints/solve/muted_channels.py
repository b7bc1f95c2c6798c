"""Muted channels: joints that cannot turn or move, so that the others have to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..figure_clip import FigureClip

if TYPE_CHECKING:
    from ...border.action_io import Clip, Property


def muted_degrees(clip: Clip) -> np.ndarray:
    """(J, 4) which turns, about each axis, and moves of joints cannot change since a channel of theirs is muted."""
    if isinstance(clip, FigureClip):  # other controls may do the same
        return np.zeros((len(clip.motion.skeleton), 4), dtype=np.bool_)
    is_muted = clip.channels.is_muted
    return np.array([[*(is_muted(turn),) * 3, is_muted(place)] for place, turn, _ in clip.channels.joints])


def muted_turns(clip: Clip, joints: Iterable[int]) -> list[Property]:
    """The rotations of some joints that are muted."""
    turns = [] if isinstance(clip, FigureClip) else [clip.channels.joints[joint][1] for joint in joints]
    return [turn for turn in turns if clip.channels.is_muted(turn)]


def muted_above(clip: Clip, ends: Iterable[int]) -> list[Property]:
    """What is muted of all that could move some joints: rotations from these up to the root, and its location."""
    if isinstance(clip, FigureClip):
        return []
    skeleton, joints = clip.motion.skeleton, clip.channels.joints
    chain = sorted({joint for end in ends for joint in (end, *skeleton.ancestors(end))} - {0})
    places = [joints[joint][0] for joint in chain if skeleton.parents[joint] == 0]
    return [*filter(clip.channels.is_muted, places), *muted_turns(clip, chain)]
