"""Staggered poses as the strip's lane shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....core.motion import shape_name
from ....core.rig import animated_joints
from ...border import action_io
from ...border.action_io.curves.keys import key_frames
from ...document import scope
from ...document.character.character import Character
from ...document.character.saved_body import body_of
from ...interface.strip.limb_rows import control_rows, limb_rows
from .stagger_data import StaggerLaneData

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.staggered import StaggeredMotion
    from ...interface.strip.limb_rows import LimbRow
    from ..session import Session

    Rows = tuple[tuple[LimbRow, ...], np.ndarray]

# Frames from a knot to the key that it is.
_AT_KEY = 0.5


def of(
    context: Context,
    armature: Object,
    saved: Session,
    model: StaggeredMotion | None = None,
    icons: tuple[np.ndarray, ...] = (),
    rows: Rows | None = None,
) -> StaggerLaneData:
    """Poses and knots in scene frames, of the saved poses or of a model that is being dragged."""
    rate = scope.source_rate(context, armature)
    table = saved.table
    shown = table.shown
    times, refinements = table.times[shown], table.applied_refinements()[shown]
    if model is not None:
        times, refinements = model.pose_times, model.joint_times - model.pose_times[:, None]
    knots = np.where(table.present[shown], times[:, None] + refinements, np.nan)
    settings = scope.own_action(armature).motion_editing_staggered
    selected = settings.active
    hidden = np.flatnonzero(~shown & ~table.removed)
    shapes = animated_shapes(armature)
    limbs, joint_rows = rows_of(context, armature, saved) if rows is None else rows
    knots = np.concatenate([knots, _shape_knots(saved, model, shapes, rate)], axis=1)

    def frames(seconds: np.ndarray) -> np.ndarray:
        flat = scope.to_scene(armature, np.ravel(seconds) * rate)
        return np.reshape(flat, np.shape(seconds))

    return StaggerLaneData(
        pose_frames=frames(times),
        knot_frames=frames(knots),
        joint_names=(armature.name, *(bone.name for bone in armature.pose.bones), *shapes),
        shape_names=tuple(shapes),
        rows=limbs,
        joint_rows=joint_rows,
        probability_frames=frames(saved.probability_times),
        probability=saved.probability,
        selected_pose=selected if 0 <= selected < len(times) else None,
        chosen=np.array([pose.selected for pose in settings.poses]),
        pinned=table.pinned[shown],
        candidate_frames=frames(table.times[hidden]),
        candidates=hidden,
        icons=icons,
    )


class _Shape(NamedTuple):
    """A shape key with keys: its channel, and their frames."""

    channel: str
    keys: np.ndarray


def animated_shapes(armature: Object) -> dict[str, _Shape]:
    """Shape keys with keys by their names; of meshes that share a name one stands for all."""
    found, channels = {}, action_io.channels_of(armature)
    for prop in channels.scalars:
        name = shape_name(prop.name)
        if name is not None:
            found[name] = _Shape(prop.name, key_frames(channels.curves[prop, 0]))
    return found


def _shape_knots(saved: Session, model: StaggeredMotion | None, shapes: dict[str, _Shape], rate: float) -> np.ndarray:
    """(K, S) seconds of the extremes of shape keys; NaN where a pose of hand-set keys has no key of them."""
    table, channels = saved.table, [shape.channel for shape in shapes.values()]
    knots = (table.times[:, None] + table.channels.applied(channels, len(table)))[table.shown]
    keyed = np.ones(knots.shape, dtype=np.bool_)
    for column, shape in enumerate(shapes.values()) if saved.from_keys else ():
        away = np.abs(knots[:, [column]] * rate - shape.keys)
        keyed[:, column] = away.min(axis=1, initial=np.inf) < _AT_KEY
    for column, channel in enumerate(channels):
        if model is not None and channel in model.source.scalar_names:
            knots[:, column] = model.channel_times(model.source.scalar_names.index(channel))
    return np.where(keyed, knots, np.nan)


def rows_of(context: Context, armature: Object, saved: Session) -> Rows:
    """Rows of limbs, and (J + S,) the row of every bone and shape key; on a control rig of controls with keys."""
    character, shapes = Character.of(armature), len(animated_shapes(armature))
    if character.rigged is not None:
        motion = scope.read_clip(context, armature).motion if saved.model is None else saved.model.source
        order = character.order(motion)
        if order is not None:
            return control_rows(context, character.rigged.body, order, animated_joints(motion), shapes=shapes)
    return limb_rows(context, body_of(armature), shapes=shapes)
