"""Bézier keys for densely sampled curves, within a stated bound on the vertical error."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import NotFiniteError
from ...numerics import Array
from .corridor import Corridor, build_corridor
from .free_keys import free_keys, free_pieces
from .keyed_curves import KeyedCurves, from_slopes
from .longest_segments import longest_segments
from .smooth_keys import smooth_keys, smooth_pieces

# How pieces are tested, and how keys are made once their samples are known.
KINDS = {"SMOOTH": (smooth_pieces, smooth_keys), "FEWEST": (free_pieces, free_keys)}


def reduce_curves(
    times: Any,
    values: Any,
    tolerance: Any,
    *,
    kind: str = "SMOOTH",
    fixed: Any = None,
    held: Any = None,
    between: Any = None,
) -> KeyedCurves:
    """Replace samples by few Bézier keys.

    Every key sits on a sample and has its value. At every sample the fitted curve is at
    most `tolerance` away, also after the keys are rounded to single precision. In the
    middle between two samples it is at most `tolerance` outside what lies between the
    straight line and the smooth cubic through them, or away from what is known to be there.

    Args:
        times: (F,) increasing, in any unit.
        values: (F, N) samples of N curves.
        tolerance: Largest allowed error in the curves' unit: one number, (N,), or (F, N) where it
            changes along time. Halving it costs about a fifth more keys on smooth curves, far more
            on noisy ones.
        kind: 'SMOOTH' for aligned handles; 'FEWEST' for free handles, which let the slope
            break at keys and need about a third fewer of them.
        fixed: Frame numbers that must be keys: (M,) for all curves, or N lists of them.
        held: (F - 1, N) intervals over which a curve stands still and then steps to the next
            sample; there the keys are constant and exact.
        between: (F - 1, N) what curves have halfway to the next sample; not a number where nobody knows. Where
            a smooth curve strays from it though every sample is a key, curves of both kinds have corners at keys.

    Raises:
        NotFiniteError: A value is NaN or infinite.
    """
    times = np.asarray(times, dtype=np.float64)
    rows = np.ascontiguousarray(np.asarray(values, dtype=np.float64).T)
    tolerance = np.asarray(tolerance, dtype=np.float64).T
    _check(times, rows, tolerance, kind)
    if len(times) == 1 or len(rows) == 0:
        flat = np.zeros(len(rows))
        return from_slopes(np.ones(len(rows)), np.full(len(rows), times[0]), rows[:, 0], flat, flat)
    held, between = (None if each is None else np.asarray(each).T for each in (held, between))
    corridor = build_corridor(times, rows, tolerance, held, between=between)
    pieces, keys = KINDS[kind]
    stops, accept = _stops(rows.shape, fixed) | _steps(corridor), pieces(corridor)
    return keys(corridor, longest_segments(stops, accept))


def _steps(corridor: Corridor) -> NDArray[np.bool_]:
    """(N, F) samples at which a curve begins to stand still, ends to, or steps."""
    held, samples = corridor.held, corridor.samples
    steps = np.zeros(samples.shape, dtype=np.bool_)
    steps[:, 1:-1] = held[:, 1:] != held[:, :-1]
    steps[:, 1:] |= held & (samples[:, 1:] != samples[:, :-1])
    return steps


def _check(times: Array, rows: Array, tolerance: Any, kind: str) -> None:
    if rows.ndim != 2 or times.shape != (rows.shape[1],) or len(times) == 0:
        raise ValueError(f"times {times.shape} and values {rows.T.shape} do not belong together")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if not (np.diff(times) > 0.0).all() or not np.isfinite(times).all():
        raise ValueError("times must be finite and increase from sample to sample")
    if not (np.asarray(tolerance) >= 0.0).all():
        raise ValueError("the tolerance must be zero or more")
    if not np.isfinite(rows).all():
        curve, frame = np.argwhere(~np.isfinite(rows))[0]
        raise NotFiniteError(f"Curve {curve} is NaN or infinite at sample {frame}; repair it first")


def _stops(shape: tuple[int, int], fixed: Any) -> NDArray[np.bool_]:
    """(N, F) samples that must be keys."""
    stops = np.zeros(shape, dtype=np.bool_)
    stops[:, [0, -1]] = True
    if fixed is None or len(fixed) == 0:
        return stops
    if np.ndim(fixed[0]) == 0:
        stops[:, np.asarray(fixed, dtype=np.intp)] = True
        return stops
    if len(fixed) != len(stops):
        raise ValueError(f"fixed frames are given for {len(fixed)} curves, there are {len(stops)}")
    for row, frames in zip(stops, fixed, strict=True):
        row[np.asarray(frames, dtype=np.intp)] = True
    return stops
