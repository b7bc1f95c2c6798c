"""Displacement maps: smooth changes that are added to a motion and lose none of its detail."""

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import TimeOrderError
from ...numerics import Array, quaternion
from ..motion import Motion


def smooth_offsets(times: Any, knots: Any, offsets: Any) -> Array:
    """(M, ...) a curve through offsets with continuous curvature, at rest at both ends and held beyond them.

    Args:
        times: (M,) where the curve is asked for.
        knots: (K,) increasing times.
        offsets: (K, ...) what is met there.
    """
    times, knots = (np.asarray(each, dtype=np.float64) for each in (times, knots))
    values = np.asarray(offsets, dtype=np.float64).reshape(len(knots), -1)
    if len(knots) > 1 and not (np.diff(knots) > 0.0).all():
        raise TimeOrderError("Knots of a displacement must be at increasing times; two edits are at one frame")
    shape = (len(times), *np.shape(offsets)[1:])
    if len(knots) == 1:
        return np.broadcast_to(values, (len(times), values.shape[1])).reshape(shape).copy()
    piece = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
    gap = (knots[piece + 1] - knots[piece])[:, None]
    share = np.clip((times[:, None] - knots[piece][:, None]) / gap, 0.0, 1.0)
    slopes = _slopes(knots, values)
    start, end = values[piece], values[piece + 1]
    leave, arrive = gap * slopes[piece], gap * slopes[piece + 1]
    # Written from both ends so that a knot gives its value bit for bit.
    early = start * (1.0 + 2.0 * share) * (1.0 - share) ** 2 + leave * share * (1.0 - share) ** 2
    late = end * share**2 * (3.0 - 2.0 * share) - arrive * share**2 * (1.0 - share)
    curve: Array = (early + late).reshape(shape)
    return curve


def _slopes(knots: Array, values: Array) -> Array:
    """(K, D) slopes at the knots that make the curvature continuous; zero at both ends."""
    slopes = np.zeros_like(values)
    if len(knots) < 3:
        return slopes
    gaps = np.diff(knots)
    rises = np.diff(values, axis=0) / gaps[:, None]
    system = np.diag(2.0 * (gaps[1:] + gaps[:-1]))
    inner = np.arange(len(knots) - 3)
    system[inner, inner + 1] = gaps[:-2]
    system[inner + 1, inner] = gaps[2:]
    goal = 3.0 * (gaps[1:, None] * rises[:-1] + gaps[:-1, None] * rises[1:])
    slopes[1:-1] = np.linalg.solve(system, goal)
    return slopes


def displaced(motion: Motion, turns: Any, moves: Any, scalings: Any, changes: Any) -> Motion:
    """A motion with rotations turned in the joints' own axes and everything else added to.

    Args:
        turns: (F, J, 3) rotation vectors.
        moves: (F, J, 3) added to locations.
        scalings: (F, J, 3) added to scales.
        changes: (F, S) added to scalars.
    """
    turns = np.asarray(turns, dtype=np.float64)
    turned = quaternion.multiply(motion.rotations, quaternion.exp(turns))
    still = (turns == 0.0).all(axis=-1)[..., None]
    return replace(
        motion,
        rotations=quaternion.sign_continuous(np.where(still, motion.rotations, turned)),
        locations=motion.locations + moves,
        scales=motion.scales + scalings,
        scalars=motion.scalars + changes,
    )


def displacement_between(before: Motion, after: Motion) -> tuple[Array, Array, Array, Array]:
    """Turns, moves, scalings and changes that lead from one motion to another of the same frames."""
    return (
        quaternion.log(quaternion.multiply(quaternion.conjugate(before.rotations), after.rotations)),
        after.locations - before.locations,
        after.scales - before.scales,
        after.scalars - before.scalars,
    )
