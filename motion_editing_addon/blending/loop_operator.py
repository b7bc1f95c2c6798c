"""Make Loop: a part of the action that repeats without a seam."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Operator

from ... import core
from ...core.wording import angle_text
from ..border.lengths import length_text
from ..document.action_users import result_choice
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.whole_character import WholeCharacter
from ..interface.shared_options import KEEP_CONTACTS
from .results import MakesMotion, written

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import UILayout

    from ...core.blending import Loop
    from ...core.motion import Motion
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..document.take.clip_take import ClipTake
    from ..interface.operators.operator import Carry

# Turn of a round, in radians, that is worth a word where rounds are repeated by modifiers.
_TURN = 0.02


class MOTIONEDIT_OT_make_loop(WholeCharacter, MakesMotion, MotionEditOperator, Operator):
    """Make part of the action repeat seamlessly, in a new action"""

    bl_idname = "motion_editing.make_loop"
    bl_label = "Make Loop"
    verb = "Looped"
    offers_range = True

    automatic: BoolProperty(name="Find Ends", description="Find the part of the range that loops best", default=True)
    shortest: FloatProperty(
        name="Shortest",
        description="Shortest loop to find, in seconds",
        default=0.5,
        min=0.05,
        soft_max=5.0,
        unit="TIME_ABSOLUTE",
    )
    travel: EnumProperty(
        name="Travel",
        description="What happens to the root motion",
        items=(
            ("KEEP", "Keep", "Start every cycle where the last one ended"),
            ("CLOSE", "Close", "Remove drift and turn gradually, so that it ends where it starts"),
            ("IN_PLACE", "In Place", "Keep the character where it starts"),
        ),
        default="KEEP",
    )
    reach: FloatProperty(
        name="Reach",
        description="Seconds from each end to blend over; 0 is half of the loop",
        default=0.0,
        min=0.0,
        soft_max=2.0,
        unit="TIME_ABSOLUTE",
    )
    cycles: BoolProperty(
        name="Cycles Modifier", description="Repeat the curves endlessly with Cycles modifiers", default=False
    )
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    result: result_choice("NEW")

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Find and close the loop; what it returns writes it."""
        from ..document.character.carried_figure import refuse_left_behind
        from ..document.take.clip_take import ClipTake

        facts = ClipTake(clip)
        yield from facts.sample()
        refuse_left_behind(clip, facts.carried, facts.body)
        found = self._loop(facts)
        yield 0.7
        motion = self._held(facts, found)
        self._told = self._text(clip, found)
        return lambda: self._write(clip, motion)

    def _loop(self, facts: ClipTake) -> Loop:
        ends = {} if self.automatic else {"start": 0, "end": len(facts.clip.motion) - 1}
        return core.blending.loop(
            facts.carried,
            facts.body,
            travel=core.blending.Travel[self.travel],
            reach=self.reach or None,
            shortest=self.shortest,
            **ends,
        )

    def _held(self, facts: ClipTake, found: Loop) -> Motion:
        return core.editing.standing_still(found.motion, facts.body) if self.keep_contacts else found.motion

    def _write(self, clip: Clip, motion: Motion) -> WriteReport:
        from .foot_slide import slide_text
        from .saved_contacts import list_contacts, listed_contacts

        listed = listed_contacts(clip)
        report = written(clip, motion, self.key_options())
        if listed is not None:
            list_contacts(clip, listed.between(*motion.times[[0, -1]]))
        self._told += slide_text(clip.armature)
        if self.cycles:
            self._repeat(clip, motion)
        return report

    def _repeat(self, clip: Clip, motion: Motion) -> None:
        """Add modifiers; what carries the character goes on where the round ended if travel is kept."""
        from ..border import action_io
        from ..border.action_io.new_part import repeat_endlessly

        again = action_io.read(clip.armature, rate=clip.motion.rate)
        onward = [again.channels.joints[joint][0] for joint in core.motion.carriers_of(motion).moved]
        repeat_endlessly(again, onward if self.travel == "KEEP" else ())

    def _text(self, clip: Clip, found: Loop) -> str:
        first, last = clip.frames[[found.start, found.end]]
        text = f"; frames {first:g} to {last:g}, ends {found.distance:.1%} of the body's height apart before"
        text += f"; largest change {angle_text(found.largest_turn)} ({found.turned_joint or 'object'})"
        text += f", {length_text(found.largest_move)}"
        turn = float(found.round_trip.angles[0])
        if self.cycles and self.travel == "KEEP" and abs(turn) > _TURN:
            text += (
                f"; every round turns by {angle_text(turn)}, which modifiers cannot repeat: Travel Close takes it out"
            )
        return text

    def draw_own(self, layout: UILayout) -> None:
        """Which part, and what becomes of it."""
        layout.prop(self, "automatic")
        if self.automatic:
            layout.prop(self, "shortest")
        for name in ("travel", "reach", "cycles", "result", "keep_contacts"):
            layout.prop(self, name)


classes = (MOTIONEDIT_OT_make_loop,)
