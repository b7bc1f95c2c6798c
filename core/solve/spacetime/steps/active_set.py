"""Which inequalities hold a change back: those that it would otherwise violate, and none that it would leave anyway."""

from collections.abc import Callable

import numpy as np

from ....numerics import Array
from ..rows import Flags, Rows

# Rounds in which all wrong rows may change sides without fewer of them being wrong; after that one at a time,
# which cannot go round in circles.
_PATIENCE = 3
_MOST_ROUNDS = 40
# Share of what is wanted by which a row may miss it and still count as met.
_ROUNDING = 1e-9

Step = Callable[[Rows, Array, Array], tuple[Array, Array]]


def least_change(
    step: Step, rows: Rows, wanted: Array, give: Array, *, active: Flags, moved: Callable[[Array], Array]
) -> tuple[Array, Flags]:
    """Controls (C, D) of the least change that meets all rows, and (R,) the rows that hold it back.

    Block principal pivoting: rows on the wrong side of "held back or free" change it, all at once.

    Args:
        step: Solves for equations.
        rows: Equations and inequalities, linearized.
        wanted: (R,) what slopes times change are to be, or to be at least.
        give: (R,) by how much a row gives way.
        active: (R,) first guess of the rows that hold back.
        moved: Gives the change at the constrained frames that controls make.
    """
    active = active | ~rows.at_least
    rounding = _ROUNDING * float(np.abs(wanted).max(initial=0.0))
    fewest, patience = len(rows) + 1, _PATIENCE
    controls = np.zeros(0)
    for _ in range(_MOST_ROUNDS):
        controls, multipliers = step(rows.chosen(active), wanted[active], give[active])
        wrong = _wrong(rows, active, multipliers, rows.moved_by(moved(controls)) - wanted, rounding)
        count = int(wrong.sum())
        if not count:
            break
        if count < fewest:
            fewest, patience = count, _PATIENCE
        elif patience:
            patience -= 1
        else:
            wrong[: np.flatnonzero(wrong)[-1]] = False
        active = active ^ wrong
    return controls, active


def _wrong(rows: Rows, active: Flags, multipliers: Array, beyond: Array, rounding: float) -> Flags:
    """Inequalities that pull instead of push, and those that are violated but not held."""
    pulling = np.zeros(len(rows), dtype=np.bool_)
    pulling[active] = multipliers < 0.0
    return rows.at_least & np.where(active, pulling, beyond < -rounding)
