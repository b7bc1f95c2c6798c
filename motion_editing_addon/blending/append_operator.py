"""Append Transition: this action goes over into another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Operator

from ... import core
from ...core.wording import counted
from ..document import scope
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.whole_character import WholeCharacter
from ..interface.shared_options import KEEP_CONTACTS
from .partner.other_choice import NeedsOtherMotion
from .results import MakesMotion, written

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, UILayout

    from ...core.blending import Transition
    from ...core.motion import Motion
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..document.take.clip_take import ClipTake
    from ..interface.operators.operator import Carry
    from .new_keys import MotionKeys
    from .partner.other_motion import OtherMotion


class MOTIONEDIT_OT_append_transition(WholeCharacter, NeedsOtherMotion, MakesMotion, MotionEditOperator, Operator):
    """Append another action with a transition where they are most similar"""

    bl_idname = "motion_editing.append_transition"
    bl_label = "Append Transition"
    verb = "Continued"

    method: EnumProperty(
        name="Method",
        description="How the two motions are joined",
        items=(
            ("FADE", "Cross-Fade", "Cross-fade both motions, for similar poses"),
            ("GAP", "Bridge", "Add new frames between the two motions, for different poses"),
        ),
        default="FADE",
    )
    length: FloatProperty(
        name="Length",
        description="Length of the cross-fade or bridge in seconds",
        default=0.3,
        min=0.01,
        soft_max=2.0,
        unit="TIME_ABSOLUTE",
    )
    automatic: BoolProperty(name="Find Place", description="Find the best frames for the transition", default=True)
    leave_frame: IntProperty(
        name="Leave at", description="Scene frame of this action at which the transition starts", default=1
    )
    enter_frame: IntProperty(name="Enter at", description="Frame of the other action that follows", default=1)
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Find the place and put both together; what it returns writes them."""
        from ..document.character.carried_figure import refuse_left_behind
        from ..document.character.carriers import carried_motion
        from ..document.take.clip_take import ClipTake

        clip = self.knowing_other(bpy.context, clip)
        facts = ClipTake(clip)
        yield from facts.sample()
        other = self.other(bpy.context, clip)
        carried = carried_motion(clip, facts.body, other.motion)
        refuse_left_behind(clip, carried, facts.body)
        yield 0.3
        found = self._transition(carried, other, facts)
        motion = self._held(facts, found)
        yield 0.8
        self._told = self._text(clip, other, found)
        follows = self._keys_after(facts.clip, other, found)
        return lambda: self._write(facts, motion, found, follows)

    def _write(self, facts: ClipTake, motion: Motion, found: Transition, follows: MotionKeys) -> WriteReport:
        from .foot_slide import slide_text
        from .saved_contacts import list_contacts, listed_contacts

        clip, first, listed = facts.clip, found.start, listed_contacts(facts.clip)
        report = written(clip, motion, self.key_options(), first=float(clip.frames[first]), follows=follows)
        if listed is not None:
            list_contacts(clip, core.editing.joined_contacts(listed, motion, facts.body, first=first))
        start, end = clip.frames[0] + first, clip.frames[0] + found.end
        self._told += slide_text(clip.armature, first=float(start), last=float(end), where=" in the transition")
        return report

    def _transition(self, motion: Motion, other: OtherMotion, facts: ClipTake) -> Transition:
        then, body = other.carried_like(motion), facts.body
        leave, enter = self._leave(facts.clip), self._enter(other, motion)
        if self.method == "GAP":
            gap = {} if self.automatic else {"leave": leave, "enter": enter}
            return core.blending.bridge(motion, then, body, gap=self.length, **gap)
        place = None if self.automatic else core.blending.Moments(leave, enter, 0.0)
        return core.blending.transition(motion, then, body, length=self.length, moments=place)

    def _leave(self, clip: Clip) -> int:
        return round(scope.from_scene(clip.armature, self.leave_frame) - clip.frames[0])

    def _enter(self, other: OtherMotion, motion: Motion) -> int:
        """The frame counted from the other's start, at this motion's rate."""
        return round((self.enter_frame - other.frames[0]) / other.motion.rate * motion.rate)

    def _keys_after(self, clip: Clip, other: OtherMotion, found: Transition) -> MotionKeys:
        """The other motion's keys, at the frames at which they come in this action."""
        pace = clip.motion.rate / other.motion.rate
        entered = found.start if self.method == "FADE" else found.end
        start = clip.frames[0] + entered - found.moments.second - pace * other.frames[0]
        return other.keys.played(pace=pace, start=float(start), first=float(clip.frames[0] + found.end))

    def _held(self, facts: ClipTake, found: Transition) -> Motion:
        if not self.keep_contacts:
            return found.motion
        return core.editing.standing_still(found.motion, facts.body, first=found.start, last=found.end)

    def _text(self, clip: Clip, other: OtherMotion, found: Transition) -> str:
        left = scope.to_scene(clip.armature, clip.frames[[found.start]])[0]
        entered = other.frames[0] + found.moments.second * other.motion.rate / clip.motion.rate
        text = f"; leaves at frame {left:g}, enters '{other.name}' at its frame {entered:g}"
        text += f" over {counted(found.end - found.start, 'frame')}"
        if self.method == "FADE" and self.automatic:
            text += f", poses {found.moments.distance:.1%} of the body's height apart"
        return text + other.missing_text()

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Without another motion ask for it first."""
        self.take_from_panel(context)
        if not self.properties.is_property_set("leave_frame"):
            self.leave_frame = context.scene.frame_current
        if not (self.action or self.armature) and not bpy.app.background:
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        return super().invoke(context, event)

    def draw_own(self, layout: UILayout) -> None:
        """The other motion, how and where."""
        self.draw_choice(layout)
        for name in ("method", "length", "automatic"):
            layout.prop(self, name)
        if not self.automatic:
            layout.prop(self, "leave_frame")
            layout.prop(self, "enter_frame")
        layout.prop(self, "result")
        layout.prop(self, "keep_contacts")


classes = (MOTIONEDIT_OT_append_transition,)
