"""How staggered poses are edited: which poses and bones, contacts, writing, warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.staggered import timing_warnings
from ...border.lengths import length_text
from ...border.translation import counted_text, report_text
from ...document import scope
from ...document.character.character import Character
from ...document.character.saved_body import body_of
from ...document.take.clip_take import ClipTake
from ...interface.operators.take_run import TakeRun
from .. import contacts, refit
from ..keyed import keyed_handles
from ..noise import noise_warning, smoothed
from ..pose_edit import commit, shown_motion
from . import pose_choice

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.body import Body
    from ....core.rig import BodyOrder
    from ....core.solve.contact_lock import HoldReport
    from ....core.staggered import StaggeredMotion
    from ...border.action_io import Clip, WriteReport
    from ...border.steps import Steps
    from ...interface.drawing.original_ghost import OriginalGhost
    from ...interface.operators.preview_trails import ShownMotion
    from ..session import Session


# More of them than this would hide what they say.
_MOST_WARNINGS = 3


@dataclass(frozen=True)
class Target:
    """What an edit is meant for.

    Attributes:
        armature: The armature object.
        clip: Its motion as it is.
        session: Its staggered poses.
        active: Number of the pose that is picked.
        poses: Numbers of the poses to change; None for all.
        joints: (J,) joints that may change.
    """

    armature: Object
    clip: Clip
    session: Session
    active: int
    poses: list[int] | None
    joints: np.ndarray

    @property
    def model(self) -> StaggeredMotion:
        """The poses as they are."""
        return self.session.poses

    @property
    def order(self) -> BodyOrder | None:
        """How the controls of a rig come one after another down the body."""
        return Character.of(self.armature).order(self.clip.motion)

    def joint_named(self, bone: str) -> int:
        """The joint of a bone, of the active bone if no name is given."""
        name = bone or scope.active_bone(self.armature)
        if name not in self.clip.motion.skeleton.index or not name:
            raise MotionEditError(f"There is no bone '{name}'" if name else "Make a bone active, or name it")
        return self.clip.motion.skeleton.index[name]

    def seconds(self, scene_frame: float) -> float:
        """A scene frame as time of the action."""
        return scope.from_scene(self.armature, scene_frame) / self.clip.motion.rate

    def scene_frame(self, seconds: float) -> float:
        """A time of the action as scene frame."""
        return float(scope.to_scene(self.armature, np.array([seconds * self.clip.motion.rate]))[0])

    def joints_in_place(self) -> np.ndarray:
        """(J,) the chosen joints; without picked bones all but the root, whose travel is not a pose."""
        if scope.picked_bones(self.armature):
            return self.joints
        joints, root = self.joints.copy(), self.body().root
        joints[[0] if root is None else [0, root]] = False
        return joints

    def body(self) -> Body:
        """The character's parts."""
        return body_of(self.armature, self.clip)


