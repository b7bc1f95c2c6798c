"""Reference clips: loaded beside the edited one, and taken away again before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ...core.errors import MotionEditError
from . import clip_files
from .clips import NoClipError

if TYPE_CHECKING:
    from bpy.types import Action

    from .recipe import Reference


@contextmanager
def references_loaded(references: Sequence[Reference]) -> Iterator[None]:
    """Load the references as actions with their names."""
    before = {id_data.name_full for data in (bpy.data.objects, bpy.data.actions) for id_data in data}
    scene = bpy.context.scene.render.fps, bpy.context.scene.render.fps_base
    for reference in references:
        _load(reference)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = scene
    ours = [thing for thing in bpy.data.objects if thing.name_full not in before]
    actions = [action.name for action in bpy.data.actions if action.name_full not in before]
    yield
    for thing in ours:
        bpy.data.objects.remove(thing)
    for name in actions:
        bpy.data.actions.remove(bpy.data.actions[name])


def _load(reference: Reference) -> None:
    known = set(bpy.data.actions)
    if reference.file.suffix.lower() == ".blend":
        _append(reference.file)
    else:
        clip_files.load(reference.file)
    new = [action for action in bpy.data.actions if action not in known]
    _give_name(_chosen(reference, new), reference.name)


def _append(path: Path) -> None:
    try:
        with bpy.data.libraries.load(str(path)) as (there, here):
            here.actions = there.actions
    except OSError as error:
        raise NoClipError(f"reference {path}: {error}") from None


def _chosen(reference: Reference, actions: list[Action]) -> Action:
    named = [action for action in actions if not reference.action or action.name == reference.action]
    if not named:
        names = ", ".join(action.name for action in actions) or "none"
        raise NoClipError(f"reference '{reference.name}': {reference.file} has the actions {names}")
    return named[0]


def _give_name(action: Action, name: str) -> None:
    """Rename the reference; a clip that has this name already must not lose it."""
    action.name = name
    if action.name != name:
        raise MotionEditError(f"the file has an action '{name}' of its own: give the reference another name")
