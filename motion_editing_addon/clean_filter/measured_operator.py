"""Edits whose report tells in numbers what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operator import MotionEditOperator

if TYPE_CHECKING:
    from bpy.types import Context

    from ..action_io import WriteReport
    from ..operator import Carry
    from ..steps import Steps
    from .clip_facts import ClipFacts


class MeasuredOperator(MotionEditOperator):
    """Mixin of edits that measure what they did, on the keys as they are in the end."""

    _changes = ()

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures and measure what changed."""
        self._changes = []
        yield from super().work(context)

    def measured(self, facts: ClipFacts, carry_out: Carry) -> Carry:
        """The same writing, followed by measuring."""

        def carry_out_and_measure() -> WriteReport:
            report = carry_out()
            if report.bones:
                self._changes.append(facts.change_made())
            return report

        return carry_out_and_measure

    def remarks(self, reports: list[WriteReport]) -> str:
        """Number of keys, largest change and foot slide."""
        from .change import changes_text

        before, after = (sum(getattr(each, name) for each in reports) for name in ("keys_before", "keys_after"))
        keys = f", {after} keys as before" if before == after > 0 else ""
        return keys + changes_text(self._changes)
