"""How another motion is appended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ....core.editing import joined_contacts
from ...border.translation import counted_text, report_text
from ...document import scope
from ...document.character.carriers import carried_motion
from ...document.take.clip_take import ClipTake
from ..foot_slide import slide_text
from ..partner.other_motion import other_motion, with_numbers_of
from .new_motion_run import NewMotionRun

if TYPE_CHECKING:
    import numpy as np

    from ....core.analysis.contacts import ContactSpans
    from ....core.blending import AppendTransition
    from ....core.editing import Change
    from ...border.action_io import Clip
    from ...interface.operators.operator import MotionEditOperator
    from ..new_keys import MotionKeys
    from ..partner.other_motion import OtherMotion


class AppendRun(NewMotionRun):
    """One call of Append Transition."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """No other motion is known yet."""
        super().__init__(operator)
        self._others: dict[str, OtherMotion] = {}

    def other(self, take: ClipTake) -> OtherMotion:
        """The motion that follows, once it was read."""
        return self._others[take.clip.armature.name]

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read, which knows the other motion's numbers too."""
        self.operator.take_from_panel(bpy.context)
        return ClipTake(with_numbers_of(bpy.context, clip, self.operator.present_tool()), joints)

    def examine(self, take: ClipTake) -> None:
        """Read the other motion, which is carried by what carries this one."""
        other = other_motion(bpy.context, take.clip, self.operator.present_tool())
        self._others[take.clip.armature.name] = other
        take.carried = carried_motion(take.clip, take.body, other.motion)
        super().examine(take)

    def tool_for(self, take: ClipTake) -> AppendTransition:
        """The tool, which knows the other motion."""
        tool: AppendTransition = super().tool_for(take)
        other = self.other(take)
        return replace(tool, other=other.motion, other_start=float(other.frames[0]))

    def first_frame(self, take: ClipTake, change: Change) -> float:
        """Where this motion is left."""
        return float(take.clip.frames[change.found.start])

    def kept(self, take: ClipTake, change: Change) -> tuple[float, float]:
        """Up to where this motion is left."""
        times = take.clip.motion.times
        return float(times[0]), float(times[change.found.start])

    def keys_after(self, take: ClipTake, change: Change) -> MotionKeys:
        """The other motion's keys, at the frames at which they come in this action."""
        other, found, start = self.other(take), change.found, take.clip.frames[0]
        pace = take.motion.rate / other.motion.rate
        entered = found.start if self.operator.method == "FADE" else found.end
        zero = start + entered - found.moments.second - pace * other.frames[0]
        return other.keys.played(pace=pace, start=float(zero), first=float(start + found.end))

    def contacts(self, take: ClipTake, change: Change, listed: ContactSpans) -> ContactSpans:
        """The listed ones up to the transition, and those found from there on."""
        return joined_contacts(listed, change.whole, take.body, first=change.found.start)

    def told(self, take: ClipTake, change: Change) -> str:
        """Where the one motion is left and the other entered, and how far feet slide in between."""
        clip, other, found = take.clip, self.other(take), change.found
        entered = other.frames[0] + found.moments.second * other.motion.rate / clip.motion.rate
        text = report_text(
            "; leaves at frame {left}, enters '{other}' at its frame {entered} over {frames}",
            left=f"{scope.to_scene(clip.armature, clip.frames[[found.start]])[0]:g}",
            other=other.name,
            entered=f"{entered:g}",
            frames=counted_text(found.end - found.start, "frame"),
        )
        if self.operator.method == "FADE" and self.operator.automatic:
            apart = f"{found.moments.distance:.1%}"
            text += report_text(", poses {share} of the body's height apart", share=apart)
        part = float(clip.frames[0] + found.start), float(clip.frames[0] + found.end)
        return text + other.missing_text() + slide_text(clip.armature, part)
