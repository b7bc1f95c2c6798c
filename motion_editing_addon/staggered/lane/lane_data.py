"""Staggered poses as the strip's lane shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import shape_name
from ...border import action_io
from ...document import scope
from ...document.character.saved_body import body_of
from ...interface.strip.limb_rows import limb_rows
from .stagger_data import StaggerLaneData

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.staggered import StaggeredMotion
    from ..session import Session


def of(
    context: Context,
    armature: Object,
    saved: Session,
    model: StaggeredMotion | None = None,
    icons: tuple[np.ndarray, ...] = (),
) -> StaggerLaneData:
    """Poses and knots in scene frames, of the saved poses or of a model that is being dragged."""
    rate = scope.source_rate(context, armature)
    table = saved.table
    shown = table.shown
    times, refinements = table.times[shown], table.applied_refinements()[shown]
    if model is not None:
        times, refinements = model.pose_times, model.joint_times - model.pose_times[:, None]
    knots = np.where(table.present[shown], times[:, None] + refinements, np.nan)
    settings = scope.action_of(armature).motion_editing_staggered
    selected = settings.active
    hidden = np.flatnonzero(~shown & ~table.removed)
    shapes = animated_shapes(armature)
    rows, joint_rows = limb_rows(context, body_of(armature), shapes=len(shapes))
    knots = np.concatenate([knots, times[:, None] + _shape_refinements(saved, model, shapes)], axis=1)

    def frames(seconds: np.ndarray) -> np.ndarray:
        flat = scope.to_scene(armature, np.ravel(seconds) * rate)
        return np.reshape(flat, np.shape(seconds))

    return StaggerLaneData(
        pose_frames=frames(times),
        knot_frames=frames(knots),
        joint_names=(armature.name, *(bone.name for bone in armature.pose.bones), *shapes),
        shape_names=tuple(shapes),
        rows=rows,
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


def animated_shapes(armature: Object) -> dict[str, str]:
    """Names of the shape keys with keys, and a channel of each: meshes may share a name."""
    channels = [prop.name for prop in action_io.channels_of(armature).scalars]
    return {name: channel for channel in channels if (name := shape_name(channel)) is not None}


def _shape_refinements(saved: Session, model: StaggeredMotion | None, shapes: dict[str, str]) -> np.ndarray:
    """(K, S) seconds from the poses to the extremes of shape keys."""
    if model is None:
        return saved.table.channels.applied(list(shapes.values()), len(saved.table))[saved.table.shown]
    names = model.source.scalar_names
    known = [model.channel_times(names.index(each)) if each in names else model.pose_times for each in shapes.values()]
    return np.stack([*known, model.pose_times], axis=1)[:, : len(shapes)] - model.pose_times[:, None]
