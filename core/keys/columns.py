"""Pose columns: samples at which all curves that move have keys, so that a pose can be moved as one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numerics import Array
from .bezier.corridor import build_corridor
from .bezier.curves import KINDS
from .bezier.longest_segments import Accept, common_segments

# A sample of a curve is a key or not.
Chosen = NDArray[np.bool_]


def choose_columns(
    times: Any,
    values: Any,
    tolerance: Any,
    *,
    kind: str = "SMOOTH",
    fixed: Any = (),
    held: Any = None,
    between: Any = None,
    share: float,
) -> Chosen:
    """(N, F) samples that are keys of curves for the sake of columns, as far apart as possible.

    A curve that stands still, as a whole or over a stretch, has keys at the ends of the stretch alone: it
    has nothing to say about the poses between, and moving these changes nothing of it.

    Args:
        times: (F,) increasing, in any unit.
        values: (F, N) samples of N curves.
        tolerance: Largest allowed error of curves: (F, N), (N,) or one number.
        kind: 'SMOOTH' or 'FEWEST', as in reduce_curves.
        fixed: (M,) samples that are columns in any case.
        held: (F - 1, N) intervals over which a curve stands still, as in reduce_curves.
        between: (F - 1, N) what curves have halfway to the next sample, as in reduce_curves.
        share: Part of the curves, 0 to 1, that needs no keys between two columns.
    """
    times, values = np.asarray(times, dtype=np.float64), np.asarray(values, dtype=np.float64)
    rows, bounds = np.ascontiguousarray(values.T), np.broadcast_to(tolerance, values.shape).T
    stops = np.zeros(rows.shape, dtype=np.bool_)
    stops[:, [0, -1, *fixed]] = True
    if len(times) == 1 or len(rows) == 0:
        return stops
    held, between = (None if each is None else np.asarray(each).T for each in (held, between))
    corridor = build_corridor(times, rows, bounds, held, between=between)
    accept = KINDS[kind][0](corridor)
    columns = np.flatnonzero(common_segments(stops, accept, share=share))
    return _where_needed(_told(rows, bounds, columns), columns, accept)


def _where_needed(chosen: Chosen, columns: Any, accept: Accept) -> Chosen:
    """(N, F) the same with columns more at both ends of stretches that a curve enters or leaves too quickly."""
    number = np.full(chosen.shape[1], -1)
    number[columns] = np.arange(len(columns))
    while True:
        curves, starts = np.nonzero(chosen[:, :-1])
        ends = np.nonzero(chosen[:, 1:])[1] + 1
        skipping = np.flatnonzero(number[ends] > number[starts] + 1)
        curves, starts, ends = curves[skipping], starts[skipping], ends[skipping]
        rejected = np.flatnonzero(~accept(curves, starts, ends)) if len(skipping) else skipping
        if not len(rejected):
            return chosen
        for column in (number[starts] + 1, number[ends] - 1):
            chosen[curves[rejected], columns[column[rejected]]] = True


def _told(rows: Array, bounds: Array, columns: Any) -> Chosen:
    """(N, F) the columns of every curve, but for those within stretches over which it stands still."""
    lowest, highest, bound = (
        reach(values[:, :-1], columns[:-1], axis=1)
        for reach, values in ((np.minimum.reduceat, rows), (np.maximum.reduceat, rows), (np.minimum.reduceat, bounds))
    )
    ends = rows[:, columns[1:]]
    lowest, highest = np.minimum(lowest, ends), np.maximum(highest, ends)
    chosen = np.zeros(rows.shape, dtype=np.bool_)
    chosen[:, columns[[0, -1]]] = True
    low, high, least = lowest[:, 0], highest[:, 0], bound[:, 0]
    for piece, column in enumerate(columns[1:-1], start=1):
        low, high = np.minimum(low, lowest[:, piece]), np.maximum(high, highest[:, piece])
        least = np.minimum(least, bound[:, piece])
        moves = high - low > least
        chosen[:, column] = moves
        low, high = np.where(moves, lowest[:, piece], low), np.where(moves, highest[:, piece], high)
        least = np.where(moves, bound[:, piece], least)
    return chosen
