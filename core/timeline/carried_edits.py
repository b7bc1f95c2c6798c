"""Carrying what was done to one part of a motion to all parts that are like it.

Edit one punch, change all punches: the offsets by which the operation window was edited are applied to
every ticked propagation window along its frame correspondence (pose timeline paper, 4.1). An edit that
reaches beyond its window is faded at the window's ends; where windows adjoin, as those of a walk do, what
reaches beyond goes on into the next one, so that all of them look alike.
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
# Share of a window that an edit of it may reach beyond its ends, and frames between windows that adjoin.
REACH, _ADJOINING = 0.5, 1.5
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
    length = operation[1] - operation[0]
    first, last = max(0, floor(operation[0] - REACH * length)), min(len(after) - 1, ceil(operation[1] + REACH * length))
    offsets = PoseOffsets.between(before.part(first, last + 1), after.part(first, last + 1)).scaled(amount)
    if joints is not None:
        offsets = offsets.limited(joint_flags(joints, len(before.skeleton)))
    edit = _Edit(before, after, operation, first, offsets, ease, body)
    ticked = [window for window in windows if window.ticked]
    spans = [operation, *((window.start, window.end) for window in ticked)]
    fields: dict[str, Any] = {name: np.array(getattr(after, name)) for name in _CHANNELS}
    for window in ticked:
        start, end = _reached(window, spans)
        rows = np.arange(max(0, ceil(start)), min(len(after) - 1, floor(end)) + 1)
        # Frames of the operation window keep what the user gave them, but for what adjoining windows reach over with.
        if _reached(window, [operation]) == (window.start, window.end):
            rows = rows[(rows < operation[0]) | (rows > operation[1])]
        if len(rows):
            carried = edit.carried_to(window, (start, end), rows, replace(after, **fields))
            for name, values in fields.items():
                values[rows] = getattr(carried, name)
    return replace(after, **fields)


def _reached(window: PropagationWindow, spans: list[tuple[float, float]]) -> tuple[float, float]:
    """First and last frame that an edit of a window reaches: beyond those ends where another one adjoins."""
    reach = REACH * window.length
    before = any(abs(window.start - end) <= _ADJOINING for _start, end in spans)
    after = any(abs(start - window.end) <= _ADJOINING for start, _end in spans)
    return window.start - before * reach, window.end + after * reach


def _refuse_outside(operation: tuple[float, float], before: Motion, after: Motion) -> None:
    if len(before) != len(after) or len(before.skeleton) != len(after.skeleton):
        raise ValueError("Both motions must have the same frames and joints")
    start, end = operation
    if not 0.0 <= start < end <= len(before) - 1:
        raise EmptyWindowError(
            "Frames {} to {} are no part of the motion's frames {} to {}; drag across the strip to choose a part",
            *(start, end, 0, len(before) - 1),
        )


@dataclass(frozen=True, eq=False)
class _Edit:
    """What was done to the operation window.

    Attributes:
        before: Motion without the edit.
        after: Motion with it.
        operation: First and last frame of the window.
        first: Frame of the first offset.
        offsets: Of the operation window's frames, and of those that its edit may reach beside them.
        ease: Share of a window.
        body: If it is known.
    """

    before: Motion
    after: Motion
    operation: tuple[float, float]
    first: int
    offsets: PoseOffsets
    ease: float
    body: Body | None

    def carried_to(
        self, window: PropagationWindow, ends: tuple[float, float], rows: NDArray[np.intp], present: Motion
    ) -> Motion:
        """Frames of a motion with the offsets of the frames that belong to them.

        Args:
            ends: First and last frame that the edit reaches.
            rows: The frames.
            present: What the offsets are added to.
        """
        frames = self._operation_at(window, rows)
        channels: dict[str, Any] = {name: getattr(present, name)[rows] for name in ("times", *_CHANNELS)}
        target = replace(present, **channels)
        own = self.offsets.at(frames - self.first).scaled(self._weights(window, ends, rows))
        times = np.interp(frames, np.arange(len(self.before)), self.before.times)
        carried = offsets_in_heading(own, self.before.at(times), target, self.body).applied(target)
        # A switch that was set is set to the same value: a difference of choices means nothing elsewhere.
        was_set = self.before.steps & (own.scalars != 0.0)
        return carried.with_scalars(np.where(was_set, self.after.at(times).scalars, carried.scalars))

    def _operation_at(self, window: PropagationWindow, frames: Any) -> Array:
        """Frames beside the operation window belong to those as far beside the other one."""
        beyond = np.asarray(frames) - np.clip(frames, window.start, window.end)
        slower = window.length / (self.operation[1] - self.operation[0])
        places: Array = window.operation_at(frames) + beyond / max(slower, 1e-9)
        return places

    def _weights(self, window: PropagationWindow, ends: tuple[float, float], rows: NDArray[np.intp]) -> PoseOffsets:
        """1, but falling to 0 towards those ends where a channel is edited."""
        at_ends = self.offsets.at(self._operation_at(window, np.array(ends)) - self.first)
        ramp = max(self.ease * window.length, 1e-9)
        ramps = [ease((rows - ends[0]) / ramp), ease((ends[1] - rows) / ramp)]
        # No frame beyond the ends of the motion shows a jump.
        jumps = [ends[0] > 0.0, ends[1] < len(self.after) - 1]

        def of(values: Array, at_ends: Array) -> Array:
            edited = np.abs(at_ends) > _NONE * np.abs(values).max(axis=0, initial=0.0)
            weights = np.ones((len(rows), *values.shape[1:]))
            for end in (0, 1):
                shape = (len(rows), *[1] * (values.ndim - 1))
                flags = edited[end].any(axis=-1, keepdims=True) if values.ndim == 3 else edited[end]
                weights *= np.where(flags & jumps[end], ramps[end].reshape(shape), 1.0)
            return weights

        return PoseOffsets(*(of(getattr(self.offsets, name), getattr(at_ends, name)) for name in OFFSETS))
