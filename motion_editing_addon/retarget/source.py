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
from ..border.armature import why_sampled
from ..border.saved_state import BODY, from_text, reading
from ..document import refusals, scope
from ..document.character.shown_figure import shown_figure
from ..document.contacts.saved_contacts import contacts_of
from ..document.take.other_action import playing
from .pose_samples import sample_poses
from .stage import Stage, even_scale

if TYPE_CHECKING:
    from bpy.types import Action, Context, Object

    from ...core.body import Body
    from ...core.motion import Skeleton
    from ..border.action_io import Clip
    from ..border.steps import Steps
    from ..document.character.shown_figure import ShownFigure

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
        shown = shown_figure(clip)
        if shown is not None:
            poses = shown.motion.poses.positions, shown.motion.poses.rotations
        elif why_sampled(armature) is not None:
            frames = scope.to_scene(armature, clip.frames)
            poses = yield from sample_poses(context.scene, armature, frames)
        else:
            poses = clip.motion.poses.positions, clip.motion.poses.rotations
    if shown is not None:
        return _of_figure(clip, shown, poses, marked, in_scene=in_scene)
    motion = _seen(clip, poses, in_scene=in_scene)
    return Source(clip, motion, body_in_space(armature, motion.skeleton, motion), marked, action.name)


def _of_figure(
    clip: Clip,
    shown: ShownFigure,
    poses: tuple[np.ndarray, np.ndarray],
    marked: ContactSpans | None,
    *,
    in_scene: bool,
) -> Source:
    """A control rig as a source: the motion of the figure inside it."""
    assert shown.character.rigged is not None
    figure = shown.character.rigged.figure
    places, turns, stage = _compared(clip, *poses, in_scene=in_scene)
    skeleton = figure.placed(stage.placed(clip.motion.skeleton)).plain
    motion = motion_from_poses(clip.motion, skeleton, places, turns)
    plain = dict(zip(figure.skeleton.names, skeleton.names, strict=True))
    contacts = marked and ContactSpans({plain[name]: marked.of(name) for name in marked.joints})
    return Source(clip, motion, find_body(skeleton, motion=motion), contacts, scope.own_action(clip.armature).name)


def _seen(clip: Clip, poses: tuple[np.ndarray, np.ndarray], *, in_scene: bool) -> Motion:
    """The motion in the space of the comparison."""
    armature, own = clip.armature, clip.motion
    places, turns, stage = _compared(clip, *poses, in_scene=in_scene)
    skeleton = stage.placed(own.skeleton)
    if why_sampled(armature) is None and _object_is_still(own):
        return with_still_object(replace(own, skeleton=skeleton, locations=stage.scale * own.locations))
    return motion_from_poses(own, skeleton, places, turns)


def _compared(
    clip: Clip, places: np.ndarray, turns: np.ndarray, *, in_scene: bool
) -> tuple[np.ndarray, np.ndarray, Stage]:
    """(F, J, 3) places and (F, J, 4) orientations in the space of the comparison, and how the object stands there."""
    start = Stage(turns[0, 0], places[0, 0], _scale_at_start(clip))
    if in_scene:
        return places, turns, start
    back = quaternion.conjugate(start.heading)
    return quaternion.rotate(back, places - start.place), quaternion.multiply(back, turns), start.level


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
        raise MotionEditError(refusals.why_no_action(armature, cure="assign one, or choose another source"))
    return armature, chosen
