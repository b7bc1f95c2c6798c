"""Bézier keys fitted to dense curves under a stated bound on the error."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .bezier.curves import reduce_curves
    from .bezier.keyed_curves import KeyedCurves, evaluate_keys
    from .channels import Channel, channels_of_motion
    from .columns import choose_columns
    from .key_tools import ContinuousRotations, ConvertKeys, ReduceKeys
    from .landmarks import find_landmarks
    from .limb_tool import SwitchLimbs
    from .measures import Accuracy, Yardstick, height_of
    from .options import ReductionOptions
    from .whole_channels import ReducedChannels, reduce_locations, reduce_rotations
    from .whole_motion import ReducedMotion, all_rounds, reduce_motion, reduction_rounds
else:
    __getattr__ = lazy_door(__name__)
