"""Guided time warping: new lengths and keytimes with the timing of a reference."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .guidance import find_spans, guide_by, guide_itself, guided_warp
    from .guides.guide import Guide, merged_guide
    from .keytimes import Keytimes, OutsideMotionError
    from .matched_events import MatchedEvent, contact_events, keytimes_from_events
    from .options import GuidedWarpOptions, SpanFate, Speeds, WarpResult
    from .spans import KEPT, RUN_OUT, SpanKind, TimeSpan, spans_of
    from .synchrony import aligned_keytimes
    from .timing import warp
    from .timing_limits import ImpossibleTimingError, Keytime
    from .tools.length_tools import ConformRate, TrimClip
    from .tools.synchronize_tool import Synchronize
    from .tools.time_tools import ReverseTime, ShiftTime
    from .tools.warp_tool import WarpTime
    from .whole_frames import on_whole_frames, with_kept_frames
else:
    __getattr__ = lazy_door(__name__)
