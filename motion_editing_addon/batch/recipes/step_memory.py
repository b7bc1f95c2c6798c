"""Keys that stay in memory from step to step."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import bpy

from ...document.keys_in_memory import keys_in_memory
from ...document.stack.parameters import operator_of
from ...interface.operators.operator import MotionEditOperator

if TYPE_CHECKING:
    from types import TracebackType

    from bpy.types import Object

    from .recipe import Step


class StepMemory:
    """The keys of an armature while steps are done to it.

    What a stack can do again works on keys in memory. For all other steps they are written first.
    """

    def __init__(self, armature: Object) -> None:
        """Nothing is in memory yet."""
        self._armature, self._held, self._is_held = armature, ExitStack(), False

    def __enter__(self) -> StepMemory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.__exit__(kind, error, trace)

    def prepare(self, step: Step) -> None:
        """Have the keys where a step can work on them."""
        if works_in_memory(step.edit) == self._is_held:
            return
        if self._is_held:
            self._held.close()
        else:
            self._held.enter_context(keys_in_memory(bpy.context, self._armature))
        self._is_held = not self._is_held


def works_in_memory(edit: str) -> bool:
    """Whether an edit changes nothing but keys that are there, without modifiers, and what follows them."""
    tool = operator_of(edit)
    if tool is None or not issubclass(tool, MotionEditOperator):
        return False
    return not (tool.begins_stack or tool.adds_modifiers or tool.notes_itself)
