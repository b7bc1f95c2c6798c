"""The laws of motion: each takes a case, measures, and says what it found, or nothing where it does not apply."""

from __future__ import annotations

from collections.abc import Callable

from .anatomy import anatomy, straight_legs
from .case import Case, Finding, KeyChange, Request
from .feet import feet, floor
from .keys import local, only_controls, sparse
from .names import ALL, MEASURED, RETURN, WORKS
from .steps import bounded, no_pops, seen_is_written
from .timing import SPENDABLE, follows, idle_first, loops, rhythm

Law = Callable[[Case], Finding | None]

# `works` and `return` are found by the trial itself.
_MEASURING: tuple[Law, ...] = (
    no_pops,
    bounded,
    floor,
    feet,
    straight_legs,
    anatomy,
    local,
    idle_first,
    rhythm,
    loops,
    sparse,
    follows,
    seen_is_written,
    only_controls,
)
LAWS: dict[str, Law] = dict(zip(MEASURED, _MEASURING, strict=True))

__all__ = ["ALL", "LAWS", "RETURN", "SPENDABLE", "WORKS", "Case", "Finding", "KeyChange", "Law", "Request"]
