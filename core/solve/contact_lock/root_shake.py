"""Shaking of the whole character, taken out of its root where feet are made to stand still."""

from collections.abc import Sequence

import numpy as np

from ...body import Body
from ...motion import Motion
from ...numerics import Array
from .hold_pose import HoldPose
from .reach import NOTHING
from .root_drop import hangs_from, smoothed
from .windows import Mask, faded

# Seconds to both sides of a frame: slower movement is no shaking.
_SLOW = 0.1


def root_shake(poses: Sequence[HoldPose], motion: Motion, body: Body, *, fade: float) -> Array:
    """(F,) units by which the root goes up, or down, so that standing legs need not follow its shaking.

    Capture that shakes as a whole takes feet and root along. Feet that are made to stand still would
    leave it to the knees, which turn fast where legs are almost straight. So the root takes what all
    standing feet ask for in common, of quick movement only, and only as far as its own path becomes calmer.

    Args:
        poses: What the contacts want; legs below the root count.
        body: Its root, up axis and height are needed.
        fade: Seconds beside contacts in which it dies away.

    Raises:
        MissingRoleError: Root, up axis or height is not known.
    """
    root, up = int(body.require("root")), body.require("up axis").vector
    legs = [pose for pose in poses if hangs_from(motion.skeleton, pose.limb, root)]
    half = int(_SLOW * motion.rate + 0.5)
    if not legs or motion.skeleton.connected[root] or half < 1 or len(motion) < 3:
        return np.zeros(len(motion))
    common, near = _asked_in_common(legs, motion, up, NOTHING * float(body.require("height")), fade)
    quick = np.where(near, common - _mean(common, half), 0.0)
    return quick * _calming(motion.poses.positions[:, root] @ up, quick, half)


def _asked_in_common(
    legs: Sequence[HoldPose], motion: Motion, up: Array, nothing: float, fade: float
) -> tuple[Array, Mask]:
    """(F,) how far up standing feet go, on average, and where any does."""
    ways, weights = np.zeros(len(motion)), np.zeros(len(motion))
    for pose in legs:
        way = (pose.end_place - motion.poses.positions[:, pose.limb.end]) @ up
        way = np.where(np.abs(way) > nothing, way, 0.0)
        ways += faded(way[:, None], pose.active, motion.times, fade)[:, 0]
        weights += faded(np.ones((len(motion), 1)), pose.active, motion.times, fade, level=True)[:, 0]
    return ways / np.maximum(weights, 1.0), weights > 0.0


def _calming(path: Array, change: Array, half: int) -> Array:
    """(F,) share, 0 to 1, of a change that makes the path around each frame calmest: with least acceleration."""
    bends, changes = (np.diff(values, 2, prepend=values[:1], append=values[-1:]) for values in (path, change))
    against, own = (_mean(product, half) for product in (-bends * changes, changes * changes))
    return _mean(np.clip(against / np.where(own > 0.0, own, 1.0), 0.0, 1.0), half)


def _mean(values: Array, half: int) -> Array:
    """(F,) values without what is quick."""
    return smoothed(np.pad(values, half, mode="edge"), half)
