"""Blends of motions, transitions between them, and loops (motion editing chapter, 1.6.4)."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .ground_alignment import align_on_ground, along_one_path, blend_along_one_path
    from .motion_blend import BlendError, blend
    from .motion_loop import Loop, Travel, find_loop, loop
    from .motion_tools import BridgeGap, MakeLoop, MirrorMotion
    from .motion_transition import Transition, bridge, find_transition, transition
    from .partner import Partner, beside, weights_over
    from .partner_tools import AppendTransition, BlendAction
    from .similar_moments import Moments
    from .time_alignment import align_in_time, in_step
else:
    __getattr__ = lazy_door(__name__)
