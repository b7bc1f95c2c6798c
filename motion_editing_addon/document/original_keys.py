"""Who wants to know when the original keys of an armature come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Action, Object

    # The armature, which has its keys again, and the copy of its action that they come from.
    Listener = Callable[[Object, Action], None]

listeners: list[Listener] = []


def tell(armature: Object, original: Action) -> None:
    """Keys came back; what belongs to them may follow."""
    for listener in listeners:
        listener(armature, original)
