"""Everything that imports bpy: operators, panels and the border to Blender."""

from . import (
    batch,
    blend_loop,
    character,
    checked_settings,
    clean_filter,
    clip,
    constraints,
    contacts,
    drawing,
    guided_warp,
    keys,
    layers,
    manual,
    menus,
    modal_slider,
    pose_timeline,
    pose_tree,
    retarget,
    running_tools,
    settings,
    staggered,
    strip,
    watched_keys,
)
from .registering import call_if_loaded

# Modules with register() and unregister(), in the order in which they need each other.
# NumPy and core are imported when a tool is first used: enabling the extension stays quick.
_packages = (
    settings,
    checked_settings,
    watched_keys,
    menus,
    drawing,
    strip,
    modal_slider,
    clip,
    character,
    contacts,
    staggered,
    pose_timeline,
    pose_tree,
    guided_warp,
    keys,
    clean_filter,
    blend_loop,
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
    call_if_loaded(f"{__package__}.joint_positions", "forget")
