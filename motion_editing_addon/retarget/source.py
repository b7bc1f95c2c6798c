"""The source of a retargeting: its motion as it is seen, its body and its contacts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.analysis.contacts import ContactSpans
from ...core.body import find_body, from_dict
from ...core.errors import MotionEditError
from ...core.motion import Motion, motion_from_poses, with_still_object
from ...core.numerics import quaternion
from ...core.rig import SHOWN, Figure
from ..border.armature import why_sampled
from ..border.saved_state import BODY, from_text, reading
from ..document import scope
from ..document.contacts.saved_contacts import contacts_of
from ..document.take.other_action import playing
from .rig.pose_samples import sample_poses
from .rig.shown_bones import is_control_rig
from .stage import Stage, even_scale

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object

    from ...core.body import Body
    from ...core.motion import Skeleton
    from ..border.action_io import Clip
    from ..border.steps import Steps

# An object that changes by less does not move.
_STILL = 1e-7


@dataclass(frozen=True, eq=False)
class Source:
    """Whose motion is taken.

    Attributes:
        clip: What was read.
        motion: The same in the space of the comparison; joint 0, the object, does nothing in it.
        body: Its parts in that space.
        contacts: Those marked in its action; None if nobody looked for them.
        name: Of the action.
    """

    clip: Clip
    motion: Motion
    body: Body
    contacts: ContactSpans | None
    name: str


def read_source(context: Context, armature: Object, action: Action, *, choice: str, in_scene: bool) -> Steps[Source]:
    """Read what an armature does in an action, and see how that looks in Blender; yields the share done.

    Args:
        context: Of Blender.
        armature: Plays the action for this long, also if it usually plays another one.
        action: What it plays.
        choice: Range of frames; see `scope.RANGES`.
        in_scene: Compare in the scene; else as seen from the object where it stands at the start.
    """
    with playing(armature, action):
        clip = scope.read_clip(context, armature, choice=choice)
        marked = contacts_of(clip) if action.motion_editing_contacts.is_known(armature) else None
        if why_sampled(armature) is not None:
            frames = scope.to_scene(armature, clip.frames)
            poses = yield from sample_poses(context.scene, armature, frames)
        else:
            poses = clip.motion.poses.positions, clip.motion.poses.rotations
    motion = _seen(clip, poses, in_scene=in_scene)
    if is_control_rig(armature):
        figure = Figure.of(motion.skeleton)
        motion = motion_from_poses(motion, figure.plain, *(each[:, figure.joints] for each in _poses(motion)))
        found = find_body(motion.skeleton, motion=motion)
        return Source(clip, motion, found, marked and _contacts_of_bones(marked, motion.skeleton), action.name)
    return Source(clip, motion, body_in_space(armature, motion.skeleton, motion), marked, action.name)


def _contacts_of_bones(contacts: ContactSpans, skeleton: Skeleton) -> ContactSpans:
    """Contacts of controls, such as 'foot_ik.L', as those of the bones of the figure that they place."""
    plain = {name: name.replace("_ik", "").replace("_fk", "").removeprefix(SHOWN) for name in contacts.joints}
    known = {name: shown for name, shown in plain.items() if shown in skeleton.index}
    return ContactSpans({shown: contacts.of(name) for name, shown in known.items()})


def _seen(clip: Clip, poses: tuple[np.ndarray, np.ndarray], *, in_scene: bool) -> Motion:
    """The motion in the space of the comparison."""
    armature, own = clip.armature, clip.motion
    places, turns = poses
    start = Stage(turns[0, 0], places[0, 0], _scale_at_start(clip))
    stage = start if in_scene else start.level
    skeleton = stage.placed(own.skeleton)
    if why_sampled(armature) is None and _object_is_still(own):
        return with_still_object(replace(own, skeleton=skeleton, locations=stage.scale * own.locations))
    if not in_scene:
        back = quaternion.conjugate(start.heading)
        places, turns = quaternion.rotate(back, places - start.place), quaternion.multiply(back, turns)
    return motion_from_poses(own, skeleton, places, turns)


def _poses(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    return motion.poses.positions, motion.poses.rotations


def _scale_at_start(clip: Clip) -> float:
    plain = why_sampled(clip.armature) is None
    scales = clip.motion.scales[0, 0] if plain else clip.armature.matrix_world.to_scale()
    return even_scale(scales, clip.armature)


def _object_is_still(motion: Motion) -> bool:
    return all(
        float(np.ptp(channels[:, 0], axis=0).max()) < _STILL
        for channels in (motion.rotations, motion.locations, motion.scales)
    )


def body_in_space(armature: Object, skeleton: Skeleton, motion: Motion | None = None) -> Body:
    """The body that was set up for an armature, or found, with axes and height as they are in a space."""
    found = find_body(skeleton, motion=motion)
    text = armature.motion_editing.body
    if not text:
        return found
    with reading(BODY):
        saved = from_dict(skeleton, from_text(BODY, text))[0]
    return replace(saved, up=saved.up or found.up, forward=found.forward, height=found.height)


def source_named(name: str, action: str, target: Object) -> tuple[Object, Action]:
    """The armature to take a motion from, and the action; either may be left out.

    Raises:
        MotionEditError: There is no such armature or action, or it is not clear which one is meant.
    """
    armature = bpy.data.objects.get(name)
    if name and not scope.is_armature(armature):
        raise MotionEditError(f"There is no armature '{name}': choose another source")
    chosen = bpy.data.actions.get(action)
    if action and chosen is None:
        raise MotionEditError(f"There is no action '{action}': choose another one")
    if armature is None and chosen is not None:
        players = (each for each in bpy.data.objects if scope.is_armature(each) and scope.action_of(each) == chosen)
        armature = next((each for each in players if each != target), None)
    if armature is None:
        raise MotionEditError("Choose the armature that the motion is taken from")
    if armature == target:
        raise MotionEditError(f"'{target.name}' is source and target at once: choose another source")
    chosen = chosen or scope.action_of(armature)
    if chosen is None:
        raise MotionEditError(scope.why_no_action(armature, cure="assign one, or choose another source"))
    return armature, chosen
