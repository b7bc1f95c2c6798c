"""What operators report to the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError

if TYPE_CHECKING:
    from bpy.types import Operator


def guarded(operator: Operator, action: Callable[[], str | None]) -> set[str]:
    """Do it and report what it says, or the reason why it cannot be done."""
    try:
        text = action()
    except MotionEditError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    if text:
        operator.report({"INFO"}, text)
    return {"FINISHED"}
