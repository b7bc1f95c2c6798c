"""F1: every operator leads to the manual's page about its package.

A package `clip` has the page docs/clip.md. The built extension carries the pages as HTML in
`manual/`; a checkout has only the Markdown files, and F1 leads to those.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import bpy

from ... import motion_editing_addon

_ROOT = Path(__file__).resolve().parents[2]
_START = "index"
# Packages whose page has another name.
_PACKAGE_PAGES = {"blending": "blend_loop", "filters": "clean_filter", "timeline": "pose_timeline"}
# Settings that panels show, by the end of their group's name.
_GROUP_PAGES = {
    "action": "clip",
    "armature": "character",
    "blend_loop": "blend_loop",
    "collision": "pose_timeline",
    "constraint": "constraints",
    "contact": "contacts",
    "control": "pose_tree",
    "entry": "stack",
    "equalizer": "clean_filter",
    "flaw": "clean_filter",
    "keytime": "guided_warp",
    "layer": "layers",
    "painted": "pose_timeline",
    "pose": "staggered",
    "posing": "staggered",
    "retarget": "retarget",
    "stack": "stack",
    "staggered": "staggered",
    "strip": "strip",
    # Before "time", which it begins with.
    "timeline": "pose_timeline",
    "time": "guided_warp",
    "tree": "pose_tree",
    "window": "pose_timeline",
}


def manual_map() -> tuple[str, tuple[tuple[str, str], ...]]:
    """The manual's address and, for patterns of what F1 was pressed on, its pages.

    Blender asks for it at every F1 and takes the first pattern that fits.
    """
    folder, suffix = _pages()
    return f"{folder.as_uri()}/", tuple((pattern, page + suffix) for pattern, page in _patterns())


@cache
def _pages() -> tuple[Path, str]:
    """Folder and file name ending of the pages."""
    shipped = _ROOT / "manual"
    return (shipped, ".html") if shipped.is_dir() else (_ROOT / "docs", ".md")


@cache
def _patterns() -> tuple[tuple[str, str], ...]:
    """Pattern and page; a name that another one begins with comes after it."""
    operators = sorted(_operator_pages(), reverse=True)
    found = [(f"bpy.ops.{operator}*", page) for operator, page in operators]
    # Blender compares in small letters.
    found += [(f"bpy.types.motionedit_pg_{group}*", page) for group, page in _GROUP_PAGES.items()]
    return (*found, ("bpy.ops.motion_editing.*", _START), ("bpy.types.motionedit_*", _START))


def _operator_pages() -> list[tuple[str, str]]:
    """Every operator's name with the page of its package."""
    return [
        (cls.bl_idname, _PACKAGE_PAGES.get(name, name))
        for package in motion_editing_addon._packages
        for name in [package.__name__.rpartition(".")[2]]
        for cls in getattr(package, "classes", ())
        if issubclass(cls, bpy.types.Operator)
    ]


def register() -> None:
    """Add our pages to Blender's manual."""
    bpy.utils.register_manual_map(manual_map)


def unregister() -> None:
    """Take our pages out again."""
    bpy.utils.unregister_manual_map(manual_map)
