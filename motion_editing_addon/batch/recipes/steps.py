"""Doing the steps of a recipe to the clip that is active."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import bpy

from ....core.body import Body, Limb
from ....core.errors import MotionEditError
from ...border import compatibility
from ...border.action_io import key_ends
from ...document import influence, scope
from ...document.character.saved_body import body_of
from ...timeline.windows.windows import settings_of
from ..formats.blender_errors import reason_of
from ..formats.clips import play, playing
from .catalog import OWN_DEFAULTS, RETARGETING, edits

if TYPE_CHECKING:
    from bpy.types import Object

    from .recipe import Step


class StepError(MotionEditError):
    """A step could not be done on a clip; the message names step and reason."""


def apply_steps(
    armature: Object,
    steps: Iterable[Step],
    *,
    target: str = "",
    begun: Callable[[Step], None] = lambda step: None,
    done: Callable[[Step, Object], None] = lambda step, armature: None,
) -> Object:
    """Do all steps, in order; gives the armature that has the result.

    Args:
        armature: Active, with the action to edit.
        steps: What to do; those after a retargeting are done to the armature that got the motion.
        target: Name of that armature, where a step does not name another.
        begun: Told each step before it is done.
        done: Told each step after it was done, and the armature that has its result.

    Raises:
        StepError: One of them could not be done.
    """
    for number, step in enumerate(steps, start=1):
        try:
            begun(step)
            armature = _apply(armature, step, target)
        except (RuntimeError, MotionEditError) as error:
            raise StepError(f"step {number} ({step.edit}): {reason_of(error)}") from None
        done(step, armature)
    return armature


def _apply(armature: Object, step: Step, target: str) -> Object:
    edit = edits()[step.edit]
    known = {each.name: each for each in edit.parameters}
    values = {name: known[name].for_blender(value) for name, value in step.values.items()}
    if step.edit == RETARGETING:
        values.setdefault("target", target)
    for name in OWN_DEFAULTS.keys() & known.keys():
        values.setdefault(name, known[name].for_blender(OWN_DEFAULTS[name]))
    share = influence.limited(armature, step.influence)
    with _bones_selected(armature, step.bones), _range_set(armature, step) as range_values, share:
        result = getattr(bpy.ops.motion_editing, step.edit)("EXEC_DEFAULT", **values, **range_values)
    if "FINISHED" not in result:
        raise StepError("it did nothing")
    if step.edit != RETARGETING or not values["target"]:
        return armature
    return play(playing(bpy.data.objects[values["target"]]))


@contextmanager
def _bones_selected(armature: Object, patterns: tuple[str, ...]) -> Iterator[None]:
    """Pose mode with these bones selected, the first of them active; without patterns object mode."""
    if not patterns:
        yield
        return
    names = matching_bones(armature, patterns)
    hidden, armature.hide_viewport = armature.hide_viewport, False
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        compatibility.select(bone, bone.name in names)
    armature.data.bones.active = armature.data.bones[names[0]]
    try:
        yield
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
        armature.hide_viewport = hidden


def matching_bones(armature: Object, patterns: Iterable[str]) -> list[str]:
    """Names of the bones that patterns choose, in the armature's order.

    Args:
        patterns: Names with * and ?, or a body part such as '@left arm'; with '!' in front they leave out.

    Raises:
        MotionEditError: No bone is chosen, or the character has no such body part.
    """
    names = [bone.name for bone in armature.pose.bones]
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")] or ["*"]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    chosen = _any_of(armature, names, wanted) - _any_of(armature, names, unwanted)
    if not chosen:
        raise MotionEditError(f"no bone is like {', '.join(patterns)}; there are {', '.join(names[:8])} ...")
    return [name for name in names if name in chosen]


def _any_of(armature: Object, names: list[str], patterns: list[str]) -> set[str]:
    found = {name for name in names for pattern in patterns if fnmatchcase(name.lower(), pattern.lower())}
    for pattern in patterns:
        if pattern.startswith("@"):
            found |= _part_of_body(armature, pattern[1:])
    return found


def _part_of_body(armature: Object, role: str) -> set[str]:
    body: Body = body_of(armature)
    return {body.skeleton.names[joint] for joint in _joints(body.require(role))}


def _joints(held: Any) -> Iterator[int]:
    """Joint numbers of a role: a joint, a limb, or several of either."""
    if isinstance(held, Limb):
        # Without the girdle: an arm begins at the upper arm, from which succession travels down.
        yield from (joint for joint in held.joints if joint not in held.girdle)
    elif isinstance(held, Iterable):
        for each in held:
            yield from _joints(each)
    else:
        yield int(held)


@contextmanager
def _range_set(armature: Object, step: Step) -> Iterator[dict[str, str]]:
    """The parameters that limit an edit to the step's frames; the scene is as before afterwards."""
    if step.frames is None and step.seconds is None:
        yield {}
        return
    scene = bpy.context.scene
    before = scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = _frames(armature, step)
    try:
        yield {"range": "PREVIEW"}
    finally:
        # The switch last: setting a frame turns it on.
        scene.frame_preview_start, scene.frame_preview_end = before[1:]
        scene.use_preview_range = before[0]


def _frames(armature: Object, step: Step) -> tuple[int, int]:
    if isinstance(step.frames, str):  # the window that a step before has chosen
        chosen = settings_of(armature)
        first, last = chosen.start, chosen.end
    elif step.frames is not None:
        first, last = step.frames
    else:
        start, _end = key_ends(armature) or (0.0, 0.0)
        rate = scope.source_rate(bpy.context, armature)
        first, last = (start + second * rate for second in step.seconds or (0.0, 0.0))
    return round(first), round(last)
