"""The tree's result over a range of frames, to be written as keys."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from ....core.numerics import quaternion
from ...border.action_io import plan_write
from ...border.action_io.any_frames import read_frames
from ...border.action_io.curves.channels import further_owners
from ...border.rigs.rig_pose import owner_and_path
from ...border.steps import Steps
from ...document import scope
from ...document.action_users import new_actions, original_kept, own_actions
from .. import live, model
from ..poses.rig import RigPose, property_of, write_rig
from .evaluation import CursorStates, blended, cursor_states, put_together
from .solution import solved

if TYPE_CHECKING:
    from bpy.types import ID, Context, Object

    from ...border.action_io import Clip, KeyOptions, WriteReport
    from .solution import Solved


def sampled_cursors(context: Context, owner: Object, known: Solved, frames: np.ndarray) -> Steps[CursorStates]:
    """Step through scene frames and look where the cursors are; the scene's frame is restored at the end."""
    scene = context.scene
    before = scene.frame_current, scene.frame_subframe
    seen: list[CursorStates] = []
    try:
        for done, frame in enumerate(frames):
            whole = int(np.floor(frame))
            with live.paused():
                scene.frame_set(whole, subframe=float(frame - whole))
            seen.append(cursor_states(owner, known, context.evaluated_depsgraph_get()))
            yield (done + 1) / len(frames)
    finally:
        scene.frame_set(before[0], subframe=before[1])
    return CursorStates(
        {number: np.concatenate([each.places[number] for each in seen]) for number in seen[0].places},
        {number: np.concatenate([each.path_frames[number] for each in seen]) for number in seen[0].path_frames},
    )


def baked(context: Context, owner: Object, frames: np.ndarray) -> Steps[RigPose]:
    """What the tree gives at scene frames, one frame each."""
    known = solved(owner)
    states = yield from sampled_cursors(context, owner, known, frames)
    return put_together(known, blended(owner, known, states))


def write(
    context: Context, owner: Object, frames: np.ndarray, result: RigPose, options: KeyOptions, where: str
) -> Steps[WriteReport]:
    """Key the result at scene frames; then the tree is no longer live. If that fails it is as live as before.

    Args:
        context: For the scene and its frame rate.
        owner: Whose tree it is.
        frames: (F,) scene frames.
        result: What the tree gives there.
        options: How the result becomes keys.
        where: NEW for new actions that have the keys of the present ones too, OWN to give the owner a copy of an
            action that others use too, THIS for the present action.
    """
    was_live = model.tree_of(owner).live
    live.stop(owner)
    # Channels without keys are compared with the rest pose: what is at rest then needs no key.
    write_rig(owner, _rest_like(result))
    try:
        new = _keyed(owner, result) if where == "NEW" else []
        with own_actions([owner] if where == "OWN" else []), new_actions(new, "Baked") as made:
            plan = yield from plan_write(*_clip_and_motion(context, owner, frames, result), options)
            with original_kept(context, owner) if where != "NEW" else nullcontext(made) as kept:
                report = plan.carry_out()
                kept.needed = report.bones > 0
    except BaseException:
        if was_live:
            live.start(owner)
        raise
    # What has no keys is at rest; the rest is shown as its keys have it.
    context.scene.frame_set(context.scene.frame_current, subframe=context.scene.frame_subframe)
    return report


def _keyed(owner: Object, result: RigPose) -> list[ID]:
    """What gets keys: the object, and shape keys that the tree drives."""
    names = [result.pose.scalar_names[number] for number in np.flatnonzero(result.scalars)]
    owners = {owner_and_path(owner, name)[0] for name in names}
    return [owner, *(thing for thing in further_owners(owner) if thing in owners)]


def _rest_like(result: RigPose) -> RigPose:
    """The rest pose of what counts in a result; scalars have none and stay."""
    skeleton = result.pose.skeleton
    rest = Motion.build(
        skeleton,
        quaternion.identity(len(skeleton))[None],
        rate=result.pose.rate,
        scalars=result.pose.scalars[:1],
        scalar_names=result.pose.scalar_names,
    )
    return RigPose(rest, result.joints, np.zeros_like(result.scalars))


def _clip_and_motion(context: Context, owner: Object, frames: np.ndarray, result: RigPose) -> tuple[Clip, Motion]:
    """The owner's channels as they are, and as they are to be; they differ only in what the tree drives."""
    names = result.pose.scalar_names
    driven = [property_of(owner, names[number]) for number in np.flatnonzero(result.scalars)]
    action_frames = np.array(
        [scope.from_scene(owner, float(frame)) if owner.animation_data else frame for frame in frames]
    )
    clip = read_frames(
        owner, action_frames, rate=scope.source_rate(context, owner), scalars=[prop for prop in driven if prop]
    )
    return clip, _changed(clip.motion, result)


def _changed(motion: Motion, result: RigPose) -> Motion:
    joints = result.joints[None, :, None]
    scalars = np.array(motion.scalars)
    for column, name in enumerate(motion.scalar_names):
        number = result.pose.scalar_names.index(name) if name in result.pose.scalar_names else -1
        if number >= 0 and result.scalars[number]:
            scalars[:, column] = result.pose.scalars[:, number]
    pose = result.pose
    changed = motion.with_rotations(np.where(joints, pose.rotations, motion.rotations))
    changed = changed.with_locations(np.where(joints, pose.locations, motion.locations))
    changed = changed.with_scales(np.where(joints, pose.scales, motion.scales)).with_scalars(scalars)
    return replace(changed, stepped=motion.stepped | pose.stepped)
