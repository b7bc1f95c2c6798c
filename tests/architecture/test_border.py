"""Only the border knows F-Curves, bones at rest and versions of Blender."""

from __future__ import annotations

import ast

from exceptions_list import compared
from rooms import room_of
from source import Module, modules

# Attributes of Blender's curves, of bones at rest, and its version.
_BORDER_MATTERS = frozenset(
    [
        "fcurves",
        "keyframe_points",
        "channelbags",
        "channelbag",
        "sampled_points",
        "matrix_local",
        "head_local",
        "tail_local",
        "version",
    ]
)


def test_only_the_border_touches_curves_bones_and_versions():
    found = []
    for module in modules():
        if module.name.startswith("motion_editing_addon.") and room_of(module.name)[1] != "border":
            found += [f"{module.place}: {name}" for name in _matters(module)]
    compared("border", found)


def _matters(module: Module) -> set[str]:
    """The names of the border's matters that a module uses."""
    attributes = [node for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)]
    names = {node.attr for node in attributes if node.attr in _BORDER_MATTERS - {"version"}}
    return names | {node.attr for node in attributes if ast.unparse(node) == "bpy.app.version"}
