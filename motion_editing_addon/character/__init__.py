"""The character set-up: which bone is which part of the body."""

import bpy

from . import operators, panel

classes = (*operators.classes, *panel.classes)


def register() -> None:
    """Register operators and panels."""
    for cls in classes:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take back what register() did."""
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
