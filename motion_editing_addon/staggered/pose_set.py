"""Making and changing the set of poses; none of it changes the motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.staggered import (
    PoseTable,
    delete_poses,
    group_key_times,
)
from ...core.staggered import insert_pose as with_inserted_pose
from ..border.armature import rotation_property
from ..border.translation import counted_text, report_text
from ..document import scope, transaction
from . import pose_list, refit, session
from .edits import pose_choice
from .edits.loops import loop_of

if TYPE_CHECKING:
    from bpy.types import Context, Object, PoseBone

    from ...core.staggered import StaggeredMotion
    from ..border.action_io import Clip


def start(
    clip: Clip, table: PoseTable, probability: np.ndarray, *, share: float = 1.0, from_keys: bool = False
) -> None:
    """Save new poses with the clip's action and list them."""
    made = session.Session(
        table=table,
        model=None,
        probability=np.asarray(probability, dtype=np.float64),
        probability_times=np.array(clip.motion.times) if len(probability) else np.empty(0),
        from_keys=from_keys,
    )
    made = replace(made, model=table.fitted(refit.motion_to_fit(clip, made), **loop_of(clip)))
    settings = scope.own_action(clip.armature).motion_editing_staggered
    settings["share"] = share  # Past the property, whose update would cull again.
    settings["active"] = 0
    pose_list.refresh(clip.armature, session.save(clip.armature, made))


def from_keys(context: Context, armature: Object, reach: float, share: float = 1.0) -> PoseTable:
    """Poses from the keys of every bone, the most telling share of them shown."""
    clip = scope.read_clip(context, armature)
    refit.refuse_short(clip)
    table = PoseTable.of_keys(group_key_times(refit.key_times(clip), reach=reach))
    refit.refuse_single(table)
    table = refit.with_shape_keys(clip, table).culled(share)
    start(clip, table, np.empty(0), share=share, from_keys=True)
    return table


def change_table(armature: Object, change: Callable[[PoseTable], PoseTable]) -> None:
    """Change the list without changing which poses are shown."""
    saved, fits = session.there(armature), session.fits(armature)
    pose_list.refresh(armature, session.save(armature, replace(saved, table=change(saved.table)), fits=fits))


def cull_range(context: Context, armature: Object, share: float, choice: str) -> str:
    """Choose the poses of a range of frames anew."""
    saved, fits = session.there(armature), session.fits(armature)
    interval = None
    if choice != "ACTION":
        rate = scope.source_rate(context, armature)
        first, last = scope.frame_range(context, armature, choice)
        interval = (first / rate, last / rate) if first is not None and last is not None else None
    table = saved.table.culled(share, interval=interval)
    pose_list.refresh(armature, session.save(armature, replace(saved, table=table, model=None), fits=fits))
    return report_text("{poses} shown", poses=counted_text(int(table.shown.sum()), "pose"))


def insert_pose(context: Context, armature: Object) -> str:
    """A pose at the current frame; with picked bones it holds those alone."""
    saved = refit.require(context, armature)
    time = current_time(context, armature)
    picked, names = scope.picked_bones(armature), saved.poses.source.skeleton.names
    present = np.array([not picked or name in picked for name in names])
    model = with_inserted_pose(saved.poses, time, joints=present if picked else None)
    made = replace(saved, table=saved.table.with_pose(time, present=present).following(model))
    made = session.save(armature, _with_poses(context, armature, made, model))
    scope.own_action(armature).motion_editing_staggered["active"] = int(np.argmin(np.abs(made.poses.pose_times - time)))
    pose_list.refresh(armature, made)
    return report_text("Inserted a pose at {time} s", time=f"{time:.2f}")


def rebuild(context: Context, armature: Object) -> str:
    """Fit the poses now that would be fitted when they are next used."""
    if session.there(armature).model is not None and session.fits(armature):
        return report_text("The poses fit the keys as they are")
    fitted = refit.require(context, armature)
    poses = counted_text(len(fitted.poses), "pose")
    return report_text("Fitted {poses} to the keys as they are now", poses=poses)


