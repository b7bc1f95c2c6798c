"""Travel over the ground taken out of a motion."""

import numpy as np

from ..analysis import GroundPath, ground_path, low_passed, smoothed_places
from ..body import Body
from ..motion import GroundMove, Motion, carriers_of
from ..numerics import Array


def in_place(
    motion: Motion, body: Body, *, keep_turn: bool = True, keep_bob: bool = True, sway: float = 0.0
) -> GroundMove:
    """Take the travel over the ground out, so that the character stays where it starts.

    Args:
        motion: Of the body's skeleton.
        body: Its up axis is needed.
        keep_turn: Leave the turning; otherwise the character keeps facing where it faces at first.
        keep_bob: Leave the height; otherwise the root keeps that of the first frame.
        sway: Seconds on each side over which travel is told. What is quicker, such as swaying from
            foot to foot, stays; 0 takes all out.
    """
    path = ground_path(motion, body)
    pivots = smoothed_places(path, motion.times, radius=sway)
    places = np.broadcast_to(pivots[0], pivots.shape)
    if not keep_bob:
        heights = motion.poses.positions[:, _root(motion, body)] @ path.up
        places = places - (heights - heights[0])[:, None] * path.up
    angles = np.zeros(len(motion)) if keep_turn else _straightened(path, motion.times, sway)
    return GroundMove.about(angles, pivots, places, path.up)


def _straightened(path: GroundPath, times: Array, sway: float) -> Array:
    headings = path.headings if sway == 0.0 else low_passed(times, path.headings, times, radius=sway)
    return np.asarray(headings[0] - headings)


def _root(motion: Motion, body: Body) -> int:
    return carriers_of(motion).moved[0] if body.root is None else body.root
