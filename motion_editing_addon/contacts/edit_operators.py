"""Cutting contacts in two, joining and removing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import FloatProperty, IntProperty
from bpy.types import Operator

from ... import core
from ...core.errors import MotionEditError
from ..document import scope
from ..interface.operators.polls import NeedsClip
from ..interface.reports import guarded
from ..interface.shared_options import CURRENT_FRAME
from .contact_list import contact_number

if TYPE_CHECKING:
    from bpy.types import Context, Object


class _ContactOperator(NeedsClip):
    """Mixin of operators that change contacts of the list; no key is touched."""

    bl_options = {"REGISTER", "UNDO"}

    contact: IntProperty(name="Contact", description="Number in the list; the active one if negative", default=-1)

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs contacts."""
        reason = scope.why_not(context)
        if reason is None:
            armature = scope.armatures(context)[0]
            if not scope.own_action(armature).motion_editing_contacts.of(armature):
                return "There are no contacts yet: use Find Contacts or Mark Contact"
        return reason

    def execute(self, context: Context) -> set[str]:
        """Change the list, or say why not."""
        return guarded(self, lambda: self.change(context, scope.armatures(context)[0]))

    def change(self, context: Context, armature: Object) -> str:
        """Change the armature's list; gives what to report."""
        raise NotImplementedError


class MOTIONEDIT_OT_remove_contact(_ContactOperator, Operator):
    """Remove the contact from the list"""

    bl_idname = "motion_editing.remove_contact"
    bl_label = "Remove Contact"

    def change(self, _context: Context, armature: Object) -> str:
        """Take it off the list."""
        settings = scope.own_action(armature).motion_editing_contacts
        number = contact_number(armature, self.contact)
        bone = settings.spans[number].bone
        settings.spans.remove(number)
        settings.active = min(number, max(len(settings.spans) - 1, 0))
        return f"Removed a contact of '{bone}'"


class MOTIONEDIT_OT_split_contact(_ContactOperator, Operator):
    """Split the active contact in two at the current frame"""

    bl_idname = "motion_editing.split_contact"
    bl_label = "Split Contact"

    frame: FloatProperty(**CURRENT_FRAME, options={"SKIP_SAVE"})
    gap: FloatProperty(
        name="Gap",
        description="Seconds without contact between the two parts",
        default=0.1,
        min=0.001,
        soft_max=0.5,
        unit="TIME_ABSOLUTE",
    )

    def change(self, context: Context, armature: Object) -> str:
        """Two contacts in the place of one."""
        settings = scope.own_action(armature).motion_editing_contacts
        number = contact_number(armature, self.contact)
        item, rate = settings.spans[number], scope.source_rate(context, armature)
        frame = self._frame(context, armature)
        whole = core.analysis.contacts.ContactSpans({item.bone: ((item.start / rate, item.end / rate),)})
        try:
            before, after = whole.split(item.bone, frame / rate, gap=self.gap).of(item.bone)
        except ValueError as error:
            text = f"The contact of '{item.bone}' lasts from frame {item.start:.0f} to {item.end:.0f}"
            raise MotionEditError(f"{text}: go to a frame well inside of it, or make the gap smaller") from error
        bone, item.end = item.bone, before[1] * rate
        settings.new(armature, bone, after[0] * rate, after[1] * rate)
        settings.spans.move(len(settings.spans) - 1, number + 1)
        settings.active = number
        return f"Split the contact of '{bone}' at frame {frame:.0f}"

    def _frame(self, context: Context, armature: Object) -> float:
        """The frame as one of the action."""
        if not self.properties.is_property_set("frame"):
            return scope.action_frame(context, armature)
        return scope.from_scene(armature, self.frame)


class MOTIONEDIT_OT_join_contacts(_ContactOperator, Operator):
    """Join the active contact with the next one of the same bone"""

    bl_idname = "motion_editing.join_contacts"
    bl_label = "Join Contacts"

    def change(self, _context: Context, armature: Object) -> str:
        """One contact in the place of two."""
        settings = scope.own_action(armature).motion_editing_contacts
        number = contact_number(armature, self.contact)
        item = settings.spans[number]
        later = [
            (other.start, other.end, place)
            for place, other in settings.of(armature)
            if place != number and other.bone == item.bone and other.start >= item.start
        ]
        if not later:
            raise MotionEditError(f"'{item.bone}' has no contact after frame {item.end:.0f} to join with")
        _start, end, place = min(later)
        bone, item.end = item.bone, max(item.end, end)
        settings.spans.remove(place)
        settings.active = number - (place < number)
        return f"Joined two contacts of '{bone}'"
