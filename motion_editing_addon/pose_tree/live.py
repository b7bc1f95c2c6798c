"""Live posing: the cursors pose the rig while a tree is live, and curves of what it drives are muted.

These are set free when the tree is no longer live, when its character is gone, when the file is
saved (and muted again after), and when the extension is disabled. What happens in Blender is noticed
in `tree_handlers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

from ...core.errors import MotionEditError
from ..border.lazy_modules import is_loaded
from . import model, mutes, tree_handlers
from .overlay import overlay, overlay_painter
from .poses import saved_poses, suggestion
from .solution import evaluation, solution

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object

# A number of changes at which their count begins anew, far below the largest that Blender keeps.
_MOST_CHANGES = 2**30


class _State:
    """What is known between two events; never a reference to Blender's data."""

    def __init__(self) -> None:
        self.owners: list[str] = []  # names of objects with a tree
        self.objects = 0  # objects of the file when these were looked for
        self.busy = False  # our own writing must not start itself again
        self.problems: dict[int, str] = {}  # by object: why its tree cannot be evaluated
        self.notes: dict[int, str] = {}  # by object: what is odd about its tree
        self.muted_for: dict[int, str] = {}  # by object: the action whose curves were muted


_state = _State()


# Switching on and off


def start(owner: Object) -> None:
    """Let the cursors pose the rig, and mute what would work against them."""
    model.tree_of(owner).live = True
    follow()
    refresh(owner)


def stop(owner: Object) -> None:
    """Leave the rig to its curves again."""
    release(owner)
    model.tree_of(owner).live = False
    owner.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def refresh(owner: Object) -> None:
    """After a change of the tree: mute what it drives now, and pose the rig."""
    if model.tree_of(owner).live:
        mute(owner)
        pose_owner(owner)


def changed(owner: Object) -> None:
    """Poses, limits or parents have changed."""
    model.tree_of(owner).revision = model.tree_of(owner).revision % _MOST_CHANGES + 1
    for said in (_state.problems, _state.notes):
        said.pop(owner.session_uid, None)
    follow()
    refresh(owner)


def problem_of(owner: Object) -> str | None:
    """Why the tree cannot be evaluated, as of its last evaluation."""
    return _state.problems.get(owner.session_uid)


def note_of(owner: Object) -> str | None:
    """What is odd about the tree, as of its last evaluation."""
    return _state.notes.get(owner.session_uid)


def pose_owner(owner: Object | None, depsgraph: Depsgraph | None = None) -> None:
    """Pose a rig whose tree is live; a tree that cannot be evaluated leaves it alone and says why."""
    if _state.busy or not model.has_tree(owner) or not model.tree_of(owner).live:
        return

    _state.busy = True
    try:
        _mute_new_action(owner)
        _state.notes[owner.session_uid] = evaluation.pose_rig(owner, depsgraph)
        _state.problems.pop(owner.session_uid, None)
    except MotionEditError as error:
        _state.problems[owner.session_uid] = str(error)
    finally:
        _state.busy = False


def is_busy() -> bool:
    """Whether a rig is just being posed, or cursors are looked at: what happens then is our own doing."""
    return _state.busy


@contextmanager
def paused() -> Iterator[None]:
    """While frames are stepped through to look at cursors, no rig is posed."""
    before, _state.busy = _state.busy, True
    try:
        yield
    finally:
        _state.busy = before


# Curves


def mute(owner: Object) -> None:
    """Mute what the tree drives; one that cannot be evaluated drives nothing, and the reason is kept."""
    try:
        mutes.claim(owner)
    except MotionEditError as error:
        _state.problems[owner.session_uid] = str(error)
        return
    _state.muted_for[owner.session_uid] = _action_name(owner)


def release(owner: Object) -> None:
    """Set free what was muted for a tree."""
    mutes.release(owner)


def _mute_new_action(owner: Object) -> None:
    """The user may have given the owner another action since."""
    if _state.muted_for.get(owner.session_uid) != _action_name(owner):
        mute(owner)


def _action_name(owner: Object) -> str:
    data = owner.animation_data
    return data.action.name if data is not None and data.action is not None else ""


def _settle() -> None:
    """Set curves free whose tree is gone; nothing is imported where there never was one."""
    if any(len(action.motion_editing_muted) for action in bpy.data.actions):
        mutes.settle()


# All trees


def owner_names() -> list[str]:
    """Names of the objects whose trees are known."""
    return list(_state.owners)


def is_outdated() -> bool:
    """Whether trees may have come or gone since they were looked for, such as with a copied scene."""
    lost = any(not model.has_tree(bpy.data.objects.get(name)) for name in _state.owners)
    return lost or len(bpy.data.objects) != _state.objects


def follow() -> None:
    """Look for trees, and have handlers only while there are some."""
    _state.owners, _state.objects = [owner.name for owner in model.owners()], len(bpy.data.objects)
    _settle()
    tree_handlers.watch_trees(wanted=bool(_state.owners))
    overlay.follow(_state.owners)


def forget() -> None:
    """Look at everything anew: after undo, loading, disabling."""
    _state.problems.clear()
    _state.notes.clear()
    _state.muted_for.clear()
    for memory in (saved_poses, solution, suggestion, overlay_painter):
        if is_loaded(memory):
            memory.forget()
