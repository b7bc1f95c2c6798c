"""Skins: meshes and other shapes that an armature deforms or carries, and which armature that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpy.types import Object

# Kinds of objects that armatures deform; what else hangs on a rig, such as a camera, is no part of the character.
_SHAPES = {"MESH", "CURVE", "SURFACE", "FONT", "LATTICE", "CURVES"}


def edited_for(thing: Object) -> Object:
    """What is edited where an object is clicked: the armature that it belongs to, or itself.

    What an armature only carries stands for itself if it has keys of its own, such as a prop.
    """
    deforming = deforming_armature(thing)
    carrying = armature_of_skin(thing) if deforming is None and not _has_action(thing) else None
    return deforming or carrying or thing


def _has_action(thing: Object) -> bool:
    return thing.animation_data is not None and thing.animation_data.action is not None


def deforming_armature(thing: Object) -> Object | None:
    """The armature of an object's own modifiers, one that is shown rather than one that is not."""
    modifiers: list[Any] = [each for each in thing.modifiers if each.type == "ARMATURE" and each.object is not None]
    found = next((each for each in modifiers if each.show_viewport), modifiers[0] if modifiers else None)
    return found.object if found is not None else None


def armature_of_skin(thing: Object) -> Object | None:
    """The armature that a shape belongs to: the one that deforms it, or else what its parents belong to or are."""
    if thing.type not in _SHAPES:
        return None
    link: Object | None = thing
    while link is not None and link.type != "ARMATURE":
        deforming = deforming_armature(link)
        if deforming is not None:
            return deforming
        link = link.parent
    return link


def is_skin_of(thing: Object, armature: Object) -> bool:
    """Whether a shape belongs to an armature, also where it has several."""
    by_modifier = any(each.type == "ARMATURE" and each.object == armature for each in thing.modifiers)
    return by_modifier or armature_of_skin(thing) == armature
