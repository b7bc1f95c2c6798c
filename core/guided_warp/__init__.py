"""Guided time warping: new lengths and keytimes with the timing of a reference."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .events import Event, contact_events, keytimes_from_events
    from .keytimes import Keytimes, OutsideMotionError
    from .options import GuidedWarpOptions, WarpReport, WarpResult
    from .timing_limits import ImpossibleTimingError, Keytime
    from .tools.time_tools import ReverseTime, ShiftTime
    from .tools.warp_tool import WarpTime
    from .warp import guided_warp
else:
    __getattr__ = lazy_door(__name__)
