"""Edits of a whole character: contacts are kept in their own way, and slide is measured where the edit has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.editing import standing_still
from ....core.motion import within_scope
from ...border.action_io import plan_write
from ...document.take.tool_run import hold_between_keys, measured
from ...interface.operators.take_run import TakeRun
from ..edit_take import EditTake

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context

    from ....core.motion import Motion
    from ...border.action_io import Clip, Plan
    from ...border.action_io.reduction.sparse_keys import Closely
    from ...border.steps import Steps
    from ...document.take.clip_take import ClipTake
    from ...document.take.tool_run import Carry


class CharacterRun(TakeRun):
    """One call of an operator. What is done is `change`; `held` is the same with contacts that stand still."""

    def take_of(self, clip: Clip, joints: np.ndarray) -> ClipTake:
        """What was read; its foot slide is measured in the contacts that the edit has."""
        return EditTake(clip, joints)

    def examine(self, take: ClipTake) -> None:
        """Raise if the character cannot be edited."""

    def change(self, take: ClipTake) -> Motion:
        """The changed motion; what is outside the take's joints is put back afterwards."""
        raise NotImplementedError

    def held(self, take: ClipTake, after: Motion) -> Motion:
        """The changed motion with contacts that stand still."""
        return standing_still(after, take.body)

    def edited(self, take: ClipTake) -> Motion:
        """The change kept to the scope, with contacts held if that is wanted."""
        changed = self.change(take)
        if changed is take.motion:
            return changed
        after = within_scope(take.motion, changed, take.joints, scalars=take.scalars)
        return self.held(take, after) if self.operator.keep_contacts else after

    def preview(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """The edited motion of every clip for the present values of the properties."""
        return [(take.clip, self.edited(take)) for take in self.takes]

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Edit and plan the keys; what it returns writes and measures them."""
        yield from take.sample()
        self.examine(take)
        edited = self.edited(take)
        yield 0.5
        planned = yield from plan_write(take.clip, edited, self.operator.key_options())
        return measured(take, self.writing(take, planned, edited), self.changes)

    def writing(self, take: ClipTake, planned: Plan, edited: Motion, *closely: Closely) -> Carry:
        """Writing what is planned; if contacts are kept, feet stand between few keys too."""
        if not self.operator.keep_contacts:
            return planned.carry_out
        return hold_between_keys(take, planned, edited, *closely)
