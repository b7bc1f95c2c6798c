"""Operators that may take long: progress in the status bar, Esc stops, nothing is changed until the end."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from .running_tools import RunningTool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bpy.types import Context, Event

    from ...border.steps import Steps

# Seconds of work between two looks at the keyboard: short enough to feel alive, long enough
# not to spend most of the time on redrawing.
_SLICE = 0.15
# Seconds from one look to the next.
TICK = 0.01
# Work that is done sooner than this shows no progress at all.
_PATIENCE = 0.4
# What the next operator that is invoked does before it begins; see `deferred`.
_beforehand: Callable[[], None] | None = None


@contextmanager
def deferred(beforehand: Callable[[], None]) -> Iterator[None]:
    """An operator that is invoked within starts with the next event.

    Of an operator that ends while another one is running, Blender shows no report and keeps neither undo
    step nor redo panel. So a gesture ends first, and then its operator runs as if it had been called alone.

    Args:
        beforehand: Called once: right before the operator begins, or at once if none was invoked. What it takes
            away, such as a preview, stays in sight until then.
    """
    global _beforehand
    _beforehand = beforehand
    try:
        yield
    finally:
        if _beforehand is not None:
            _take_beforehand()()


def _take_beforehand() -> Callable[[], None] | None:
    global _beforehand
    taken, _beforehand = _beforehand, None
    return taken


class LongWorkOperator(RunningTool):
    """Mixin: a tool implements `work`, a generator that yields the share done and changes data only at its end."""

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _steps = None
    _beforehand = None

    def work(self, context: Context) -> Steps[None]:
        """Do the work; yield shares from 0 to 1."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Do all the work at once: for scripts, redo and background."""
        # A redo runs on the same operator: it must start from the beginning.
        self._steps = self.work(context)
        return self._run(context, until=float("inf"))

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Start, and go on in the background of the event loop if it takes long."""
        self._steps = self.work(context)
        self._beforehand = _take_beforehand()
        if self._beforehand is None:
            result = self._run(context, until=time.monotonic() + _PATIENCE)
            if result != {"RUNNING_MODAL"}:
                return result
        self.hold(context).timer(TICK)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def _prepare(self) -> None:
        """What a gesture has left to do, once."""
        prepare, self._beforehand = self._beforehand, None
        if prepare is not None:
            prepare()

    def answer(self, context: Context, event: Event) -> set[str]:
        """Work a slice at every tick; Esc stops."""
        if event.type == "ESC":
            self._steps.close()
            self.report({"INFO"}, f"{self.bl_label} stopped, nothing was changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        self._prepare()
        return self._run(context, until=time.monotonic() + _SLICE)

    def leave(self, _context: Context) -> None:
        """Forget the work, and do what a gesture has left to do."""
        with suppress(ReferenceError):  # what it would put back was deleted
            if self._steps is not None:
                self._steps.close()
        self._prepare()

    def _run(self, context: Context, *, until: float) -> set[str]:
        from ....core.errors import MotionEditError

        try:
            for share in self._steps:
                if time.monotonic() > until:
                    self.hold(context).status(f"{self.bl_label} {share:.0%}    Esc: stop")
                    return {"RUNNING_MODAL"}
        except (MotionEditError, ValueError) as error:
            # A property that a script set to nonsense is a ValueError of core.
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}
