"""Data of a file that are not what was written: one line with the way out in the place of an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

# What reading something else than was written ends with.
_MISFITS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@contextmanager
def reading(problem: str) -> Iterator[None]:
    """Tell whatever does not fit while saved data is read as a problem.

    Args:
        problem: What is damaged and how to get rid of it.

    Raises:
        DamagedDataError: Something did not fit.
    """
    from ...core.errors import DamagedDataError

    try:
        yield
    except _MISFITS as misfit:
        raise DamagedDataError(problem) from misfit
