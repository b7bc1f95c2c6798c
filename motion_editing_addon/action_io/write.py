"""From a core Motion back to F-curves: the one way out.

Only what differs from the motion that was read is written, so everything else stays as it
was, bit for bit: other channels, other frames, key types, handles, modifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.motion import Motion
from .channel_values import changed_values
from .channels import Channels, Property, bone_of_path, channelbag
from .curve_writing import CurveChange, is_dense, largest_miss, write_curve
from .key_options import KeyOptions
from .read import Clip, union_of_frames

if TYPE_CHECKING:
    from bpy.types import FCurve


@dataclass
class WriteReport:
    """What a write did, for the operator's message.

    Attributes:
        bones: Bones of which a channel changed.
        frames: Samples at which something changed.
        keys_before: Keys of the changed curves before.
        keys_after: Keys of the changed curves after.
        largest_miss: How far the written curves stay from the motion, in the channels' own
            units; above zero where sparse keys cannot follow what changed between them.
    """

    bones: int = 0
    frames: int = 0
    keys_before: int = 0
    keys_after: int = 0
    largest_miss: float = 0.0


def write(clip: Clip, motion: Motion, options: KeyOptions = KeyOptions()) -> WriteReport:  # noqa: B008
    """Write the changes from the clip's motion to the given one, which has the same times.

    Raises:
        MotionEditError: A channel that changed is locked or linked; then nothing is written.
    """
    if len(motion.times) != len(clip.frames):
        raise ValueError("A motion with other times is written by retiming, not as changed values")
    changes = changed_values(clip, motion)
    refuse_protected(clip, [prop for prop, _, _ in changes])
    report, baked = WriteReport(), baked_bones(clip)
    touched: set[str] = set()
    frames_changed = np.zeros(len(clip.frames), dtype=np.bool_)
    for prop, values, changed in changes:
        bone = bone_of_path(prop.path)
        touched.add(bone or prop.name)
        frames_changed |= changed
        dense = baked[bone] if bone in baked else all(baked.values())
        _write_property(clip, prop, CurveChange(clip.frames, clip.raw[prop], values, changed, dense), options, report)
    report.bones, report.frames = len(touched), int(frames_changed.sum())
    if changes:
        clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return report


def baked_bones(clip: Clip) -> dict[str | None, bool]:
    """For every animated bone, whether any of its curves is baked; None stands for what is no bone's.

    Then even the bone's sparse or missing channels become dense when they change.
    """
    baked: dict[str | None, bool] = {}
    for (prop, _), keys in clip.keys.items():
        bone = bone_of_path(prop.path)
        baked[bone] = baked.get(bone, False) or is_dense(keys, clip.frames)
    return baked


def refuse_protected(clip: Clip, properties: list[Property]) -> None:
    """Raise if any of the properties' curves must not be changed. Blender itself does not stop scripts."""
    for owner in dict.fromkeys(prop.owner for prop in properties):
        data = owner.animation_data
        if data is not None and data.action is not None and not data.action.is_editable:
            raise MotionEditError(f"Action '{data.action.name}' is linked: make it local first")
    for prop in properties:
        for curve in clip.channels.of(prop):
            if curve is not None and (curve.lock or (curve.group is not None and curve.group.lock)):
                raise MotionEditError(f"The channel '{curve.data_path}' is locked: unlock it or leave it out")


def _write_property(
    clip: Clip, prop: Property, change: CurveChange, options: KeyOptions, report: WriteReport
) -> None:
    for index, curve in enumerate(clip.channels.of(prop)):
        part = change.component(index)
        if np.array_equal(part.new[part.changed], part.old[part.changed]):
            continue
        if curve is None:
            curve = _new_curve(clip.channels, prop, index)
            part = part.for_new_curve(union_of_frames(clip.keys.values())[0])
        report.keys_before += len(curve.keyframe_points)
        write_curve(curve, part, options)
        report.keys_after += len(curve.keyframe_points)
        report.largest_miss = max(report.largest_miss, largest_miss(curve, part, options))


def _new_curve(channels: Channels, prop: Property, index: int) -> FCurve:
    """A curve for a channel that had none, in the bone's group and with Blender's colours."""
    bag = channelbag(prop.owner, create=True)
    curve = bag.fcurves.new(prop.path, index=index)
    curve.color_mode = "AUTO_YRGB" if "quaternion" in prop.path else "AUTO_RGB"
    bone = bone_of_path(prop.path)
    if bone is not None:
        curve.group = bag.groups.get(bone) or bag.groups.new(bone)
    channels.curves[prop, index] = curve
    return curve