def key_pose(context: Context, armature: Object) -> str:
    """Keys for the chosen bones at the current frame, from the rig as it is posed."""
    saved = session.load(armature)
    if saved is not None and not saved.from_keys:
        raise MotionEditError("These poses come from captured motion: use Insert Pose, or Edit Pose to change one")
    names = scope.chosen_bones(armature)
    bones = counted_text(len(names), "bone")
    with transaction.edit(armature):
        for bone in filter(lambda each: each.name in names, armature.pose.bones):
            _key(bone, context.scene.frame_current)
        try:
            table = _with_new_keys(context, armature, saved)
        except MotionEditError:
            return report_text("Keyed {bones}; pose the rig at another frame and use Key Pose again", bones=bones)
    return report_text("Keyed {bones}, {poses}", bones=bones, poses=counted_text(int(table.shown.sum()), "pose"))


def _key(bone: PoseBone, frame: int) -> None:
    """Key all transforms of a bone.

    Raises:
        MotionEditError: Its channels take no keys.
    """
    for name in ("location", rotation_property(bone), "scale"):
        if not bone.keyframe_insert(name, frame=frame):
            raise MotionEditError(f"The channels of '{bone.name}' are locked or sampled: unlock them first")


def _with_new_keys(context: Context, armature: Object, saved: session.Session | None) -> PoseTable:
    """List the poses after keys were set at the current frame, which is picked; poses that there were stay."""
    if saved is None:
        return from_keys(context, armature, refit.REACH)
    made = session.save(armature, refit.with_keys_as_they_are(context, armature, saved))
    times = made.table.times[made.table.shown]
    picked = int(np.argmin(np.abs(times - current_time(context, armature))))
    scope.own_action(armature).motion_editing_staggered["active"] = picked
    pose_list.refresh(armature, made)
    return made.table


def delete_pose(context: Context, armature: Object, poses: list[int]) -> str:
    """Some poses less."""
    found = [refit.require_pose(context, armature, pose) for pose in poses]
    saved, numbers = found[-1][0], sorted({pose for _saved, pose in found})
    table = saved.table
    for pose in reversed(numbers):
        table = table.without(pose)
    model = delete_poses(saved.poses, numbers)
    made = session.save(armature, _with_poses(context, armature, replace(saved, table=table), model))
    pose_choice.choose(context, [])
    pose_list.refresh(armature, made)
    if len(numbers) == 1:
        return f"Deleted pose {numbers[0] + 1}"
    return report_text("Deleted {poses}", poses=counted_text(len(numbers), "pose"))


def show_pose(context: Context, armature: Object, candidate: int) -> str:
    """Show a pose that was found and is not shown; it is pinned and active."""
    saved, fits = session.there(armature), session.fits(armature)
    if not 0 <= candidate < len(saved.table):
        raise MotionEditError(f"There is no pose with number {candidate} among {len(saved.table)}")
    table = saved.table.with_shown(candidate)
    time = float(table.times[candidate])
    pose_list.refresh(armature, session.save(armature, replace(saved, table=table, model=None), fits=fits))
    pose_choice.pick(context, int(np.argmin(np.abs(table.times[table.shown] - time))))
    return report_text("{poses} shown", poses=counted_text(int(table.shown.sum()), "pose"))


def _with_poses(context: Context, armature: Object, saved: session.Session, model: StaggeredMotion) -> session.Session:
    """Other poses of the same motion: those of a model, or fitted to the keys if these show more than poses do."""
    return saved.fitted_anew(model) if saved.is_fresh else refit.fitted(context, armature, saved)


def current_time(context: Context, armature: Object) -> float:
    """The current frame in seconds of the action."""
    return scope.action_frame(context, armature) / scope.source_rate(context, armature)
