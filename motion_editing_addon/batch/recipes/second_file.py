"""Files loaded next to the edited one: the scene keeps its rate, and what came is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..formats import clip_files

if TYPE_CHECKING:
    from bpy.types import Action, Object


class Loaded(NamedTuple):
    """What a file brought along, by the names that it has in the file."""

    objects: dict[str, Object]
    actions: dict[str, Action]

    def remove(self) -> None:
        """Take all of it away again."""
        for thing in self.objects.values():
            bpy.data.objects.remove(thing)
        for action in self.actions.values():
            bpy.data.actions.remove(action)


def load_beside(path: Path) -> Loaded:
    """Load a file, a .blend file too, next to what is there.

    Raises:
        FileFormatError: It cannot be read; the reason in one line.
    """
    render = bpy.context.scene.render
    rate = render.fps, render.fps_base
    objects, actions = set(bpy.data.objects), set(bpy.data.actions)
    with _names_free(bpy.data.objects), _names_free(bpy.data.actions):
        clip_files.load(path, beside=True)
        loaded = Loaded(
            {thing.name: thing for thing in bpy.data.objects if thing not in objects},
            {action.name: action for action in bpy.data.actions if action not in actions},
        )
    render.fps, render.fps_base = rate
    return loaded


@contextmanager
def _names_free(collection: bpy.types.bpy_prop_collection[Any]) -> Iterator[None]:
    """Nothing there has a name that a file could have; afterwards what was there has its names back."""
    names = {each: each.name for each in collection if each.library is None}
    for each in names:
        each.name = f"\x1f{each.name}"
    try:
        yield
    finally:
        for each, name in names.items():
            each.rename(name, mode="ALWAYS")
