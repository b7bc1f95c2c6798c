"""Everything that imports bpy: operators, panels and the border to Blender."""

from . import (
    batch,
    blending,
    bring_in,
    character,
    clip,
    constraints,
    contacts,
    filters,
    guided_warp,
    keys,
    layers,
    pose_tree,
    retarget,
    stack,
    staggered,
    timeline,
)
from .border.lazy_modules import is_loaded
from .document import checked_settings, settings, watched_keys
from .document.character import joint_positions
from .interface import drawing, manual, menus, strip, translation
from .interface.drawing import original_ghost
from .interface.operators import pose_preview, running_tools

# Modules with register() and unregister(), in the order in which they need each other.
# NumPy and core are imported when a tool is first used: enabling the extension stays quick.
_packages = (
    translation,
    settings,
    checked_settings,
    watched_keys,
    menus,
    drawing,
    strip,
    clip,
    stack,
    character,
    contacts,
    staggered,
    timeline,
    pose_tree,
    guided_warp,
    keys,
    filters,
    blending,
    layers,
    constraints,
    retarget,
    manual,
    batch,
    bring_in,
    running_tools,
)


def register() -> None:
    """Register the add-on with Blender."""
    for package in _packages:
        package.register()


def unregister() -> None:
    """Take back what register() did."""
    for package in reversed(_packages):
        package.unregister()
    if is_loaded(pose_preview):
        pose_preview.stop_all()
    if is_loaded(original_ghost):
        original_ghost.hide_all()
    if is_loaded(joint_positions):
        joint_positions.forget()
