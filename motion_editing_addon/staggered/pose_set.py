"""Making and changing the set of poses; none of it changes the motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError, TooFewFramesError
from ...core.staggered import (
    SAME_TIME,
    PoseTable,
    delete_poses,
    evaluate,
    group_key_times,
    with_layer,
    without_rounding,
)
from ...core.staggered import insert_pose as with_inserted_pose
from ...core.wording import counted
from ..border.action_io.any_frames import apart
from ..border.armature import rotation_property
from ..border.saved_state import STAGGERED
from ..document import scope, transaction, watched_keys
from . import pose_list, session

if TYPE_CHECKING:
    from bpy.types import Context, Object, PoseBone

    from ..border.action_io import Clip

_FEWEST_FRAMES = 3
# Seconds within which keys of different bones form one pose.
_REACH = 0.25
# Frames that knots of one joint are apart.
_MARGIN = 0.5


def refuse_short(clip: Clip) -> None:
    """Staggered poses need something to lie between."""
    if len(clip.frames) < _FEWEST_FRAMES:
        raise TooFewFramesError(f"Staggered poses need {_FEWEST_FRAMES} frames, the range has {len(clip.frames)}")


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
    made = replace(made, model=table.fitted(session.motion_to_fit(clip, made)))
    settings = scope.action_of(clip.armature).motion_editing_staggered
    settings["share"] = share  # Past the property, whose update would cull again.
    settings["active"] = 0
    pose_list.refresh(clip.armature, session.save(clip.armature, made))


def from_keys(context: Context, armature: Object, reach: float) -> PoseTable:
    """Poses from the keys of every bone."""
    clip = scope.read_clip(context, armature)
    refuse_short(clip)
    table = PoseTable.of_keys(group_key_times(_all_key_times(clip), reach=reach))
    _refuse_single(table)
    start(clip, table, np.empty(0), from_keys=True)
    return table


def with_keys_as_they_are(context: Context, armature: Object, saved: session.Session) -> session.Session:
    """The poses of hand-keyed motion, and those that its keys of now have added to them."""
    clip = scope.read_clip(context, armature)
    refuse_short(clip)
    table = saved.table.with_keys(_all_key_times(clip), reach=_REACH, margin=_MARGIN / clip.motion.rate)
    _refuse_single(table)
    return session.fitted(context, armature, replace(saved, table=table))


def _refuse_single(table: PoseTable) -> None:
    if len(table) < 2:
        raise MotionEditError("The keys form a single pose: staggered poses need keys at two frames or more")


def _all_key_times(clip: Clip) -> list[np.ndarray]:
    """For every joint the seconds at which it has keys within the clip."""
    return [_key_times(clip, joint) for joint in range(len(clip.motion.skeleton))]


def _key_times(clip: Clip, joint: int) -> np.ndarray:
    """Seconds at which a joint has keys within the clip."""
    frames = [
        clip.keys[prop, index][:, 0]
        for prop in clip.channels.joints[joint]
        for index in range(prop.size)
        if (prop, index) in clip.keys
    ]
    times = apart(np.concatenate([np.empty(0), *frames]) / clip.motion.rate, SAME_TIME)
    return times[(times >= clip.motion.times[0]) & (times <= clip.motion.times[-1])]


def pose_of(context: Context, pose: int) -> int:
    """The pose with this number, or the active one for a negative number."""
    settings = scope.action_of(context.object).motion_editing_staggered
    chosen = settings.active if pose < 0 else pose
    if not 0 <= chosen < len(settings.poses):
        raise MotionEditError(f"There is no pose with number {chosen} among {len(settings.poses)}")
    return chosen


def change_table(armature: Object, change: Callable[[PoseTable], PoseTable]) -> None:
    """Change the list without changing which poses are shown."""
    saved = session.there(armature)
    pose_list.refresh(armature, session.save(armature, replace(saved, table=change(saved.table))))


def cull_range(context: Context, armature: Object, share: float, choice: str) -> str:
    """Choose the poses of a range of frames anew."""
    saved = session.there(armature)
    interval = None
    if choice != "ACTION":
        rate = scope.source_rate(context, armature)
        first, last = scope.frame_range(context, armature, choice)
        interval = first / rate, last / rate
    table = saved.table.culled(share, interval=interval)
    pose_list.refresh(armature, session.save(armature, replace(saved, table=table, model=None)))
    return f"{counted(int(table.shown.sum()), 'pose')} shown"


def insert_pose(context: Context, armature: Object) -> str:
    """A pose at the current frame; with picked bones it holds those alone."""
    saved = session.require(context, armature)
    time = current_time(context, armature)
    picked, names = scope.picked_bones(armature), saved.model.source.skeleton.names
    present = np.array([not picked or name in picked for name in names])
    model = with_inserted_pose(saved.model, time, joints=present if picked else None)
    table = saved.table.with_pose(time, present=present).following(model)
    made = session.save(armature, replace(saved, model=model, table=table))
    scope.action_of(armature).motion_editing_staggered["active"] = int(np.argmin(np.abs(model.pose_times - time)))
    pose_list.refresh(armature, made)
    return f"Inserted a pose at {time:.2f} s"


def rebuild(context: Context, armature: Object) -> str:
    """The same poses, fitted to the motion as it is now."""
    saved = session.there(armature)
    if saved.model is not None and watched_keys.state(armature, STAGGERED, exact=True) is watched_keys.State.CURRENT:
        return "The poses fit the keys as they are"
    rebuilt = session.save(armature, _rebuilt(context, armature, saved))
    pose_list.refresh(armature, rebuilt)
    return f"Fitted {counted(len(rebuilt.model), 'pose')} to the keys as they are now"


def _rebuilt(context: Context, armature: Object, saved: session.Session) -> session.Session:
    if saved.from_keys:
        return with_keys_as_they_are(context, armature, saved)
    if saved.model is not None and session.remembers_stagger(armature):
        now, motion = evaluate(saved.model), scope.read_clip(context, armature).motion
        if len(now) == len(motion) and np.allclose(now.times, motion.times) and now.scalar_names == motion.scalar_names:
            # What is as it was keeps the timing that can be brought back; the rest follows it.
            changed = without_rounding(now, replace(motion, times=now.times))
            return replace(saved, model=with_layer(saved.model, changed))
    return session.fitted(context, armature, saved)


def rebuild_for(context: Context, armature: Object, pose: int) -> int:
    """Take up keys that were changed meanwhile; gives the number that a pose has now."""
    table = session.there(armature).table
    rebuild(context, armature)
    times = session.there(armature).model.pose_times
    return int(np.argmin(np.abs(times - table.times[table.numbers[pose]])))


def key_pose(context: Context, armature: Object) -> str:
    """Keys for the chosen bones at the current frame, from the rig as it is posed."""
    saved = session.load(armature)
    if saved is not None and not saved.from_keys:
        raise MotionEditError("These poses come from captured motion: use Insert Pose, or Edit Pose to change one")
    names = scope.chosen_bones(armature)
    with transaction.edit(armature):
        for bone in filter(lambda each: each.name in names, armature.pose.bones):
            _key(bone, context.scene.frame_current)
        try:
            table = _with_new_keys(context, armature, saved)
        except MotionEditError:
            return f"Keyed {counted(len(names), 'bone')}; pose the rig at another frame and use Key Pose again"
    return f"Keyed {counted(len(names), 'bone')}, {counted(int(table.shown.sum()), 'pose')}"


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
        return from_keys(context, armature, _REACH)
    made = session.save(armature, with_keys_as_they_are(context, armature, saved))
    times = made.table.times[made.table.shown]
    picked = int(np.argmin(np.abs(times - current_time(context, armature))))
    scope.action_of(armature).motion_editing_staggered["active"] = picked
    pose_list.refresh(armature, made)
    return made.table


def delete_pose(context: Context, armature: Object, pose: int) -> str:
    """One pose less."""
    saved = session.require(context, armature)
    table = saved.table.without(pose)
    made = session.save(armature, replace(saved, model=delete_poses(saved.model, [pose]), table=table))
    pose_list.refresh(armature, made)
    return f"Deleted pose {pose + 1}"


def current_time(context: Context, armature: Object) -> float:
    """The current frame in seconds of the action."""
    return scope.action_frame(context, armature) / scope.source_rate(context, armature)
