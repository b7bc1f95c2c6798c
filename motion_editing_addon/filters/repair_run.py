"""Repairing the flaws that are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis.flaws import FlawKind
from ..border import action_io
from ..border.translation import report_text
from ..document import scope
from ..document.take.clip_take import ClipTake
from ..document.take.tool_run import measured
from ..interface.operators.take_run import TakeRun
from . import flaws

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.analysis.flaws import Flaw
    from ...core.editing import Change
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..document.take.tool_run import Carry
    from .flaw_settings import MOTIONEDIT_PG_flaws

_ONE_LEFT = "1 flaw was left as it is: filling in would make other bones jump further than now"
_SEVERAL_LEFT = "{count} flaws were left as they are: filling in would make other bones jump further than now"


class FlawTake(ClipTake):
    """A take with the flaws that are listed with its action."""

    @property
    def tolerance(self) -> float:
        """Body heights by which feet may be below the level on which they stand."""
        return float(_settings(self.clip).tolerance)

    def flaws(self, which: str) -> list[Flaw]:
        """Those of them that are chosen."""
        return flaws.flaws_of(self.clip, _settings(self.clip), flaws.chosen_items(self.clip.armature, which))


def _settings(clip: Clip) -> MOTIONEDIT_PG_flaws:
    settings: MOTIONEDIT_PG_flaws = scope.own_action(clip.armature).motion_editing_flaws
    return settings


class RepairRun(TakeRun):
    """One call of Repair Flaws."""

    # What had better not be filled in.
    _left: tuple[Flaw, ...] = ()

    def take_of(self, clip: Clip, joints: np.ndarray) -> FlawTake:
        """What was read, with what is listed."""
        return FlawTake(clip, joints)

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Repair what is listed."""
        clip, operator = take.clip, self.operator
        yield from take.sample_if_quick()
        change: Change = operator.present_tool().apply(take)
        numbers = flaws.chosen_items(clip.armature, operator.which)
        chosen, self._left = flaws.flaws_of(clip, _settings(clip), numbers), change.found
        done = [number for number, flaw in zip(numbers, chosen, strict=True) if flaw not in self._left]
        yield 0.5
        planned = yield from action_io.plan_write(clip, change.whole, operator.key_options())
        flipped = {flaw.joint for flaw in chosen if flaw.kind is FlawKind.JUMP}

        def carry_out() -> WriteReport:
            report = _with_flips(clip, flipped, planned.carry_out())
            flaws.forget(clip.armature, done)
            return report

        return measured(take, change, carry_out, self.differences)

    def work(self, context: Context) -> Steps[None]:
        """Repair, and tell what was left."""
        yield from super().work(context)
        if count := len(self._left):
            told = _ONE_LEFT if count == 1 else _SEVERAL_LEFT
            self.operator.report({"WARNING"}, report_text(told, count=count))


def _with_flips(clip: Clip, bones: set[str], report: WriteReport) -> WriteReport:
    """Take flips out of the bones' channels; poses stay the same."""
    if not bones:
        return report
    fresh = action_io.read(clip.armature, rate=clip.motion.rate)
    joints = np.array([name in bones for name in fresh.motion.skeleton.names])
    turned = action_io.make_continuous(fresh, joints)
    report.bones, report.frames = max(report.bones, turned.bones), max(report.frames, turned.frames)
    return report
