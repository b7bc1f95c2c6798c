"""What was posed, taken into the motion: as Apply Pose does it, and again when edits before it have changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.staggered import (
    carried_over,
    non_staggered_pose,
    true_pose,
    widened,
    with_extreme_pose,
    with_true_pose,
)
from ...border import saved_state
from ...border.action_io import muted_text
from ...border.key_options import KeyOptions
from ...border.saved_state import POSE_CHANGE
from ...border.translation import counted_text, report_text
from ...document import scope
from ...interface.operators.take_run import TakeRun
from .. import refit
from ..keyed.keyed_variables import held_where_keyed
from ..pose_edit import commit

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.motion import Motion
    from ....core.staggered import StaggeredMotion
    from ...border.steps import Steps

_POSES = {"EXTREME": non_staggered_pose, "TRUE": true_pose}
_PUT = {"EXTREME": with_extreme_pose, "TRUE": with_true_pose}
# A rig holds single precision: smaller differences are no edit. Radians and units.
_ROUNDING = 1e-5
_PARTS = ("rotations", "locations", "scales")


def pose_of(model: StaggeredMotion, pose: int, kind: str) -> Motion:
    """A pose of a model as a motion of one frame."""
    return _POSES[kind](model, pose)


def change_text(shown: Motion, posed: Motion) -> str:
    """What was posed on a rig that showed a pose, as text; empty if nothing was."""
    rows = [np.concatenate([getattr(each, name)[0] for name in _PARTS], axis=1) for each in (shown, posed)]
    moved = np.flatnonzero((rows[0] != rows[1]).any(axis=1)).tolist()
    if not moved and np.array_equal(shown.scalars, posed.scalars):
        return ""
    names = [shown.skeleton.names[joint] for joint in moved]
    values = [[row[moved].tolist(), each.scalars[0].tolist()] for row, each in zip(rows, (shown, posed), strict=True)]
    return saved_state.to_text(POSE_CHANGE, {"bones": names, "shown": values[0], "posed": values[1]})


def posed_again(text: str, now: Motion) -> Motion:
    """A pose changed as another one was posed."""
    return carried_over(now, *_poses(text, now))


def _poses(text: str, like: Motion) -> tuple[Motion, Motion]:
    """What a rig showed, and what was posed on it; bones that were not posed are as in another pose."""
    saved = saved_state.from_text(POSE_CHANGE, text)
    index = like.skeleton.index
    lost = [name for name in saved["bones"] if name not in index]
    if lost:
        raise ValueError(f"There is no bone '{lost[0]}' any more")
    joints = [index[name] for name in saved["bones"]]
    with saved_state.reading(POSE_CHANGE):
        return _with(like, joints, *saved["shown"]), _with(like, joints, *saved["posed"])


def _with(like: Motion, joints: list[int], rows: list[list[float]], scalars: list[float]) -> Motion:
    values, start = np.array(rows).reshape(len(joints), 10), 0
    changed: dict[str, Any] = {}
    for name in _PARTS:
        array = np.array(getattr(like, name))
        array[0, joints] = values[:, start : start + array.shape[2]]
        changed[name], start = array, start + array.shape[2]
    if len(scalars) == like.scalars.shape[1]:
        changed["scalars"] = np.array([scalars])
    return replace(like, **changed)


class PoseChangeRun(TakeRun):
    """One call of the operator that takes a pose into the motion."""

    def work(self, context: Context) -> Steps[None]:
        """Change the motion by what was posed."""
        armature = scope.armatures(context)[0]
        yield 0.5
        self.operator.report({"INFO"}, self._changed(context, armature))

    def _changed(self, context: Context, armature: Object) -> str:
        operator: Any = self.operator
        saved, pose = refit.require_pose(context, armature, operator.pose, fresh=True)
        model: Any = saved.model
        now = pose_of(model, pose, operator.kind)
        wanted = posed_again(operator.change, now)
        start = widened(model, wanted, _ROUNDING)
        if saved.from_keys:
            start = held_where_keyed(scope.read_clip(context, armature), start)
        model = _PUT[operator.kind](start, pose, wanted, tolerance=_ROUNDING)
        if model is start:
            return report_text("The pose was not changed")
        report, _holding = commit(context, armature, saved, saved.edited(model, by_hand=True), KeyOptions())
        counts = {"bones": counted_text(report.bones, "bone"), "frames": counted_text(report.frames, "frame")}
        done = report_text("Changed pose {number}: {bones} over {frames}", number=pose + 1, **counts)
        return ". ".join(filter(None, (done, muted_text([report]))))
