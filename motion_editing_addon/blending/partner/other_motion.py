"""The other motion of a blend or transition, told with the joints of this one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import matched, with_joints_held, with_joints_of
from ...border.action_io import Property
from ...border.action_io.any_frames import read_frames
from ...border.action_io.curves.numbers import number_at
from ...border.translation import report_text
from ...document import scope
from ...document.take.other_action import read_action
from ..new_keys import MotionKeys

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.blending import AppendTransition, BlendAction
    from ....core.motion import Motion
    from ...border.action_io import Clip

    PartnerTool = AppendTransition | BlendAction

# Share of the animated bones that the other motion must have.
_FEWEST = 0.5


@dataclass(frozen=True)
class OtherMotion:
    """Another motion with the joints of this one.

    Attributes:
        motion: Joints that the other has no keys for hold the last pose of this motion.
        present: (J,) joints that the other animates.
        missing: Bones that this motion animates and the other does not.
        name: Of the action.
        frames: (F,) frames of the other action.
        keys: How it is keyed.
    """

    motion: Motion
    present: np.ndarray
    missing: tuple[str, ...]
    name: str
    frames: np.ndarray
    keys: MotionKeys

    def missing_text(self) -> str:
        """A remark for the report; empty if nothing is missing."""
        if not self.missing:
            return ""
        bones = ", ".join(f"'{name}'" for name in self.missing[:4])
        if len(self.missing) > 4:
            lacks = "; '{action}' has no keys for {bones} and {count} more, which keep their own motion"
            return report_text(lacks, action=self.name, bones=bones, count=len(self.missing) - 4)
        lacks = "; '{action}' has no keys for {bones}, which keep their own motion"
        return report_text(lacks, action=self.name, bones=bones)


def other_motion(context: Context, clip: Clip, tool: PartnerTool) -> OtherMotion:
    """Read the action that a tool names, or what the armature plays that it names, and match it by bone names.

    Raises:
        MotionEditError: Nothing is chosen, or too few bones have the same names.
    """
    other = _read(context, clip, tool)
    motion, skeleton = other.motion, clip.motion.skeleton
    keyed = {motion.skeleton.names[joint] for joint in _animated(other)}
    present = np.array([name in keyed for name in skeleton.names])
    own = _animated(clip)
    missing = tuple(skeleton.names[joint] or "the object" for joint in own if not present[joint])
    name = scope.own_action(other.armature).name if tool.armature else tool.action
    if present[own].mean() < _FEWEST:
        raise MotionEditError(
            f"'{name}' animates {int(present[own].sum())} of {len(own)} bones of '{clip.armature.name}'; "
            f"missing are {', '.join(missing[:3])}: choose an action for the same bones, or retarget it first"
        )
    fitting = matched(with_joints_of(motion, clip.motion), clip.motion)
    held = with_joints_held(fitting, clip.motion, ~present)
    return OtherMotion(held, present, missing, name, other.frames, MotionKeys.of(other))


def with_numbers_of(context: Context, clip: Clip, tool: PartnerTool) -> Clip:
    """The clip with the scalar channels that it does not animate and the other motion does.

    Raises:
        MotionEditError: Nothing is chosen.
    """
    own, thing = {prop.name for prop in clip.channels.scalars}, clip.armature
    found = []
    for prop in _read(context, clip, tool).channels.scalars:
        here = prop if prop.owner.id_type != "OBJECT" else Property(thing, prop.path)
        if here.name not in own and number_at(here.owner, here.path) is not None:
            found.append(here)
    return read_frames(thing, clip.frames, rate=clip.motion.rate, scalars=found) if found else clip


def _read(context: Context, clip: Clip, tool: PartnerTool) -> Clip:
    action, armature = tool.action, tool.armature
    if armature:
        thing = bpy.data.objects.get(armature)
        if not scope.is_armature(thing) or scope.action_of(thing) is None:
            raise MotionEditError(f"'{armature}' is no armature with an action: choose another one")
        return scope.read_clip(context, thing)
    if action not in bpy.data.actions:
        raise MotionEditError("Choose the other motion: an action, or an armature that plays it")
    return read_action(context, clip.armature, action)[0]


def _animated(clip: Clip) -> np.ndarray:
    """Numbers of the joints that have curves."""
    chosen = [any(any(clip.channels.of(prop)) for prop in joint) for joint in clip.channels.joints]
    return np.flatnonzero(chosen)
