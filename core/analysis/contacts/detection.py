"""Finding contacts: joints that stay where they are (staggered poses paper, Appendix B).

Two kinds of evidence lead to a contact. A joint that stays within a small distance for a quarter
of a second is held by something, wherever it is. A joint that is slow and near the floor stands on
it, even if only for the moment of a running step. All limits are in seconds and body heights.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...body import Body
from ...motion import Motion
from ...numerics import Array, first_and_last
from .floor import estimate_floor, heights_over_standing
from .heels import without_raised_heels
from .moving_ground import on_still_ground
from .spans import ContactSpans, Span
from .treadmill import Treadmill

Mask = NDArray[np.bool_]
Run = tuple[int, int]
# Half of the time over which speeds are measured: noise from frame to frame averages out.
_HALF_STEP = 0.02
# A contact's ends are where the joint gets this many times faster than it is in the stillest share
# of the contact, but not below this many body heights a second: 5 cm/s of a grown-up.
_FASTER, _STILL_SHARE, _SLOWEST_LIMIT = 8.0, 0.25, 0.03
# Stillness measured from the clip: this many times the spread of the stillest windows, whose share
# of all windows is given, and within these bounds, in body heights.
_LARGER, _STILLEST, _LEAST, _MOST = 2.0, 0.05, 0.001, 0.008
# What a marked example may be exceeded by: 'slightly larger than the apparent noise'.
_MARGIN = 1.25
# Body heights above the highest long contact up to which shorter ones are looked for.
_EVEN = 0.02
# Seconds for which a joint near the floor is at rest there, and body heights a second below which it is: so slow it
# stands, whatever it did before.
_RESTING_TIME, RESTING = 0.1, 0.08
# Share of the time that a foot goes along with moving ground in which an even one stands on it.
_EVEN_SHARE = 0.4
# Places nearer to each other than this many body heights are the same place.
_SAME_PLACE = 0.03


@dataclass(frozen=True)
class ContactOptions:
    """What counts as a contact.

    Attributes:
        still_time: Seconds for which a joint must stay within the tolerance (the paper's 0.25).
        tolerance: Distance from the middle of its place, in body heights, that a still joint may
            have; None measures it from the clip. Raise it for noisy capture.
        floor_time: Seconds for which a joint near the floor must be slow; running feet are for 0.06 and
            more. Raise it if feet that only brush the floor are found.
        slow: Body heights a second below which a joint near the floor stands on it; 0.23 is
            0.35 m/s of a grown-up. Lower it for slow shuffling, raise it for sliding capture.
        floor_reach: Body heights above its lowest level up to which a joint is near the floor.
            Floors of captured clips are uneven by half of it.
        merge_gap: Seconds; contacts at the same place that are nearer in time become one.
        floor: Height of the floor along the up axis, in units of the scene; None estimates it.
    """

    still_time: float = 0.25
    tolerance: float | None = None
    floor_time: float = 0.06
    slow: float = 0.23
    floor_reach: float = 0.04
    merge_gap: float = 0.06
    floor: float | None = None

    def __post_init__(self) -> None:
        limits = ("still_time", "floor_time", "slow", "floor_reach", "tolerance")
        for name in (name for name in limits if getattr(self, name) is not None):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} must be above zero")
        if not self.merge_gap >= 0.0:
            raise ValueError("merge_gap must not be below zero")


def default_joints(body: Body) -> tuple[int, ...]:
    """Feet and the first joint of each of their toes.

    Toes that do not hang on their foot are left out: where a control places the foot, those of the chain beside
    it do not show where the character stands.
    """
    toes = [
        digit[0]
        for limb in body.legs
        for digit in limb.digits
        if limb.end is None or limb.end in body.skeleton.ancestors(digit[0])
    ]
    return tuple(dict.fromkeys([*body.require("feet"), *toes]))


def detect_contacts(
    motion: Motion,
    body: Body,
    *,
    joints: Iterable[int | str] | None = None,
    options: ContactOptions | None = None,
    positions: Any = None,
) -> ContactSpans:
    """Find when joints are in contact with something that does not move.

    Feet of a figure that walks on the spot are in contact with the ground that moves along under it.

    Args:
        motion: Without a leading reference pose.
        body: Its up axis and height are needed, and its feet if no joints are given.
        joints: Joints to look at, by number or name; feet and toes if not given.
        options: What counts as a contact.
        positions: (F, J, 3) places of the motion's joints where they do not follow from it alone
            (constraints, IK).

    Raises:
        MissingRoleError: The up axis, the height or the feet are not known.
    """
    chosen, options = None if joints is None else tuple(joints), options or ContactOptions()
    name = ("contacts", body, chosen, options)
    return motion.fact(name, lambda: _detect(motion, body, chosen, options, positions), positions=positions)


def _detect(
    motion: Motion, body: Body, joints: Sequence[int | str] | None, options: ContactOptions, positions: Any
) -> ContactSpans:
    height, up = float(body.require("height")), body.require("up axis").vector
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    floor = estimate_floor(places, up) if options.floor is None else options.floor
    numbers = default_joints(body) if joints is None else [_number(motion, joint) for joint in joints]
    rests = _resting_feet(motion, places / height, body, floor / height, numbers, options)
    found = {
        joint: _contacts(motion, places[:, joint] / height, up, floor / height, options, rests.get(joint))
        for joint in numbers
    }
    found |= _on_the_spot(motion, places, body, floor, numbers, options)
    spans = ContactSpans({motion.skeleton.names[joint]: own for joint, own in found.items()})
    return without_raised_heels(spans, body, places, motion.times, resting=RESTING * height)


def _on_the_spot(
    motion: Motion, places: Array, body: Body, floor: float, joints: Sequence[int], options: ContactOptions
) -> dict[int, tuple[Span, ...]]:
    """Contacts of the feet of a figure that walks on the spot; nothing for one that does not.

    Seen from the ground, even steps are like those of a figure that travels. Uneven ones, such as most that are
    made by hand, stand while they are down and go along with it.
    """
    feet = default_joints(body) if body.feet and len(motion) > 2 else ()
    treadmill = Treadmill(motion, places, body, feet, floor, options.floor_reach)
    if not treadmill.velocity.any():
        return {}
    height, up = float(body.require("height")), body.require("up axis").vector
    seen = on_still_ground(places, motion.times, treadmill.velocity) / height
    found = {}
    for joint in (joint for joint in joints if joint in feet):
        loose = treadmill.contacts(joint, shortest=options.floor_time, gap=options.merge_gap)
        even = _contacts(motion, seen[:, joint], up, floor / height, options)
        found[joint] = even if _length(even) > _EVEN_SHARE * _length(loose) else loose
    return found


def _length(spans: tuple[Span, ...]) -> float:
    return sum(end - start for start, end in spans)


def options_from_example(
    motion: Motion,
    body: Body,
    joint: int | str,
    example: Span,
    *,
    options: ContactOptions | None = None,
    positions: Any = None,
) -> ContactOptions:
    """Take tolerance and slowness from one contact that the user marks.

    Args:
        body: Its height is needed.
        joint: The joint in contact.
        example: Start and end of the contact in seconds, with at least two frames between them.
        options: Everything else is taken from these.
        positions: As for `detect_contacts`.
    """
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    place = places[:, _number(motion, joint)] / float(body.require("height"))
    inside = (motion.times >= example[0]) & (motion.times <= example[1])
    if np.count_nonzero(inside) < 2:
        raise ValueError("The example contact needs at least two frames")
    away = np.linalg.norm(place[inside] - np.median(place[inside], axis=0), axis=-1).max()
    speed = float(np.quantile(_speeds(place[inside], motion.times[inside], motion.rate), 0.95))
    return replace(
        options or ContactOptions(),
        tolerance=max(_MARGIN * float(away), _LEAST),
        slow=max(_MARGIN * speed, _SLOWEST_LIMIT),
    )


def _number(motion: Motion, joint: int | str) -> int:
    number = motion.skeleton.index.get(joint, -1) if isinstance(joint, str) else int(joint)
    if not 0 <= number < len(motion.skeleton):
        raise ValueError(f"The skeleton has no bone '{joint}'")
    return number


def _resting_feet(
    motion: Motion, places: Array, body: Body, floor: float, joints: Sequence[int], options: ContactOptions
) -> dict[int, Mask]:
    """By joint of a foot, (F,) frames in which it is at rest near the floor; an ankle only while its toes are."""
    if len(motion) < 2:
        return {}
    up = body.require("up axis").vector
    rests = {joint: _resting(motion, places[:, joint], up, floor, options) for joint in joints}
    for limb in body.legs:
        toes = [digit[0] for digit in limb.digits if digit[0] in rests]
        if limb.end in rests and toes:
            rests[limb.end] &= np.any([rests[toe] for toe in toes], axis=0)
    return rests


def _contacts(
    motion: Motion, place: Array, up: Array, floor: float, options: ContactOptions, rests: Mask | None = None
) -> tuple[Span, ...]:
    """Contacts of one joint from its place (F, 3) in body heights, and frames in which it is at rest besides."""
    if len(place) < 2:
        return ()
    standing = _mask(_standing(motion, place, heights_over_standing(place @ up, floor), options), len(place))
    standing = standing if rests is None else standing | rests
    runs = _merged(
        first_and_last(standing | _still(place, motion.rate, options)), place, motion.times, options.merge_gap
    )
    return tuple((float(motion.times[first]), float(motion.times[last])) for first, last in runs if last > first)


def _standing(motion: Motion, place: Array, heights: Array, options: ContactOptions) -> list[Run]:
    """Runs of frames in which a joint stands on the floor; `heights` are over its lowest level."""
    speeds = _speeds(place, motion.times, motion.rate)

    def within(reach: float) -> list[Run]:
        slow = _merged(
            first_and_last((heights <= reach) & (speeds < options.slow)), place, motion.times, options.merge_gap
        )
        pieces = [piece for run in slow for piece in _sharpened(run, speeds, place, motion, options)]
        return [piece for piece in pieces if _lasts(piece, motion, options.floor_time)]

    return within(_unevenness(within(options.floor_reach), heights, motion, options))


def _resting(motion: Motion, place: Array, up: Array, floor: float, options: ContactOptions) -> Mask:
    """(F,) frames in which a joint, from its place (F, 3) in body heights, is at rest near the floor."""
    speeds = _speeds(place, motion.times, motion.rate)
    low = heights_over_standing(place @ up, floor) <= options.floor_reach
    runs = first_and_last(low & (speeds < RESTING))
    return _mask([run for run in runs if _lasts(run, motion, _RESTING_TIME)], len(place))


def _unevenness(runs: list[Run], heights: Array, motion: Motion, options: ContactOptions) -> float:
    """How far up the floor reaches for a joint: as far as it stands for long, and a little more.

    A heel that is raised while the toes push stands still for a moment at its highest; where the
    floor is even, its height tells it from a contact.
    """
    long = [run for run in runs if _lasts(run, motion, options.still_time)]
    if not long:
        return options.floor_reach
    highest = max(float(np.median(heights[first : last + 1])) for first, last in long)
    return min(options.floor_reach, highest + _EVEN)


def _speeds(place: Array, times: Array, rate: float) -> Array:
    """(F,) speed over a short time around every frame; the ends hold the nearest one."""
    half = min(max(1, round(_HALF_STEP * rate)), (len(place) - 1) // 2)
    if half == 0:
        return np.full(len(place), float(np.linalg.norm(place[-1] - place[0]) / (times[-1] - times[0])))
    ways = np.linalg.norm(place[2 * half :] - place[: -2 * half], axis=-1)
    return np.pad(ways / (times[2 * half :] - times[: -2 * half]), half, mode="edge")


def _mask(runs: list[Run], frames: int) -> Mask:
    mask = np.zeros(frames, dtype=np.bool_)
    for first, last in runs:
        mask[first : last + 1] = True
    return mask


def _lasts(run: Run, motion: Motion, seconds: float) -> bool:
    # A frame stands for the time around it, so a run of n frames lasts n frames.
    return bool(motion.times[run[1]] - motion.times[run[0]] + 1.0 / motion.rate >= seconds - 1e-9)


def _merged(runs: list[Run], place: Array, times: Array, gap: float) -> list[Run]:
    """Runs joined over short gaps, as long as the joint comes back to the same place."""
    merged: list[Run] = []
    for first, last in runs:
        if merged and times[first] - times[merged[-1][1]] <= gap + 1e-9:
            way = np.linalg.norm(place[first] - place[merged[-1][1]])
            if way <= _SAME_PLACE:
                merged[-1] = (merged[-1][0], last)
                continue
        merged.append((first, last))
    return merged


def _sharpened(run: Run, speeds: Array, place: Array, motion: Motion, options: ContactOptions) -> list[Run]:
    """The parts of a run in which the joint is hardly faster than in the run's middle."""
    inside = slice(run[0], run[1] + 1)
    limit = max(_FASTER * float(np.quantile(speeds[inside], _STILL_SHARE)), _SLOWEST_LIMIT)
    parts = [(run[0] + first, run[0] + last) for first, last in first_and_last(speeds[inside] <= limit)]
    return _merged(parts, place, motion.times, np.inf)


def _still(place: Array, rate: float, options: ContactOptions) -> Mask:
    """Frames that belong to a window in which the joint stays within the tolerance."""
    window = max(2, round(options.still_time * rate) + 1)
    if len(place) < window:
        return np.zeros(len(place), dtype=np.bool_)
    spread = np.zeros(len(place) - window + 1)
    for values in place.T:
        windows = sliding_window_view(values, window)
        spread += (windows.max(axis=1) - windows.min(axis=1)) ** 2
    radius = 0.5 * np.sqrt(spread)
    tolerance = options.tolerance
    if tolerance is None:
        tolerance = float(np.clip(_LARGER * np.quantile(radius, _STILLEST), _LEAST, _MOST))
    starts = np.concatenate([radius <= tolerance, np.zeros(window - 1, dtype=np.bool_)])
    started = np.cumsum(starts) - np.concatenate([np.zeros(window), np.cumsum(starts)[:-window]])
    mask: Mask = started > 0
    return mask
