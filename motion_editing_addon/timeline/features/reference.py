"""Features taken from another action or another character."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ....core.timeline import NoWindowError, Reference, Segment
from ...document import scope
from ...document.character.joint_positions import positions_of
from ...document.character.saved_body import body_of
from ...document.take.other_action import read_action
from ..frames import action_frames_told, samples_of

if TYPE_CHECKING:
    from bpy.types import Object

    from ...border.action_io import Clip


def other_reference(armature: Object, kind: str, name: str, start: float, end: float) -> Reference:
    """Look up a part of another action of an armature (ACTION) or of another armature's action (OBJECT).

    Raises:
        MotionEditError: There is no such action or character, or the frames are not its.
    """
    if kind == "ACTION":
        clip, positions = read_action(bpy.context, armature, name)
    else:
        clip = _clip_of_object(name)
        positions = positions_of(bpy.context, clip)
    first, last = samples_of(clip, [start, end]).tolist()
    if not 0.0 <= first < last <= len(clip.frames) - 1:
        own = "{:g} to {:g}".format(*clip.frames[[0, -1]])
        raise NoWindowError(f"The reference's frames {start:g} to {end:g} must lie within {own}")
    with action_frames_told(clip):
        return Reference(Segment(clip.motion, first, last), body_of(clip.armature, clip, positions), positions)


def _clip_of_object(name: str) -> Clip:
    thing = bpy.data.objects.get(name)
    if not scope.is_armature(thing) or scope.action_of(thing) is None:
        raise MotionEditError("Choose an animated armature as the character to take features from")
    return scope.read_clip(bpy.context, thing)
