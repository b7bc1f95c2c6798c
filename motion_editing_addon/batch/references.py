"""Reference clips: loaded beside the edited one, and taken away again before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...core.errors import MotionEditError
from .beside import load_beside
from .clips import NoClipError

if TYPE_CHECKING:
    from bpy.types import Action

    from .recipe import Reference


@contextmanager
def references_loaded(references: Sequence[Reference]) -> Iterator[None]:
    """Load the references as actions with their names."""
    everything = []
    for reference in references:
        loaded = load_beside(reference.file)
        _give_name(_chosen(reference, loaded.actions), reference.name)
        everything.append(loaded)
    yield
    for loaded in everything:
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
