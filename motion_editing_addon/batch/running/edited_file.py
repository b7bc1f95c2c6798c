"""All clips of a file edited; a clip that fails is left out, and nothing that its steps did is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ....core.errors import MotionEditError
from ....core.wording import counted
from ...document import scope
from ...document.stack import settings
from ..formats import clip_files
from ..formats.clips import ClipOfFile, all_playing, clips_of_file, examine, left_alone, play, playing
from ..formats.loaded_poses import LoadedPoses
from ..recipes.reference_clips import LoadedReferences
from ..recipes.step_memory import StepMemory
from ..recipes.steps import apply_steps
from ..recipes.target import LoadedTarget
from ..report.measurement import Measured, measure
from ..report.steps_taken import StepsTaken
from ..report.time_notes import time_maps_noted
from .heard_warnings import warnings_heard

if TYPE_CHECKING:
    from bpy.types import Action

    from ..recipes.recipe import Recipe


class AllFailedError(MotionEditError):
    """No clip of a file could be edited."""


class EditedClip(NamedTuple):
    """A clip of the file, the clip that has the result, what changed, and what the steps warned of."""

    clip: ClipOfFile
    result: ClipOfFile
    measured: Measured
    warnings: list[str]


class EditedFile(NamedTuple):
    """What is loaded now.

    Attributes:
        clips: All that were asked for, in the order of the file, kept ones too.
        edited: Those that could be edited, in this order.
        failures: Reasons by the names of the actions that could not; these are not there any more.
        played: What the armatures of the file played when it was loaded.
        warnings: What was noticed when the file was read.
        poses: Where everything was then.
        rates: Frames a second of actions as the file has them: their own, or those of its scene.
    """

    clips: list[ClipOfFile]
    edited: list[EditedClip]
    failures: dict[str, str]
    played: list[ClipOfFile]
    warnings: list[str]
    poses: LoadedPoses
    rates: dict[str, float]


def edit_file(
    source: Path,
    recipe: Recipe,
    *,
    actions: Sequence[str],
    kept: Sequence[str] = (),
    pictures: bool,
    begun: Callable[[str], None] = lambda clip: None,
) -> EditedFile:
    """Load a file and do the steps to its clips.

    Args:
        actions: Names of the actions to edit; all if empty.
        kept: Names of those among them that are left out.
        pictures: Whether to draw poses for the report.
        begun: Told the name of every clip as work on it begins.

    Raises:
        MotionEditError: The file cannot be read, or none of its clips could be edited.
    """
    session, failures = _Session(source, recipe, actions, pictures=pictures, begun=begun), {}
    for clip in session.clips:
        if clip.action in failures or clip.action in kept:  # another armature may have a part in one that failed
            continue
        try:
            session.edit(clip)
        except MotionEditError as error:
            failures[clip.action] = str(error)
            # The clip is half edited now, and what others need may have been changed: all is loaded anew.
            session.begin()
    if failures.keys() >= {clip.action for clip in session.clips}:  # nothing is kept either
        raise AllFailedError(_all_said(failures))
    # What went well before a failure went with it.
    for clip in session.clips:
        if clip not in session.done and clip.action not in failures and clip.action not in kept:
            session.edit(clip)
    return session.finished(failures, kept)


def _all_said(failures: dict[str, str]) -> str:
    """Why no clip could be edited: the reason they share, or the first with the number of the others."""
    (action, reason), *others = failures.items()
    if not others:
        return reason
    if set(failures.values()) == {reason}:
        return f"all {len(failures)} actions: {reason}"
    return f"action '{action}': {reason}; {counted(len(others), 'further action')} failed too"


def _rate_of(action: Action) -> float:
    return action.motion_editing.source_rate or scope.scene_rate(bpy.context)


class _Session:
    """A file with what its recipe needs beside it."""

    def __init__(
        self,
        source: Path,
        recipe: Recipe,
        actions: Sequence[str],
        *,
        pictures: bool,
        begun: Callable[[str], None],
    ) -> None:
        self._source, self._recipe, self._actions, self._pictures = source, recipe, actions, pictures
        self._begun = begun
        self.begin()

    def begin(self) -> None:
        """Load everything; what was done before is forgotten."""
        clip_files.start_empty()
        with warnings_heard() as self.warnings:
            clip_files.load(self._source)
        self.poses = LoadedPoses()
        self.clips, self.played = clips_of_file(self._actions), all_playing()
        self._rates = {clip.action: _rate_of(bpy.data.actions[clip.action]) for clip in self.clips}
        if not self._actions:
            self.warnings += left_alone(self.clips)
        self._target = LoadedTarget(self._recipe.target) if self._recipe.target else None
        self._references = LoadedReferences(self._recipe.references)
        self.done: dict[ClipOfFile, EditedClip] = {}

    def edit(self, clip: ClipOfFile) -> None:
        """Do the steps to a clip and measure what they did."""
        self._begun(clip.action)
        self.poses.restore()
        armature = play(clip)
        examine(armature)
        before = scope.read_clip(bpy.context, armature)
        # Nobody changes the steps of a batch later: stacks would only take time and room.
        steps, name = StepsTaken(before), self._target.name if self._target else ""
        with time_maps_noted() as notes, warnings_heard() as warnings, settings.resting(), StepMemory(armature) as keys:
            armature = apply_steps(armature, self._recipe.steps, target=name, begun=keys.prepare, done=steps.done)
        own = [note for note in notes if note.armature in (clip.armature, armature.name)]
        measured = measure(before, steps.clip, notes=own, pictures=self._pictures)
        measured.numbers["steps"] = steps.numbers
        self.done[clip] = EditedClip(clip, playing(armature), measured, warnings)

    def finished(self, failures: dict[str, str], kept: Sequence[str]) -> EditedFile:
        """Leave nothing but what belongs in the results."""
        self._references.remove()
        for action in {*failures, *kept}:
            bpy.data.actions.remove(bpy.data.actions[action])
        edited = [self.done[clip] for clip in self.clips if clip in self.done]
        if self._target is not None:
            edited = self._left_alone(self._target, edited)
        return EditedFile(self.clips, edited, failures, self.played, self.warnings, self.poses, self._rates)

    def _left_alone(self, target: LoadedTarget, edited: list[EditedClip]) -> list[EditedClip]:
        clips, results = [each.clip for each in edited], [each.result for each in edited]
        left = target.leave_alone(clips, results)
        self.poses = LoadedPoses()  # of the target, which may have the name of an armature that is gone
        return [each._replace(result=result) for each, result in zip(edited, left, strict=True)]
