"""Making, culling and changing the set of poses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ... import core
from ..border import action_io
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.character import joint_positions, saved_body
from ..document.take.examination import examine_once
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsArmature, NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import FACE, POSE_NUMBER, POSES_SHOWN, RANGE
from . import pose_list, pose_set, refit, session
from .edits import loops, pose_choice

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.staggered import PoseTable
    from ..border.action_io import Clip
    from ..border.steps import Steps


# What a clear change of expression says beside a foot's contact with the ground.
_FACE = 0.5


class NeedsPoses(NeedsClip):
    """Mixin of operators that need staggered poses; cheap enough for every redraw."""

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action with poses."""
        reason = scope.why_not(context)
        if reason is None and not scope.own_action(scope.known_object(context)).motion_editing_staggered.poses:
            return "There are no staggered poses yet: use Extract Poses or Poses from Keys"
        return reason


class MOTIONEDIT_OT_extract_poses(LongWorkOperator, NeedsClip, Operator):
    """Find key poses of a captured motion; the motion stays as it is"""

    bl_idname = "motion_editing.extract_poses"
    bl_label = "Extract Poses"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    share: FloatProperty(**POSES_SHOWN, default=1.0, min=0.0, max=1.0, subtype="FACTOR")
    smoothing: FloatProperty(
        name="Smoothing",
        description="Seconds over which rotations are smoothed; more for noisy capture",
        default=0.07,
        min=0.0,
        soft_max=0.3,
        unit="TIME_ABSOLUTE",
    )
    use_contacts: BoolProperty(
        name="Contacts", description="Prefer frames where feet touch or leave the ground", default=True
    )
    face: BoolProperty(**FACE, default=False)

    def work(self, context: Context) -> Steps[None]:
        """Look for poses in every chosen armature's motion."""
        chosen = list(filter(scope.action_of, scope.armatures(context)))
        for armature in chosen:
            forgotten = _forgotten_text(armature)
            examine_once(context, armature)
            clip = scope.read_clip(context, armature)
            refit.refuse_short(clip)
            if not any(action_io.baked_bones(clip).values()):
                # Hand-set keys are poses themselves.
                table = pose_set.from_keys(context, armature, refit.REACH, self.share)
                self._tell(armature, len(chosen), table, clip, forgotten)
                continue
            positions = yield from joint_positions.sample_in_steps(context, clip)
            found = core.analysis.extract_poses(
                clip.motion,
                saved_body.body_of(armature, clip, positions),
                options=core.analysis.ExtractionOptions(smoothing=self.smoothing, face_weight=_FACE * self.face),
                contacts=None if self.use_contacts else core.analysis.contacts.ContactSpans(),
                positions=positions,
                seam=loops.seam_of(clip),
            )
            table = core.staggered.PoseTable.of_candidates(found, share=self.share)
            pose_set.start(clip, table, found.probability, share=self.share)
            self._tell(armature, len(chosen), table, clip, forgotten)

    def _tell(self, armature: Object, chosen: int, table: PoseTable, clip: Clip, forgotten: str = "") -> None:
        """Say how many poses were found, one line for each of the chosen armatures."""
        named = "" if chosen == 1 else f"'{armature.name}': "
        counts = {"poses": counted_text(len(table), "pose"), "frames": counted_text(len(clip.frames), "frame")}
        text = report_text("Found {poses} in {frames}, {count} shown", count=table.shown.sum(), **counts)
        self.report({"WARNING"} if forgotten else {"INFO"}, named + text + forgotten)


def _forgotten_text(armature: Object) -> str:
    """What is lost when the armature's poses go: stagger that was taken away."""
    lost = "; the stagger that was removed is forgotten: undo and use Re-stagger first if you want it back"
    return report_text(lost) if session.remembers_stagger(armature) else ""


class MOTIONEDIT_OT_poses_from_keys(NeedsClip, Operator):
    """Make poses from hand-set keys that lie close together"""

    bl_idname = "motion_editing.poses_from_keys"
    bl_label = "Poses from Keys"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    reach: FloatProperty(
        name="Reach",
        description="Seconds within which keys of different bones form one pose",
        default=0.25,
        min=0.01,
        soft_max=1.0,
        unit="TIME_ABSOLUTE",
    )

    def execute(self, context: Context) -> set[str]:
        """Group the keys of every chosen armature."""

        def group() -> str:
            chosen = list(filter(scope.action_of, scope.armatures(context)))
            forgotten = max(map(_forgotten_text, chosen))
            tables = [pose_set.from_keys(context, each, self.reach) for each in chosen]
            poses = counted_text(sum(map(len, tables)), "pose")
            return report_text("The keys form {poses}", poses=poses) + forgotten

        return guarded(self, group)


