"""Where features are taken from: a window, another action or another character."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ....core.timeline import PropagationWindow, Segment
from ...document import scope
from ...document.character.joint_positions import positions_of
from ...document.character.saved_body import body_of
from ...document.take.other_action import read_action
from ..frames import action_frames_told, samples_of
from ..windows.windows import OPERATION, NoWindowError, Windows

if TYPE_CHECKING:
    from bpy.types import Context

    from ....core.body import Body
    from ...border.action_io import Clip
    from ..subject import Subject

# Number that stands for the operation window and all enabled windows, where windows are counted from 0.
ALL = -2


@dataclass(frozen=True)
class Choice:
    """What the user chose.

    Attributes:
        kind: WINDOW, ACTION or OBJECT.
        window: Number of the propagation window, -1 for the operation window.
        name: Of the action or of the armature.
        start: First frame of the reference's action.
        end: Last frame of it.
    """

    kind: str = "WINDOW"
    window: int = OPERATION
    name: str = ""
    start: float = 1.0
    end: float = 50.0


@dataclass(frozen=True)
class Reference:
    """What was found: a part of a motion, whose body it is and where its joints are."""

    segment: Segment
    body: Body
    positions: np.ndarray


def reference_of(context: Context, subject: Subject, windows: Windows, choice: Choice) -> Reference:
    """Look the reference up.

    Raises:
        MotionEditError: There is no such action or character, or the frames are not its.
    """
    if choice.kind == "WINDOW":
        window = windows.numbered(choice.window)
        return Reference(Segment(subject.motion, window.start, window.end), subject.body, subject.positions)
    if choice.kind == "ACTION":
        clip, positions = read_action(context, subject.armature, choice.name)
    else:
        clip = _clip_of_object(context, choice.name)
        positions = positions_of(context, clip)
    start, end = samples_of(clip, [choice.start, choice.end]).tolist()
    _refuse_outside(clip, choice, start, end)
    body = body_of(clip.armature, clip, positions)
    with action_frames_told(clip):
        return Reference(Segment(clip.motion, start, end), body, positions)


def _clip_of_object(context: Context, name: str) -> Clip:
    thing = bpy.data.objects.get(name)
    if not scope.is_armature(thing) or scope.action_of(thing) is None:
        raise MotionEditError("Choose an animated armature as the character to take features from")
    return scope.read_clip(context, thing)


def _refuse_outside(clip: Clip, choice: Choice, start: float, end: float) -> None:
    first, last = clip.frames[[0, -1]]
    if not 0.0 <= start < end <= len(clip.frames) - 1:
        raise NoWindowError(
            f"The reference's frames {choice.start:g} to {choice.end:g} must lie within {first:g} to {last:g}"
        )


def targets_of(windows: Windows, choice: Choice, target: int) -> list[PropagationWindow]:
    """The windows that a feature is carried to: one, or all edited ones but the source itself."""
    source = windows.numbered(choice.window) if choice.kind == "WINDOW" else None
    chosen = windows.edited() if target == ALL else [windows.numbered(target)]
    found = [window for window in chosen if window is not source]
    if not found:
        raise NoWindowError("No other window is there to carry it to: enable windows, or choose another reference")
    return found


def seen_from(windows: Windows, source: int, targets: list[PropagationWindow]) -> list[PropagationWindow]:
    """The targets with their correspondence to another window than the operation window."""
    window = windows.numbered(source)
    if window is windows.operation:
        return targets
    return [replace(each, operation_frames=window.own_at(each.operation_frames)) for each in targets]
