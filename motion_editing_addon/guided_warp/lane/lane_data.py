"""Keytimes and the warp between them as the strip's lane shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ...border.action_io import key_ends
from ...document import scope
from ..keytimes import keytimes_of, speeds_of
from ..settings import guide_in
from ..warp_take import WarpTake
from .time_data import KeyTime, TimeLaneData

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.motion import TimeMap
    from .strip_drag import WarpDrag


def key(context: Context, armature: Object, drag: WarpDrag | None) -> object:
    """Changes whenever the lane's data would."""
    settings = scope.action_of(armature).motion_editing_time
    keytimes = drag.keytimes if drag is not None else keytimes_of(context, armature)
    return (
        armature.name,
        tuple(keytimes.pairs()),
        tuple(keytimes.locked.tolist()),
        settings.active,
        tuple(guide_in(settings).values()),
        speeds_of(armature),
        scope.source_rate(context, armature),
        key_ends(armature),
        None if drag is None else id(drag.time_map),
    )


def of(context: Context, armature: Object, drag: WarpDrag | None) -> TimeLaneData:
    """Keytimes in scene frames with the speed of the warp that would hit them."""
    settings = scope.action_of(armature).motion_editing_time
    keytimes = drag.keytimes if drag is not None else keytimes_of(context, armature)
    rate = scope.source_rate(context, armature)
    time_map = drag.time_map if drag is not None else _map(context, armature)

    def frame(seconds: float) -> float:
        return float(scope.to_scene(armature, np.array([seconds * rate]))[0])

    last = len(keytimes) - 1
    # Of a free length the warp says where the motion ends.
    end = float(time_map.new_times[-1]) if time_map is not None else float(keytimes.new[-1])
    pairs = [*keytimes.pairs()[:-1], (float(keytimes.old[-1]), end)]
    flags = tuple(
        KeyTime(frame(old), frame(new), bool(number < last and keytimes.locked[number]), number in (0, last), "")
        for number, (old, new) in enumerate(pairs)
    )
    times = np.arange(keytimes.new[0], end, 1.0 / rate)
    shown = times if time_map is not None else np.empty(0)
    return TimeLaneData(
        keytimes=flags,
        plot_frames=np.array([frame(each) for each in shown]),
        plot_speed=time_map.speed(shown) if time_map is not None else np.empty(0),
        map_old_frames=np.array([frame(each) for each in time_map(shown)]) if time_map is not None else np.empty(0),
        selected=settings.active if settings.active >= 0 else None,
        speed_limit=float(settings.speed_limit),
    )


def _map(context: Context, armature: Object) -> TimeMap | None:
    """The warp; None where the keytimes cannot be hit."""
    try:
        take = WarpTake(scope.read_clip(context, armature))
        return take.guide.warp(take, take.keytimes, take.speeds).time_map
    except MotionEditError:
        return None
