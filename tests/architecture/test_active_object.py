"""What tools edit is asked of `document/scope` alone: there a character's mesh stands for its armature."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from source import Module, modules

_ADDON = "motion_editing_addon/"
_ACTIVE = ("object", "active_object", "pose_object", "selected_objects")
# Those that ask for what is clicked itself: figures that are made, pose trees of faces and their Empties, modes of
# Blender, curves to follow.
_ITSELF = (
    f"{_ADDON}document/scope.py",
    f"{_ADDON}clip/scope_text.py",
    f"{_ADDON}document/scene/pose_mode.py",
    f"{_ADDON}batch/formats/",
    f"{_ADDON}border/new_armature.py",
    f"{_ADDON}bring_in/arrival.py",
    f"{_ADDON}clip/rigify_figure.py",
    f"{_ADDON}pose_tree/",
    f"{_ADDON}staggered/pose_mode/posing_steps.py",
    f"{_ADDON}blending/runs/ground_run.py",
)


def test_only_the_scope_asks_for_the_active_object():
    asking = {module.place for module in modules() if module.place.startswith(_ADDON) and any(_asked(module))}
    assert sorted(place for place in asking if not place.startswith(_ITSELF)) == []
    assert all(any(place.startswith(each) for place in asking) for each in _ITSELF)


def _asked(module: Module) -> Iterator[str]:
    """Names of the active object and the selected ones, read from a context."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in _ACTIVE:
            holder = node.value
            name = holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")
            if name == "context":
                yield node.attr
