"""Closest points of many pairs of segments at once.

Points of the segments are p + s d and q + t e with s and t from 0 to 1. Without these bounds the
nearest pair solves two linear equations; with them, s is bounded first, t follows from s, and where
t had to be bounded s follows from t. Parallel segments have a whole row of nearest pairs: any s does.
"""

import numpy as np

from ...numerics import Array

# Part of the product of squared lengths below which segments count as parallel: at an angle of about
# 1e-6, where every choice of s gives the same distance to six digits.
_PARALLEL = 1e-12


def closest_points(p_start: Array, p_end: Array, q_start: Array, q_end: Array) -> tuple[Array, Array]:
    """(N, 3) on the first and (N, 3) on the second segments, as near to each other as they come.

    Args:
        p_start: (N, 3) starts of the first segments; a segment without length is a point.
        p_end: (N, 3) their ends.
        q_start: (N, 3) starts of the second segments.
        q_end: (N, 3) their ends.
    """
    d, e, between = p_end - p_start, q_end - q_start, p_start - q_start
    dd, ee, de = _dot(d, d), _dot(e, e), _dot(d, e)
    along_d, along_e = _dot(d, between), _dot(e, between)
    slant = dd * ee - de * de
    crossing = slant > _PARALLEL * dd * ee
    s = np.where(crossing, _share(de * along_e - along_d * ee, np.where(crossing, slant, 0.0)), 0.0)
    t = _share(de * s + along_e, ee)
    s = _share(de * t - along_d, dd)
    return p_start + s[:, None] * d, q_start + t[:, None] * e


def _dot(one: Array, other: Array) -> Array:
    product: Array = np.einsum("ni,ni->n", one, other)
    return product


def _share(part: Array, whole: Array) -> Array:
    """Part of the whole from 0 to 1; 0 of nothing."""
    given = whole > 0.0
    return np.clip(np.where(given, part, 0.0) / np.where(given, whole, 1.0), 0.0, 1.0)
