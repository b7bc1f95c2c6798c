"""Operators that may take long: progress in the status bar, Esc stops, nothing is changed until the end."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ...border.translation import report_text, tool_text
from .running_tools import RunningTool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bpy.types import Context, Event

    from ...border.steps import Steps

# Seconds of work between two looks at the keyboard: short enough to feel alive, long enough
# not to spend most of the time on redrawing.
_SLICE = 0.15
# Seconds from one look to the next.
_TICK = 0.01
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
        if (left := take_beforehand()) is not None:
            left()


def take_beforehand() -> Callable[[], None] | None:
    """What a gesture has left for the operator that is invoked now, once."""
    global _beforehand
    taken, _beforehand = _beforehand, None
    return taken


class LongWork:
    """Work of an operator, done in slices between events; it changes data only at its end."""

    def __init__(self, operator: RunningTool, steps: Steps[None], beforehand: Callable[[], None] | None = None) -> None:
        """Nothing is done yet.

        Args:
            operator: Reports, and holds what is taken of the window.
            steps: The work; yields shares from 0 to 1.
            beforehand: What a gesture has left to do first.
        """
        self._operator, self._steps, self._beforehand = operator, steps, beforehand

    def finish(self, context: Context) -> set[str]:
        """Do all of it at once: for scripts, redo and background."""
        return self._run(context, until=float("inf"))

    def start(self, context: Context) -> set[str]:
        """Begin, and go on in the background of the event loop if it takes long."""
        if self._beforehand is None:
            result = self.go_on(context)
            if result != {"RUNNING_MODAL"}:
                return result
        else:
            self._operator.hold(context).timer(_TICK)
        context.window_manager.modal_handler_add(self._operator)
        return {"RUNNING_MODAL"}

    def go_on(self, context: Context) -> set[str]:
        """Begin in an operator that is running already."""
        result = self._run(context, until=time.monotonic() + _PATIENCE)
        if result == {"RUNNING_MODAL"}:
            self._operator.hold(context).timer(_TICK)
        return result

    def answer(self, context: Context, event: Event) -> set[str]:
        """Work a slice at every tick; Esc stops."""
        if event.type == "ESC":
            self._steps.close()
            tool = tool_text(self._operator)
            self._operator.report({"INFO"}, report_text("{tool} stopped, nothing was changed", tool=tool))
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        self._prepare()
        return self._run(context, until=time.monotonic() + _SLICE)

    def leave(self) -> None:
        """Forget the work, and do what a gesture has left to do."""
        with suppress(ReferenceError):  # what it would put back was deleted
            self._steps.close()
        self._prepare()

    def _prepare(self) -> None:
        """What a gesture has left to do, once."""
        prepare, self._beforehand = self._beforehand, None
        if prepare is not None:
            prepare()

    def _run(self, context: Context, *, until: float) -> set[str]:
        try:
            for share in self._steps:
                if time.monotonic() > until:
                    self._operator.hold(context).status(self._progress_text(share))
                    return {"RUNNING_MODAL"}
        except (MotionEditError, ValueError) as error:
            # A property that a script set to nonsense is a ValueError of core.
            self._operator.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def _progress_text(self, share: float) -> str:
        return report_text("{tool} {share}    Esc: stop", tool=tool_text(self._operator), share=f"{share:.0%}")


class LongWorkOperator(RunningTool):
    """Base of operators that find something: a tool implements `work`, in steps."""

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _work = None

    def work(self, context: Context) -> Steps[None]:
        """Do the work; yield shares from 0 to 1."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Do all the work at once: for scripts, redo and background."""
        # A redo runs on the same operator: it must start from the beginning.
        self._work = LongWork(self, self.work(context))
        return self._work.finish(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Start, and go on in the background of the event loop if it takes long."""
        self._work = LongWork(self, self.work(context), take_beforehand())
        return self._work.start(context)

    def answer(self, context: Context, event: Event) -> set[str]:
        """Work a slice at every tick; Esc stops."""
        assert self._work is not None
        return self._work.answer(context, event)

    def leave(self, _context: Context) -> None:
        """Forget the work."""
        if self._work is not None:
            self._work.leave()
