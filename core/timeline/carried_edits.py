"""Carrying what was done to one part of a motion to all parts that are like it.

Edit one punch, change all punches: the offsets by which the operation window was edited are applied to
every ticked propagation window along its frame correspondence (pose timeline paper, 4.1).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..body import Body
from ..editing import PropagationWindow, joint_flags, offsets_in_heading
from ..motion import OFFSETS, Motion, PoseOffsets
from ..numerics import Array, ease
from .frame_errors import EmptyWindowError

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
        offsets = offsets.limited(joint_flags(joints, len(before.skeleton)))
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
        carried = offsets_in_heading(own, self.before.at(times), target, self.body).applied(target)
        # A switch that was set is set to the same value: a difference of choices means nothing elsewhere.
        was_set = self.before.steps & (own.scalars != 0.0)
        return carried.with_scalars(np.where(was_set, self.after.at(times).scalars, carried.scalars))

    def _weights(self, window: PropagationWindow, rows: NDArray[np.intp]) -> PoseOffsets:
        """1, but falling to 0 towards those ends of the window where a channel is edited."""
        ends = self.offsets.at(window.operation_at([window.start, window.end]) - self.first)
        ramp = max(self.ease * window.length, 1e-9)
        ramps = [ease((rows - window.start) / ramp), ease((window.end - rows) / ramp)]
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
