"""From one motion to another: by a cross-fade where they are alike, or over a gap (1.6.4)."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis import ground_path
from ..body import Body
from ..errors import TooFewFramesError
from ..motion import GroundMove, Motion, at_rate_of, joined, matched
from ..numerics import Array, ease, quaternion, rotation_curve, vector_curve
from ..wording import counted
from .ground_alignment import align_on_ground
from .motion_blend import BlendError, blend
from .similar_moments import Moments, closest, compared_joints, stride_of

_NUMBERS = ("locations", "scales", "scalars")

Frames = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Transition:
    """One motion that leads into another.

    Attributes:
        motion: At the first motion's rate. Before `start` it is the first motion bit for bit; after
            `end` it is the second, carried along the ground.
        start: Frame of the result at which the first motion is left.
        end: Frame of the result at which the second is reached.
        moments: Frames of both motions that were brought together, and how unlike they are.
        move: How the second motion is carried along the ground.
    """

    motion: Motion
    start: int
    end: int
    moments: Moments
    move: GroundMove


def find_transition(
    first: Motion,
    second: Motion,
    body: Body,
    *,
    length: float = 0.3,
    leave: Frames | None = None,
    enter: Frames | None = None,
) -> Moments:
    """Where a cross-fade from one motion to another shows least.

    Args:
        first: Of the body's skeleton.
        second: With the same joint names.
        body: Its up axis is needed; places are compared in its height.
        length: Seconds of the cross-fade, whose frames are all compared.
        leave: First and last frame of the first motion among which the cross-fade lies; its second
            half if not given.
        enter: The same of the second motion, at the first one's rate; its first half if not given.

    Raises:
        TooFewFramesError: A motion, or what is allowed of it, is shorter than the cross-fade.
    """
    other = at_rate_of(matched(second, first), first)
    window = _window(first, length)
    rows = _allowed(leave or (len(first) // 2, len(first) - 1), first, window, "first")
    columns = _allowed(enter or (0, max(len(other) // 2, window - 1)), other, window, "second")
    points = compared_joints(first.part(*rows), body), compared_joints(other.part(*columns), body)
    stride = stride_of(first.rate, max(map(len, points)))
    found = closest(*points, body.require("up axis").vector, window=window, stride=stride)
    return replace(found, first=found.first + rows[0], second=found.second + columns[0])


def transition(
    first: Motion,
    second: Motion,
    body: Body,
    *,
    length: float = 0.3,
    leave: Frames | None = None,
    enter: Frames | None = None,
    moments: Moments | None = None,
) -> Transition:
    """Cross-fade from one motion to another where they are most alike.

    The second motion is turned and shifted along the ground as a whole, so that it goes on where the
    first one is left and its feet stay where they stand.

    Args:
        first: Of the body's skeleton.
        second: With the same joint names, at any rate.
        body: Its up axis is needed.
        length: Seconds of the cross-fade.
        leave: As for `find_transition`.
        enter: As for `find_transition`.
        moments: Where to cross-fade, instead of the best place.
    """
    place = moments or find_transition(first, second, body, length=length, leave=leave, enter=enter)
    other, window = at_rate_of(matched(second, first), first), _window(first, length)
    for motion, frame in ((first, place.first), (other, place.second)):
        if not 0 <= frame <= len(motion) - window:
            raise BlendError(
                f"A cross-fade of {counted(window, 'frame')} at frame {frame} leaves the motion; shorten or move it"
            )
    move = align_on_ground(first, other, body, frame=place.first, other_frame=place.second, frames=window)
    moved = move.applied(other)
    share = ease(np.linspace(0.0, 1.0, window))
    one = first.part(place.first, place.first + window)
    two = replace(moved.part(place.second, place.second + window), times=one.times)
    faded = blend([one, two], np.stack([1.0 - share, share], axis=1))
    parts = [first.part(0, place.first), faded, moved.part(place.second + window, len(moved))]
    return Transition(_in_a_row(parts, first), place.first, place.first + window - 1, place, move)


def bridge(
    first: Motion,
    second: Motion,
    body: Body,
    *,
    gap: float = 0.5,
    leave: int | None = None,
    enter: int = 0,
) -> Transition:
    """Interpolate from a frame of one motion to a frame of another, whose poses need not be alike.

    Poses and velocities are met at both ends. The second motion is carried to where the character
    comes, going on at the mean of both speeds and turning on as it does.

    Args:
        first: Of the body's skeleton.
        second: With the same joint names, at any rate.
        body: Its up axis is needed.
        gap: Seconds between the two frames.
        leave: Last frame of the first motion that is kept; its last if not given.
        enter: First frame of the second motion that is kept, at the first one's rate.
    """
    other = at_rate_of(matched(second, first), first)
    last = len(first) - 1 if leave is None else leave
    if not 1 <= last < len(first) or not 0 <= enter < len(other) - 1:
        raise TooFewFramesError("A gap needs 2 frames before it and 2 after it, whose speeds are met; move its ends")
    count = max(1, round(gap * first.rate))
    move = _carried_on(first.part(last - 1, last + 1), other.part(enter, enter + 2), body, count, frames=len(other))
    moved = move.applied(other)
    between = _between(first.part(last - 1, last + 1), moved.part(enter, enter + 2), count)
    parts = [first.part(0, last + 1), between, moved.part(enter, len(moved))]
    one, two = first.part(last, last + 1), moved.part(enter, enter + 1)
    gaps = compared_joints(one, body) - compared_joints(two, body)
    distance = float(np.sqrt((gaps**2).sum(axis=-1).mean()))
    return Transition(_in_a_row(parts, first), last, last + count, Moments(last, enter, distance), move)


def _window(motion: Motion, length: float) -> int:
    if not length > 0.0:
        raise ValueError("length must be above zero")
    return max(3, round(length * motion.rate) + 1)


def _allowed(frames: Frames, motion: Motion, window: int, name: str) -> Frames:
    """First frame and the one after the last, long enough for a window."""
    start, stop = max(0, frames[0]), min(len(motion), frames[1] + 1)
    if stop - start < window:
        raise TooFewFramesError(
            f"The cross-fade needs {counted(window, 'frame')}, the {name} motion has {max(0, stop - start)} there; "
            "shorten it or allow more of the motion"
        )
    return start, stop


def _carried_on(before: Motion, after: Motion, body: Body, count: int, *, frames: int) -> GroundMove:
    """The move that lays the second motion onto the first, and further by what both travel in the gap."""
    laid = align_on_ground(before, after, body, frame=1)
    paths = [ground_path(each, body) for each in (before, laid.applied(after))]
    travel = 0.5 * count * sum(np.diff(path.places, axis=0)[0] for path in paths)
    return GroundMove.build(laid.angles[0], laid.shifts[0] + travel, laid.up, frames=frames)


def _between(before: Motion, after: Motion, count: int) -> Motion:
    """`count - 1` poses between the last of two frames and the first of two others."""
    shares = np.arange(1, count) / count

    def numbers(name: str) -> Array:
        one, two = getattr(before, name), getattr(after, name)
        return vector_curve(one[1], two[0], count * (one[1] - one[0]), count * (two[1] - two[0]), shares)

    leave, arrive = (count * _turn(each.rotations) for each in (before, after))
    arrays: dict[str, Any] = {name: numbers(name) for name in _NUMBERS}
    nearest = np.where((shares < 0.5)[:, None], before.scalars[1], after.scalars[0])
    arrays["scalars"] = np.where(before.steps | after.steps, nearest, arrays["scalars"])
    rotations = rotation_curve(before.rotations[1], after.rotations[0], leave, arrive, shares)
    return replace(before, times=shares, rotations=rotations, **arrays)


def _turn(rotations: Array) -> Array:
    """(J, 3) from the first of two frames to the second."""
    return quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[0]), rotations[1]))


def _in_a_row(parts: list[Motion], like: Motion) -> Motion:
    """Parts after each other, one frame apart, from the first motion's start."""
    whole = joined(parts)
    kept = len(parts[0])
    later = like.times[0] + np.arange(kept, len(whole)) / like.rate
    stepped = frozenset[str]().union(*(part.stepped for part in parts))
    return replace(whole, times=np.concatenate([like.times[:kept], later]), rate=like.rate, stepped=stepped)
