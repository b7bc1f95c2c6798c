"""Keytimes, spans and the warp between them as the strip's lane shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ...border.action_io import key_ends
from ...document import scope
from ..keytimes import keytimes_of, speeds_of
from ..settings import guide_in
from ..warp import live_warp
from ..warp.warp_take import WarpTake
from . import warp_entry
from .time_data import KeyTime, LaneSpan, TimeLaneData

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ....core.guided_warp import Keytimes, TimeSpan
    from ....core.motion import TimeMap
    from .strip_drag import WarpDrag


def is_wanted(armature: Object) -> bool:
    """Whether there is anything to show: keytimes, spans, or a warp that the mouse is setting."""
    settings = scope.own_action(armature).motion_editing_time
    is_set = len(settings.keytimes) > 1 or settings.has_spans or live_warp.shown_of(armature.name) is not None
    return is_set or warp_entry.active_entry(armature) is not None


def shown_entry(armature: Object) -> PropertyGroup | None:
    """The warp of the stack that is shown: the active one, while no other is being set."""
    is_set = len(scope.own_action(armature).motion_editing_time.keytimes) > 1
    if is_set or live_warp.shown_of(armature.name) is not None:
        return None
    return warp_entry.active_entry(armature)


def key(context: Context, armature: Object, drag: WarpDrag | None) -> object:
    """Changes whenever the lane's data would."""
    settings = scope.own_action(armature).motion_editing_time
    keytimes = drag.keytimes if drag is not None else keytimes_of(context, armature)
    live, entry = live_warp.shown_of(armature.name), shown_entry(armature)
    return (
        armature.name,
        None if entry is None else (entry.uid, entry.done),
        tuple(keytimes.pairs()),
        tuple(keytimes.locked.tolist()),
        settings.active,
        settings.plot_height,
        tuple((span.start, span.end, span.kind) for span in settings.spans),
        tuple(guide_in(settings).values()),
        speeds_of(armature),
        scope.source_rate(context, armature),
        key_ends(armature),
        None if drag is None else id(drag.time_map),
        None if live is None else id(live.time_map),
    )


def of(context: Context, armature: Object, drag: WarpDrag | None) -> TimeLaneData:
    """Keytimes and spans in scene frames with the speed of the warp that would hit them."""
    settings = scope.own_action(armature).motion_editing_time
    entry = shown_entry(armature) if drag is None else None
    if entry is not None:
        return _shown_data(settings, warp_entry.WarpEntry(context, armature, entry))
    take = drag.take if drag is not None else WarpTake(scope.read_clip(context, armature))
    keytimes, time_map = _warp(take, drag)
    return _data(settings, _Shown(take, keytimes, time_map), time_map, take.shown_spans)


def _shown_data(settings: PropertyGroup, made: warp_entry.WarpEntry) -> TimeLaneData:
    """A warp that was made."""
    return _data(settings, _Shown(made.take, made.keytimes, made.time_map), made.time_map, made.spans)


def _data(
    settings: PropertyGroup, shown: _Shown, time_map: TimeMap | None, spans: tuple[TimeSpan, ...]
) -> TimeLaneData:
    return TimeLaneData(
        keytimes=shown.flags(),
        plot_frames=shown.frames(shown.times),
        plot_speed=time_map.speed(shown.times) if time_map is not None else np.empty(0),
        map_old_frames=shown.frames(time_map(shown.times)) if time_map is not None else np.empty(0),
        selected=settings.active if settings.active >= 0 else None,
        speed_limit=float(settings.speed_limit),
        spans=() if time_map is None else tuple(shown.span(span, time_map) for span in spans),
        plot_height=float(settings.plot_height),
    )


def _warp(take: WarpTake, drag: WarpDrag | None) -> tuple[Keytimes, TimeMap | None]:
    """What the mouse is setting, or what the settings would give."""
    live = live_warp.shown_of(take.clip.armature.name)
    if live is not None:
        return live.keytimes, live.time_map
    if drag is not None:
        return drag.keytimes, drag.time_map
    return take.keytimes, _map(take)


class _Shown:
    """A warp in frames of the scene."""

    def __init__(self, take: WarpTake, keytimes: Keytimes, time_map: TimeMap | None) -> None:
        self._take, self._keytimes = take, keytimes
        # Of a free length the warp says where the motion ends.
        self._end = float(keytimes.new[-1]) if time_map is None else float(time_map.new_times[-1])
        rate = take.motion.rate
        self.times = np.empty(0) if time_map is None else np.arange(float(keytimes.new[0]), self._end, 1.0 / rate)

    def frames(self, seconds: np.ndarray) -> np.ndarray:
        """Scene frames of times of the action."""
        return np.asarray(scope.to_scene(self._take.clip.armature, np.asarray(seconds) * self._take.motion.rate))

    def flags(self) -> tuple[KeyTime, ...]:
        """The keytimes."""
        keytimes, last = self._keytimes, len(self._keytimes) - 1
        old, new = self.frames(keytimes.old), self.frames(np.append(keytimes.new[:-1], self._end))
        return tuple(
            KeyTime(
                float(old[number]),
                float(new[number]),
                bool(number < last and keytimes.locked[number]),
                number in (0, last),
                "",
            )
            for number in range(last + 1)
        )

    def span(self, span: TimeSpan, time_map: TimeMap) -> LaneSpan:
        """What happens, before and after."""
        old = np.array([span.start, span.end, *span.beats])
        first, last = sorted(time_map.old_times[[0, -1]].tolist())
        new = self.frames(time_map.map_key_times(np.clip(old, first, last)))
        before = self.frames(old)
        first, last = sorted(new[:2].tolist())
        return LaneSpan(
            float(before[0]), float(before[1]), first, last, span.kind.name, span.name, tuple(new[2:].tolist())
        )


def _map(take: WarpTake) -> TimeMap | None:
    """The warp; None where the keytimes cannot be hit."""
    try:
        return take.guide.warp(take, take.keytimes, take.speeds).time_map
    except MotionEditError:
        return None
