"""New ways over the ground: along a curve, in another direction.

Each gives a `GroundMove`, which is then applied to the motion, with contacts kept or without.
"""

from typing import Any

import numpy as np

from ..analysis import GroundPath, ground_path, smoothed_places
from ..body import Body
from ..errors import MotionEditError
from ..motion import GroundMove, Motion
from ..numerics import Array
from .arc_curve import ArcCurve

# Body heights over which the direction of travel is told, to each side.
_REACH = 0.2
# Body heights that a character must travel before its way has a direction.
_LEAST_TRAVEL = 0.1


class NoTravelError(MotionEditError):
    """The character does not travel, or the curve leads nowhere."""


def along_curve(
    motion: Motion, body: Body, points: Any, *, fit_length: bool = False, turn: bool = True, sway: float = 0.3
) -> GroundMove:
    """Lead the character along a curve: what it does at a distance travelled, it does there.

    Args:
        motion: Of the body's skeleton.
        body: Its up axis is needed.
        points: (N, 3) two or more points of the curve, in the scene; heights do not count. Between
            them the curve has no corners.
        fit_length: Stretch or shorten the way so that it ends where the curve does, which makes feet
            slide unless contacts are kept; otherwise steps keep their length and lead straight on
            where the curve is too short.
        turn: Turn the character with the curve; otherwise it keeps facing where it did.
        sway: Seconds on each side over which the old way is averaged; what is quicker stays.

    Raises:
        NoTravelError: The character does not travel, or the points are all in one place.
    """
    path = ground_path(motion, body)
    pivots = smoothed_places(path, motion.times, radius=sway)
    old, new = ArcCurve.through(pivots), ArcCurve.smooth(_on_ground(points, path.up))
    size = body.height or float(np.ptp(motion.skeleton.rest_positions, axis=0).max()) or 1.0
    _refuse_standing(old, new, _LEAST_TRAVEL * size)
    stretch = new.length / old.length if fit_length else 1.0
    distances = stretch * old.lengths
    angles = np.zeros(len(motion))
    if turn:
        reach = min(_REACH * size, 0.5 * old.length)
        headings = new.headings(distances, path.up, reach=reach)
        angles = headings - old.headings(old.lengths, path.up, reach=reach)
    return GroundMove.about(angles, pivots, new.at(distances), path.up)


def heading_change(motion: Motion, body: Body, angles: Any, *, bend_path: bool = True) -> GroundMove:
    """Turn the character from its heading, by one angle or by one for each frame.

    Args:
        motion: Of the body's skeleton.
        body: Its up axis is needed.
        angles: One or (F,), in radians, anticlockwise seen from above.
        bend_path: Lead the way in the new direction too; otherwise the character stays on its way
            and only faces elsewhere.
    """
    path = ground_path(motion, body)
    turns = np.broadcast_to(np.asarray(angles, dtype=np.float64), (len(motion),))
    places = bent(path, turns) if bend_path else path.places
    return GroundMove.about(turns, path.places, places, path.up)


def bent(path: GroundPath, turns: Array) -> Array:
    """(F, 3) the way from the same start whose every step is turned by the angle (F,) at that time."""
    steps = np.diff(path.places, axis=0)
    middle = 0.5 * (turns[1:] + turns[:-1])
    turned = steps + GroundMove.build(middle, np.zeros(3), path.up, frames=len(steps)).change_of(steps)
    return np.concatenate([path.places[:1], path.places[0] + np.cumsum(turned, axis=0)])


def _on_ground(points: Any, up: Array) -> Array:
    places = np.asarray(points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3 or not np.isfinite(places).all():
        raise ValueError(f"A curve needs finite points (N, 3), not {places.shape}")
    level: Array = places - (places @ up)[:, None] * up
    return level


def _refuse_standing(old: ArcCurve, new: ArcCurve, least: float) -> None:
    if old.length < least:
        raise NoTravelError("The character does not travel: choose a motion that walks, or move its root by hand")
    if new.length < 1e-6 * old.length:
        raise NoTravelError("The curve leads nowhere: give it two points that are apart")
