"""Damaged, truncated, absurdly large and newer data: one line, nothing allocated, and Remove works."""

import json
import tracemalloc
import zlib
from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import DamagedDataError, NewerDataError
from motion_editing.motion_editing_addon.border import saved_state
from motion_editing.motion_editing_addon.border.saved_state import load, names, remove
from saved_arrays import ARRAYS, MODEL, keyed_armature, place_of, save_on

MEGABYTE = 2**20
KINDS = [value for value in vars(saved_state).values() if isinstance(value, saved_state.Kind)]


@pytest.fixture
def armature():
    armature = keyed_armature()
    save_on(armature)
    return armature


def models_of(armature):
    action = armature.animation_data.action
    return action.motion_editing["saved_models"][str(armature.animation_data.action_slot.handle)]


def relayout(entry, name, layout):
    changed = json.loads(entry["layout"])
    changed[name] = layout
    entry["layout"] = json.dumps(changed)
    del entry["checksum"]


def replaced(entry, name, value):
    del entry["data"][name], entry["checksum"]
    if value is not None:
        entry["data"][name] = value


def packed(count):
    return zlib.compress(bytes(count), 9)


DAMAGES = {
    "no group": lambda entry: None,
    "no version": lambda entry: entry.pop("version"),
    "a version that never was": lambda entry: entry.update({"version": 0}),
    "a version without a migration": lambda entry: entry.update({"version": 1}),
    "a text as version": lambda entry: entry.update({"version": "3"}),
    "no layout": lambda entry: entry.pop("layout"),
    "no JSON": lambda entry: entry.update({"layout": "{"}),
    "a list as layout": lambda entry: entry.update({"layout": "[]"}),
    "no data": lambda entry: entry.pop("data"),
    "one bit": lambda entry: entry["data"]["double"].__setitem__(0, 0.5),
    "another checksum": lambda entry: entry.update({"checksum": "00000000"}),
    "truncated": lambda entry: replaced(entry, "double", np.zeros(4)),
    "gone": lambda entry: replaced(entry, "double", None),
    "of another kind": lambda entry: replaced(entry, "double", "text"),
    "not a number": lambda entry: replaced(entry, "double", np.full(5, np.nan)),
    "truncated bytes": lambda entry: replaced(entry, "compact", bytes(entry["data"]["compact"])[:-5]),
    "other bytes": lambda entry: replaced(entry, "compact", b"x" * 200),
    "more bytes": lambda entry: replaced(entry, "compact", packed(60 * 4 * 8 + 1)),
    "fewer bytes": lambda entry: replaced(entry, "compact", packed(60 * 4 * 8 - 1)),
    "a size too small": lambda entry: relayout(entry, "double", ["<f8", [-5]]),
    "a size that is none": lambda entry: relayout(entry, "double", ["<f8", [5.0]]),
    "objects": lambda entry: relayout(entry, "double", ["|O8", [5]]),
    "an absurd size": lambda entry: relayout(entry, "double", ["<f8", [10**12]]),
    "an absurd size of nothing": lambda entry: relayout(entry, "empty", ["<f8", [0, 10**12]]),
    "an absurd size of bytes": lambda entry: relayout(entry, "compact", ["<f8", [10**12, 4], "<f8"]),
    "an unknown value": lambda entry: entry["data"].update({"unknown": 1}),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_data_are_one_line_and_can_be_removed(armature, name):
    DAMAGES[name](models_of(armature)["model"])
    if name == "no group":
        del models_of(armature)["model"]
        models_of(armature)["model"] = "text"
    tracemalloc.start()
    with pytest.raises(DamagedDataError) as refused:
        load(*place_of(armature), MODEL)
    assert tracemalloc.get_traced_memory()[1] < MEGABYTE
    tracemalloc.stop()
    assert str(refused.value) == MODEL.damaged
    assert remove(*place_of(armature), MODEL)
    assert names(*place_of(armature)) == ()
    save_on(armature)
    assert load(*place_of(armature), MODEL).arrays.keys() == ARRAYS.keys()


def test_bytes_that_become_far_more_are_refused_before_they_do(armature):
    entry = models_of(armature)["model"]
    replaced(entry, "compact", packed(40 * MEGABYTE))
    tracemalloc.start()
    with pytest.raises(DamagedDataError):
        load(*place_of(armature), MODEL)
    assert tracemalloc.get_traced_memory()[1] < MEGABYTE
    tracemalloc.stop()


def test_newer_data_are_named_and_can_be_removed(armature):
    models_of(armature)["model"]["version"] = MODEL.version + 1
    with pytest.raises(NewerDataError) as refused:
        load(*place_of(armature), MODEL)
    assert str(refused.value) == MODEL.newer
    assert remove(*place_of(armature), MODEL)


def test_each_version_is_migrated_to_the_next(armature):
    later = replace(
        MODEL,
        version=5,
        migrations={
            3: lambda values: {**values, "x": values["count"]},
            4: lambda values: {**values, "x": values["x"] + 1},
        },
    )
    assert load(*place_of(armature), later).arrays["x"] == ARRAYS["count"] + 1
    assert "x" not in load(*place_of(armature), MODEL).arrays


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_has_one_line_for_each_case_and_a_migration_from_every_version(kind):
    for line in (kind.damaged, kind.newer):
        assert "\n" not in line
        assert 20 < len(line) < 120
    assert sorted(kind.migrations) == list(range(1, kind.version))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "1",
        '{"version": 0}',
        '{"version": "1"}',
        '{"version": 1}',
        '{"pairs": 1}',
        '{"version": 1, "x": 2}',
    ],
)
def test_damaged_documents_are_one_line(text):
    with pytest.raises(DamagedDataError) as refused:
        saved_state.from_text(saved_state.MAPPING.named("a.json"), text)
    assert str(refused.value) == "a.json is no mapping: choose a file that Save Mapping wrote"


def test_newer_documents_are_named():
    with pytest.raises(NewerDataError, match=r"a\.json was saved by a newer version of the extension"):
        saved_state.from_text(saved_state.MAPPING.named("a.json"), '{"version": 2, "anything": [1]}')


def test_newer_body_parts_are_told_and_found_again():
    bpy.ops.motion_editing.load_sample_motion()
    bpy.context.object.motion_editing.body = '{"version": 99, "shape": "of another kind"}'
    with pytest.raises(RuntimeError, match="The saved body parts are from a newer version of the extension"):
        bpy.ops.motion_editing.find_contacts()
    assert bpy.ops.motion_editing.find_character() == {"FINISHED"}
    assert bpy.ops.motion_editing.find_contacts() == {"FINISHED"}
