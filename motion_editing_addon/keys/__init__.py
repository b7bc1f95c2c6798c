"""Keys: how densely a motion is keyed, and rotations that jump."""

import bpy

from . import operators, panel

classes = (*operators.classes, *panel.classes)


def register() -> None:
    """Register operators, panels and menu entries."""
    for cls in classes:
        bpy.utils.register_class(cls)
    for menu in (bpy.types.VIEW3D_MT_pose, bpy.types.DOPESHEET_MT_key, bpy.types.GRAPH_MT_key):
        menu.append(panel.draw_menu)


def unregister() -> None:
    """Take back what register() did."""
    for menu in (bpy.types.VIEW3D_MT_pose, bpy.types.DOPESHEET_MT_key, bpy.types.GRAPH_MT_key):
        menu.remove(panel.draw_menu)
    for cls in reversed(classes):
        bpy.utils.unregister_class(cls)
