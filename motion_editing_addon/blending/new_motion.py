"""Tools whose result is another motion: on this action, or on a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..interface.operators.operator import OperatorMixin

if TYPE_CHECKING:
    from bpy.types import Context, UILayout


class MakesMotion(OperatorMixin):
    """Mixin of operators that write frames other than those that were read; one says with `result` where these go."""

    def draw(self, context: Context) -> None:
        """Errors count with automatic keys too: new parts of sparse curves get few keys."""
        super().draw(context)
        if self.keying == "AUTOMATIC":
            self.layout.prop(self, "rotation_error")
            self.layout.prop(self, "location_error")

    def draw_own(self, layout: UILayout) -> None:
        """Where the result goes, besides the tool's own properties."""
        super().draw_own(layout)
        layout.prop(self, "result")
