"""How a second character gets the timing of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..border.translation import report_text
from ..document import scope
from ..document.stack import partners
from ..interface.operators.take_run import TakeRun

if TYPE_CHECKING:
    from bpy.types import Context

    from ..border.steps import Steps


class FollowRun(TakeRun):
    """One call of the operator that the stack of a second character has."""

    def work(self, context: Context) -> Steps[None]:
        """Retime the motion."""
        operator: Any = self.operator
        thing = scope.armatures(context, any_object=True)[0]
        yield 0.5
        partners.retime(thing, operator.time_map)
        operator.report({"INFO"}, report_text("'{name}' has the timing of another character", name=thing.name))
