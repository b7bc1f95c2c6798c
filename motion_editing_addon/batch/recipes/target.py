"""A recipe's target: the armature that every clip is put on, and all that results hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy

from ....core.errors import MotionEditError
from ...document import scope
from ..formats.clips import ClipOfFile
from .recipe_check import nearest
from .second_file import load_beside

if TYPE_CHECKING:
    from bpy.types import Object

    from .recipe import Target


class LoadedTarget:
    """The target of a recipe beside the clips of a file."""

    def __init__(self, target: Target) -> None:
        """Load it.

        Raises:
            MotionEditError: The file cannot be read, or it is not clear which armature is meant.
        """
        loaded = load_beside(target.file)
        self._objects = loaded.objects
        self._armature = _chosen(target, {n: each for n, each in loaded.objects.items() if scope.is_armature(each)})
        # Whatever it did in its own file is none of the results.
        for action in loaded.actions.values():
            bpy.data.actions.remove(action)

    @property
    def name(self) -> str:
        """Of the armature."""
        return self._armature.name

    def leave_alone(self, clips: Sequence[ClipOfFile], results: Sequence[ClipOfFile]) -> list[ClipOfFile]:
        """Remove all but the target and its new actions, which get the names of the clips they come from."""
        for thing in set(bpy.data.objects) - set(self._objects.values()):
            bpy.data.objects.remove(thing)
        for name, thing in self._objects.items():
            thing.name = name
        made = [bpy.data.actions[result.action] for result in results]
        others = set(bpy.data.actions) - set(made) - {action.motion_editing.original for action in made}
        for action in others:
            action.motion_editing.original = None  # Blender 5.0 forgets to
        for action in others:
            bpy.data.actions.remove(action)
        for action, clip in zip(made, clips, strict=True):
            action.name = clip.action
            # Those that are not played now would not be saved.
            action.use_fake_user = True
        return [ClipOfFile(self.name, clip.action) for clip in clips]


def _chosen(target: Target, armatures: dict[str, Object]) -> Object:
    names = ", ".join(armatures)
    if not armatures:
        raise MotionEditError(f"target: there is no armature in {target.file}")
    if not target.armature and len(armatures) > 1:
        raise MotionEditError(f"target: {target.file} has the armatures {names}: choose with armature = ...")
    name = target.armature or names
    if name not in armatures:
        hint = nearest(name, armatures) or f"; there are {names}"
        raise MotionEditError(f"target: there is no armature '{name}' in {target.file}{hint}")
    return armatures[name]
