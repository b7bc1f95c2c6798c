"""Where figures that arrive stand, and how tall they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from mathutils import Vector

from ...core.analysis import find_unit
from ...core.analysis.contacts import estimate_floor
from ...core.body import is_person
from ..batch.formats import clips
from ..border.action_io.curves.channels import curves_of
from ..document import scope
from ..document.scene.free_place import step_aside
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.editing import Take
    from ...core.numerics import Array
    from ..batch.formats.clips import ClipOfFile

_UP = (0.0, 0.0, 1.0)


class Placed(NamedTuple):
    """How tall the first figure is, in metres, and what people should know of it."""

    height: float
    warnings: list[str]


def place(
    context: Context, found: list[ClipOfFile], known: set[Object], size: str, at_cursor: bool, *, captured: bool
) -> Placed:
    """Give figures their size and let them stand at the cursor.

    Args:
        found: Their actions; the first one of an armature tells where its floor is.
        known: Objects that were there before.
        size: "METRES" or "FILE".
        at_cursor: Put them on the floor there.
        captured: They have their size already.
    """
    first = {clip.armature: clip for clip in reversed(found)}
    placed = [_place(context, clip, known, size != "METRES" or captured, at_cursor) for clip in first.values()]
    return placed[-1]


def _place(context: Context, clip: ClipOfFile, known: set[Object], is_sized: bool, at_cursor: bool) -> Placed:
    armature = clips.play(clip)
    take = ClipTake(scope.read_clip(context, armature, choice="ALL"))
    body, places = take.shown.body, _places(take.shown)
    size = find_unit(None if is_sized else body.height, person=is_person(body), stated=True)
    top, factor = _top(armature, known), size.factor
    move = _to_cursor(context, places * factor, known) if at_cursor else Vector()
    _carry(top, factor, move)
    armature.show_in_front = True
    context.view_layer.update()
    told = [] if size.is_unit else [f"'{armature.name}': its unit is not known, so the figure got a usual size"]
    return Placed(float(body.height or 0.0) * factor, told)


def _to_cursor(context: Context, places: Array, known: set[Object]) -> Vector:
    """How far a figure has to go so that it stands at the cursor, or beside what is there."""
    x, y, _z = places[0, 0]
    move = context.scene.cursor.location - Vector((x, y, estimate_floor(places, _UP)))
    arrived = set(context.view_layer.objects) - known
    return move + Vector((step_aside(context, places[0] + np.array(move), arrived), 0.0, 0.0))


def _places(take: Take) -> Array:
    """(F, P, 3) joints of the figure, its root first, and ends of its bones; what carries it is no part of it."""
    root = take.body.root or 0
    joints = [root, *take.motion.skeleton.descendants(root)]
    if take.positions is not None:
        return np.asarray(take.positions)[:, joints]
    poses = take.motion.poses
    return np.concatenate([poses.positions[:, joints], poses.tips[:, joints]], axis=1)


def _top(armature: Object, known: set[Object]) -> Object:
    """What carries the armature of all that has arrived."""
    top = armature
    while top.parent is not None and top.parent not in known:
        top = top.parent
    return top


def _carry(thing: Any, factor: float, move: Any) -> None:
    """Scale an object about the origin and move it; where keys place it, beside what they say."""
    paths = {curve.data_path for curve in curves_of(thing)} if thing.animation_data else set()
    if paths & {"location", "scale"}:
        thing.delta_location = thing.delta_location * factor + move
        thing.delta_scale = thing.delta_scale * factor
        return
    thing.location = thing.location * factor + move
    thing.scale = thing.scale * factor
