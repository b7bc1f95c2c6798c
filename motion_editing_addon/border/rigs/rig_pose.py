"""One pose, as a motion of a single frame, put on a rig and read from it; keys are not touched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from ..action_io.channel_values import rotation_values
from ..action_io.curves.channels import further_owners
from ..action_io.curves.numbers import is_whole, number_at, put_number
from ..action_io.samples import rotations_from_raw
from ..armature import rotation_property

if TYPE_CHECKING:
    from bpy.types import ID, Object


def set_pose(armature: Object, pose: Motion) -> None:
    """Give the object, its bones and the scalar properties the values of the pose."""
    for joint, holder in enumerate((armature, *armature.pose.bones)):
        name = rotation_property(holder)
        present = np.array(getattr(holder, name))
        rotation = rotation_values(holder.rotation_mode, pose.rotations[:, joint], present)[0]
        holder.location, holder.scale = pose.locations[0, joint], pose.scales[0, joint]
        same_side = name != "rotation_quaternion" or rotation @ present >= 0.0
        setattr(holder, name, rotation if same_side else -rotation)
    for name, value in zip(pose.scalar_names, pose.scalars[0], strict=True):
        set_scalar(armature, name, float(value))
    armature.update_tag(refresh={"OBJECT", "DATA"})


def read_pose(armature: Object, like: Motion) -> Motion:
    """The pose that the rig's channels hold, with the joints and scalars of another motion."""
    holders = (armature, *armature.pose.bones)
    named = list(zip(like.scalar_names, like.scalars[0], strict=True))
    rotations = [
        rotations_from_raw(np.array(getattr(holder, rotation_property(holder))), holder.rotation_mode)
        for holder in holders
    ]
    return replace(
        like.part(0, 1),
        rotations=np.array(rotations)[None],
        locations=np.array([holder.location for holder in holders], dtype=np.float64)[None],
        scales=np.array([holder.scale for holder in holders], dtype=np.float64)[None],
        scalars=np.array([[scalar(armature, *each) for each in named]], dtype=np.float64),
    )


def owner_and_path(armature: Object, name: str) -> tuple[ID | None, str]:
    """What a scalar channel's name stands for; see `action_io.Property.name`."""
    owner, separator, path = name.partition(": ")
    if separator and not name.startswith(("pose.", "[")):
        return next((each for each in further_owners(armature) if each.name == owner), None), path
    return armature, name


def scalar(armature: Object, name: str, otherwise: float) -> float:
    """The number as it is now; what cannot be found any more is taken as it was."""
    owner, path = owner_and_path(armature, name)
    found = number_at(owner, path) if owner is not None else None
    return otherwise if found is None else found


def is_whole_scalar(armature: Object, name: str) -> bool:
    """Whether a number is a switch, a choice or a whole number."""
    owner, path = owner_and_path(armature, name)
    return owner is not None and is_whole(owner, path)


def set_scalar(armature: Object, name: str, value: float) -> None:
    """Set a number through its data path; whole numbers and switches take the nearest value, what is gone none."""
    owner, path = owner_and_path(armature, name)
    if owner is not None and number_at(owner, path) is not None:
        put_number(owner, path, value)
