"""Every operator works in the background, called by name with properties only."""

from __future__ import annotations

import re

import bpy
import pytest
from batch_calls import (
    CALLS,
    ONLY_WITH_A_WINDOW,
    RETARGETED,
    call,
    do,
    operators,
    own_properties,
    prepare,
    working_operators,
)
from batch_scenes import open_scene, second_figure
from motion_editing.motion_editing_addon.batch.formats.blender_errors import reason_of
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.recipes.steps import StepError, apply_steps


@pytest.fixture(autouse=True)
def figure(empty_scene) -> None:
    open_scene()


def test_every_operator_does_its_work():
    """One test for all: which operators there are is known only when the add-on is registered."""
    reasons = {name: why_it_failed(name) for name in working_operators()}
    failures = [f"{name}: {reason}" for name, reason in reasons.items() if reason]
    assert not failures, "\n".join(failures)


def why_it_failed(name: str) -> str | None:
    try:
        prepare(name)
        return None if do(name) == {"FINISHED"} else "it did not finish"
    except (RuntimeError, TypeError) as error:
        return reason_of(error)


def steps_of(folder, text: str) -> tuple:
    path = folder / "recipe.toml"
    path.write_text(text)
    return read_recipe(path).steps


def test_without_feet_a_step_is_told_that_sets_them_and_it_does(tmp_path):
    call("find_character")
    for side in ("left", "right"):
        call("clear_role", {"role": f"{side} leg"})
    lock = '[[step]]\nedit = "lock_feet"\n'
    with pytest.raises(StepError, match="No feet are set: set them by a step before, such as") as refused:
        apply_steps(bpy.context.object, steps_of(tmp_path, lock))
    told = re.search(r"(edit = .*) and (with = .*})$", str(refused.value))
    assert told, str(refused.value)
    assert "panel" not in str(refused.value)
    apply_steps(bpy.context.object, steps_of(tmp_path, f"[[step]]\n{told[1]}\n{told[2]}\n" + lock))


def test_a_part_of_one_bone_is_told_by_its_own_name():
    told = reason_of(RuntimeError("Error: No head is set: choose it in the Character panel\n"))
    assert 'set it by a step before, such as edit = "set_role" and with = { role = "head", bones = "Name" }' in told


@pytest.mark.parametrize(("name", "reason"), ONLY_WITH_A_WINDOW.items())
def test_what_belongs_to_a_window_says_so(name, reason):
    with pytest.raises(RuntimeError, match=reason):
        call(name)


def test_files_are_written_and_read(tmp_path):
    path = tmp_path / "clip.bvh"
    assert call("export_bvh", {"filepath": str(path)}) == {"FINISHED"}
    assert call("import_bvh", {"filepath": str(path)}) == {"FINISHED"}
    assert bpy.context.object.name == "clip"


def test_a_mapping_is_saved_and_loaded(tmp_path):
    second_figure()
    for name, properties in RETARGETED:
        call(name, properties)
    path = tmp_path / "mapping.json"
    assert call("save_mapping", {"filepath": str(path)}) == {"FINISHED"}
    assert call("load_mapping", {"filepath": str(path)}) == {"FINISHED"}


def test_gestures_on_the_strip_let_the_mouse_pass_where_there_is_no_window():
    """They have no properties: what they mean is told by the place of the mouse over a lane."""
    gestures = [name for name in dir(bpy.ops.motion_editing) if name.startswith("strip_") and not own_properties(name)]
    assert len(gestures) >= 5
    before = bpy.context.object.animation_data.action.frame_range[:]
    for name in gestures:
        operator = getattr(bpy.ops.motion_editing, name)
        if operator.poll():
            assert operator("EXEC_DEFAULT") == {"PASS_THROUGH"}, name
    assert bpy.context.object.animation_data.action.frame_range[:] == before


def test_no_line_of_the_table_is_left_from_an_operator_that_is_gone():
    assert set(CALLS) <= set(operators())