class PosesRun(TakeRun):
    """One call of an operator whose `change` gives other poses."""

    _target: Target

    # While the mouse sets values

    def begin(self, context: Context) -> None:
        """Load the poses once; the mouse then only changes numbers."""
        self._target = self._prepared(self.target(context, scope.armatures(context)[0]))
        self.operator.examine(self._target)

    def preview(self, context: Context) -> list[tuple[Clip, ShownMotion]]:
        """What the poses show with the present values, or the handles would give."""
        target = self._target
        shaping = self.operator.shaping(target)
        if shaping is not None:
            return [(target.clip, keyed_handles.preview(context, target, shaping))]
        return [(target.clip, shown_motion(self.operator.change(target)))]

    def ghosts(self) -> list[OriginalGhost]:
        """None."""
        return []

    # When it is done

    def target(self, context: Context, armature: Object) -> Target:
        """What to change on an armature."""
        operator = self.operator
        chosen = pose_choice.active_pose(context, operator.pose)
        meant = pose_choice.meant(context, operator.pose, all_poses=operator.all_poses)
        saved, active = refit.require_pose(context, armature, chosen, fresh=operator.changes_values())
        clip = scope.read_clip(context, armature)
        poses = meant if meant is None or len(meant) > 1 else [active]
        return Target(armature, clip, saved, active, poses, self._joints(armature, clip))

    def _joints(self, armature: Object, clip: Clip) -> np.ndarray:
        """(J,) joints that may change; of a control rig without what places feet in contact, where that would slide."""
        operator = self.operator
        joints: np.ndarray = operator.joints(armature, clip)
        if operator.leaves_planted and operator.keep_contacts and not scope.picked_bones(armature):
            joints = joints & ~ClipTake(clip).planted_controls
        return joints

    def work(self, context: Context) -> Steps[None]:
        """Edit the poses of the active armature."""
        target = self.target(context, scope.armatures(context)[0])
        yield 0.5
        report, model = self._write(context, target)
        self.operator.tell_edit([report], [target.armature])
        self._warn(target, model)
        if self.operator.changes_timing:
            self._warn_of_noise(context, target)

    def _write(self, context: Context, target: Target) -> tuple[WriteReport, StaggeredMotion]:
        """Change the poses and the keys; gives what was done and the poses after it."""
        operator, shaping = self.operator, self.operator.shaping(target)
        if shaping is not None:
            return self._shape(context, target, shaping)
        start = self._prepared(target)
        edited = target.session.edited(operator.change(start), keeps_contacts=operator.keep_contacts)
        if operator.changes_timing and edited.keeps_contacts and not edited.from_keys:
            edited = contacts.safely_held(target.clip, edited)
        report, holding = commit(
            context,
            target.armature,
            target.session,
            edited,
            operator.key_options(),
            whole_frames=operator.changes_timing and operator.whole_frames,
        )
        self._tell_missed(target, holding)
        return report, edited.poses

    def _shape(
        self, context: Context, target: Target, shaping: keyed_handles.Shaping
    ) -> tuple[WriteReport, StaggeredMotion]:
        """Shape the handles of the keys, which stay where they are."""
        operator = self.operator
        report, made = keyed_handles.write(context, target, shaping, keeps_contacts=operator.keep_contacts)
        return report, made.poses

    def _prepared(self, target: Target) -> Target:
        """The poses that the edit starts from: smoothed first if that is wanted."""
        return smoothed(target) if self.operator.changes_timing and self.operator.smooth_first else target

    def _tell_missed(self, target: Target, holding: HoldReport | None) -> None:
        """Say which feet could not be held."""
        if holding is None:
            text = report_text("Contacts are not kept: bones would jump to hold them")
            self.operator.report({"WARNING"}, text)
            return
        for missed in holding.missed[:_MOST_WARNINGS]:
            text = report_text(
                "{bone} could not be held at frame {frame}: it is off by {distance}",
                bone=missed.joint,
                frame=f"{target.scene_frame(missed.start):.0f}",
                distance=length_text(missed.distance),
            )
            self.operator.report({"WARNING"}, text)

    def _warn(self, target: Target, model: StaggeredMotion) -> None:
        """Say what has become tight."""
        before = {(warning.kind, warning.pose, warning.names) for warning in timing_warnings(target.model)}
        found = timing_warnings(model)
        new = [warning for warning in found if (warning.kind, warning.pose, warning.names) not in before]
        for warning in new[:_MOST_WARNINGS]:
            self.operator.report({"WARNING"}, warning.text(target.scene_frame(warning.time)))
        more = len(new) - _MOST_WARNINGS
        if more > 0:
            self.operator.report({"WARNING"}, counted_text(more, "more such warning"))

    def _warn_of_noise(self, context: Context, target: Target) -> None:
        """Say where shake has appeared that joints in a row have hidden."""
        warning = noise_warning(target.clip.motion, scope.read_clip(context, target.armature).motion)
        if warning:
            self.operator.report({"WARNING"}, warning)
