"""Keeping extremes through a filter: the furthest point of a swing stays where and when it was.

A filter rounds off what turns sharply. At every extreme of a joint, and a moment before and after it,
the difference that a filter has made is put back, by a smooth bump through these three differences
that fades out to both sides. So the extreme pose is met bit for bit, the joint comes and leaves as it
did, and everything between stays as smooth as the filter has made it. Within the fade no other moment
then goes farther along the swing than it did before, so that the extreme keeps its time to the frame.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis import PoseCandidates, signal_extremes
from ..motion import Indices, Mask, Motion, chosen_joints, shape_channels
from ..numerics import Array, quaternion
from .peak_limits import pushes_back

# Seconds from an extreme to the moments before and after it: an edge of the motion trails in which extremes
# are looked for, so that a trail turns there exactly as sharply as it did.
_EDGE = 1.0 / 24.0
# Part of all that a shape does by which its own extremes stand out at least.
_CLEAR = 0.2


def keep_extremes(
    before: Motion, after: Motion, extremes: PoseCandidates, *, fade: float = 0.15, joints: Any = None
) -> Motion:
    """Put back what a filter has taken away from the extremes of a motion.

    Args:
        before: The motion in which the extremes were found.
        after: The same frames, filtered in any way.
        extremes: From `extract_poses`; each joint's own extreme counts, as far as it has one near a pose,
            and the pose's time otherwise.
        fade: Seconds beside an extreme within which the correction dies away, at most half of the way to
            the joint's next extreme. As long as the filter reaches is best; shorter leaves edges.
        joints: (J,) joints whose extremes are kept; all by default.

    Returns:
        The filtered motion; at its extremes every joint's pose is bit for bit that of `before`, up to the
        sign of quaternions. Within the fade nothing reaches beyond an extreme that did not do so before:
        the furthest moment of a swing is the same frame.
    """
    if before.rotations.shape != after.rotations.shape:
        raise ValueError("The motion before the filter and the filtered one must have the same joints and frames")
    if not fade >= 0.0:
        raise ValueError("fade must not be below zero")
    chosen = chosen_joints(before, joints)
    turning = _marks(before, extremes.times[:, None] + extremes.refinements, chosen)
    moving = _marks(before, (extremes.times + extremes.root_refinements)[:, None], chosen)
    return replace(
        after,
        rotations=_put_back(before, after, "rotations", turning, fade),
        locations=_put_back(before, after, "locations", moving, fade),
        scales=_put_back(before, after, "scales", moving, fade),
        scalars=_with_shapes(before, after, fade) if chosen[0] else after.scalars,
    )


def _with_shapes(before: Motion, after: Motion, fade: float) -> Array:
    """(F, N) scalar channels after the filter with the differences at extremes of shapes put back, such as blinks."""
    marks = np.zeros(before.scalars.shape, dtype=np.bool_)
    for channel in np.flatnonzero(shape_channels(before) & (before.scalars != after.scalars).any(axis=0)):
        shape = before.scalars[:, channel]
        marks[signal_extremes(shape, _CLEAR * float(np.ptp(shape)))[0], channel] = True
    if not marks.any():
        return after.scalars
    old, new = before.scalars[:, :, None], after.scalars[:, :, None]
    return _with_moves(old, new, _Bumps.around(marks, before, fade))[..., 0]


def _put_back(before: Motion, after: Motion, name: str, marks: Mask, fade: float) -> Array:
    """Channels (F, J, C) after the filter with the differences at marks (F, J) put back."""
    old: Array = getattr(before, name)
    new: Array = getattr(after, name)
    changed = marks & (old != new).any(axis=(0, 2))
    if not changed.any():
        return new
    with_differences = _with_turns if name == "rotations" else _with_moves
    return with_differences(old, new, _Bumps.around(changed, before, fade))


def _marks(motion: Motion, times: Array, chosen: Any) -> Mask:
    """(F, J) the frames nearest to times (K, J)."""
    middles = 0.5 * (motion.times[1:] + motion.times[:-1])
    frames = np.searchsorted(middles, np.broadcast_to(times, (len(times), len(chosen))))
    marks = np.zeros((len(motion), len(chosen)), dtype=np.bool_)
    marks[frames, np.arange(len(chosen))] = True
    kept: Mask = marks & chosen
    return kept


@dataclass(frozen=True, eq=False)
class _Bumps:
    """N extremes and the P samples near them.

    Attributes:
        frames: (N,) of the extremes.
        joints: (N,) of the extremes.
        knots: (N, 5) frames from the extreme at which its bump begins, meets three differences, and ends.
        owner: (P,) the extreme that each sample belongs to.
        offset: (P,) frames from the extreme to the sample.
    """

    frames: Indices
    joints: Indices
    knots: Array
    owner: Indices
    offset: Indices

    @classmethod
    def around(cls, marks: Mask, motion: Motion, fade: float) -> "_Bumps":
        """Bumps that reach as far as the fade, but not over the middle between two extremes of a joint."""
        joints, frames = np.nonzero(marks.T)
        reach = max(fade * motion.rate, 0.5)
        room = np.where(np.diff(joints) == 0, 0.5 * np.diff(frames), np.inf)
        ends = [np.minimum(reach, side) for side in (np.append(np.inf, room), np.append(room, np.inf))]
        edge = max(1, round(_EDGE * motion.rate))
        early, late = (np.clip(end // 2.0, 1.0, edge) for end in ends)
        knots = np.stack([-ends[0], -early, np.zeros(len(frames)), late, ends[1]], axis=1)
        offsets = np.arange(-int(reach), int(reach) + 1)
        inside = frames[:, None] + offsets
        near = (offsets > knots[:, :1]) & (offsets < knots[:, 4:]) & (inside >= 0) & (inside < len(marks))
        owner, place = np.nonzero(near)
        return cls(frames, joints, knots, owner, offsets[place])

    @property
    def samples(self) -> tuple[Indices, Indices]:
        """Frame and joint of every sample."""
        return self.frames[self.owner] + self.offset, self.joints[self.owner]

    def places(self, frames: int) -> tuple[Indices, Indices]:
        """(N, 3) frame and joint of the moment before every extreme, of itself, and of the moment after."""
        wanted = self.frames[:, None] + self.knots[:, 1:4].astype(np.intp)
        return np.clip(wanted, 0, frames - 1), np.broadcast_to(self.joints[:, None], wanted.shape)

    def corrections(self, differences: Array) -> Array:
        """(P, 3) what to add at every sample: cubics through the differences (N, 3, 3) of the places."""
        values = np.pad(differences, ((0, 0), (1, 1), (0, 0)))
        widths = np.diff(self.knots, axis=1)[..., None]
        steepness = np.diff(values, axis=1) / np.where(widths > 0.0, widths, 1.0)
        inner = (steepness[:, :-1] * widths[:, 1:] + steepness[:, 1:] * widths[:, :-1]) / (
            widths[:, 1:] + widths[:, :-1]
        )
        slopes = np.pad(inner, ((0, 0), (1, 1), (0, 0)))
        piece = (self.offset[:, None] >= self.knots[self.owner, 1:4]).sum(axis=1)
        start = self.owner, piece
        end = self.owner, piece + 1
        share = ((self.offset - self.knots[start]) / widths[..., 0][start])[:, None]
        rest, width = 1.0 - share, widths[start]
        early = rest**2 * ((1.0 + 2.0 * share) * values[start] + share * width * slopes[start])
        late = share**2 * ((1.0 + 2.0 * rest) * values[end] - rest * width * slopes[end])
        total: Array = early + late
        return total


def _with_turns(before: Array, after: Array, bumps: _Bumps) -> Array:
    places, samples = bumps.places(len(before)), bumps.samples
    extremes = bumps.frames, bumps.joints

    def seen(rotations: Array, number: Any) -> Array:
        """Turns that lead from extremes, by their numbers, to rotations."""
        return quaternion.log(quaternion.multiply(quaternion.conjugate(before[extremes][number]), rotations))

    differences = quaternion.log(quaternion.multiply(quaternion.conjugate(after[places]), before[places]))
    result = np.array(after.T).T
    turned = quaternion.multiply(after[samples], quaternion.exp(bumps.corrections(differences)))
    sides = seen(before[places][:, [0, 2]], np.arange(len(bumps.frames))[:, None])
    now = seen(turned, bumps.owner)
    pushes = pushes_back(now, seen(before[samples], bumps.owner), sides, bumps.owner)
    pushed = pushes.any(axis=-1)
    further = quaternion.exp((now + pushes)[pushed])
    turned[pushed] = quaternion.multiply(before[extremes][bumps.owner[pushed]], further)
    result[samples] = quaternion.normalize(turned)
    result[extremes] = quaternion.aligned(before[extremes], after[extremes])
    return quaternion.sign_continuous(result)


def _with_moves(before: Array, after: Array, bumps: _Bumps) -> Array:
    places, samples = bumps.places(len(before)), bumps.samples
    extremes = bumps.frames, bumps.joints
    result = np.array(after.T).T
    result[samples] += bumps.corrections(before[places] - after[places])
    there = before[extremes]
    now, once = (each[samples] - there[bumps.owner] for each in (result, before))
    sides = before[places][:, [0, 2]] - there[:, None]
    result[samples] += pushes_back(now, once, sides, bumps.owner)
    result[extremes] = there
    return result
