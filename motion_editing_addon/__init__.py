"""Everything that imports bpy: operators, panels and the border to Blender."""

from . import (
    batch,
    blending,
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
    staggered,
    timeline,
)
from .border.registration import call_if_loaded
from .document import checked_settings, settings, watched_keys
from .interface import drawing, manual, menus, strip, translation
from .interface.operators import running_tools

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
    call_if_loaded(f"{__package__}.interface.operators.pose_preview", "stop_all")
    call_if_loaded(f"{__package__}.interface.drawing.original_ghost", "hide_all")
    call_if_loaded(f"{__package__}.document.character.joint_positions", "forget")
