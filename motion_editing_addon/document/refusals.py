"""Why the motion of an object cannot be edited, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..border.translation import label_text

if TYPE_CHECKING:
    from bpy.types import Object


def why_linked(thing: Object) -> str:
    """An object of another file, and the way out."""
    return label_text("'{name}' is linked: make it local, or a library override, first", name=thing.name)


def why_no_action(thing: Object, *, cure: str = "assign one, or load the sample motion") -> str:
    """What keeps an object from having keys to edit, and the way out; the cure is for one that has nothing at all."""
    data = thing.animation_data
    if data and data.action and data.action.slots:
        text = "Action '{action}' has no slot for '{name}': choose one beside the action's name"
        return label_text(text, action=data.action.name, name=thing.name)
    if data and any(len(track.strips) for track in data.nla_tracks):
        text = "'{name}' plays NLA strips: select one in the Nonlinear Animation editor and press Tab"
        return label_text(text, name=thing.name)
    return label_text("'{name}' has no action: {cure}", name=thing.name, cure=label_text(cure))
