"""The tree's result over a range of frames, to be written as keys."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from ....core.numerics import quaternion
from ....core.pose_tree import TreeTake
from ...border.action_io import plan_write
from ...border.action_io.any_frames import read_frames
from ...border.action_io.curves.channels import further_owners
from ...border.rigs.rig_pose import owner_and_path
from ...border.steps import Steps
from ...border.translation import report_text
from ...document import scope
from ...document.action_users import new_actions, original_kept, own_actions
from ...interface.operators.take_run import TakeRun
from .. import live, model
from ..poses.rig import RigPose, property_of, write_rig
from .evaluation import CursorStates, blended, cursor_states, put_together
from .solution import solved

if TYPE_CHECKING:
    from bpy.types import ID, Context, Object

    from ...border.action_io import Clip, WriteReport
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


class BakeRun(TakeRun):
    """One call of Bake Pose Tree."""

    def work(self, context: Context) -> Steps[None]:
        """Evaluate all frames, then write the keys at once."""
        (owner,), scene = self.operator.chosen(context), context.scene
        frames = np.array(self.operator.present_tool().frames((scene.frame_start, scene.frame_end)), dtype=np.float64)
        result = yield from baked(context, owner, frames)
        before = _action_name(owner)
        report = yield from self._write(context, owner, frames, result)
        after, told = _action_name(owner), ""
        if before and after != before:
            told = report_text(", into '{action}'; '{before}' stays as it is", action=after, before=before)
        self.operator.tell_edit([report], [owner], told)

    def _write(self, context: Context, owner: Object, frames: np.ndarray, result: RigPose) -> Steps[WriteReport]:
        """Key the result at scene frames (F,); then the tree is no longer live. If that fails it is as before."""
        was_live, goes_to = model.tree_of(owner).live, self.operator.result
        live.stop(owner)
        # Channels without keys are compared with the rest pose: what is at rest then needs no key.
        write_rig(owner, _rest_like(result))
        try:
            # A new action has the keys of the present one too.
            new = _keyed(owner, result) if goes_to == "NEW" else []
            copied = [owner] if goes_to == "THIS" and self.operator.if_shared == "COPY" else []
            with own_actions(copied), new_actions(new, "Baked") as made:
                clip = _clip_of(context, owner, frames, result)
                take = TreeTake(clip.motion, result.pose, joints=result.joints, driven=result.scalars)
                motion = self.operator.present_tool().apply(take).motion
                plan = yield from plan_write(clip, motion, self.operator.key_options())
                with original_kept(context, owner) if goes_to != "NEW" else nullcontext(made) as kept:
                    report = plan.carry_out()
                    kept.needed = report.bones > 0
        except BaseException:
            if was_live:
                live.start(owner)
            raise
        # What has no keys is at rest; the rest is shown as its keys have it.
        context.scene.frame_set(context.scene.frame_current, subframe=context.scene.frame_subframe)
        return report


def _action_name(owner: Object) -> str:
    data = owner.animation_data
    return data.action.name if data is not None and data.action is not None else ""


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


def _clip_of(context: Context, owner: Object, frames: np.ndarray, result: RigPose) -> Clip:
    """The owner's channels as they are, those among them that the tree drives."""
    names = result.pose.scalar_names
    driven = [property_of(owner, names[number]) for number in np.flatnonzero(result.scalars)]
    action_frames = np.array(
        [scope.from_scene(owner, float(frame)) if owner.animation_data else frame for frame in frames]
    )
    return read_frames(
        owner, action_frames, rate=scope.source_rate(context, owner), scalars=[prop for prop in driven if prop]
    )
