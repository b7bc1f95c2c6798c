"""Motion that arrives from files: at its real speed, as tall as it is, upright, on the floor."""

import bpy

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of, register_classes, unregister_classes
from . import operators

classes = classes_of(operators)


def register() -> None:
    """Register the operator, what is dropped on it, and its menu entry."""
    register_classes(classes)
    bpy.utils.register_class(operators.MOTIONEDIT_FH_motion)
    bpy.types.TOPBAR_MT_file_import.append(operators.draw_import)


def unregister() -> None:
    """Take back what register() did."""
    bpy.types.TOPBAR_MT_file_import.remove(operators.draw_import)
    bpy.utils.unregister_class(operators.MOTIONEDIT_FH_motion)
    unregister_classes(classes)
