"""Edits whose report tells in numbers what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.wording import counted
from ..interface.operators.operator import MotionEditOperator

if TYPE_CHECKING:
    from bpy.types import Context

    from ...core.motion import Motion
    from ..border.action_io import WriteReport
    from ..border.action_io.reduction.sparse_keys import Closely
    from ..border.action_io.written_motion import Plan
    from ..border.steps import Steps
    from ..document.take.clip_facts import ClipFacts
    from ..interface.operators.operator import Carry


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

    def carrying(self, facts: ClipFacts, planned: Plan, edited: Motion, *closely: Closely) -> Carry:
        """Writing what is planned for an edit; if contacts are kept, feet stand between few keys too.

        Args:
            facts: About the clip.
            planned: Keys.
            edited: The motion that they are for.
            closely: Where else few keys follow it if contacts are kept.
        """
        if not self.keep_contacts:
            return planned.carry_out
        from ..border.action_io.reduction.sparse_keys import carry_following
        from ..document.contacts.saved_contacts import list_held
        from ..document.contacts.standing_keys import where_standing

        contacts = facts.contacts_of_edit(edited)
        standing = where_standing(edited, facts.body, contacts)

        def carry_out() -> WriteReport:
            report = carry_following(planned, (), *closely, standing)
            if contacts is facts.contacts:
                list_held(facts.clip, contacts)
            return report

        return carry_out

    def remarks(self, reports: list[WriteReport]) -> str:
        """Number of keys, largest change and foot slide."""
        from ..document.take.change import changes_text

        before, after = (sum(getattr(each, name) for each in reports) for name in ("keys_before", "keys_after"))
        keys = f", {counted(after, 'key')} as before" if before == after > 0 else ""
        return keys + changes_text(self._changes)
