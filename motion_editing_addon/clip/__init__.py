"""The clip: sample motion, BVH files, source rate, reference frames, the original keys."""

import bpy

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of
from ..document import motion_changes
from ..interface import menus
from . import bvh_operators, length_operators, operators, panel

classes = classes_of(operators, length_operators, bvh_operators, panel)

_follow = motion_changes.follower_in(f"{__package__}.scene_marks")
_register, _unregister = menus.registration(classes, panel.draw_menu)


def register() -> None:
    """Register operators, panels and menu entries."""
    _register()
    motion_changes.add_follower(_follow, outside=True)
    bpy.types.VIEW3D_MT_armature_add.append(panel.draw_add_menu)
    bpy.types.TOPBAR_MT_file_import.append(bvh_operators.draw_import)
    bpy.types.TOPBAR_MT_file_export.append(bvh_operators.draw_export)


def unregister() -> None:
    """Take back what register() did."""
    bpy.types.TOPBAR_MT_file_export.remove(bvh_operators.draw_export)
    bpy.types.TOPBAR_MT_file_import.remove(bvh_operators.draw_import)
    bpy.types.VIEW3D_MT_armature_add.remove(panel.draw_add_menu)
    motion_changes.remove_follower(_follow)
    _unregister()
