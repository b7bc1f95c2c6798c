"""Shaking of the whole character, taken out of its root where feet are made to stand still."""

from collections.abc import Sequence

import numpy as np

from ....body import Body
from ....motion import Mask, Motion
from ....numerics import Array
from ...smooth_path import Fading
from ..limb_goal import LimbGoal
from ..reach import NOTHING

# Seconds to both sides of a frame: slower movement is no shaking.
_SLOW = 0.1


def root_shake(goals: Sequence[LimbGoal], motion: Motion, body: Body, fade: Fading) -> Array:
    """(F, 3) how far the root is moved so that standing legs need not follow its shaking.

    Capture that shakes as a whole takes feet and root along. Feet that are made to stand still would
    leave it to the knees, which turn fast where legs are almost straight. So the root takes what all
    standing feet ask for in common, of quick movement only, and only as far as its own path becomes calmer.

    Args:
        goals: Of the legs that hang on the root.
        body: Its root and height are needed.
        fade: How it comes and goes beside contacts.
    """
    half = int(_SLOW * motion.rate + 0.5)
    if not goals or half < 1 or len(motion) < 3:
        return np.zeros((len(motion), 3))
    common, near = _asked_in_common(goals, motion, NOTHING * float(body.require("height")), fade)
    quick = np.where(near[:, None], common - _mean(common, half), 0.0)
    shake = quick * _calming(motion.poses.positions[:, int(body.require("root"))], quick, half)
    return shake if fade.fixed is None else np.where(fade.fixed[:, None], 0.0, shake)


def _asked_in_common(goals: Sequence[LimbGoal], motion: Motion, nothing: float, fade: Fading) -> tuple[Array, Mask]:
    """(F, 3) how far standing feet go, on average, and (F,) where any does."""
    ways, weights = np.zeros((len(motion), 3)), np.zeros(len(motion))
    for goal in goals:
        way = goal.end_place - motion.poses.positions[:, goal.limb.end]
        way = np.where(np.abs(way) > nothing, way, 0.0)
        found = fade.carried(np.column_stack([way, np.ones(len(motion))]), goal.active)
        ways, weights = ways + found[:, :3], weights + found[:, 3]
    return ways / np.maximum(weights, 1.0)[:, None], weights > 0.0


def _calming(path: Array, change: Array, half: int) -> Array:
    """(F, 3) share, 0 to 1, of a change that makes the path around each frame calmest: with least acceleration."""
    bends, changes = (np.diff(values, 2, axis=0, prepend=values[:1], append=values[-1:]) for values in (path, change))
    against, own = (_mean(product, half) for product in (-bends * changes, changes * changes))
    return _mean(np.clip(against / np.where(own > 0.0, own, 1.0), 0.0, 1.0), half)


def _mean(values: Array, half: int) -> Array:
    """(F, 3) values without what is quick: means over so many frames to both sides, weighted like a bell."""
    kernel = np.hanning(2 * half + 3)[1:-1]
    padded = np.pad(values, ((half, half), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, kernel / kernel.sum(), mode="valid") for column in padded.T], axis=1)
