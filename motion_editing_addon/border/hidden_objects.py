"""Objects that are deleted but still in the file, or that Blender does not move because nobody sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from bpy.types import Object


def is_deleted(thing: Object) -> bool:
    """Whether an object is in no scene any more: lists that name it keep it in the file."""
    return not thing.users_scene


@contextmanager
def moving(thing: Object, bones: Iterable[str] = ()) -> Iterator[None]:
    """While it lasts Blender moves an object, and some of its bones, even if it is switched off in viewports.

    Blender leaves out what cannot be seen, unless something that can be seen depends on it.
    """
    if thing.visible_get():
        yield
        return
    dependent = bpy.data.objects.new("Looks at hidden objects", None)
    for bone in tuple(bones) or ("",):
        constraint = dependent.constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = thing, bone
    bpy.context.scene.collection.objects.link(dependent)
    try:
        bpy.context.view_layer.update()
        yield
    finally:
        bpy.data.objects.remove(dependent)
