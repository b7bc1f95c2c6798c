"""Work in steps: generators that yield the share done, 0 to 1, and return their result."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")
Steps = Generator[float, None, Result]


def finish(steps: Steps[Result]) -> Result:
    """Do all steps at once and give their result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
