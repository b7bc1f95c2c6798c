"""Runs inside Blender: installs, enables, disables and enables the extension, and reports.

Usage: python install_in_blender.py REPORT.json [--install EXTENSION.zip]
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import bpy

MODULE = "bl_ext.user_default.motion_editing"


def is_enabled() -> bool:
    """Tell whether Blender has the extension loaded and in its preferences."""
    import addon_utils  # can be imported only once bpy has been

    return all(addon_utils.check(MODULE)) and MODULE in bpy.context.preferences.addons


def inventory() -> set[str]:
    """List what add-ons can leave behind in Blender."""
    found = {f"operator motion_editing.{name}" for name in dir(bpy.ops.motion_editing)}
    found |= {f"class {name}" for name in dir(bpy.types)}
    found |= set(_handlers()) | set(_properties()) | set(_menu_entries()) | set(_keys())
    return found


def _handlers() -> list[str]:
    """List the functions Blender calls on events."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return [
        f"handler {name} {function.__module__}.{function.__qualname__}"
        for name, functions in lists.items()
        if isinstance(functions, list)
        for function in functions
    ]


def _properties() -> list[str]:
    """List the properties of every type that add-ons may extend."""
    bases = (bpy.types.ID, bpy.types.Bone, bpy.types.PoseBone, bpy.types.EditBone, bpy.types.WindowManager)
    types = {kind for base in bases for kind in (base, *base.__subclasses__())}
    return [f"property {kind.__name__}.{entry.identifier}" for kind in types for entry in kind.bl_rna.properties]


def _menu_entries() -> list[str]:
    """List what was appended to panels, menus and headers.

    The first append makes Blender list the menu's own drawing too, for good: that is no
    leftover.
    """
    bases = (bpy.types.Panel, bpy.types.Menu, bpy.types.Header)
    kinds = [kind for base in bases for kind in base.__subclasses__() if kind.is_registered]
    return [
        f"entry {kind.__name__} {function.__module__}.{function.__qualname__}"
        for kind in kinds
        for function in getattr(getattr(kind, "draw", None), "_draw_funcs", ())
        if not function.__module__.startswith("bl_ui.")
    ]


def _keys() -> list[str]:
    """List the keys add-ons have bound."""
    settings = bpy.context.window_manager.keyconfigs.addon
    if settings is None:  # Blender without a window has no key settings
        return []
    return [f"key {keymap.name} {item.idname}" for keymap in settings.keymaps for item in keymap.keymap_items]


def install(archive: str) -> None:
    """Install the zip without enabling it."""
    bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=False)


def cycle() -> dict[str, Any]:
    """Enable, disable and enable the extension, looking at Blender each time."""
    before, modules = inventory(), set(sys.modules)
    bpy.ops.preferences.addon_enable(module=MODULE)
    enabled, first, imported = [is_enabled()], inventory(), set(sys.modules) - modules
    bpy.ops.preferences.addon_disable(module=MODULE)
    enabled.append(is_enabled())
    disabled = inventory()
    bpy.ops.preferences.addon_enable(module=MODULE)
    enabled.append(is_enabled())
    return {
        "enabled": enabled,
        "added": sorted(first - before),
        "left_behind": sorted(disabled - before),
        "missing_after_second_enable": sorted(first - inventory()),
        "imported_by_enabling": sorted(imported),
    }


def main() -> None:
    """Write the report and leave without tearing Blender down."""
    report: dict[str, Any] = {"error": None}
    try:
        if "--install" in sys.argv:
            install(sys.argv[sys.argv.index("--install") + 1])
        report |= cycle()
    except Exception as error:  # the report is the only way out of this process
        report["error"] = f"{type(error).__name__}: {error}"
    Path(sys.argv[1]).write_text(json.dumps(report, indent=1))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
