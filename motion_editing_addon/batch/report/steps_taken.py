"""What each step of a recipe did to a clip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ...document import scope
from ...document.take.step_result import step_result

if TYPE_CHECKING:
    from bpy.types import Object

    from ...border.action_io import Clip
    from ..recipes.recipe import Step


class StepsTaken:
    """Compares a clip after each step with how it was before.

    Attributes:
        clip: As it is after the last step that was done.
        numbers: Of each step that was done: its edit, the numbers of `StepResult` and a line for people.
    """

    def __init__(self, clip: Clip) -> None:
        """Begin with a clip."""
        self.clip = clip
        self.numbers: list[dict[str, Any]] = []

    def done(self, step: Step, armature: Object) -> None:
        """A step was done."""
        now = scope.read_clip(bpy.context, armature)
        result = step_result(self.clip, now)
        self.numbers.append({"edit": step.edit, "text": result.text, **result.numbers})
        self.clip = now
