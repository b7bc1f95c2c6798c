"""Collisions of two characters: capsules around their bones, and when which of them touch."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .capsules import Capsules, fit_capsules
    from .detection import collisions
    from .found import Collisions, FrameSpan
    from .weights import key_pose_weights
else:
    __getattr__ = lazy_door(__name__)
