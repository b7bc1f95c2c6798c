"""Layers from edited poses, and further keys in a layer: keyed changes become a displacement map (1.6.5)."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..motion import Motion, PoseOffsets, chosen
from ..numerics import Array, quaternion
from .layer import Layer, LayerError

_OFFSETS = ("turns", "moves", "scalings")


@dataclass(frozen=True)
class Scope:
    """How far in time a change reaches.

    Attributes:
        start: Seconds at which it begins; `reach` before the first key if not given.
        end: Seconds at which it ends; `reach` after the last key if not given.
        reach: Seconds beside the keys, as far as the motion goes.
        ease_in: Seconds over which it sets in; all the way to the first key if not given.
        ease_out: Seconds over which it dies away; all the way from the last key if not given.
    """

    start: float | None = None
    end: float | None = None
    reach: float = 0.5
    ease_in: float | None = None
    ease_out: float | None = None

    def around(self, keys: Array, motion: Motion) -> dict[str, Any]:
        """Start, end and eases of a layer with these keys.

        Raises:
            LayerError: A key lies outside, or where the change is not yet or no longer whole.
        """
        first, last = float(keys[0]), float(keys[-1])
        start = max(float(motion.times[0]), first - self.reach) if self.start is None else self.start
        end = min(float(motion.times[-1]), last + self.reach) if self.end is None else self.end
        rise = max(0.0, first - start) if self.ease_in is None else self.ease_in
        fall = max(0.0, end - last) if self.ease_out is None else self.ease_out
        if start + rise > first + 1e-9 or end - fall < last - 1e-9:
            raise LayerError(
                f"Keys from {first:.4g} s to {last:.4g} s do not fit into the scope from {start:.4g} s to {end:.4g} s "
                "with its eases; widen the scope or shorten the eases"
            )
        # Rounding must not take a hair off the first or last key.
        return {"start": start, "end": end, "ease_in": min(rise, first - start), "ease_out": min(fall, end - last)}


def layer_from_edits(
    base: Motion, frames: Any, poses: Motion, *, name: str = "Layer", scope: Scope | None = None, joints: Any = None
) -> Layer:
    """The layer that turns some frames of a motion into edited poses and leaves all else as it is.

    Args:
        frames: (K,) increasing frames of it.
        poses: K frames: what they are to be.
        name: Of the layer.
        scope: How far in time the change reaches.
        joints: (J,) true for the joints that may change; all if not given. Without it scalar channels
            change too.

    Raises:
        LayerError: Nothing was edited, or the keys do not fit into the scope.
    """
    rows = np.asarray(frames, dtype=np.intp)
    if len(rows) != len(poses) or not len(rows) or rows.min() < 0 or rows.max() >= len(base):
        raise LayerError(f"Give one pose for each edited frame among 0 to {len(base) - 1}")
    offsets = PoseOffsets.between(chosen(base, rows), poses)
    if joints is not None:
        offsets = offsets.limited(np.asarray(joints, dtype=np.bool_))
    edited = np.flatnonzero(
        (offsets.turns.any(axis=2) | offsets.locations.any(axis=2) | offsets.scales.any(axis=2)).any(axis=0)
    )
    channels = np.flatnonzero(offsets.scalars.any(axis=0))
    if not len(edited) and not len(channels):
        raise LayerError("The poses are the motion's own; change one of them before making a layer")
    keys = base.times[rows]
    return Layer(
        name=name,
        joints=tuple(base.skeleton.names[joint] for joint in edited),
        times=keys,
        turns=offsets.turns[:, edited],
        moves=offsets.locations[:, edited],
        scalings=offsets.scales[:, edited],
        changes=offsets.scalars[:, channels],
        scalar_names=tuple(base.scalar_names[channel] for channel in channels),
        **(scope or Scope()).around(keys, base),
    )


def with_key(layer: Layer, below: Motion, pose: Motion) -> Layer:
    """The layer with a key, new or changed, that makes one pose of the motion below it another one.

    Joints that the layer does not have yet are added, unchanged in its other keys.

    Args:
        below: One frame of what lies below the layer, with its time.
        pose: One frame: what it is to be.

    Raises:
        LayerError: The layer does not count at that time.
    """
    time = float(below.times[0])
    share = float(layer.share(time))
    if share == 0.0 or layer.muted:
        raise LayerError(f"The layer '{layer.name}' does not count at {time:.4g} s; widen its scope or raise it")
    wanted = layer_from_edits(
        below, [0], pose, name=layer.name, scope=Scope(start=time - 1.0, end=time + 1.0, ease_in=0.0, ease_out=0.0)
    )
    whole = _with_names(layer, wanted.joints, wanted.scalar_names)
    row = int(np.searchsorted(whole.times, time))
    replaced = row < len(whole.times) and whole.times[row] == time
    own = [whole.joints.index(name) for name in wanted.joints]
    channels = [whole.scalar_names.index(name) for name in wanted.scalar_names]
    if not whole.weights[own].all():
        raise LayerError(f"A bone that was changed has no weight in the layer '{layer.name}'; give it some")

    def put(name: str, places: Any, weights: Any) -> Array:
        values = np.zeros(getattr(whole, name).shape[1:])
        values[places] = getattr(wanted, name)[0] / (share * weights)
        kept = np.delete(getattr(whole, name), row, axis=0) if replaced else getattr(whole, name)
        return np.insert(kept, row, values, axis=0)

    # What jumps is not weakened by the layer's share.
    stepped = np.array([name in below.stepped for name in wanted.scalar_names], dtype=np.bool_)
    times = whole.times if replaced else np.insert(whole.times, row, time)
    arrays: dict[str, Any] = {name: put(name, own, whole.weights[own, None]) for name in _OFFSETS}
    return replace(whole, times=times, changes=put("changes", channels, np.where(stepped, 1.0 / share, 1.0)), **arrays)


def without_key(layer: Layer, time: float) -> Layer:
    """The layer without its key at a time.

    Raises:
        LayerError: There is none, or it is the last one.
    """
    kept = layer.times != time
    if kept.all() or not kept.any():
        raise LayerError(f"The layer '{layer.name}' has no key at {time:.4g} s that it can lose")
    arrays: dict[str, Any] = {name: getattr(layer, name)[kept] for name in ("times", *_OFFSETS, "changes")}
    return replace(layer, **arrays)


def difference(below: Motion, above: Motion, pose: Motion) -> Motion:
    """What a pose must be right above one layer so that, with all layers above that, it is the given one.

    Args:
        below: One frame with the layers up to that one.
        above: The same frame with all layers.
        pose: The frame wanted.
    """
    later = quaternion.multiply(quaternion.conjugate(below.rotations), above.rotations)
    numbers: dict[str, Any] = {
        name: getattr(pose, name) - (getattr(above, name) - getattr(below, name))
        for name in ("locations", "scales", "scalars")
    }
    return replace(pose, rotations=quaternion.multiply(pose.rotations, quaternion.conjugate(later)), **numbers)


def _with_names(layer: Layer, joints: tuple[str, ...], scalar_names: tuple[str, ...]) -> Layer:
    """The layer with further joints and channels, unchanged in all its keys."""
    new_joints = tuple(name for name in joints if name not in layer.joints)
    new_channels = tuple(name for name in scalar_names if name not in layer.scalar_names)
    room = ((0, 0), (0, len(new_joints)), (0, 0))
    arrays: dict[str, Any] = {name: np.pad(getattr(layer, name), room) for name in _OFFSETS}
    return replace(
        layer,
        joints=layer.joints + new_joints,
        weights=np.concatenate([layer.weights, np.ones(len(new_joints))]),
        changes=np.pad(layer.changes, ((0, 0), (0, len(new_channels)))),
        scalar_names=layer.scalar_names + new_channels,
        **arrays,
    )
