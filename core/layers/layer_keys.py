"""Keys in a layer over a motion: a pose that is to be seen, or no change."""

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import MotionEditError
from ..motion import Motion, within_scope
from ..numerics import Array, quaternion
from ..wording import frame_text
from .layer import Layer
from .stack import LayerStack

# A rig holds single precision: smaller differences are no edit. Radians and units.
_ROUNDING = 1e-5
_PER_KEY = ("turns", "moves", "scalings", "changes")
# A key this near to another one, in frames, takes its place.
_SAME_KEY = 0.25


def with_pose_key(stack: LayerStack, name: str, row: int, pose: Motion) -> LayerStack:
    """The stack whose result is a pose at a frame, by a key in one layer that reaches there."""
    stack = stack.changed(name, lambda layer: _reaching(layer, stack.base, row))
    frame = stack.base.part(row, row + 1)
    now = stack.over(frame).evaluate()
    wanted, edited = edited_pose(now, pose)
    if not edited and not _acts(stack.layer(name), frame):
        return stack.changed(name, lambda layer: with_neutral_key(layer, stack.base, row))
    return stack.with_pose(name, row, wanted).changed(name, _trimmed)


def _reaching(layer: Layer, base: Motion, row: int) -> Layer:
    """The layer with a scope in which it is whole at a frame; one without changes goes there with its key."""
    time = float(base.times[row])
    if layer.is_blank:
        first, last = layer.start + layer.ease_in, layer.end - layer.ease_out
        layer = layer if first <= time <= last else layer.moved(time - float(layer.times[0]))
        return replace(layer, times=np.array([time]))
    near = np.abs(layer.times - time) < _SAME_KEY / base.rate
    return replace(
        layer,
        times=np.where(near, time, layer.times),
        start=min(layer.start, time - layer.ease_in),
        end=max(layer.end, time + layer.ease_out),
    )


def with_neutral_key(layer: Layer, base: Motion, row: int) -> Layer:
    """The layer with a key that changes nothing at a frame, and a scope that reaches there."""
    layer = _reaching(layer, base, row)
    time = base.times[row]
    if time in layer.times:
        at = int(np.flatnonzero(layer.times == time)[0])
        emptied: dict[str, Any] = {name: _emptied(getattr(layer, name), at) for name in _PER_KEY}
        return replace(layer, **emptied)
    at = int(np.searchsorted(layer.times, time))
    arrays: dict[str, Any] = {name: np.insert(getattr(layer, name), at, 0.0, axis=0) for name in _PER_KEY}
    return replace(layer, times=np.insert(layer.times, at, time), **arrays)


def _trimmed(layer: Layer) -> Layer:
    """The layer without joints that it never changes."""
    acting: Any = (layer.turns.any(axis=2) | layer.moves.any(axis=2) | layer.scalings.any(axis=2)).any(axis=0)
    if acting.all() or not acting.any():
        return layer
    arrays: dict[str, Any] = {name: getattr(layer, name)[:, acting] for name in ("turns", "moves", "scalings")}
    names = tuple(name for name, kept in zip(layer.joints, acting, strict=True) if kept)
    return replace(layer, joints=names, weights=layer.weights[acting], **arrays)


def edited_pose(now: Motion, pose: Motion) -> tuple[Motion, bool]:
    """The pose with all that is as it was put back bit for bit, and whether anything is left."""
    joints = (quaternion.angle_between(now.rotations, pose.rotations) > _ROUNDING)[0]
    for name in ("locations", "scales"):
        joints |= (np.abs(getattr(now, name) - getattr(pose, name)) > _ROUNDING).any(axis=-1)[0]
    scalars = (np.abs(now.scalars - pose.scalars) > _ROUNDING)[0]
    return within_scope(now, pose, joints, scalars=scalars), bool(joints.any() or scalars.any())


def with_scalars_of(pose: Motion, base: Motion) -> Motion:
    """The pose with the scalar channels of another motion; those that it does not have are as there."""
    if pose.scalar_names == base.scalar_names:
        return pose
    known = {name: pose.scalars[0, number] for number, name in enumerate(pose.scalar_names)}
    values = [known.get(name, base.scalars[0, number]) for number, name in enumerate(base.scalar_names)]
    return replace(pose, scalars=np.array([values]), scalar_names=base.scalar_names)


def nearest_key(layer: Layer, frame: float, rate: float) -> float:
    """Time of the key at an action frame, in seconds.

    Raises:
        MotionEditError: There is none, or it is the only one.
    """
    near = np.abs(layer.times * rate - frame)
    if near.min() > 0.5 or layer.is_blank:
        raise MotionEditError(f"The layer '{layer.name}' has no key at frame {frame_text(frame)}")
    if len(layer.times) == 1:
        raise MotionEditError("This is the layer's only key: remove the layer instead")
    return float(layer.times[int(near.argmin())])


def _acts(layer: Layer, frame: Motion) -> bool:
    offsets = layer.offsets(frame)
    return any(getattr(offsets, name).any() for name in ("turns", "locations", "scales", "scalars"))


def _emptied(values: Array, row: int) -> Array:
    others = np.array(values)
    others[row] = 0.0
    return others
