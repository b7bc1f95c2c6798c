"""Edit one, change all, as a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ... import timeline
from ...editing import Change, Tool, Unit, number
from .reference_options import AMOUNT, EASE

if TYPE_CHECKING:
    from ...editing import PropagationWindow
    from .windowed_take import WindowedTake


class PropagateEdit(Tool):
    """Copy the edit of the operation window to all enabled windows"""

    verb: ClassVar[str] = "Carried the edit of"
    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True

    amount: float = number(1.0, AMOUNT, limits=(0.0, None), soft_limits=(None, 2.0), unit=Unit.FACTOR)
    ease: float = EASE

    def targets(self, take: WindowedTake) -> list[PropagationWindow]:
        """The windows to carry the edit to."""
        ticked = take.windows.ticked()
        if not ticked:
            raise timeline.NoWindowError(
                "No window is enabled: enable those to carry the edit to, or use Find Similar with another "
                "window or a larger Enable Up To"
            )
        return ticked

    def apply(self, take: WindowedTake) -> Change:
        """Compare the window with how it was, and do the same in the others."""
        targets, operation = self.targets(take), take.windows.operation
        return Change(
            timeline.carry_offsets(
                take.remembered,
                take.motion,
                (operation.start, operation.end),
                targets,
                joints=None if take.joints.all() else take.joints,
                amount=self.amount,
                ease=self.ease,
                body=take.body,
            )
        )
