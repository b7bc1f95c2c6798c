"""Data of a file that are not what was written: one line with the way out in the place of an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ....core.errors import DamagedDataError, NewerDataError

if TYPE_CHECKING:
    from .schema import Kind

# What reading something else than was written ends with.
_MISFITS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@contextmanager
def reading(kind: Kind) -> Iterator[None]:
    """Tell whatever does not fit while saved data is read as a problem.

    Raises:
        DamagedDataError: Something did not fit.
    """
    try:
        yield
    except _MISFITS as misfit:
        raise DamagedDataError(kind.damaged) from misfit


def checked_version(kind: Kind, version: object) -> int:
    """A version that was read.

    Raises:
        NewerDataError: It is a later one than this extension knows.
    """
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ValueError(f"{version!r} is no version")
    if version > kind.version:
        raise NewerDataError(kind.newer)
    return version
