"""Poses taken from the rig as it is, and from actions: poses of a library, or frames of a motion."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ...border.action_io import channels_of, ends_of_curves
from ...border.action_io.any_frames import read_frames
from ...border.action_io.clip import sample_frames
from ...border.action_io.curves.channels import bone_of_path, further_owners
from ...border.action_io.curves.keys import read_keys
from ...border.action_io.curves.mutes import unmuted
from ...border.armature import skeleton_of
from ...document import scope
from ...document.character.joint_positions import sample_in_steps
from .. import live, model
from ..mutes import muted_in
from . import stored_poses
from .rig import property_of, read_rig, scalars_of, stepped_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bpy.types import ID, Action, Context, FCurve, Object

    from ....core.motion import Motion
    from ...border.action_io import Clip
    from ...border.steps import Steps
    from ..solution.solution import Solved
    from .stored_poses import StoredPoses


def from_rig(owner: Object) -> StoredPoses:
    """The rig's pose with all that a pose of this tree holds."""
    names = _scalars(owner)
    if not names and not owner.pose:
        raise MotionEditError(f"'{owner.name}' has no bones, shape keys or custom properties that could be posed")
    pose = read_rig(owner, skeleton_of(owner), names)
    return stored_poses.stored(replace(pose, stepped=stepped_of(owner, names)))


def like(owner: Object, known: Solved) -> Motion:
    """The rig's pose with the joints and scalars of a solved tree."""
    return read_rig(owner, known.skeleton, known.scalar_names)


def pose_from_action(context: Context, owner: Object, name: str, frame: float) -> StoredPoses:
    """A pose of an action, such as one of the pose library: of the bones and channels that the action has."""
    clip = read_action(context, owner, name, first=frame, last=frame)
    joints = {bone_of_path(prop.path) for prop, _index in clip.channels.curves}
    scalars = {prop.name for prop, _index in clip.channels.curves} & set(_scalars(owner))
    return stored_poses.stored(clip.motion, joints=joints, scalars=scalars)


def poses_of(owner: Object, motion: Motion) -> StoredPoses:
    """The poses of a motion of all bones, and of the numbers that a pose of this tree holds."""
    return stored_poses.stored(motion, scalars=set(_scalars(owner)))


def joints_in_action(context: Context, clip: Clip, name: str) -> Steps[np.ndarray]:
    """(F, J, 3) where the joints are in the scene while an action is played, constraints included; in steps.

    Args:
        clip: What was read from the action.
        name: Of the action.
    """
    with live.paused(), _playing(clip.armature, bpy.data.actions[name]):
        return (yield from sample_in_steps(context, clip))


def read_action(context: Context, owner: Object, name: str, *, first: float | None, last: float | None) -> Clip:
    """What an action does with an object, which keeps its own.

    Args:
        owner: Who plays the action for a moment.
        name: Of the action.
        first: First action frame; the action's own if not given.
        last: Last action frame; the action's own if not given.
    """
    action = bpy.data.actions.get(name)
    if action is None:
        raise MotionEditError(f"There is no action '{name}': choose one of the file's actions")
    rate = action.motion_editing.source_rate or scope.scene_rate(context)
    wanted = [prop for prop in (property_of(owner, each) for each in _scalars(owner)) if prop is not None]
    with _playing(owner, action):
        own = [curve for curve in channels_of(owner).curves.values() if curve.id_data == action]
        if ends_of_curves(own) is None:
            raise MotionEditError(f"Action '{name}' has no keys for '{owner.name}': choose another one")
        return read_frames(owner, _frames(action, own, first, last), rate=rate, scalars=wanted)


def _frames(action: Action, curves: list[FCurve], first: float | None, last: float | None) -> np.ndarray:
    """The frames of a motion as other tools see it: its own samples, without reference frames at the start."""
    if first is not None and last is not None and last < first:
        raise MotionEditError(f"The last frame {last:g} lies before the first one {first:g}")
    if first is not None and first == last:
        return np.array([first])
    skipped = action.motion_editing.skipped_frames
    if first is None and skipped and (ends := ends_of_curves(curves)) is not None:
        first = float(np.floor(ends[0])) + skipped
    return sample_frames([read_keys(curve, "co")["co"] for curve in curves], first, last)


def _scalars(owner: Object) -> tuple[str, ...]:
    return scalars_of(owner, shape_keys=model.tree_of(owner).shape_keys)


@contextmanager
def _playing(owner: Object, action: Action) -> Iterator[None]:
    """Let an object, or its shape keys if the action is for those, play an action while it is read."""
    kinds = {slot.target_id_type for slot in action.slots}
    things = [thing for thing in (owner, *further_owners(owner)) if thing.id_type in kinds or not kinds]
    with unmuted(muted_in(action)):
        before = [_assign(thing, action) for thing in things]
        try:
            yield
        finally:
            for thing, (own, slot) in zip(things, before, strict=True):
                _give_back(thing, own, slot)


def _assign(thing: ID, action: Action) -> tuple[Action | None, int]:
    """Assign the action; gives what was assigned before."""
    data = thing.animation_data or thing.animation_data_create()
    if data.use_tweak_mode:
        raise MotionEditError("Leave the NLA strip's tweak mode to take poses from actions")
    before = data.action, data.action_slot_handle
    if data.action != action:
        data.action = action
    if data.action_slot is None and len(data.action_suitable_slots):
        data.action_slot = data.action_suitable_slots[0]
    return before


def _give_back(thing: ID, action: Action | None, slot: int) -> None:
    data = thing.animation_data
    data.action = action
    if action is not None:
        data.action_slot = next((each for each in action.slots if each.handle == slot), None)
