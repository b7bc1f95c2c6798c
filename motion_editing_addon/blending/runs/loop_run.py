"""How a loop is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.motion import carriers_of
from ....core.wording import angle_text
from ...border import action_io
from ...border.action_io.new_part import repeat_endlessly
from ...border.lengths import length_text
from ...border.translation import report_text
from ..foot_slide import slide_text
from .new_motion_run import NewMotionRun

if TYPE_CHECKING:
    from ....core.analysis.contacts import ContactSpans
    from ....core.blending import Loop
    from ....core.editing import Change
    from ...border.action_io import Clip
    from ...document.take.clip_take import ClipTake

# Turn of a round, in radians, that is worth a word where rounds are repeated by modifiers.
_TURN = 0.02


class LoopRun(NewMotionRun):
    """One call of Make Loop."""

    def contacts(self, _take: ClipTake, change: Change, listed: ContactSpans) -> ContactSpans:
        """Those within the loop."""
        return listed.between(*change.whole.times[[0, -1]])

    def told(self, take: ClipTake, change: Change) -> str:
        """Which part it is, how much was changed, and turns that modifiers cannot repeat."""
        tool, text = self.operator.present_tool(), _loop_text(take.clip, change.found)
        if tool.cycles and tool.travel == "KEEP":
            text += _turn_text(change.found)
        return text + slide_text(take.clip.armature)

    def complete(self, take: ClipTake, change: Change) -> None:
        """Repeat the curves if that is wanted; what carries the character goes on if travel is kept."""
        tool = self.operator.present_tool()
        if tool.cycles:
            again = action_io.read(take.clip.armature, rate=take.motion.rate)
            onward = [again.channels.joints[joint][0] for joint in carriers_of(change.whole).moved]
            repeat_endlessly(again, onward if tool.travel == "KEEP" else ())


def _loop_text(clip: Clip, found: Loop) -> str:
    first, last = clip.frames[[found.start, found.end]]
    part = report_text(
        "; frames {first} to {last}, ends {share} of the body's height apart before",
        first=f"{first:g}",
        last=f"{last:g}",
        share=f"{found.distance:.1%}",
    )
    return part + report_text(
        "; largest change {turn} ({bone}), {move}",
        turn=angle_text(found.largest_turn),
        bone=found.turned_joint or report_text("object"),
        move=length_text(found.largest_move),
    )


def _turn_text(found: Loop) -> str:
    """A remark where a round turns; empty if it does not."""
    turn = float(found.round_trip.angles[0])
    if abs(turn) <= _TURN:
        return ""
    remark = "; every round turns by {angle}, which modifiers cannot repeat: Travel Close takes it out"
    return report_text(remark, angle=angle_text(turn))
