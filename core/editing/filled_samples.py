"""Putting listed faults right: samples that are wrong are filled in from those around them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis.flaws import CHANNELS, Flaw
from ..errors import SkeletonMismatchError
from ..motion import Indices, Motion
from ..numerics import Array, first_and_last, quaternion, spline

# Share of a gap's length, and seconds at most, over which speeds beside it are measured.
_MEASURED, _LONGEST_MEASURED = 0.25, 0.05
# Seconds for which a joint may go on at its speed into a gap whose ends lie near to each other.
_LONGEST_SWING = 0.2


def repaired(motion: Motion, flaws: Iterable[Flaw]) -> Motion:
    """Fill in everything that is listed: cubics that leave and arrive at the speeds beside the gap.

    Gaps at an end of the motion hold the nearest sample. Samples that are not listed stay bit for bit,
    up to the sign of quaternions.

    Args:
        motion: In which the flaws were found.
        flaws: Spikes, held or missing samples; of other kinds nothing is filled in.

    Raises:
        SkeletonMismatchError: A joint is not in the skeleton.
    """
    return _repaired(motion, _masks(motion, flaws))


def filled_between(motion: Motion, first: int, last: int, joints: Any) -> Motion:
    """The motion with the poses between two frames filled in, for some joints (J,)."""
    wrong = np.zeros((len(motion), len(motion.skeleton)), dtype=np.bool_)
    wrong[first + 1 : last] = joints
    return _repaired(motion, dict.fromkeys(CHANNELS, wrong))


def _repaired(motion: Motion, masks: dict[str, Any]) -> Motion:
    """The motion with masked samples (F, J) of channels filled in."""
    changes: dict[str, Any] = {}
    for channel, wrong in masks.items():
        values = getattr(motion, CHANNELS[channel])
        filled = _filled(values, wrong, motion, is_rotation=channel == "rotation")
        changes[CHANNELS[channel]] = quaternion.sign_continuous(filled) if channel == "rotation" else filled
    return replace(motion, **changes)


def _masks(motion: Motion, flaws: Iterable[Flaw]) -> dict[str, Any]:
    """By channel, (F, J) samples that are wrong."""
    masks: dict[str, Any] = {}
    for flaw in flaws:
        if flaw.joint not in motion.skeleton.index:
            raise SkeletonMismatchError(f"The skeleton has no bone '{flaw.joint}'; search again")
        mask = masks.setdefault(flaw.channel, np.zeros((len(motion), len(motion.skeleton)), dtype=np.bool_))
        mask[flaw.first : flaw.last + 1, motion.skeleton.index[flaw.joint]] = True
    return masks


@dataclass(frozen=True, eq=False)
class _Gaps:
    """N gaps with good samples on both sides.

    Attributes:
        joints: (N,) of the gaps.
        before: (N,) last good frame before each.
        after: (N,) first good frame after each.
        earlier: (N,) good frame from which to `before` the speed is measured; `before` itself if none is good.
        later: (N,) the same after the gap.
    """

    joints: Indices
    before: Indices
    after: Indices
    earlier: Indices
    later: Indices

    @classmethod
    def of(cls, wrong: Any, rate: float) -> "_Gaps":
        """The gaps of a mask (F, J)."""
        rows = []
        most = max(1, round(_LONGEST_MEASURED * rate))
        for joint in np.flatnonzero(wrong.any(axis=0)):
            own = wrong[:, joint]
            inner = [(first, last) for first, last in first_and_last(own) if first > 0 and last < len(own) - 1]
            for first, last in inner:
                reach = int(np.clip(_MEASURED * (last - first + 1), 1, most))
                rows.append((joint, first - 1, last + 1, _good(own, first - 1, -reach), _good(own, last + 1, reach)))
        return cls(*np.array(rows, dtype=np.intp).reshape(-1, 5).T)

    def samples(self) -> tuple[Indices, Indices, Array]:
        """Of all P samples to fill in: number of the gap, frame, and share of the way across it."""
        lengths = self.after - self.before - 1
        owner = np.repeat(np.arange(len(lengths)), lengths)
        step = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + 1
        return owner, self.before[owner] + step, step / (lengths[owner] + 1.0)


def _good(wrong: Any, edge: int, step: int) -> int:
    """The frame some steps away from the edge of a gap, as far as all on the way are good."""
    way = 1 if step > 0 else -1
    for frame in range(edge + way, edge + step + way, way):
        if not 0 <= frame < len(wrong) or wrong[frame]:
            return frame - way
    return edge + step


def _filled(values: Array, wrong: Any, motion: Motion, *, is_rotation: bool) -> Array:
    filled = np.array(values.T).T
    _hold_ends(filled, wrong)
    gaps = _Gaps.of(wrong, motion.rate)
    if len(gaps.joints):
        owner, frames, share = gaps.samples()
        fill = _filled_rotations if is_rotation else _filled_vectors
        filled[frames, gaps.joints[owner]] = fill(filled, gaps, motion, owner, share)
    return filled


def _hold_ends(values: Array, wrong: Any) -> None:
    """Give wrong samples at the ends of the motion the value of the nearest good one."""
    for joint in np.flatnonzero(wrong[0] | wrong[-1]):
        good = np.flatnonzero(~wrong[:, joint])
        if len(good):
            values[: good[0], joint] = values[good[0], joint]
            values[good[-1] + 1 :, joint] = values[good[-1], joint]


def _filled_rotations(values: Array, gaps: _Gaps, motion: Motion, owner: Indices, share: Array) -> Array:
    start, end = (values[frame, gaps.joints] for frame in (gaps.before, gaps.after))
    chord = quaternion.log(quaternion.multiply(quaternion.conjugate(start), end))
    into = quaternion.log(_turn(values[gaps.earlier, gaps.joints], start))
    out = quaternion.log(_turn(end, values[gaps.later, gaps.joints]))
    leave, arrive = _handles(gaps, motion, chord, into, out)
    second = quaternion.multiply(start, quaternion.exp(leave))
    third = quaternion.multiply(end, quaternion.exp(-arrive))
    return quaternion.normalize(spline(start, second, third, end, owner, share))


def _filled_vectors(values: Array, gaps: _Gaps, motion: Motion, owner: Indices, share: Array) -> Array:
    start, end = (values[frame, gaps.joints] for frame in (gaps.before, gaps.after))
    into, out = start - values[gaps.earlier, gaps.joints], values[gaps.later, gaps.joints] - end
    leave, arrive = _handles(gaps, motion, end - start, into, out)
    t, controls = share[:, None], (start, start + leave, end - arrive, end)
    weights = ((1.0 - t) ** 3, 3.0 * t * (1.0 - t) ** 2, 3.0 * t**2 * (1.0 - t), t**3)
    total: Array = np.sum([weight * point[owner] for weight, point in zip(weights, controls, strict=True)], axis=0)
    return total


def _turn(a: Array, b: Array) -> Array:
    return quaternion.multiply(quaternion.conjugate(a), b)


def _handles(gaps: _Gaps, motion: Motion, chord: Array, into: Array, out: Array) -> tuple[Array, Array]:
    """(N, 3) a third of the way that each gap would be crossed at the speed before it, and after it."""
    times = motion.times
    length = (times[gaps.after] - times[gaps.before])[:, None]
    handles = []
    for way, seconds in (
        (into, times[gaps.before] - times[gaps.earlier]),
        (out, times[gaps.later] - times[gaps.after]),
    ):
        known = seconds > 0.0
        speed = np.where(known[:, None], way / np.where(known, seconds, 1.0)[:, None], chord / length)
        handles.append(_limited(speed, length, chord))
    return handles[0], handles[1]


def _limited(speed: Array, length: Array, chord: Array) -> Array:
    """Handles that do not swing far out of gaps which are long beside the way across them."""
    size = np.linalg.norm(speed, axis=1, keepdims=True) * length / 3.0
    swing = size * np.minimum(length, _LONGEST_SWING) / length
    most = np.maximum(np.linalg.norm(chord, axis=1, keepdims=True), swing)
    handle: Array = speed * length / 3.0 * np.where(size > most, most / np.where(size > 0.0, size, 1.0), 1.0)
    return handle
