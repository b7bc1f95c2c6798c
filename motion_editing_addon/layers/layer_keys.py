"""Keys in a layer: the rig's pose, no change, or what Blender's own keying has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import MotionEditError
from ...core.layers import Layer, LayerStack, without_key
from ...core.motion import within_scope
from ...core.numerics import quaternion
from ...core.wording import counted, frame_text
from ..border.rigs.rig_pose import read_pose
from ..document import scope
from . import layer_writer, session
from .layer_list import is_blank
from .mode import still_pose

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion
    from ..border.action_io import Clip

# A rig holds single precision: smaller differences are no edit. Radians and units.
_ROUNDING = 1e-5
_PER_KEY = ("turns", "moves", "scalings", "changes")
# A key this near to another one, in frames, takes its place.
_SAME_KEY = 0.25


def key_pose(context: Context, armature: Object, name: str, frame: float) -> str:
    """Key the rig's pose in a layer at an action frame, so that the result there is that pose."""
    saved = session.require(armature, changed=True)
    clip = scope.read_clip(context, armature)
    row = row_at(clip, frame)
    pose = read_pose(armature, clip.motion)
    still_pose.put_back(clip, saved.still)

    def key(stack: LayerStack) -> LayerStack:
        return with_pose(stack, name, row, _of(pose, stack.base))

    layer_writer.carry_out(context, armature, saved, key, active=name, changed=True)
    return f"Keyed layer '{name}' at frame {frame_text(frame)}"


def key_neutral(context: Context, armature: Object, name: str, frame: float) -> str:
    """Key no change in a layer at an action frame."""

    def key(stack: LayerStack) -> LayerStack:
        row = np.abs(stack.base.times * stack.base.rate - frame).argmin()
        return stack.changed(name, lambda layer: neutral(reaching(layer, stack.base, int(row)), stack.base, int(row)))

    layer_writer.change(context, armature, key, active=name)
    return f"Layer '{name}' changes nothing at frame {frame_text(frame)}"


def unkey(context: Context, armature: Object, name: str, frame: float) -> str:
    """Take the key at an action frame out of a layer."""

    def take_out(stack: LayerStack) -> LayerStack:
        return stack.changed(name, lambda layer: without_key(layer, _nearest_key(layer, frame, stack.base.rate)))

    layer_writer.change(context, armature, take_out, active=name)
    return f"Took the key at frame {frame_text(frame)} out of layer '{name}'"


def take_up(context: Context, armature: Object, name: str, *, most: int = 10**6) -> int:
    """Take keys that were set or changed since the layers were last written into a layer; gives their frames.

    Args:
        context: Blender's.
        armature: The armature object.
        name: The layer that takes them.
        most: With more frames than this nothing is done.
    """
    saved = session.require(armature, changed=True)
    clip = scope.read_clip(context, armature)
    still_pose.put_back(clip, saved.still)
    rows: list[int] = []

    def key(stack: LayerStack) -> LayerStack:
        rows.extend(_rows_of_new_keys(context, clip, stack, armature))
        if len(rows) > most:
            raise MotionEditError(
                f"Keys were changed at {counted(len(rows), 'frame')}: use Keys to Layer or Rebuild Layers"
            )
        # What was read before: `stack` stands over keys that are exchanged while it is looked at.
        for row in rows:
            stack = with_pose(stack, name, row, _of(clip.motion.part(row, row + 1), stack.base))
        return stack

    layer_writer.carry_out(context, armature, saved, key, active=name, changed=True)
    return len(rows)


def with_pose(stack: LayerStack, name: str, row: int, pose: Motion) -> LayerStack:
    """The stack whose result is a pose at a frame, by a key in one layer that reaches there."""
    stack = stack.changed(name, lambda layer: reaching(layer, stack.base, row))
    frame = stack.base.part(row, row + 1)
    now = stack.over(frame).evaluate()
    wanted, edited = without_rounding(now, pose)
    if not edited and not _acts(stack.layer(name), frame):
        return stack.changed(name, lambda layer: neutral(layer, stack.base, row))
    return stack.with_pose(name, row, wanted).changed(name, trimmed)


def reaching(layer: Layer, base: Motion, row: int) -> Layer:
    """The layer with a scope in which it is whole at a frame; one without changes goes there with its key."""
    time = float(base.times[row])
    if is_blank(layer):
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


