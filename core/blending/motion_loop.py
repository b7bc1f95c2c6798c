"""Motions that repeat without a seam: pose, velocity and drift over the ground closed."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from ..body import Body
from ..editing import in_place
from ..errors import TooFewFramesError
from ..motion import GroundMove, Motion
from ..numerics import Array, quaternion
from ..wording import counted
from .ground_alignment import align_on_ground
from .seam import closed, with_even_seam
from .similar_moments import Moments, closest, compared_joints, stride_of

# Fewest frames of a loop: both ends and two frames beside each of them.
_FEWEST = 6
# Seconds of the windows by which ends are compared.
_WINDOW = 0.2
# Seconds over which a difference of velocities dies away.
_VELOCITY_REACH = 0.25


class Travel(Enum):
    """What becomes of the way over the ground."""

    KEEP = "keep"  # Every round begins where the last one came to, in its direction.
    CLOSE = "close"  # Drift and turn are spread over the loop and taken out: it ends where it begins.
    IN_PLACE = "in place"  # The character stays where it starts, with no sway along the ground either.


@dataclass(frozen=True, eq=False)
class Loop:
    """A motion whose last frame is its first one again, and what that took.

    Attributes:
        motion: The part from `start` to `end`; under `round_trip`, the last frame has the first one's
            pose and velocity.
        start: Frame of the original motion that it begins with.
        end: Frame that it ends with.
        distance: How unlike the original ends are, in body heights, under the best alignment on the ground.
        round_trip: How a round carries the character along the ground: nothing unless travel is kept.
        largest_turn: Most that a joint was turned by, in radians.
        turned_joint: Its name.
        largest_move: Most that a joint was moved by, in units of the scene, seen from the character.
    """

    motion: Motion
    start: int
    end: int
    distance: float
    round_trip: GroundMove
    largest_turn: float
    turned_joint: str
    largest_move: float


def find_loop(
    motion: Motion,
    body: Body,
    *,
    start: int | None = None,
    end: int | None = None,
    shortest: float = 0.5,
    longest: float | None = None,
) -> Moments:
    """First and last frame of the part that closes best.

    Args:
        motion: Of the body's skeleton.
        body: Its up axis is needed; places are compared in its height.
        start: First frame, if it is known.
        end: Last frame, if it is known.
        shortest: Seconds that the loop lasts at least.
        longest: Seconds that it lasts at most; as long as the motion if not given.

    Raises:
        TooFewFramesError: The motion is shorter than the shortest loop.
    """
    least = max(_FEWEST, round(shortest * motion.rate))
    if len(motion) <= least:
        raise TooFewFramesError(
            f"The shortest loop lasts {counted(least, 'frame')}, the motion has {len(motion)}; shorten it"
        )
    points = compared_joints(motion, body)
    if start is not None and end is not None:
        return _given(points, body, start, end)
    most = len(motion) if longest is None else max(least, round(longest * motion.rate))
    half = max(1, min(round(0.5 * _WINDOW * motion.rate), len(motion) // 4))
    window, extended = 2 * half + 1, _led_on(points, half)
    (rows, top), (columns, left) = (_searched(extended, frame, window) for frame in (start, end))

    def allowed(row: Any, column: Any) -> Any:
        lasts = (column + left) - (row + top)
        return (lasts >= least) & (lasts <= most)

    up, stride = body.require("up axis").vector, stride_of(motion.rate, len(motion))
    found = closest(rows, columns, up, window=window, stride=stride, allowed=allowed)
    return Moments(found.first + top, found.second + left, found.distance)


def loop(
    motion: Motion,
    body: Body,
    *,
    start: int | None = None,
    end: int | None = None,
    travel: Travel = Travel.KEEP,
    reach: float | None = None,
    shortest: float = 0.5,
) -> Loop:
    """Make a part of a motion repeat without a seam.

    The last frame gets the pose of the first, and the step into it is the step that leads out of the
    first again. What that takes is spread over the loop.

    Args:
        motion: Of the body's skeleton.
        body: Its up axis is needed.
        start: First frame; the best if not given.
        end: Last frame; the best if not given.
        travel: What becomes of the way over the ground.
        reach: Seconds from each end on over which the change of pose is spread; half of the loop if
            not given.
        shortest: Seconds that the loop lasts at least, where its ends are searched.

    Raises:
        TooFewFramesError: There is too little motion for a loop.
    """
    ends = find_loop(motion, body, start=start, end=end, shortest=shortest)
    part = motion.part(ends.first, ends.second + 1)
    if travel is Travel.IN_PLACE:
        part = in_place(part, body).applied(part)
    drift = align_on_ground(part, part, body, other_frame=len(part) - 1)
    spread = _spread_evenly(drift)
    still = spread.applied(part)
    half = (len(part) - 1) // 2
    pose_frames = half if reach is None else min(half, round(reach * motion.rate))
    again = closed(still, pose_frames=pose_frames, velocity_frames=min(half, round(_VELOCITY_REACH * motion.rate)))
    turns = quaternion.angle_between(still.rotations, again.rotations).max(axis=0)
    round_trip = GroundMove.build(0.0, np.zeros(3), drift.up, frames=1)
    result = again
    if travel is Travel.KEEP:
        round_trip = spread.inverse().frozen(np.array([len(part) - 1]))
        result = with_even_seam(spread.inverse().applied(again), round_trip)
    return Loop(
        motion=result,
        start=ends.first,
        end=ends.second,
        distance=ends.distance,
        round_trip=round_trip,
        largest_turn=float(turns.max()),
        turned_joint=motion.skeleton.names[int(np.argmax(turns))],
        largest_move=float(np.linalg.norm(again.poses.positions - still.poses.positions, axis=-1).max()),
    )


def _given(points: Array, body: Body, start: int, end: int) -> Moments:
    if not 0 <= start < end < len(points) or end - start + 1 < _FEWEST:
        raise TooFewFramesError(
            f"A loop needs {_FEWEST} frames or more of the motion's {len(points)}, not frames {start} to {end}"
        )
    rows = [points[[frame]] for frame in (start, end)]
    return Moments(start, end, closest(rows[0], rows[1], body.require("up axis").vector, window=1, stride=1).distance)


def _led_on(points: Array, count: int) -> Array:
    """Joints led on for some frames before and after, so that windows about the ends show their velocity."""
    before = 2.0 * points[:1] - points[count:0:-1]
    after = 2.0 * points[-1:] - points[-2 : -count - 2 : -1]
    return np.concatenate([before, points, after])


def _searched(extended: Array, frame: int | None, window: int) -> tuple[Array, int]:
    """Joints among which an end is searched and the frame that their first window is about."""
    return (extended, 0) if frame is None else (extended[frame : frame + window], frame)


def _spread_evenly(move: GroundMove) -> GroundMove:
    """A constant move done little by little: nothing in the first frame, all of it in the last.

    The parts are powers of the move: a steady screw about one pivot, or a steady shift.
    """
    shares = np.linspace(0.0, 1.0, len(move))
    angle, shift, up = float(move.angles[0]), move.shifts[0], move.up
    along, across = _arc(angle)
    start = (along * shift - across * np.cross(up, shift)) / (along**2 + across**2)
    along, across = _arc(angle * shares)
    shifts = shares[:, None] * (along[:, None] * start + across[:, None] * np.cross(up, start))
    return GroundMove(angle * shares, shifts, up)


def _arc(angles: Any) -> tuple[Any, Any]:
    """sin(a) / a and (1 - cos(a)) / a: where one gets who starts straight ahead and turns steadily."""
    return np.sinc(angles / np.pi), np.sin(0.5 * angles) * np.sinc(0.5 * angles / np.pi)
