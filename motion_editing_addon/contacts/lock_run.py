"""How feet are locked on all chosen armatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..interface.operators.take_run import TakeRun
from .foot_lock import FeetLock, Locked, locked_text, warning_text

if TYPE_CHECKING:
    from bpy.types import Context

    from ..border.action_io import Property, WriteReport
    from ..border.steps import Steps
    from ..document.take.clip_take import ClipTake
    from ..document.take.tool_run import Carry
    from ..interface.operators.operator import MotionEditOperator


class LockRun(TakeRun):
    """One call of Lock Feet."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is read yet."""
        super().__init__(operator)
        # What was reached, one for each armature.
        self._locked: list[Locked] = []

    def muted(self, _take: ClipTake) -> list[Property]:
        """Nothing yet: what counts are limbs in contact, see `plan`."""
        return []

    def work(self, context: Context) -> Steps[None]:
        """Lock all armatures; contacts that are out of reach are listed."""
        yield from super().work(context)
        warning = warning_text(self._locked)
        if warning:
            self.operator.report({"WARNING"}, warning)

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Lock the feet and plan the keys; what it returns writes them and measures what they hold."""
        lock = FeetLock(take, self.tool_for(take))
        yield from lock.prepare()
        carry_out = yield from lock.plan(self.operator.key_options())

        def carry_out_and_measure() -> WriteReport:
            report = carry_out()
            report.add_muted(lock.muted)
            self._locked.append(lock.measured())
            return report

        return carry_out_and_measure

    def remarks(self, _reports: list[WriteReport]) -> str:
        """How far feet slid, and slide now."""
        return locked_text(self._locked)
