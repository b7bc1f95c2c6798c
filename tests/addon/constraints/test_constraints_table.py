"""The table of kinds: panel, list, strip, scripts and recipes have every row of it, and nothing else has to be told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from constrained_sample import add, open_sample
from motion_editing.motion_editing_addon.batch.recipes.catalog import edits
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.constraints import lane, panel
from motion_editing.motion_editing_addon.constraints.constraint_kind import ConstraintKind
from motion_editing.motion_editing_addon.constraints.kinds import KINDS, TABLE
from motion_editing.motion_editing_addon.constraints.misses import amount_text
from workshop import places

# A kind that is the opposite of Above Plane: a class of core, and a row of the table.
_CLASS = '''"""A point that stays below a height."""
from dataclasses import dataclass
from .above_plane import AbovePlane
@dataclass(frozen=True, eq=False, kw_only=True)
class Ducked(AbovePlane):
    """A point that a joint carries is at or below a height."""
'''
_ROW = """
def _ducked(subject):
    from ...core.solve.spacetime.kinds.ducked import Ducked
    return Ducked(height=-subject.item.ceiling, normal=(0.0, 0.0, -1.0), offset=subject.offset, **subject.own)


TABLE = (*TABLE, ConstraintKind(
    "DUCKED", "Ducked", "Keep the bone below a ceiling", "CON_FLOOR", (1, "active"), _ducked,
    {"ceiling": FloatProperty(name="Ceiling", description="Height of the ceiling", unit="LENGTH")}, span=Span.ALWAYS,
))
KINDS = {"""
_PROGRAM = """
import os
import sys
sys.path.append("scripts")
from workshop import checkout_as_extension
checkout_as_extension.load().register()
import bpy
from motion_editing.motion_editing_addon.document import scope
bpy.ops.motion_editing.load_sample_motion(rate=30)
armature = bpy.context.object
def highest():
    motion = scope.read_clip(bpy.context, armature).motion
    return motion.poses.positions[:, motion.skeleton.index["hand.L"], 2].max()
before = highest()
bpy.ops.motion_editing.add_constraint(kind="DUCKED", bone="hand.L")
armature.animation_data.action.motion_editing_constraints.listed[0].ceiling = before - 0.05
bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", spacing=4)
print("lower by", round(float(before - highest()), 3), flush=True)
os._exit(0)  # Blender's module may crash when Python tears it down.
"""


class Layout:
    """Notes which settings are shown, and with which choices."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *_arguments, **_options: self

    def prop(self, _owner: object, name: str, **_options: object) -> None:
        self.shown.append(name)

    def prop_enum(self, _owner: object, name: str, value: str, *, text: str) -> None:
        self.shown.append(f"{name} {value} {text}")


@pytest.fixture
def armature(empty_scene):
    return open_sample()


@pytest.fixture(params=TABLE, ids=lambda kind: kind.identifier)
def kind(request) -> ConstraintKind:
    return request.param


@pytest.fixture
def item(armature, kind):
    return add(kind.identifier, "hand.L", 20, 24, target_bone="head" if kind.needs_target else "")


def test_the_panel_shows_what_the_row_says(armature, kind, item):
    layout = Layout()
    panel._draw_item(layout, armature, item)
    own = {name for each in TABLE for name in (*each.properties, "tail")}
    wanted = {*kind.shown, *([kind.place] if kind.place else [])}
    assert own.intersection(layout.shown) == wanted
    choices = [f"target {value} {text}" for value, text in kind.targets.items()]
    assert [name for name in layout.shown if name.startswith("target ")] == choices


def test_list_and_strip_draw_it(armature, kind, item):
    context = SimpleNamespace(preferences=bpy.context.preferences)
    strip = lane.ConstraintsOnStrip()
    assert kind.identifier in strip.colours(context)
    assert strip.look(item)[:2] == (kind.identifier, kind.label)
    assert kind.icon in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
    assert amount_text(kind.identifier, 0.1).endswith("°") == kind.is_angle


def test_a_recipe_can_name_it(kind, tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(f'[[step]]\nedit = "add_constraint"\nwith = {{kind = "{kind.identifier}", bone = "hand.L"}}\n')
    assert read_recipe(path).steps[0].values["kind"] == kind.identifier
    assert edits()["add_constraint"].parameter("kind") is not None


def test_files_and_menus_have_all_in_the_same_order():
    items = bpy.types.Action.bl_rna.properties["motion_editing_constraints"].fixed_type.properties["listed"]
    known = items.fixed_type.properties["kind"].enum_items
    assert [(each.identifier, each.value, each.name, each.description) for each in known] == [
        (kind.identifier, number, kind.label, kind.tooltip) for number, kind in enumerate(TABLE)
    ]
    assert list(KINDS)[:8] == [
        *("POSITION", "KEEP", "NO_SKID", "ORIENTATION"),
        *("ABOVE_PLANE", "DISTANCE", "JOINT_LIMIT", "JOINT_RANGE"),
    ]


def test_a_class_in_core_and_a_row_are_all_that_a_kind_needs(tmp_path):
    copy = tmp_path / "project"
    for name in ("core", "motion_editing_addon", "scripts"):
        shutil.copytree(places.PROJECT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "blender_manifest.toml"):
        shutil.copy(places.PROJECT / name, copy / name)
    (copy / "core" / "solve" / "spacetime" / "kinds" / "ducked.py").write_text(_CLASS)
    table = copy / "motion_editing_addon" / "constraints" / "kinds.py"
    head, mark, rest = table.read_text(encoding="utf-8").partition("\nKINDS = {")
    assert mark
    table.write_text(head + _ROW + rest, encoding="utf-8")
    command = [sys.executable, "-c", _PROGRAM]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.rpartition("lower by")[2]) > 0.045
