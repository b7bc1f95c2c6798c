"""Edited motions as branches of a path, beside the original (pose trees, 4.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionEditError
from ..motion import Motion, chosen, displaced, displacement_between, joined, replaced, smooth_offsets
from ..numerics import Array, stepped_offsets, strongest
from .control_space import ControlSpace
from .embedding import ControlPath

_Curve = Callable[[Any, Any, Any], Array]


class BranchError(MotionEditError):
    """A branch cannot be made as asked."""


@dataclass(frozen=True, eq=False)
class Edits:
    """Poses of a motion that were changed.

    Attributes:
        frames: (K,) increasing.
        poses: K frames.
        places: (K, 3) where their targets lie.
    """

    frames: Any
    poses: Motion
    places: Any


def displaced_branch(path: ControlPath, edits: Edits, *, start: int, end: int) -> ControlPath:
    """A whole motion that meets the edited poses, keeps all detail and is the original outside of a span.

    Args:
        edits: Between the span's ends.
        start: Last frame before the span that stays as it is; -1 if none does.
        end: First frame after it; the number of frames if none stays.
    """
    _checked(path, edits, start, end)
    return ControlPath(_meeting(path.motion, edits, start, end), _branch_places(path, edits, start, end))


def blended_branch(path: ControlPath, edits: Edits, *, start: int, end: int, targets: Any = None) -> ControlPath:
    """A whole motion whose span is blended in the control space along a path through the edited targets.

    The nearer the branch lies to the original, the more widely in time an edit shows; far from it
    detail is lost, which more edited poses bring back. Targets that were not moved away from the
    original would show in a single moment: what they change is spread over the span.

    Args:
        edits: Between the span's ends.
        start: Last frame before the span that stays as it is; -1 if none does.
        end: First frame after it; the number of frames if none stays.
        targets: Frames of the original that are targets of the space; by default all.
    """
    _checked(path, edits, start, end)
    rows = np.arange(len(path.motion)) if targets is None else np.asarray(targets)
    places = _branch_places(path, edits, start, end)
    apart = _apart(path, edits, path.places[rows])
    space = ControlSpace.build(
        np.concatenate([path.places[rows], np.asarray(edits.places, dtype=np.float64)[apart]]),
        joined([chosen(path.motion, rows), chosen(edits.poses, apart)]),
    )
    inside = np.arange(start + 1, end)
    blended = replaced(path.motion, inside, space.at(places[inside]))
    return ControlPath(_meeting(replace(blended, times=path.motion.times), edits, start, end), places)


def _apart(path: ControlPath, edits: Edits, own: Array) -> NDArray[np.intp]:
    """Numbers of the edits that were moved away from the path, by more than half of the way from target to target.

    Where the path has no targets of its own (N, 3), the edits are all that there is.
    """
    moved = np.linalg.norm(np.asarray(edits.places, dtype=np.float64) - path.places[np.asarray(edits.frames)], axis=1)
    spacing = float(np.median(np.linalg.norm(np.diff(own, axis=0), axis=1))) if len(own) > 1 else 0.0
    return np.flatnonzero((moved > 0.5 * spacing) | (len(own) == 0))


def _meeting(motion: Motion, edits: Edits, start: int, end: int) -> Motion:
    """A motion displaced smoothly over a span so that it meets the edited poses."""
    frames, inside = np.asarray(edits.frames, dtype=np.intp), np.arange(start + 1, end)
    differences = displacement_between(chosen(motion, frames), edits.poses)
    offsets = [_bend(len(motion), edits, start, end, part) for part in differences]
    stepped = _bend(len(motion), edits, start, end, differences[3], curve=stepped_offsets)
    offsets[3] = np.where(motion.steps, stepped, offsets[3])
    met = replaced(motion, inside, displaced(chosen(motion, inside), *offsets))
    # Rounding is taken out where the result is known.
    return replace(replaced(met, frames, edits.poses), times=motion.times)


def blend_paths(paths: Sequence[ControlPath], weights: Any) -> ControlPath:
    """A mixture of branches; weights (P,) or (F, P) are scaled to a sum of one."""
    shares = np.broadcast_to(np.asarray(weights, dtype=np.float64), (len(paths[0].motion), len(paths)))
    total = shares.sum(axis=1, keepdims=True)
    if not (total > 0.0).all() or (shares < 0.0).any():
        raise BranchError("Weights of branches must not be negative, and not all zero")
    shares = shares / total
    first = paths[0].motion
    parts = [displacement_between(first, path.motion) for path in paths]
    mixed = [_weighted([part[kind] for part in parts], shares) for kind in range(4)]
    motion = displaced(first, *mixed)
    switched = strongest([path.motion.scalars for path in paths], shares)
    motion = motion.with_scalars(np.where(first.steps, switched, motion.scalars))
    for number, path in enumerate(paths):
        alone = np.flatnonzero(shares[:, number] == 1.0)
        motion = replaced(motion, alone, chosen(path.motion, alone)) if len(alone) else motion
    places = _weighted([path.places for path in paths], shares)
    return ControlPath(replace(motion, times=first.times), places)


def _weighted(values: list[Array], shares: Array) -> Array:
    weighted: Array = np.einsum("fp,pf...->f...", shares, np.stack(values))
    return weighted


def _branch_places(path: ControlPath, edits: Edits, start: int, end: int) -> Array:
    """(F, 3) the original's places, bent to lead through the edited targets."""
    frames = np.asarray(edits.frames)
    moved = np.asarray(edits.places, dtype=np.float64) - path.places[frames]
    places = np.array(path.places)
    places[start + 1 : end] += _bend(len(path.motion), edits, start, end, moved)
    places[frames] = edits.places
    return places


def _bend(count: int, edits: Edits, start: int, end: int, offsets: Array, *, curve: _Curve = smooth_offsets) -> Array:
    """Offsets of the edited frames as a curve over the span, from and to none where frames stay as they are."""
    none = np.zeros((1, *offsets.shape[1:]))
    before, after = start >= 0, end < count
    knots = np.concatenate([[start] * before, edits.frames, [end] * after])
    met = np.concatenate([none[: int(before)], offsets, none[: int(after)]])
    return curve(np.arange(start + 1, end), knots, met)


def _checked(path: ControlPath, edits: Edits, start: int, end: int) -> Any:
    frames = np.asarray(edits.frames, dtype=np.intp)
    if not len(frames):
        raise BranchError("Edit one or more poses of the path before making a branch")
    if not -1 <= start < end <= len(path.motion):
        raise BranchError(f"Frames {start} to {end} are no part of the path's frames 0 to {len(path.motion) - 1}")
    if frames[0] <= start or frames[-1] >= end or (np.diff(frames) <= 0).any():
        raise BranchError(f"Edited frames must lie in order between {start} and {end}, not at {frames.tolist()}")
    return frames
