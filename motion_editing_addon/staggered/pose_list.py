"""The list of poses in the panel follows the saved poses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ..document import scope
from . import session

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

# Filling the list sets properties whose updates must not answer.
_filling = False


def refresh(armature: Object, saved: session.Session) -> None:
    """Fill the list anew; the active pose stays as near as it can."""
    global _filling
    action = scope.own_action(armature)
    settings, table = action.motion_editing_staggered, saved.table
    rate = _rate(armature)
    settings.holds_all_keys = saved.from_keys and bool(table.shown.all())
    highest = max(float(table.priorities.max(initial=0.0)), 1e-12)
    spreads = table.spreads()
    _filling = True
    try:
        active = settings.active
        chosen = _selected(settings, table.times[table.numbers] * rate)
        settings.poses.clear()
        for place, number in enumerate(table.numbers):
            row = settings.poses.add()
            row.frame = table.times[number] * rate
            row.priority = table.priorities[number] / highest
            row.spread = spreads[number] * rate
            row.pinned = bool(table.pinned[number])
            row.selected = place in chosen
        settings.active = min(active, len(settings.poses) - 1)
    finally:
        _filling = False


def _selected(settings: PropertyGroup, frames: np.ndarray) -> set[int]:
    """Places of selected poses in the new list: the same ones, or if there are others those at the same frames."""
    chosen = [place for place, row in enumerate(settings.poses) if row.selected]
    if len(settings.poses) == len(frames):
        return set(chosen)
    known = {round(settings.poses[place].frame) for place in chosen}
    return {place for place, frame in enumerate(frames) if round(float(frame)) in known}


def clear(armature: Object) -> None:
    """Empty the list."""
    scope.own_action(armature).motion_editing_staggered.poses.clear()


def go_to_active(context: Context, settings: PropertyGroup) -> None:
    """Put the playhead on the active pose."""
    armature = scope.edited_object(context)
    if _filling or not 0 <= settings.active < len(settings.poses) or armature is None:
        return
    frame = scope.to_scene(armature, np.array([settings.poses[settings.active].frame]))[0]
    context.scene.frame_set(round(float(frame)))


def cull(context: Context, settings: PropertyGroup) -> None:
    """Show the share of poses that the slider says; the motion stays, the model is fitted when needed."""
    armature = scope.edited_object(context)
    if armature is None or _filling:
        return
    try:
        saved = session.there(armature)
    except MotionEditError:  # said by the tools; a slider cannot
        return
    table = saved.table.culled(settings.share)
    if not np.array_equal(table.shown, saved.table.shown):
        fits = session.fits(armature)
        refresh(armature, session.save(armature, replace(saved, table=table, model=None), fits=fits))


def _rate(armature: Object) -> float:
    return scope.source_rate(bpy.context, armature)
