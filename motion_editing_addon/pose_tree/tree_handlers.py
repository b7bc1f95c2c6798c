"""Handlers that notice what happens to pose trees: cursors move, frames change, characters come and go.

Those that run often exist only while the file has trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent

from . import live, model, render_notice
from .poses import suggestion

if TYPE_CHECKING:
    from bpy.types import Depsgraph, Object, Scene


@persistent
def _on_update(_scene: Scene, depsgraph: Depsgraph) -> None:
    """A cursor or target was moved, or a rig was posed by hand."""
    if live.is_busy():
        return
    if depsgraph.id_type_updated("COLLECTION") or depsgraph.id_type_updated("SCENE"):
        _leave_deleted_owners()
    if not depsgraph.id_type_updated("OBJECT"):
        return
    _take_up_copies(depsgraph)
    moved, posed = _concerned(depsgraph)
    for owner in moved:
        live.pose_owner(owner, depsgraph)
    for owner in posed:
        with live.paused():
            suggestion.follow_rig(owner)


def _leave_deleted_owners() -> None:
    """A deleted character lives on while its targets point to it; its curves may be wanted by another one."""
    if any(name not in bpy.data.objects for name in live.owner_names()):
        live.follow()  # one was renamed, or removed by a script
    for name in live.owner_names():
        owner = bpy.data.objects.get(name)
        if model.has_tree(owner) and not owner.users_scene and model.tree_of(owner).live:
            live.stop(owner)


def _take_up_copies(depsgraph: Depsgraph) -> None:
    """A character that was copied plays its own keys: the spaces still belong to the first one."""
    things = [update.id.original for update in depsgraph.updates]
    copies = [each for each in things if isinstance(each, bpy.types.Object) and model.has_tree(each)]
    copies = [owner for owner in copies if owner.name not in live.owner_names()]
    if copies:
        live.follow()
    for owner in copies:
        live.refresh(owner)


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
    if live.is_outdated():
        live.follow()
    for name in live.owner_names():
        live.pose_owner(scene.objects.get(name), depsgraph)


@persistent
def _on_render(scene: Scene, *_arguments: object) -> None:
    render_notice.warn_of_unbaked(scene)


@persistent
def _before_save(*_arguments: object) -> None:
    """The saved file plays its keys on a machine without the extension."""
    for owner in model.owners():
        live.release(owner)


@persistent
def _after_save(*_arguments: object) -> None:
    for owner in model.owners():
        if model.tree_of(owner).live:
            live.mute(owner)


@persistent
def _on_jump(*_arguments: object) -> None:
    """Undo, redo, another file, or something appended."""
    live.forget()
    live.follow()


@persistent
def _on_load(*_arguments: object) -> None:
    _on_jump()
    for owner in model.owners():
        if len(model.tree_of(owner).muted) and not model.tree_of(owner).live:
            live.release(owner)  # saved after a crash
        live.refresh(owner)


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


def watch_trees(*, wanted: bool) -> None:
    """Have the handlers that run often, or none of them."""
    for place, handler in _WHILE_TREES.items():
        _have(place, handler, wanted=wanted)


def _have(place: str, handler: object, *, wanted: bool) -> None:
    handlers = getattr(bpy.app.handlers, place)
    if wanted and handler not in handlers:
        handlers.append(handler)
    elif not wanted and handler in handlers:
        handlers.remove(handler)


def register() -> None:
    """Notice trees of loaded and appended files; take up those of this one when it can be looked at."""
    for place, handler in _LASTING.items():
        _have(place, handler, wanted=True)
    if hasattr(bpy.data, "objects"):  # not while Blender starts
        _on_load()


def unregister() -> None:
    """Set all curves free and take back what register() did; trees stay live for when they are seen again."""
    for owner in model.owners():
        live.release(owner)
    for place, handler in (_LASTING | _WHILE_TREES).items():
        _have(place, handler, wanted=False)
    live.forget()
