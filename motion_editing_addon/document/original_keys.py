"""Who wants to know when the original keys of an armature come back."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import scope

if TYPE_CHECKING:
    from bpy.types import Action, Object

    # The armature, which has its keys again, and the copy of its action that they come from.
    Listener = Callable[[Object, Action], None]

listeners: list[Listener] = []


def tell(armature: Object, original: Action) -> None:
    """Keys came back; what belongs to them may follow."""
    for listener in listeners:
        listener(armature, original)
    scope.own_action(armature).motion_editing.retimed = False


def listener_in(module: str) -> Listener:
    """The function `restore` of a module, which is imported when it is first needed."""
    return lambda armature, original: import_module(module).restore(armature, original)


def is_other_timing(armature: Object) -> bool:
    """Whether what goes with the motion has followed it since the original keys; asked before they are back."""
    return bool(scope.own_action(armature).motion_editing.retimed)


def take_over_list(own: Any, original: Any) -> None:
    """Fill a collection of plain values with what that of the original holds."""
    own.clear()
    for item in original:
        copied = own.add()
        for prop in item.bl_rna.properties:
            if not prop.is_readonly:
                setattr(copied, prop.identifier, getattr(item, prop.identifier))
