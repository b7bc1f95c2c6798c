"""Live posing: handlers that pose rigs when cursors move or frames change, only while the file has trees.

Curves of driven channels are muted meanwhile; they are set free when the tree is no longer live, when
its character is gone, when the file is saved (and muted again after), and when the extension is
disabled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent

from . import model, overlay

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object, Scene


class _State:
    """What is known between two events; never a reference to Blender's data."""

    def __init__(self) -> None:
        self.owners: list[str] = []  # names of objects with a tree
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
    _release(owner)
    model.tree_of(owner).live = False
    owner.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def refresh(owner: Object) -> None:
    """After a change of the tree: mute what it drives now, and pose the rig."""
    if model.tree_of(owner).live:
        _mute(owner)
        pose_owner(owner)


def changed(owner: Object) -> None:
    """Poses, limits or parents have changed."""
    model.tree_of(owner).revision += 1
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
    from ...core.errors import MotionEditError
    from . import evaluation

    _state.busy = True
    try:
        _mute_new_action(owner)
        _state.notes[owner.session_uid] = evaluation.pose_rig(owner, depsgraph)
        _state.problems.pop(owner.session_uid, None)
    except MotionEditError as error:
        _state.problems[owner.session_uid] = str(error)
    finally:
        _state.busy = False


@contextmanager
def paused() -> Iterator[None]:
    """While frames are stepped through to look at cursors, no rig is posed."""
    before, _state.busy = _state.busy, True
    try:
        yield
    finally:
        _state.busy = before


# Curves


def _mute(owner: Object) -> None:
    from ...core.errors import MotionEditError
    from . import muting

    try:
        muting.claim(owner)
    except MotionEditError as error:
        _state.problems[owner.session_uid] = str(error)
        return
    _state.muted_for[owner.session_uid] = _action_name(owner)


def _release(owner: Object) -> None:
    from . import muting

    muting.release(owner)


def _mute_new_action(owner: Object) -> None:
    """The user may have given the owner another action since."""
    if _state.muted_for.get(owner.session_uid) != _action_name(owner):
        _mute(owner)


def _action_name(owner: Object) -> str:
    data = owner.animation_data
    return data.action.name if data is not None and data.action is not None else ""


def _settle() -> None:
    """Set curves free whose tree is gone; nothing is imported where there never was one."""
    if any(len(action.motion_editing_muted) for action in bpy.data.actions):
        from . import muting

        muting.settle()


# Handlers


@persistent
def _on_update(_scene: Scene, depsgraph: Depsgraph) -> None:
    """A cursor or target was moved, or a rig was posed by hand."""
    if _state.busy:
        return
    if depsgraph.id_type_updated("COLLECTION") or depsgraph.id_type_updated("SCENE"):
        _leave_deleted_owners()
    if not depsgraph.id_type_updated("OBJECT"):
        return
    moved, posed = _concerned(depsgraph)
    for owner in moved:
        pose_owner(owner, depsgraph)
    for owner in posed:
        from . import suggesting

        with paused():
            suggesting.follow_rig(owner)


def _leave_deleted_owners() -> None:
    """A deleted character lives on while its targets point to it; its curves may be wanted by another one."""
    if any(name not in bpy.data.objects for name in _state.owners):
        follow()  # one was renamed, or removed by a script
    for name in _state.owners:
        owner = bpy.data.objects.get(name)
        if model.has_tree(owner) and not owner.users_scene and model.tree_of(owner).live:
            stop(owner)


def _concerned(depsgraph: Depsgraph) -> tuple[list[Object], list[Object]]:
    """Owners whose cursors or targets were moved, and those that a ghost is waiting for."""
    moved, posed = {}, {}
    for update in depsgraph.updates:
        thing = update.id.original
        if not isinstance(thing, bpy.types.Object):
            continue
        control = thing.motion_editing_control
        if control.kind in {"NONE", "GHOST"}:
            if thing.motion_editing_tree.suggesting:
                posed[thing.name] = thing
        elif update.is_updated_transform and control.owner is not None:
            moved[control.owner.name] = control.owner
    return list(moved.values()), [thing for name, thing in posed.items() if name not in moved]


@persistent
def _on_frame(scene: Scene, depsgraph: Depsgraph) -> None:
    if any(not model.has_tree(bpy.data.objects.get(name)) for name in _state.owners):
        follow()  # one was renamed
    for name in _state.owners:
        pose_owner(scene.objects.get(name), depsgraph)


@persistent
def _on_render(scene: Scene, *_arguments: object) -> None:
    from . import render_warning

    render_warning.warn_of_unbaked(scene)


@persistent
def _before_save(*_arguments: object) -> None:
    """The saved file plays its keys on a machine without the extension."""
    for owner in model.owners():
        _release(owner)


@persistent
def _after_save(*_arguments: object) -> None:
    for owner in model.owners():
        if model.tree_of(owner).live:
            _mute(owner)


@persistent
def _on_jump(*_arguments: object) -> None:
    """Undo, redo, another file, or something appended."""
    _forget()
    follow()


@persistent
def _on_load(*_arguments: object) -> None:
    _on_jump()
    for owner in model.owners():
        refresh(owner)


# Always there, and idle while there is no tree.
_LASTING = {
    "load_post": _on_load,
    "undo_post": _on_jump,
    "redo_post": _on_jump,
    "blend_import_post": _on_load,
}
_WHILE_TREES = {
    "depsgraph_update_post": _on_update,
    "frame_change_post": _on_frame,
    "render_init": _on_render,
    "save_pre": _before_save,
    "save_post": _after_save,
    "save_post_fail": _after_save,
}


def follow() -> None:
    """Look for trees, and have handlers only while there are some."""
    _state.owners = [owner.name for owner in model.owners()]
    _settle()
    for place, handler in _WHILE_TREES.items():
        _have(place, handler, wanted=bool(_state.owners))
    overlay.follow(_state.owners)


def _have(place: str, handler: object, *, wanted: bool) -> None:
    handlers = getattr(bpy.app.handlers, place)
    if wanted and handler not in handlers:
        handlers.append(handler)
    elif not wanted and handler in handlers:
        handlers.remove(handler)


def _forget() -> None:
    _state.problems.clear()
    _state.notes.clear()
    _state.muted_for.clear()
    for name in ("solving", "suggesting", "overlay_painting"):
        memory = sys.modules.get(f"{__package__}.{name}")
        if memory is not None:
            memory.forget()


def register() -> None:
    """Notice trees of loaded and appended files; take up those of this one when it can be looked at."""
    for place, handler in _LASTING.items():
        _have(place, handler, wanted=True)
    if hasattr(bpy.data, "objects"):  # not while Blender starts
        _on_load()


def unregister() -> None:
    """Set all curves free and take back what register() did; trees stay live for when they are seen again."""
    for owner in model.owners():
        _release(owner)
    for place, handler in (_LASTING | _WHILE_TREES).items():
        _have(place, handler, wanted=False)
    _forget()
