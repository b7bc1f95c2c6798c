"""Control rigs: what their constraints and drivers make of channels, for all frames at once."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from . import constraints
    from .chain import Chain, Goal, Link
    from .controls.body_order import BodyOrder, animated_joints
    from .controls.control_fit import ControlFit
    from .controls.locks import Locks
    from .figure import SHOWN, Figure, shown_name
    from .limb_switch import LimbSwitch, with_number
    from .rig import DrivenChannel, Rig
    from .rig_poses import RigPoses
    from .rigged_figure import RiggedFigure, placements
    from .values import Channel, Driven, Expression, UnknownExpressionError, Value
else:
    __getattr__ = lazy_door(__name__)
