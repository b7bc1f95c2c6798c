"""Errors that name frames. Core counts them from 0; whoever shows them may count otherwise."""

from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import MotionEditError
from ..numerics import Array

_Self = TypeVar("_Self", bound="FrameError")


class FrameError(MotionEditError):
    """Something is wrong with frames.

    Attributes:
        template: The text with a pair of braces in the place of every frame.
        frames: The frames, counted from 0, with fractions; empty once they are counted otherwise.
    """

    def __init__(self, template: str, *frames: float) -> None:
        """Name frames in a text."""
        self.template, self.frames = template, frames
        super().__init__(template.format(*(f"{frame:g}" for frame in frames)) if frames else template)

    def counted(self: _Self, number: Callable[[Any], Array]) -> _Self:
        """The same error with frames as their reader counts them.

        Args:
            number: Gives for frames (N,) counted from 0 the numbers that their reader knows.
        """
        if not self.frames:
            return self
        numbers = (f"{round(float(each), 2):g}" for each in number(list(self.frames)))
        return type(self)(self.template.format(*numbers))


class EmptyWindowError(FrameError):
    """A window holds no motion."""


class OverlappingWindowsError(FrameError):
    """Two windows would change the same frames."""
