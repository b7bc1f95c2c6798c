"""Every tool on every kind of rig does what the table of the manual says: it works, or gives the reason told there."""

from __future__ import annotations

import bpy
import pytest
from motion_editing.motion_editing_addon.interface.operators.operator import MotionEditOperator
from outcome import Outcome, faults, try_tool
from rig_table import KINDS, read_table
from tool_calls import TOOLS
from walking_rigs import RIGS, save_scene

# Steps of the edit stack, which no button calls.
INTERNAL = {"change_staggered_pose", "follow_timing", "set_layers"}
# In other versions of Blender a few kinds are enough: what differs there is how rigs and actions are read.
OTHER_VERSIONS = ("plain", "strip", "traveller", "human_ik")
# Slow on these rigs, and tested by themselves.
SPARED = {
    "human_ik": {"switch_limbs", "retarget_motion"},
    "human_fk": {"reduce_keys", "switch_limbs", "retarget_motion"},
    "horse": {"reduce_keys", "retarget_motion", "switch_limbs"},
    "bird": {"reduce_keys", "retarget_motion", "switch_limbs"},
}


@pytest.fixture(scope="module")
def table():
    return read_table()


def test_the_table_of_the_manual_has_every_tool_and_every_rig(table):
    assert list(table.kinds) == KINDS
    assert sorted(table.tools) == sorted(TOOLS)


def test_every_tool_that_edits_motion_is_tried():
    editing = {name for name in dir(bpy.ops.motion_editing) if issubclass(_class(name), MotionEditOperator)}
    assert editing - INTERNAL <= set(TOOLS)


def _class(name: str) -> type:
    return getattr(bpy.types, f"MOTION_EDITING_OT_{name}")


@pytest.mark.parametrize("kind", RIGS if bpy.app.version >= (5, 2) else OTHER_VERSIONS)
def test_tools_do_what_the_manual_says(kind, table, generated, tmp_path):
    path, rig = save_scene(kind, generated, tmp_path), RIGS[kind]
    tools = [name for name in table.tried(rig.is_slow) if name not in SPARED.get(kind, ())]
    found = {name: _wrong(name, try_tool(name, rig, path), table.told(name, kind)) for name in tools}
    assert not any(found.values()), "\n".join(f"{name}: {wrong}" for name, wrong in found.items() if wrong)


def _wrong(name: str, outcome: Outcome, told: str) -> list[str]:
    """What differs from the manual: `told` is a refusal, the report that nothing changed, or empty."""
    if "\n" in outcome.refusal:
        return [f"more than one line: {outcome.refusal}"]
    if told.endswith("changed nothing"):
        return [f"it changed something: {outcome.refusal}"] if outcome.changed or outcome.refusal else []
    if outcome.refusal != told:
        return [f"says '{outcome.refusal}', the manual '{told}'"]
    if told:
        return ["keys changed"] if outcome.changed else []
    return faults(name, outcome)
