"""Blends of motions, transitions between them, and loops (motion editing chapter, 1.6.4)."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .ground_alignment import align_on_ground, along_one_path, blend_along_one_path
    from .motion_blend import BlendError, blend
    from .motion_loop import Loop, Travel, find_loop, loop
    from .motion_transition import Transition, bridge, find_transition, transition
    from .partner import Partner, beside, weights_over
    from .similar_moments import Moments
    from .time_alignment import align_in_time, in_step
else:
    __getattr__ = lazy_door(__name__)

__all__ = [
    "BlendError",
    "Loop",
    "Moments",
    "Partner",
    "Transition",
    "Travel",
    "align_in_time",
    "align_on_ground",
    "along_one_path",
    "beside",
    "blend",
    "blend_along_one_path",
    "bridge",
    "find_loop",
    "find_transition",
    "in_step",
    "loop",
    "transition",
    "weights_over",
]
