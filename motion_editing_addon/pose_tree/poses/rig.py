"""All channels of a rig read and written at once; keys are not touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from mathutils import Euler, Quaternion

from ....core.motion import Motion
from ....core.numerics import quaternion
from ...border.action_io.channel_values import rotation_values
from ...border.action_io.curves.channels import Property, bone_path, channels_of, further_owners
from ...border.action_io.curves.numbers import number_at
from ...border.action_io.curves.stepped_keys import is_stepped
from ...border.action_io.samples import rotations_from_raw
from ...border.armature import pose_bones
from ...border.rigs.rig_pose import is_whole_scalar, owner_and_path, scalar, set_scalar

if TYPE_CHECKING:
    from bpy.types import ID, Object

    from ....core.motion import Skeleton

_PROPERTIES = {"QUATERNION": ("rotation_quaternion", 4), "AXIS_ANGLE": ("rotation_axis_angle", 4)}
_EULER = ("rotation_euler", 3)
# Frames a second of a single pose, which has no time.
_RATE = 24.0


@dataclass(frozen=True, eq=False)
class RigPose:
    """One pose and what of it counts.

    Attributes:
        pose: One frame; joint 0 is the object itself.
        joints: (J,) joints to be posed.
        scalars: (S,) likewise scalars.
    """

    pose: Motion
    joints: np.ndarray
    scalars: np.ndarray


# Reading


def read_rig(owner: Object, skeleton: Skeleton, scalar_names: tuple[str, ...]) -> Motion:
    """The rig's pose, whatever set it, as a motion of one frame; the object itself counts as at rest."""
    joints = len(skeleton)
    rotations, locations, scales = quaternion.identity(joints), np.zeros((joints, 3)), np.ones((joints, 3))
    if owner.pose:
        locations[1:], scales[1:] = _column(owner, "location", 3), _column(owner, "scale", 3)
        for mode, members in _modes(owner):
            raw = _column(owner, *_PROPERTIES.get(mode, _EULER))[members]
            rotations[members + 1] = rotations_from_raw(raw.astype(np.float64), mode)
    values = [[scalar(owner, name, 0.0) for name in scalar_names]]
    return Motion.build(
        skeleton,
        rotations[None],
        rate=_RATE,
        locations=locations[None],
        scales=scales[None],
        scalars=np.array(values, dtype=np.float64) if scalar_names else None,
        scalar_names=scalar_names,
    )


def _column(owner: Object, name: str, size: int) -> np.ndarray:
    """(B, size) one property of all bones."""
    values = np.empty(len(owner.pose.bones) * size, dtype=np.float32)
    owner.pose.bones.foreach_get(name, values)
    return values.reshape(-1, size)


def _modes(owner: Object) -> Iterator[tuple[str, np.ndarray]]:
    """Rotation modes in use with the numbers of their bones."""
    found: dict[str, list[int]] = {}
    for number, bone in enumerate(owner.pose.bones):
        found.setdefault(bone.rotation_mode, []).append(number)
    for mode, members in found.items():
        yield mode, np.array(members)


# Writing


def write_rig(owner: Object, posed: RigPose) -> None:
    """Pose what counts; everything else keeps its values."""
    if owner.pose:
        bones = np.flatnonzero(posed.joints[1:])
        pose = posed.pose
        _put(owner, "location", bones, pose.locations[0, bones + 1])
        _put(owner, "scale", bones, pose.scales[0, bones + 1])
        for mode, members in _modes(owner):
            _put_rotations(owner, mode, members[posed.joints[members + 1]], pose.rotations[0])
    for number in np.flatnonzero(posed.scalars):
        set_scalar(owner, posed.pose.scalar_names[number], float(posed.pose.scalars[0, number]))
    owner.update_tag(refresh={"OBJECT", "DATA"} if posed.scalars.any() else {"DATA"})


def _put(owner: Object, name: str, bones: np.ndarray, values: np.ndarray) -> None:
    if len(bones):
        column = _column(owner, name, values.shape[1])
        column[bones] = values
        owner.pose.bones.foreach_set(name, column.reshape(-1))


def _put_rotations(owner: Object, mode: str, bones: np.ndarray, rotations: np.ndarray) -> None:
    """Rotations (J, 4) as channels near to the present ones."""
    if not len(bones):
        return
    present = _column(owner, *_PROPERTIES.get(mode, _EULER))[bones].astype(np.float64)
    if mode == "QUATERNION":
        values = rotations[bones + 1]
        values = np.where((values * present).sum(axis=1, keepdims=True) < 0.0, -values, values)
    elif mode == "AXIS_ANGLE":
        each = zip(bones + 1, present, strict=True)
        values = np.concatenate([rotation_values(mode, rotations[joint][None], start) for joint, start in each])
    else:
        # Blender's own conversion is a hundred times as quick for single rotations.
        each = zip(rotations[bones + 1].tolist(), present.tolist(), strict=True)
        values = np.array([Quaternion(turned).to_euler(mode, Euler(start, mode)) for turned, start in each])
    _put(owner, _PROPERTIES.get(mode, _EULER)[0], bones, values)


# Scalars


def scalars_of(owner: Object, *, shape_keys: bool) -> tuple[str, ...]:
    """Names of the numbers that a pose holds: custom properties, and shape keys where they are wanted.

    Shape keys of an object that is no armature always count; what a driver sets never does.
    """
    found = [Property(owner, path) for path in _custom_paths(owner)]
    if shape_keys or not owner.pose:
        keys = [each for each in further_owners(owner) if each.id_type == "KEY"]
        found += [Property(each, path) for each in keys for path in _shape_key_paths(each)]
    return tuple(prop.name for prop in found if not _is_driven(prop))


def property_of(owner: Object, name: str) -> Property | None:
    """What a scalar's name stands for, if it is there."""
    where, path = owner_and_path(owner, name)
    return Property(where, path) if where is not None and has_scalar(owner, name) else None


def has_scalar(owner: Object, name: str) -> bool:
    """Whether the object still has a scalar of this name."""
    where, path = owner_and_path(owner, name)
    return where is not None and number_at(where, path) is not None


def stepped_of(owner: Object, names: Iterable[str]) -> frozenset[str]:
    """Those scalars that jump, by what they are or by how the object's action keys them, muted or not."""
    channels = channels_of(owner)
    keyed = (channels.curves | channels.muted).items()
    by_keys = {prop.name for (prop, _index), curve in keyed if is_stepped(prop, curve)}
    return frozenset(name for name in names if name in by_keys or is_whole_scalar(owner, name))


def _custom_paths(owner: Object) -> Iterator[str]:
    for key in _numbers(owner):
        yield f'["{bpy.utils.escape_identifier(key)}"]'
    for bone in pose_bones(owner):
        for key in _numbers(bone):
            # bone_path joins with a dot, which custom properties do not have.
            yield f'{bone_path(bone.name, "")[:-1]}["{bpy.utils.escape_identifier(key)}"]'


def _numbers(holder: Any) -> list[str]:
    """Custom properties that are numbers."""
    return [key for key in holder.keys() if isinstance(holder[key], (int, float))]  # noqa: SIM118


def _shape_key_paths(keys: ID) -> list[str]:
    names = [block.name for block in keys.key_blocks if block != keys.reference_key]
    return [f'key_blocks["{bpy.utils.escape_identifier(name)}"].value' for name in names]


def _is_driven(prop: Property) -> bool:
    data = prop.owner.animation_data
    return data is not None and any(driver.data_path == prop.path for driver in data.drivers)
