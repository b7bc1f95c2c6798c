"""Registering classes and the settings that hang on Blender's data, and taking both away again."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import bpy

from .tool_properties import properties_of

_ADDON = __package__.rpartition(".")[0]
# Operators, panels, menus and lists.
_NAMED = re.compile("MOTIONEDIT_(OT|PT|MT|UL)_")
_attached: list[tuple[type, str]] = []


def classes_of(*modules: ModuleType) -> tuple[type, ...]:
    """What modules hold for Blender, in the order in which it stands there; property groups are attached instead."""
    found: list[type] = []
    for module in modules:
        own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
        found += [each for each in own if isinstance(each, type) and _NAMED.match(each.__name__)]
        found += getattr(module, "panels", ())
    return tuple(found)


def register_classes(classes: Sequence[type]) -> None:
    """Register classes in their order."""
    for cls in classes:
        _resolve_annotations(cls)
        _take_from_tool(cls)
        bpy.utils.register_class(cls)


def unregister_classes(classes: Sequence[type]) -> None:
    """Take classes away, the last one first."""
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)


def attaching(
    classes: Sequence[type], properties: dict[tuple[type, str], object]
) -> tuple[Callable[[], None], Callable[[], None]]:
    """register() and unregister() of settings.

    Args:
        classes: The property groups, those that others hold first.
        properties: What hangs on which of Blender's types under which name. What it holds stays in the files
            when it is taken away.
    """

    def register() -> None:
        register_classes(classes)
        for (owner, name), deferred in properties.items():
            setattr(owner, name, deferred)
            _attached.append((owner, name))

    def unregister() -> None:
        for owner, name in reversed(properties):
            delattr(owner, name)
            _attached.remove((owner, name))
        unregister_classes(classes)

    return register, unregister


def attached(owner: type) -> list[str]:
    """Names under which settings hang on one of Blender's types."""
    return [name for each, name in _attached if each is owner]


def _resolve_annotations(cls: type) -> None:
    """Compile the texts of annotations once; Blender would do it anew for every class that inherits them."""
    for each in cls.__mro__:
        if each.__module__.startswith(_ADDON):
            names = vars(sys.modules[each.__module__])
            each.__annotations__ = inspect.get_annotations(each, globals=names, locals=names, eval_str=True)


def _take_from_tool(cls: Any) -> None:
    """Properties, tooltip and verb of an operator that has a tool."""
    tool = getattr(cls, "tool", None)
    if tool is not None:
        cls.__annotations__ = {**properties_of(tool), **cls.__annotations__}
        cls.bl_description, cls.verb = tool.__doc__, tool.verb