def neutral(layer: Layer, base: Motion, row: int) -> Layer:
    """The layer with a key that changes nothing at a frame."""
    time = base.times[row]
    if time in layer.times:
        at = int(np.flatnonzero(layer.times == time)[0])
        return replace(layer, **{name: _emptied(getattr(layer, name), at) for name in _PER_KEY})
    at = int(np.searchsorted(layer.times, time))
    arrays: dict[str, Any] = {name: np.insert(getattr(layer, name), at, 0.0, axis=0) for name in _PER_KEY}
    return replace(layer, times=np.insert(layer.times, at, time), **arrays)


def trimmed(layer: Layer) -> Layer:
    """The layer without joints that it never changes."""
    acting = (layer.turns.any(axis=2) | layer.moves.any(axis=2) | layer.scalings.any(axis=2)).any(axis=0)
    if acting.all() or not acting.any():
        return layer
    arrays: dict[str, Any] = {name: getattr(layer, name)[:, acting] for name in ("turns", "moves", "scalings")}
    names = tuple(name for name, kept in zip(layer.joints, acting, strict=True) if kept)
    return replace(layer, joints=names, weights=layer.weights[acting], **arrays)


def without_rounding(now: Motion, pose: Motion) -> tuple[Motion, bool]:
    """The pose with all that is as it was put back bit for bit, and whether anything is left."""
    joints = (quaternion.angle_between(now.rotations, pose.rotations) > _ROUNDING)[0]
    for name in ("locations", "scales"):
        joints |= (np.abs(getattr(now, name) - getattr(pose, name)) > _ROUNDING).any(axis=-1)[0]
    scalars = (np.abs(now.scalars - pose.scalars) > _ROUNDING)[0]
    return within_scope(now, pose, joints, scalars=scalars), bool(joints.any() or scalars.any())


def row_at(clip: Clip, frame: float) -> int:
    """The sample at an action frame.

    Raises:
        MotionEditError: The motion has none there.
    """
    row = int(np.abs(clip.frames - frame).argmin())
    if abs(clip.frames[row] - frame) > 0.5 + 1e-6:
        first, last = clip.frames[[0, -1]]
        raise MotionEditError(
            f"Frame {frame_text(frame)} lies outside of the motion, which goes from {first:g} to {last:g}"
        )
    return row


def _of(pose: Motion, base: Motion) -> Motion:
    """The pose with the scalar channels of another motion; those that it does not have are as there."""
    if pose.scalar_names == base.scalar_names:
        return pose
    known = {name: pose.scalars[0, number] for number, name in enumerate(pose.scalar_names)}
    values = [known.get(name, base.scalars[0, number]) for number, name in enumerate(base.scalar_names)]
    return replace(pose, scalars=np.array([values]), scalar_names=base.scalar_names)


def _rows_of_new_keys(context: Context, now: Clip, stack: LayerStack, armature: Object) -> list[int]:
    """Samples at which curves have other keys than the layers give them."""
    layer_writer.write(scope.read_clip(context, armature), stack, layer_writer.options_of(armature))
    written = scope.read_clip(context, armature)
    frames: set[float] = set()
    for curve, keys in now.keys.items():
        known = {tuple(key) for key in written.keys.get(curve, np.empty((0, 2))).tolist()}
        frames |= {frame for frame, value in keys.tolist() if (frame, value) not in known}
    inside = [frame for frame in sorted(frames) if now.frames[0] <= frame <= now.frames[-1]]
    return sorted({int(np.abs(now.frames - frame).argmin()) for frame in inside})


def _nearest_key(layer: Layer, frame: float, rate: float) -> float:
    near = np.abs(layer.times * rate - frame)
    if near.min() > 0.5 or is_blank(layer):
        raise MotionEditError(f"The layer '{layer.name}' has no key at frame {frame_text(frame)}")
    if len(layer.times) == 1:
        raise MotionEditError("This is the layer's only key: remove the layer instead")
    return float(layer.times[int(near.argmin())])


def _acts(layer: Layer, frame: Motion) -> bool:
    offsets = layer.offsets(frame)
    return any(getattr(offsets, name).any() for name in ("turns", "locations", "scales", "scalars"))


def _emptied(values: np.ndarray, row: int) -> np.ndarray:
    others = np.array(values)
    others[row] = 0.0
    return others
