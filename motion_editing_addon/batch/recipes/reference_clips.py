"""Reference clips: loaded beside the edited one, and taken away again before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.errors import MotionEditError
from ..formats.clips import NoClipError
from .second_file import Loaded, load_beside

if TYPE_CHECKING:
    from bpy.types import Action

    from .recipe import Reference


class LoadedReferences:
    """The references of a recipe, as actions with their names."""

    def __init__(self, references: Sequence[Reference]) -> None:
        """Load them.

        Raises:
            MotionEditError: A file cannot be read, has no such action, or a name is taken.
        """
        self._loaded: list[Loaded] = []
        for reference in references:
            loaded = load_beside(reference.file)
            _give_name(_chosen(reference, loaded.actions), reference.name)
            self._loaded.append(loaded)

    def remove(self) -> None:
        """Take all that came with them away again."""
        for loaded in self._loaded:
            loaded.remove()


def _chosen(reference: Reference, actions: dict[str, Action]) -> Action:
    """The named action, or the first."""
    name = reference.action or next(iter(actions), "")
    if name not in actions:
        names = ", ".join(actions) or "none"
        raise NoClipError(f"reference '{reference.name}': {reference.file} has the actions {names}")
    return actions[name]


def _give_name(action: Action, name: str) -> None:
    """Rename the reference; a clip that has this name already must not lose it."""
    action.name = name
    if action.name != name:
        raise MotionEditError(f"the file has an action '{name}' of its own: give the reference another name")
