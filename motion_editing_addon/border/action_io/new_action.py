"""A new action for a motion that does not come from F-curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import numpy as np

from .channel_values import rotation_values
from .curves.channels import Channels, Property, channels_of, new_curve
from .curves.keys import KEYFRAME, generated_keys, write_keys
from .samples import rotation_mode_of

if TYPE_CHECKING:
    from bpy.types import Action, Object

    from ....core.motion import Motion

_AT_REST = 1e-9
# Single precision: what Blender keeps of a value.
_STILL = 1e-6


def write_new(armature: Object, motion: Motion, *, name: str, first_frame: int = 1) -> Action:
    """Give the armature a new action with one key per sample, one sample per frame.

    Args:
        armature: Its bones, in order, are the motion's joints 1 onward; joint 0 is the object.
        motion: What to key. A location, rotation or scale that never leaves its rest gets no curves; if none does,
            the first bone's place gets them.
        name: Name of the action.
        first_frame: Frame of the first sample.
    """
    action = armature.animation_data_create().action = bpy.data.actions.new(name)
    channels = channels_of(armature)
    frames = np.arange(first_frame, first_frame + len(motion))
    wanted = _wanted(armature, channels, motion)
    moved = [(prop, values) for prop, values in wanted if np.abs(values - _rest(prop)).max() > _AT_REST]
    # Of a motion that never leaves its rest the first bone's place: without a curve nothing tells how long it is.
    for prop, values in moved or wanted[3:4]:
        _key(channels, prop, frames, values)
    return action


def _wanted(armature: Object, channels: Channels, motion: Motion) -> list[tuple[Property, np.ndarray]]:
    """Location, rotation and scale of every joint, those of the object first, with their values on all frames."""
    wanted: list[tuple[Property, np.ndarray]] = []
    for joint, properties in enumerate(channels.joints):
        turned = rotation_values(rotation_mode_of(armature, properties[1]), motion.rotations[:, joint])
        wanted += zip(properties, (motion.locations[:, joint], turned, motion.scales[:, joint]), strict=True)
    return wanted


def write_bones(armature: Object, motion: Motion, frames: np.ndarray, *, name: str) -> Action:
    """Give the armature a new action of its bones; the object itself gets no keys.

    Args:
        armature: Its bones, in order, are the motion's joints 1 onward.
        motion: What to key. What moves gets a key on every frame, and the first bone's place if nothing does.
            What stays gets a single one where the bone would show something else without it, and none at rest.
        frames: (F,) of the motion's samples.
        name: Name of the action.
    """
    present = {prop: np.array(armature.path_resolve(prop.path)) for prop in _bone_properties(channels_of(armature))}
    action = armature.animation_data_create().action = bpy.data.actions.new(name)
    channels = channels_of(armature)
    wanted = _wanted(armature, channels, motion)[3:]  # without the object
    moving = {prop for prop, values in wanted if np.ptp(values, axis=0).max() > _STILL}
    for prop, values in wanted:
        if prop in (moving or {wanted[0][0]}):  # the first bone's place tells how long a pose is held
            _key(channels, prop, frames, values)
        elif max(np.abs(values[0] - other).max() for other in (_rest(prop), present[prop])) > _STILL:
            _key(channels, prop, frames[:1], values[:1])
    return action


def _bone_properties(channels: Channels) -> list[Property]:
    return [prop for joint in channels.joints[1:] for prop in joint]


def _rest(prop: Property) -> np.ndarray:
    """The value of a transform property in the rest pose."""
    name = prop.path.rpartition(".")[2]
    if name == "scale":
        return np.ones(3)
    rest = np.zeros(prop.size)
    if name == "rotation_quaternion":
        rest[0] = 1.0
    elif name == "rotation_axis_angle":
        rest[2] = 1.0
    return rest


def _key(channels: Channels, prop: Property, frames: np.ndarray, values: np.ndarray) -> None:
    for index in range(prop.size):
        curve = new_curve(channels, prop, index)
        keys = generated_keys(frames, values[:, index])
        keys["type"][:] = KEYFRAME  # of captured samples: nothing a tool made up
        write_keys(curve, keys)
        curve.update()
