"""Carrying what was done to one part of a motion to all parts that are like it.

Edit one punch, change all punches: the offsets by which the operation window was edited are applied to
every ticked propagation window along its frame correspondence (pose timeline paper, 4.1). Edits of
staggered poses are carried to the poses that correspond.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..body import Body
from ..motion import OFFSETS, Motion, PoseOffsets, in_own_heading
from ..numerics import Array
from ..staggered import StaggeredMotion, non_staggered_pose, retime, with_extreme_pose, with_refinements
from .frame_errors import EmptyWindowError
from .similarity.propagation_windows import PropagationWindow

# Away from the ground in Blender.
_UP = np.array([0.0, 0.0, 1.0])
# Share of its largest offset below which a channel counts as not edited at an end.
_NONE = 1e-3
_CHANNELS = ("rotations", "locations", "scales", "scalars")


def carry_offsets(
    before: Motion,
    after: Motion,
    operation: tuple[float, float],
    windows: Iterable[PropagationWindow],
    *,
    joints: Any = None,
    amount: float = 1.0,
    ease: float = 0.25,
    body: Body | None = None,
) -> Motion:
    """Edit all enabled windows as the operation window was edited.

    Rotations take the same turn in the joints' own axes, scales and scalars the same difference.
    The location of the character as a whole takes the same shift seen from its heading, so that a
    walk that turned is shifted in its own direction. Everything else is as in `after`.

    Args:
        before: The motion without the edit.
        after: The motion with the edit of the operation window.
        operation: First and last frame of it.
        windows: Parts to carry the edit to; those not ticked are left out.
        joints: Numbers or (J,) flags of joints whose edit is carried; if not given, all joints and
            the scalar channels.
        amount: 0 carries nothing, 1 the whole edit, more exaggerates.
        ease: Share of a window, 0 to 0.5, over which an edit sets in and dies away. Where the edit
            itself begins or ends with nothing, and at the ends of the motion, it is taken as it is.
        body: Tells which joint carries the character and where up is. If not given, these are the
            joints without parent, and z.

    Raises:
        EmptyWindowError: The operation window is no part of the motion.
    """
    _refuse_outside(operation, before, after)
    first, last = floor(operation[0]), ceil(operation[1])
    offsets = PoseOffsets.between(before.part(first, last + 1), after.part(first, last + 1)).scaled(amount)
    if joints is not None:
        offsets = offsets.limited(_flags(joints, len(before.skeleton)))
    edit = _Edit(before, after, first, offsets, ease, body)
    fields: dict[str, Any] = {name: np.array(getattr(after, name)) for name in _CHANNELS}
    for window in windows:
        rows = _rows(window, operation, len(after))
        if window.ticked and len(rows):
            carried = edit.carried_to(window, rows)
            for name, values in fields.items():
                values[rows] = getattr(carried, name)
    return replace(after, **fields)


def _refuse_outside(operation: tuple[float, float], before: Motion, after: Motion) -> None:
    if len(before) != len(after) or len(before.skeleton) != len(after.skeleton):
        raise ValueError("Both motions must have the same frames and joints")
    start, end = operation
    if not 0.0 <= start < end <= len(before) - 1:
        raise EmptyWindowError(
            "Frames {} to {} are no part of the motion's frames {} to {}; drag across the strip to choose a part",
            *(start, end, 0, len(before) - 1),
        )


def _flags(joints: Any, count: int) -> NDArray[np.bool_]:
    flags = np.zeros(count, dtype=np.bool_)
    flags[np.asarray(joints)] = True
    return flags


def _rows(window: PropagationWindow, operation: tuple[float, float], count: int) -> NDArray[np.intp]:
    """Whole frames of a window; those of the operation window keep what the user gave them."""
    rows = np.arange(max(0, ceil(window.start)), min(count - 1, floor(window.end)) + 1)
    return rows[(rows < operation[0]) | (rows > operation[1])]


@dataclass(frozen=True, eq=False)
class _Edit:
    """What was done to the operation window.

    Attributes:
        before: Motion without the edit.
        after: Motion with it.
        first: Frame of the first offset.
        offsets: Of the operation window's frames.
        ease: Share of a window.
        body: If it is known.
    """

    before: Motion
    after: Motion
    first: int
    offsets: PoseOffsets
    ease: float
    body: Body | None

    def carried_to(self, window: PropagationWindow, rows: NDArray[np.intp]) -> Motion:
        """Frames of a window with the offsets of the frames that belong to them."""
        frames = window.operation_at(rows)
        channels: dict[str, Any] = {name: getattr(self.after, name)[rows] for name in ("times", *_CHANNELS)}
        target = replace(self.after, **channels)
        own = self.offsets.at(frames - self.first).scaled(self._weights(window, rows))
        times = np.interp(frames, np.arange(len(self.before)), self.before.times)
        carried = _in_own_heading(own, self.before.at(times), target, self.body).applied(target)
        # A switch that was set is set to the same value: a difference of choices means nothing elsewhere.
        was_set = self.before.steps & (own.scalars != 0.0)
        return carried.with_scalars(np.where(was_set, self.after.at(times).scalars, carried.scalars))

    def _weights(self, window: PropagationWindow, rows: NDArray[np.intp]) -> PoseOffsets:
        """1, but falling to 0 towards those ends of the window where a channel is edited."""
        ends = self.offsets.at(window.operation_at([window.start, window.end]) - self.first)
        ramp = max(self.ease * window.length, 1e-9)
        ramps = [_smooth_step((rows - window.start) / ramp), _smooth_step((window.end - rows) / ramp)]
        # No frame beyond the ends of the motion shows a jump.
        jumps = [window.start > 0.0, window.end < len(self.after) - 1]

        def of(values: Array, at_ends: Array) -> Array:
            edited = np.abs(at_ends) > _NONE * np.abs(values).max(axis=0, initial=0.0)
            weights = np.ones((len(rows), *values.shape[1:]))
            for end in (0, 1):
                shape = (len(rows), *[1] * (values.ndim - 1))
                flags = edited[end].any(axis=-1, keepdims=True) if values.ndim == 3 else edited[end]
                weights *= np.where(flags & jumps[end], ramps[end].reshape(shape), 1.0)
            return weights

        return PoseOffsets(*(of(getattr(self.offsets, name), getattr(ends, name)) for name in OFFSETS))


def _smooth_step(share: Any) -> Array:
    held = np.clip(share, 0.0, 1.0)
    step: Array = held * held * (3.0 - 2.0 * held)
    return step


def _in_own_heading(offsets: PoseOffsets, source: Motion, target: Motion, body: Body | None) -> PoseOffsets:
    """Offsets whose shifts of the character as a whole are turned to where the target faces."""
    roots = np.flatnonzero(source.skeleton.parents < 0).tolist()
    if body is not None and body.root is not None:
        roots = sorted({*roots, body.root})
    if not offsets.locations[:, roots].any():
        return offsets
    up = _UP if body is None else np.asarray(body.require("up axis").vector, dtype=np.float64)
    shifts = offsets.locations.copy()
    shifts[:, roots] = in_own_heading(shifts[:, roots], source, target, roots, up)
    return replace(offsets, locations=shifts)


def corresponding_poses(
    pose_times: Any, operation: tuple[float, float], windows: Sequence[PropagationWindow], pose: int
) -> list[int | None]:
    """Which pose of each window is to it what a pose is to the operation window.

    It is the one nearest to the corresponding time, as long as it is no farther from it than half
    the distance to its own nearest neighbour.

    Args:
        pose_times: (K,) increasing, in frames.
        operation: First and last frame of the operation window.
        windows: Parts that are like it.
        pose: Number of the pose.

    Returns:
        A number for each window; None where there is no such pose, or the pose itself lies outside
        the operation window.
    """
    times = np.asarray(pose_times, dtype=np.float64)
    if not operation[0] <= times[pose] <= operation[1]:
        return [None] * len(windows)
    reach = 0.5 * np.diff(times, prepend=-np.inf, append=np.inf)
    reach = np.minimum(reach[:-1], reach[1:])
    found: list[int | None] = []
    for window in windows:
        gaps = np.abs(times - float(window.own_at(times[pose])))
        nearest = int(np.argmin(gaps))
        fits = gaps[nearest] <= reach[nearest] and nearest != pose
        found.append(nearest if fits and window.start <= times[nearest] <= window.end else None)
    return found


def carry_pose_edit(
    before: StaggeredMotion,
    after: StaggeredMotion,
    pose: int,
    operation: tuple[float, float],
    windows: Iterable[PropagationWindow],
    *,
    joints: Any = None,
    amount: float = 1.0,
    body: Body | None = None,
) -> StaggeredMotion:
    """Edit the corresponding poses of all enabled windows as one staggered pose was edited.

    Extremes take the same offset as in `carry_offsets`; timing refinements change by the same time. If
    the pose as a whole was moved in time, its fellows are moved to the frames that correspond, as far
    as their neighbours let them.

    Args:
        before: The model without the edit.
        after: The model with the pose edited; it has the same poses.
        pose: Number of the pose.
        operation: First and last frame of the operation window, which holds the pose.
        windows: Parts to carry the edit to; those not ticked are left out.
        joints: Numbers or (J,) flags of joints whose edit is carried; all if not given.
        amount: 0 carries nothing, 1 the whole edit.
        body: As in `carry_offsets`.
    """
    if len(before) != len(after):
        raise ValueError("Both models must have the same poses")
    source = before.source
    frames = np.interp(before.pose_times, source.times, np.arange(len(source)))
    ticked = [window for window in windows if window.ticked]
    fellows = corresponding_poses(frames, operation, ticked, pose)
    chosen = [found for found in fellows if found is not None]
    flags = np.ones(len(source.skeleton), dtype=np.bool_) if joints is None else _flags(joints, len(source.skeleton))
    one, other = non_staggered_pose(before, pose), non_staggered_pose(after, pose)
    offsets = PoseOffsets.between(one, other).scaled(amount)
    offsets = offsets if joints is None else offsets.limited(flags)
    result = after
    edited = any(getattr(offsets, name).any() for name in OFFSETS)
    for number in chosen if edited else ():
        present = non_staggered_pose(result, number)
        result = with_extreme_pose(result, number, _in_own_heading(offsets, one, present, body).applied(present))
    later = amount * (after.joint_refinements[pose] - before.joint_refinements[pose])
    changed = flags & (later != 0.0)
    if chosen and changed.any():
        result = with_refinements(result, result.joint_refinements + later, poses=chosen, joints=changed)
    if after.pose_times[pose] == before.pose_times[pose]:
        return result
    return _with_times_carried(result, before, pose, zip(fellows, ticked, strict=True), amount)


def _with_times_carried(
    model: StaggeredMotion,
    before: StaggeredMotion,
    pose: int,
    fellows: Iterable[tuple[int | None, PropagationWindow]],
    amount: float,
) -> StaggeredMotion:
    """Fellows of a pose moved as it was, each along the correspondence of its window."""
    source = before.source
    moved = [before.pose_times[pose], model.pose_times[pose]]
    frames = np.interp(moved, source.times, np.arange(len(source)))
    for number, window in fellows:
        if number is not None:
            start, end = np.interp(window.own_at(frames), np.arange(len(source)), source.times)
            model = retime(model, number, model.pose_times[number] + amount * (end - start))
    return model
