"""How large locations of bones are in the scene, where errors of theirs are seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...armature import size_above

if TYPE_CHECKING:
    from ..clip import Clip
    from ..curves.channels import Property


def scale_of_all(clip: Clip) -> float:
    """Units of the scene that a unit of the motion is: parents and delta transforms scale it as a whole."""
    return size_above(clip.armature) * max(map(abs, clip.armature.delta_scale)) or 1.0


def location_sizes(clip: Clip) -> dict[Property, float]:
    """Units of the scene that a unit of every joint's location is, at most: what is above it may be scaled."""
    skeleton = clip.motion.skeleton
    scales = np.abs(clip.motion.scales).max(axis=(0, 2), initial=0.0)
    scales[0] *= max(map(abs, clip.armature.delta_scale))
    above = size_above(clip.armature)
    return {
        own[0]: float(above * np.prod(scales[skeleton.ancestors(joint)]))
        for joint, own in enumerate(clip.channels.joints)
    }
