"""Writing a motion of another length: on this action, or on a new one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import TimeMap
from ...border.action_io import misses_text
from ...border.action_io.curves.channels import further_owners
from ...border.action_io.new_part import write_part
from ...border.translation import report_text
from ...document import scope
from ...document.action_users import new_actions, one_per_animation
from ...document.contacts.saved_contacts import listed_contacts, save_contacts
from ...document.motion_changes import change_of, tell
from ...interface.operators.take_run import TakeRun
from ..new_keys import MotionKeys, few_keys

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.analysis.contacts import ContactSpans
    from ....core.editing import Change
    from ...border.action_io import WriteReport
    from ...border.steps import Steps
    from ...document.take.clip_take import ClipTake
    from ...document.take.tool_run import Carry
    from ...interface.operators.operator import MotionEditOperator


class NewMotionRun(TakeRun):
    """One call of an operator that writes frames other than those that were read."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is known yet."""
        super().__init__(operator)
        # What the tool found, and names of the actions that stay as they are.
        self._told = ""
        self._kept: list[str] = []

    def contacts(self, take: ClipTake, change: Change, listed: ContactSpans) -> ContactSpans:
        """The listed contacts as they are in the new motion."""
        raise NotImplementedError

    def told(self, take: ClipTake, change: Change) -> str:
        """What there is to say about the new motion, once it is written."""
        raise NotImplementedError

    def complete(self, take: ClipTake, change: Change) -> None:
        """What is done besides, once the keys are written and looked at."""

    def first_frame(self, _take: ClipTake, _change: Change) -> float | None:
        """Action frame from which on the motion is new; None if all of it is."""
        return None

    def keys_after(self, take: ClipTake, _change: Change) -> MotionKeys:
        """Keys of the motion that follows."""
        return MotionKeys.of(take.clip)

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Work out the new motion; what it returns writes it."""
        yield from take.sample()
        self.examine(take)
        yield 0.3
        change = self.change(take)
        few = few_keys(take.clip, self.operator.key_options(), self.keys_after(take, change))
        yield 0.8

        def carry_out() -> WriteReport:
            clip, listed = take.clip, listed_contacts(take.clip)
            report = write_part(clip, change.whole, first=self.first_frame(take, change), few=few)
            self._tell(take, change)
            if listed is not None:
                save_contacts(clip.armature, self.contacts(take, change, listed), clip.motion.rate)
            self._told = self.told(take, change)
            self.complete(take, change)
            return report

        return carry_out

    def kept(self, _take: ClipTake, change: Change) -> tuple[float, float]:
        """Seconds between which the motion is the one that was read."""
        return float(change.whole.times[0]), float(change.whole.times[-1])

    def _tell(self, take: ClipTake, change: Change) -> None:
        """Let what goes with the motion know which part of it is left, and where it ends now."""
        clip, ends = take.clip, self.kept(take, change)
        if ends[1] > ends[0]:
            everything = np.ones(len(clip.motion.skeleton), dtype=np.bool_)
            seen = change_of(clip, everything, time_map=TimeMap.from_samples(ends, ends))
            first, last = (change.whole.times[[0, -1]] * clip.motion.rate).tolist()
            tell(replace(seen, new_ends=(first, last)))

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures, or new actions of theirs."""
        chosen = one_per_animation(self.operator.chosen(context)) if self.operator.result == "NEW" else []
        self._kept = [*dict.fromkeys(action.name for action in map(scope.action_of, chosen) if action)]
        animated = [thing for armature in chosen for thing in (armature, *further_owners(armature))]
        with new_actions(animated, self.operator.bl_label) as kept:
            yield from super().work(context)
            kept.needed = True

    def remarks(self, reports: list[WriteReport]) -> str:
        """What the tool found, what few keys miss, and what stays as it is."""
        return self._told + _error_text(reports) + _kept_text(self._kept)


def _error_text(reports: list[WriteReport]) -> str:
    """A remark about what few keys miss; empty where every frame has one."""
    missed = misses_text(reports)
    return report_text("; few keys, within {error}", error=missed) if missed else ""


def _kept_text(names: list[str]) -> str:
    if len(names) > 1:
        stays = "; in a new action, '{action}' and {count} more stay in the file"
        return report_text(stays, action=names[0], count=len(names) - 1)
    return report_text("; in a new action, '{action}' stays in the file", action=names[0]) if names else ""
