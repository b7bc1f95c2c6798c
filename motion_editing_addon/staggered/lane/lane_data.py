"""Staggered poses as the strip's lane shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.rig import animated_joints
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
    settings = scope.action_of(armature).motion_editing_staggered
    selected = settings.active
    hidden = np.flatnonzero(~shown & ~table.removed)
    limbs, joint_rows = rows_of(context, armature, saved) if rows is None else rows

    def frames(seconds: np.ndarray) -> np.ndarray:
        flat = scope.to_scene(armature, np.ravel(seconds) * rate)
        return np.reshape(flat, np.shape(seconds))

    return StaggerLaneData(
        pose_frames=frames(times),
        knot_frames=frames(knots),
        joint_names=tuple(name or armature.name for name in ("", *(bone.name for bone in armature.pose.bones))),
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


def rows_of(context: Context, armature: Object, saved: Session) -> Rows:
    """Rows of limbs, and (J,) the row of every bone; on a control rig of controls that are animated."""
    character = Character.of(armature)
    if character.rigged is None:
        return limb_rows(context, body_of(armature))
    motion = scope.read_clip(context, armature).motion if saved.model is None else saved.model.source
    order = character.order(motion)
    if order is None:
        return limb_rows(context, body_of(armature))
    return control_rows(context, character.rigged.body, order, animated_joints(motion))
