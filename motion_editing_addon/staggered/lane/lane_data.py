"""Staggered poses as the strip's lane shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
    rows, joint_rows = limb_rows(context, body_of(armature))

    def frames(seconds: np.ndarray) -> np.ndarray:
        flat = scope.to_scene(armature, np.ravel(seconds) * rate)
        return np.reshape(flat, np.shape(seconds))

    return StaggerLaneData(
        pose_frames=frames(times),
        knot_frames=frames(knots),
        joint_names=tuple(name or armature.name for name in ("", *(bone.name for bone in armature.pose.bones))),
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