class MOTIONEDIT_OT_rebuild_poses(NeedsPoses, Operator):
    """Update the poses from the keys now instead of at their next use"""

    bl_idname = "motion_editing.rebuild_poses"
    bl_label = "Rebuild Poses"
    bl_options = {"INTERNAL", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Fit the same poses to the motion as it is now."""
        return guarded(self, lambda: pose_set.rebuild(context, scope.known_object(context)))


class MOTIONEDIT_OT_remove_poses(NeedsPoses, Operator):
    """Remove the poses; the keys stay as they are"""

    bl_idname = "motion_editing.remove_poses"
    bl_label = "Remove Poses"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Take the saved poses away."""
        armature = scope.known_object(context)
        forgotten = _forgotten_text(armature)
        session.remove(armature)
        pose_list.clear(armature)
        if forgotten:
            self.report({"WARNING"}, report_text("Removed the poses") + forgotten)
        return {"FINISHED"}


class MOTIONEDIT_OT_cull_poses(NeedsPoses, Operator):
    """Show fewer or more poses within a range of frames"""

    bl_idname = "motion_editing.cull_poses"
    bl_label = "Cull Poses"
    bl_options = {"REGISTER", "UNDO"}

    share: FloatProperty(**POSES_SHOWN, default=0.3, min=0.0, max=1.0, subtype="FACTOR")
    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION")

    def execute(self, context: Context) -> set[str]:
        """Choose the poses of the range anew."""
        return guarded(self, lambda: pose_set.cull_range(context, scope.known_object(context), self.share, self.range))


class MOTIONEDIT_OT_pin_pose(NeedsPoses, Operator):
    """Keep the pose shown when poses are culled, or unpin it"""

    bl_idname = "motion_editing.pin_pose"
    bl_label = "Pin Pose"
    bl_options = {"REGISTER", "UNDO"}

    pose: IntProperty(**POSE_NUMBER, default=-1)
    state: BoolProperty(name="Pinned", description="Keep the pose shown when poses are culled", default=True)

    def execute(self, context: Context) -> set[str]:
        """Set the pin."""

        def pin() -> None:
            pose = pose_choice.active_pose(context, self.pose)
            pose_set.change_table(scope.known_object(context), lambda table: table.with_pin(pose, self.state))

        return guarded(self, pin)


class MOTIONEDIT_OT_key_pose(NeedsArmature, Operator):
    """Key the present pose of the rig as a new pose"""

    bl_idname = "motion_editing.key_staggered_pose"
    bl_label = "Key Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature; an action is not needed, but one that it has must take keys."""
        if not super().poll(context):
            return False
        has_action = scope.action_of(scope.armatures(context)[0]) is not None
        reason = scope.why_not(context) if has_action else None
        if reason:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: Context) -> set[str]:
        """Insert keys for the chosen bones at the current frame and take all keys as poses."""
        return guarded(self, lambda: pose_set.key_pose(context, scope.armatures(context)[0]))


class MOTIONEDIT_OT_insert_pose(NeedsPoses, Operator):
    """Add a pose at the current frame; the motion stays as it is"""

    bl_idname = "motion_editing.insert_staggered_pose"
    bl_label = "Insert Pose"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Insert it into the model and the list."""
        return guarded(self, lambda: pose_set.insert_pose(context, scope.known_object(context)))


class MOTIONEDIT_OT_delete_pose(NeedsPoses, Operator):
    """Delete the active pose; the motion stays as it is"""

    bl_idname = "motion_editing.delete_staggered_pose"
    bl_label = "Delete Pose"
    bl_options = {"REGISTER", "UNDO"}

    pose: IntProperty(**POSE_NUMBER, default=-1)

    def execute(self, context: Context) -> set[str]:
        """Delete it, or all that are selected, from the model and the list."""

        def delete() -> str:
            poses = pose_choice.meant(context, self.pose, all_poses=False) or []
            return pose_set.delete_pose(context, scope.known_object(context), poses)

        return guarded(self, delete)


class MOTIONEDIT_OT_show_pose(NeedsPoses, Operator):
    """Show a pose that was found but culled, and pin it"""

    bl_idname = "motion_editing.show_pose"
    bl_label = "Show Pose"
    bl_options = {"REGISTER", "UNDO"}

    candidate: IntProperty(name="Candidate", description="Number among all poses that were found, from 0", default=0)

    def execute(self, context: Context) -> set[str]:
        """Show it."""
        return guarded(self, lambda: pose_set.show_pose(context, scope.known_object(context), self.candidate))
