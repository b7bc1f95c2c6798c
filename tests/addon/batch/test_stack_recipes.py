"""Recipes in the window: a stack saved as a recipe does the same to another clip, and stays editable there."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.key_arrays import keys_to_arrays, unpack_keys
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document.stack.parameters import group_of


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def keys_of(armature):
    return {key: values["co"].copy() for key, values in unpack_keys(keys_to_arrays(armature)).items()}


def stack_of(armature):
    return armature.animation_data.action.motion_editing_stack


def edited():
    armature = sample()
    bpy.ops.motion_editing.low_pass(cutoff=3.0, strength=0.8)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, "arm" in bone.name)
    bpy.ops.motion_editing.exaggerate_motion(amount=1.3)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.motion_editing.change_heading(angle=0.5)
    return armature


def test_a_saved_stack_does_the_same_to_another_clip(tmp_path):
    path = tmp_path / "my_edits.toml"
    armature = edited()
    expected = keys_of(armature)
    bpy.ops.motion_editing.save_recipe(filepath=str(path))
    steps = read_recipe(path).steps
    assert [step.edit for step in steps] == ["low_pass", "exaggerate_motion", "change_heading"]
    assert steps[0].values == {"cutoff": 3.0, "strength": 0.8}
    assert steps[2].values["angle"] == pytest.approx(np.degrees(0.5), abs=1e-3)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    other = sample()
    bpy.ops.motion_editing.run_recipe(filepath=str(path))
    found = keys_of(other)
    assert all(np.allclose(found[key], expected[key], atol=1e-4) for key in expected)
    assert [entry.name for entry in stack_of(other).entries] == ["Low Pass", "Exaggerate Motion", "Change Heading"]
    before = action_io.fingerprint(other)
    group_of(stack_of(other).entries[0]).cutoff = 2.0
    assert action_io.fingerprint(other) != before


def test_muted_edits_are_no_steps(tmp_path):
    armature = edited()
    stack_of(armature).entries[0].is_muted = True
    bpy.ops.motion_editing.save_recipe(filepath=str(tmp_path / "x.toml"))
    assert [step.edit for step in read_recipe(tmp_path / "x.toml").steps] == ["exaggerate_motion", "change_heading"]


def test_a_step_that_cannot_be_done_leaves_all_as_it_was(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('[[step]]\nedit = "low_pass"\n\n[[step]]\nedit = "bridge_gap"\n', encoding="utf-8")
    armature = sample()
    before = action_io.fingerprint(armature)
    with pytest.raises(RuntimeError, match="step 2"):
        bpy.ops.motion_editing.run_recipe(filepath=str(path))
    assert action_io.fingerprint(armature) == before
    assert not stack_of(armature).entries


def test_a_recipe_is_done_to_all_selected_characters(tmp_path):
    path = tmp_path / "all.toml"
    path.write_text('[[step]]\nedit = "low_pass"\n', encoding="utf-8")
    first, second = sample(), sample()
    first.select_set(True)
    second.select_set(True)
    bpy.ops.motion_editing.run_recipe(filepath=str(path))
    assert [len(stack_of(each).entries) for each in (first, second)] == [1, 1]


def test_a_wrong_recipe_is_told_in_one_line_and_nothing_is_done(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('[[step]]\nedit = "low_pas"\n', encoding="utf-8")
    sample()
    with pytest.raises(RuntimeError, match="low_pass"):
        bpy.ops.motion_editing.run_recipe(filepath=str(path))


def test_a_share_is_part_of_the_recipe(tmp_path):
    path = tmp_path / "share.toml"
    armature = sample()
    bpy.ops.motion_editing.exaggerate_motion(amount=1.6)
    stack_of(armature).entries[0].influence = 0.25
    expected = keys_of(armature)
    bpy.ops.motion_editing.save_recipe(filepath=str(path))
    assert read_recipe(path).steps[0].influence == 0.25
    bpy.ops.wm.read_factory_settings(use_empty=True)
    other = sample()
    bpy.ops.motion_editing.run_recipe(filepath=str(path))
    found = keys_of(other)
    assert all(np.allclose(found[key], expected[key], atol=1e-5) for key in expected)
    assert stack_of(other).entries[0].influence == 0.25
    bpy.ops.motion_editing.low_pass()
    assert [entry.message for entry in stack_of(other).entries] == ["", ""]
    assert stack_of(other).entries[1].tool == "low_pass"
