"""Adding constraints from the pose and from contacts, removing them, going to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ..border import action_io
from ..border.hidden_objects import is_deleted
from ..border.lazy_modules import np
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.character import joint_positions
from ..document.contacts import saved_contacts
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import (
    ALL_OF_THEM,
    CHOSEN_BONE,
    CONSTRAINT_KIND,
    END,
    SOFTNESS,
    START,
    TAIL,
    TARGET_BONE,
)
from . import from_pose
from .constraint_kind import Span
from .kinds import ITEMS, KINDS
from .settings import free_name

if TYPE_CHECKING:
    from bpy.types import Context, Object, PropertyGroup

    from ..border.steps import Steps

_ONLY_NOW = {"SKIP_SAVE"}
_SECONDS_FROM_NOW = 0.5


def constraints_of(armature: Object) -> PropertyGroup:
    """The list of the armature's action."""
    return scope.own_action(armature).motion_editing_constraints


class MOTIONEDIT_OT_add_constraint(NeedsClip, Operator):
    """Hold the selected bones as they are; Solve Constraints applies it"""

    bl_idname = "motion_editing.add_constraint"
    bl_label = "Add Constraint"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(**CONSTRAINT_KIND, items=ITEMS)
    bone: StringProperty(**CHOSEN_BONE, options=_ONLY_NOW)
    start: FloatProperty(**START, options=_ONLY_NOW)
    end: FloatProperty(**END, options=_ONLY_NOW)
    tail: BoolProperty(**TAIL, options=_ONLY_NOW)
    target_object: StringProperty(
        name="Target", description="Object, curve or armature to hold the bone to", options=_ONLY_NOW
    )
    target_bone: StringProperty(**TARGET_BONE, options=_ONLY_NOW)
    softness: FloatProperty(**SOFTNESS, min=0.0, soft_max=1.0, precision=3)

    def execute(self, context: Context) -> set[str]:
        """Add one for each bone."""
        return guarded(self, lambda: self._add(context))

    def _add(self, context: Context) -> str:
        armature = scope.armatures(context)[0]
        bones = self._bones(armature)
        if KINDS[self.kind].needs_target and len(bones) == 2 and not self.target_object and not self.target_bone:
            active = armature.data.bones.active
            bones.sort(key=lambda bone: active is None or bone != active.name)
            self.target_bone = bones.pop()
        target = bpy.data.objects.get(self.target_object)
        if self.target_object and (target is None or is_deleted(target)):
            raise MotionEditError(f"There is no object '{self.target_object}': choose another target")
        self._find_span(context, armature)
        if self.end < self.start:
            raise MotionEditError(f"End ({self.end:g}) must not be before Start ({self.start:g})")
        for bone in bones:
            self._add_one(context, armature, bone, target)
        kind = report_text(KINDS[self.kind].label)
        return report_text("Added {kind} of {bones}", kind=kind, bones=counted_text(len(bones), "bone"))

    def _bones(self, armature: Object) -> list[str]:
        active = armature.data.bones.active
        found = [self.bone] if self.bone else sorted(scope.picked_bones(armature)) or [active.name if active else ""]
        missing = [name for name in found if name not in armature.pose.bones]
        if missing:
            raise MotionEditError(f"There is no bone '{missing[0]}'" if missing[0] else "Select a bone in pose mode")
        return found

    def _find_span(self, context: Context, armature: Object) -> None:
        """Frames that were not given are set by the kind, and shown in the redo panel."""
        now = float(context.scene.frame_current_final)
        first, last = now, now
        span = KINDS[self.kind].span
        if span is Span.ALWAYS:
            first, last = sorted(scope.to_scene(armature, np.array(action_io.key_ends(armature) or (now, now))))
        elif span is Span.FROM_NOW:
            last = now + _SECONDS_FROM_NOW * scope.scene_rate(context)
        for name, frame in (("start", first), ("end", last)):
            if not self.properties.is_property_set(name):
                setattr(self, name, frame)

    def _add_one(self, context: Context, armature: Object, bone: str, target: Object | None) -> None:
        settings = constraints_of(armature)
        item = settings.new(armature, free_name(settings, f"{KINDS[self.kind].label} {bone}"))
        item.kind, item.bone, item.tail, item.softness = self.kind, bone, self.tail, self.softness
        item.start, item.end = sorted(scope.from_scene(armature, frame) for frame in (self.start, self.end))
        item.target = KINDS[self.kind].first_target
        item.target_object, item.target_bone = target, self.target_bone
        try:
            from_pose.take_from_pose(context, armature, item)
        except BaseException:
            settings.listed.remove(len(settings.listed) - 1)
            raise
        settings.active = len(settings.listed) - 1


