"""Repairing the flaws that are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis.flaws import FlawKind
from ...core.editing import Change
from ..border import action_io
from ..border.translation import report_text
from ..document import scope
from ..document.take.tool_run import measured
from ..interface.operators.take_run import TakeRun
from . import flaws

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.analysis.flaws import Flaw
    from ..border.action_io import Clip, WriteReport
    from ..border.steps import Steps
    from ..document.take.clip_take import ClipTake
    from ..document.take.tool_run import Carry


_ONE_LEFT = "1 flaw was left as it is: filling in would make other bones jump further than now"
_SEVERAL_LEFT = "{count} flaws were left as they are: filling in would make other bones jump further than now"


class RepairRun(TakeRun):
    """One call of Repair Flaws."""

    # What had better not be filled in.
    _left: tuple[Flaw, ...] = ()

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Repair what is listed."""
        clip, operator = take.clip, self.operator
        settings = scope.action_of(clip.armature).motion_editing_flaws
        yield from take.sample_if_quick()
        numbers = flaws.chosen_items(clip.armature, operator.which)
        chosen = flaws.flaws_of(clip, settings, numbers)
        mended, self._left = flaws.mended(take, chosen, tolerance=settings.tolerance)
        done = [number for number, flaw in zip(numbers, chosen, strict=True) if flaw not in self._left]
        yield 0.5
        planned = yield from action_io.plan_write(clip, mended, operator.key_options())
        flipped = {flaw.joint for flaw in chosen if flaw.kind is FlawKind.JUMP}

        def carry_out() -> WriteReport:
            report = _with_flips(clip, flipped, planned.carry_out())
            flaws.forget(clip.armature, done)
            return report

        return measured(take, Change(mended), carry_out, self.differences)

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
