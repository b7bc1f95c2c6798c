"""Finding and marking contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ... import core
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.character import joint_positions, saved_body
from ..document.contacts import saved_contacts
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsClip
from ..interface.shared_options import CHOSEN_BONE

if TYPE_CHECKING:
    from bpy.types import Context

    from ..border.steps import Steps


class MOTIONEDIT_OT_find_contacts(LongWorkOperator, NeedsClip, Operator):
    """Find contacts of feet or the selected bones, replacing the list"""

    bl_idname = "motion_editing.find_contacts"
    bl_label = "Find Contacts"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    selected: BoolProperty(
        name="Selected Bones", description="Search the selected bones instead of feet and toes", default=False
    )
    still_time: FloatProperty(
        name="Shortest",
        description="Shortest contact away from the floor, in seconds",
        default=0.25,
        min=0.02,
        soft_max=1.0,
        unit="TIME_ABSOLUTE",
    )
    like_active: BoolProperty(
        name="Like Active",
        description="Measure from the active contact how still a contact must be",
        default=False,
    )

    def work(self, context: Context) -> Steps[None]:
        """Look for contacts and list them."""
        armature = scope.armatures(context)[0]
        clip = scope.read_clip(context, armature)
        positions = yield from joint_positions.sample_in_steps(context, clip)
        body, options = (
            saved_body.body_of(armature, clip, positions),
            core.analysis.contacts.ContactOptions(still_time=self.still_time),
        )
        settings = scope.own_action(armature).motion_editing_contacts
        if self.like_active and settings.of(armature):
            item, rate = settings.spans[settings.active], clip.motion.rate
            example = item.start / rate, item.end / rate
            options = core.analysis.contacts.options_from_example(
                clip.motion, body, item.bone, example, options=options, positions=positions
            )
        bones = sorted(scope.picked_bones(armature)) if self.selected else None
        spans = core.analysis.contacts.detect_contacts(
            clip.motion, body, joints=bones, options=options, positions=positions
        )
        count = saved_contacts.save_contacts(armature, spans, clip.motion.rate)
        self.report({"INFO"}, report_text("Found {contacts}", contacts=counted_text(count, "contact")))


class MOTIONEDIT_OT_mark_contact(NeedsClip, Operator):
    """Mark the active bone as in contact from the current frame on"""

    bl_idname = "motion_editing.mark_contact"
    bl_label = "Mark Contact"
    bl_options = {"REGISTER", "UNDO"}

    bone: StringProperty(**CHOSEN_BONE)
    duration: FloatProperty(
        name="Duration", description="Duration in seconds", default=0.25, min=0.01, unit="TIME_ABSOLUTE"
    )

    def execute(self, context: Context) -> set[str]:
        """Add a span to the list."""
        armature = scope.armatures(context)[0]
        active = armature.data.bones.active
        name = self.bone or (active.name if active else "")
        if name not in armature.pose.bones:
            told = "There is no bone '{bone}'" if name else "Make a bone active in pose mode, or name it"
            self.report({"ERROR"}, report_text(told, bone=name))
            return {"CANCELLED"}
        settings = scope.own_action(armature).motion_editing_contacts
        start = scope.action_frame(context, armature)
        settings.new(armature, name, start, start + self.duration * scope.source_rate(context, armature))
        return {"FINISHED"}
