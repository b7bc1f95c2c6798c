"""Collisions of two characters: capsules around their bones, and when which of them touch."""

from .capsules import Capsules, fit_capsules
from .detection import collisions
from .found import Collisions, FrameSpan
from .weights import key_pose_weights

__all__ = ["Capsules", "Collisions", "FrameSpan", "collisions", "fit_capsules", "key_pose_weights"]