class MOTIONEDIT_OT_add_footplants(LongWorkOperator, NeedsClip, Operator):
    """Add constraints that hold feet and hands in every contact"""

    bl_idname = "motion_editing.add_footplants"
    bl_label = "Add Footplants"
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(
        **CONSTRAINT_KIND,
        items=(
            ("KEEP", "Keep", "Keep feet where they are"),
            ("NO_SKID", "No Skid", "Stop foot sliding; steps may move"),
        ),
    )

    def work(self, context: Context) -> Steps[None]:
        """List the contacts as constraints; footplants that are there already stay."""
        armature = scope.armatures(context)[0]
        clip = scope.read_clip(context, armature)
        contacts = saved_contacts.contacts_of(clip, (yield from joint_positions.sample_in_steps(context, clip)))
        rate = clip.motion.rate
        spans = [(bone, start * rate, end * rate) for bone in contacts.joints for start, end in contacts.of(bone)]
        settings = constraints_of(armature)
        plants = [item for _, item in settings.of(armature) if KINDS[item.kind].stands]
        there = {(item.bone, round(item.start), round(item.end)) for item in plants}
        new = [each for each in spans if (each[0], round(each[1]), round(each[2])) not in there]
        for bone, start, end in new:
            item = settings.new(armature, free_name(settings, f"{bone} at {start:.0f}"))
            item.kind, item.bone, item.start, item.end = self.kind, bone, start, end
        if not spans:
            self.report({"WARNING"}, "There are no contacts: mark some in the Contacts panel, or use Find Contacts")
            return
        added = report_text("Added {footplants}", footplants=counted_text(len(new), "footplant"))
        self.report({"INFO"}, added if new else "All contacts are held already")


class ListedOperator(NeedsClip):
    """Mixin of operators on one constraint of the list. A tool implements `run`."""

    bl_options = {"REGISTER", "UNDO"}

    number: IntProperty(
        name="Number", description="Number in the list; the active one if negative", default=-1, options=_ONLY_NOW
    )

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs a constraint."""
        reason = super().why_not(context)
        if reason is None:
            armature = scope.armatures(context)[0]
            reason = (
                None if constraints_of(armature).of(armature) else "There are no constraints: add one with the plus"
            )
        return reason

    def run(self, context: Context, armature: Object, number: int) -> str | None:
        """Do it to the constraint of that number."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Find the constraint, or say that there is none."""

        def act() -> str | None:
            armature = scope.armatures(context)[0]
            settings = constraints_of(armature)
            number, own = settings.active if self.number < 0 else self.number, dict(settings.of(armature))
            if number not in own:
                raise MotionEditError(f"There is no constraint with number {number} among {len(own)}")
            return self.run(context, armature, number)

        return guarded(self, act)


class MOTIONEDIT_OT_remove_constraint(ListedOperator, Operator):
    """Remove the constraint; the motion stays as it is"""

    bl_idname = "motion_editing.remove_constraint"
    bl_label = "Remove Constraint"

    everything: BoolProperty(**ALL_OF_THEM, options=_ONLY_NOW)

    def run(self, _context: Context, armature: Object, number: int) -> None:
        """Take it, or all of them, off the list."""
        settings = constraints_of(armature)
        gone = [each for each, _item in settings.of(armature)] if self.everything else [number]
        for each in reversed(gone):
            settings.listed.remove(each)
        settings.active = min(number, max(len(settings.listed) - 1, 0))


class MOTIONEDIT_OT_jump_to_constraint(ListedOperator, Operator):
    """Go to the first frame of the constraint and select its bone"""

    bl_idname = "motion_editing.jump_to_constraint"
    bl_label = "Jump to Constraint"

    def run(self, context: Context, armature: Object, number: int) -> None:
        """Set frame and active bone."""
        item = constraints_of(armature).listed[number]
        frame = float(scope.to_scene(armature, np.array([item.start]))[0])
        context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        bone = armature.data.bones.get(item.bone)
        if bone is not None:
            armature.data.bones.active = bone
