"""Baking a pose tree writes a new action; the clip that was there stays as it is."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import model
from tree_rigs import channels, rig_with_tree

OPERATORS = bpy.ops.motion_editing
RANGE = {"use_scene": False, "first": 1, "last": 10}


@pytest.fixture
def clip():
    """A character with a clip of its own and a live tree that shows one of its poses."""
    armature, poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    action.name = "Walk"
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    return armature, action, rigs.all_keys(action), poses[1]


def test_a_new_action_is_written_and_the_clip_stays_bit_for_bit(clip, capfd):
    armature, action, before, pose = clip
    capfd.readouterr()
    assert OPERATORS.bake_pose_tree(**RANGE) == {"FINISHED"}
    assert rigs.all_keys(action) == before
    assert not any(curve.mute for curve in action.layers[0].strips[0].channelbags[0].fcurves)
    assert armature.animation_data.action.name == "Walk Baked"
    assert ", into 'Walk Baked'; 'Walk' stays as it is" in capfd.readouterr().out
    bpy.context.scene.frame_set(5)
    np.testing.assert_allclose(channels(armature), pose, atol=2e-6)
    assert armature.animation_data.action.motion_editing.original is None


def test_both_actions_are_in_the_file(clip, tmp_path):
    _armature, action, _before, _pose = clip
    OPERATORS.bake_pose_tree(**RANGE)
    assert action.use_fake_user
    path = str(tmp_path / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert {"Walk", "Walk Baked"} <= set(bpy.data.actions.keys())
    assert bpy.data.objects["Rig"].animation_data.action.name == "Walk Baked"


def test_this_action_is_written_where_that_is_asked_for(clip, capfd):
    armature, action, before, _pose = clip
    capfd.readouterr()
    assert OPERATORS.bake_pose_tree(**RANGE, result="THIS") == {"FINISHED"}
    assert armature.animation_data.action == action
    assert rigs.all_keys(action) != before
    assert "stays as it is" not in capfd.readouterr().out


def test_a_character_without_an_action_gets_one():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    OPERATORS.bake_pose_tree(**RANGE)
    assert len(bpy.data.actions) == 1
    assert len(armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves)


def test_a_refused_or_needless_bake_leaves_no_new_action(clip):
    armature, action, before, _pose = clip
    action.layers[0].strips[0].channelbags[0].fcurves[3].lock = True
    with pytest.raises(RuntimeError, match="is locked"):
        OPERATORS.bake_pose_tree(**RANGE)
    action.layers[0].strips[0].channelbags[0].fcurves[3].lock = False
    assert model.tree_of(armature).live
    OPERATORS.bake_pose_tree(**RANGE, result="THIS")
    baked = rigs.all_keys(action)
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.bake_pose_tree(**RANGE)
    assert [each.name for each in bpy.data.actions if "Baked" in each.name] == []
    assert armature.animation_data.action == action
    assert rigs.all_keys(action) == baked != before


def test_the_nla_is_not_written_behind_its_back(clip):
    armature, action, _before, _pose = clip
    data = armature.animation_data
    strip = data.nla_tracks.new().strips.new("Walk", 1, action)
    data.action = None
    data.nla_tracks[0].select = strip.select = True
    bpy.context.view_layer.objects.active = armature
    data.use_tweak_mode = True
    with pytest.raises(RuntimeError, match=r"tweak mode to make a new action, or choose Result: This Action"):
        OPERATORS.bake_pose_tree(**RANGE)


def test_undo_brings_the_clip_back(clip):
    before = clip[2]
    bpy.ops.ed.undo_push(message="live")
    OPERATORS.bake_pose_tree(**RANGE)
    bpy.ops.ed.undo_push(message="baked")
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Rig"]
    assert armature.animation_data.action.name == "Walk"
    assert rigs.all_keys(bpy.data.actions["Walk"]) == before
    assert "Walk Baked" not in bpy.data.actions
    assert model.tree_of(armature).live
