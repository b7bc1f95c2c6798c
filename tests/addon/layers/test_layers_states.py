"""Layers when things change around them: keys, undo, files, rates, locks, other add-ons, the mode."""

import bpy
import numpy as np
import pytest
from layered_sample import BONE, FRAME, bone_at, keyed_layer, keys_of, motion_of, rows_of, sparse_rig, turn
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io, saved_state
from motion_editing.motion_editing_addon.border.saved_state import LAYERS
from motion_editing.motion_editing_addon.document import scope, watched_keys
from motion_editing.motion_editing_addon.interface.drawing import viewport
from motion_editing.motion_editing_addon.layers import session
from motion_editing.motion_editing_addon.layers.mode import layer_mode
from rigs import all_keys, chain_armature, key_bones
from tweak_mode import in_tweak_mode


@pytest.fixture
def sample(empty_scene):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.context.scene.frame_set(FRAME)
    return bpy.context.object


def curve_of(armature, bone, index=0):
    curves = action_io.channelbag(armature).fcurves
    return curves.find(f'pose.bones["{bone}"].rotation_quaternion', index=index)


def key_by_hand(armature, bone, frame):
    """What auto keying does: pose the bone and put keys into the action."""
    wanted = turn(armature, bone)
    armature.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)
    return wanted


def shapes(keys):
    """All of the keys but what is selected: that is the user's."""
    return {curve: {k: v for k, v in all_of.items() if not k.startswith("select")} for curve, all_of in keys.items()}


def test_keys_changed_outside_are_noticed_and_taken_over(sample):
    keyed_layer(sample)
    curve_of(sample, "head", 1).keyframe_points[10].co[1] += 0.1
    changed = motion_of(sample)
    assert watched_keys.state(sample, LAYERS, exact=True) is watched_keys.State.CHANGED
    bpy.ops.motion_editing.duplicate_layer()
    bpy.ops.motion_editing.remove_layer()
    assert quaternion.angle_between(motion_of(sample).rotations, changed.rotations).max() < 2e-6
    assert watched_keys.state(sample, LAYERS, exact=True) is watched_keys.State.CURRENT
    rows_of(sample)[0].muted = True
    without = motion_of(sample)
    index = without.skeleton.index
    assert (
        quaternion.angle_between(without.rotations[:, index["head"]], changed.rotations[:, index["head"]]).max() < 2e-6
    )
    assert quaternion.angle_between(without.rotations[:, index[BONE]], changed.rotations[:, index[BONE]]).max() > 0.5


def test_keys_set_by_hand_go_into_the_layer(sample):
    keyed_layer(sample)
    others = keys_of(sample)
    bpy.context.scene.frame_set(FRAME + 8)
    wanted = key_by_hand(sample, BONE, FRAME + 8)
    bpy.ops.motion_editing.keys_to_layer()
    assert rows_of(sample)[0].key_frames == f"{FRAME}, {FRAME + 8}"
    assert quaternion.angle_between(bone_at(sample, FRAME + 8), wanted) < 1e-5
    untouched = {key: value for key, value in others.items() if BONE not in key[1]}
    assert {key: keys_of(sample)[key] for key in untouched} == untouched


def test_sparse_keys_set_by_hand_go_into_the_layer():
    armature = sparse_rig()
    before = keys_of(armature)
    bpy.context.scene.frame_set(30)
    bpy.ops.motion_editing.add_layer(reach=0.4)
    wanted = key_by_hand(armature, "bone2", 30)
    bpy.ops.motion_editing.keys_to_layer()
    assert session.load(armature).layers[0].joints == ("bone2",)
    assert quaternion.angle_between(bone_at(armature, 30, "bone2"), quaternion.normalize(wanted)) < 1e-5
    rows_of(armature)[0].muted = True
    assert keys_of(armature) == before


def test_the_mode_takes_keys_up_and_says_that_it_is_on(sample):
    bpy.ops.motion_editing.add_layer()
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.motion_editing.edit_layer()
    assert "Editing layer 'Layer'" in viewport.shown_modes()["layers"]
    with pytest.raises(RuntimeError, match="A layer is being edited"):
        bpy.ops.motion_editing.merge_layer()
    wanted = key_by_hand(sample, BONE, FRAME)
    layer_mode.take_up_keys()
    assert watched_keys.state(sample, LAYERS, exact=True) is watched_keys.State.CURRENT
    assert quaternion.angle_between(bone_at(sample, FRAME), wanted) < 1e-5
    keys = keys_of(sample)
    bpy.ops.motion_editing.apply_layer_edit()
    assert keys_of(sample) == keys
    assert viewport.shown_modes() == {}
    assert saved_state.names(sample.animation_data.action, "OBSample") == ("layers", "layers_base")


def test_keys_that_cannot_be_taken_up_stay_and_the_panel_says_why(sample):
    keyed_layer(sample)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.motion_editing.edit_layer()
    rows_of(sample)[0].muted = True
    key_by_hand(sample, "head", FRAME)
    keys, settings = keys_of(sample), sample.animation_data.action.motion_editing_layers
    layer_mode.take_up_keys()
    assert "unmute it" in settings.problem
    assert keys_of(sample) == keys
    settings.problem = ""
    layer_mode.take_up_keys()
    assert settings.problem == "", "what was refused must not be tried again and again"
    bpy.ops.motion_editing.cancel_layer_edit()
    assert not rows_of(sample)[0].muted
    assert watched_keys.state(sample, LAYERS, exact=True) is watched_keys.State.CURRENT


def test_apply_takes_up_the_pose_on_the_rig(sample):
    bpy.ops.motion_editing.add_layer()
    bpy.ops.motion_editing.edit_layer()
    wanted = turn(sample)
    bpy.ops.motion_editing.apply_layer_edit()
    assert quaternion.angle_between(bone_at(sample, FRAME), wanted) < 1e-5


def test_cancel_brings_the_layer_back(sample):
    keyed_layer(sample)
    before = keys_of(sample)
    bpy.ops.motion_editing.edit_layer()
    bpy.context.scene.frame_set(FRAME + 5)
    turn(sample)
    bpy.ops.motion_editing.key_layer()
    bpy.context.scene.frame_set(FRAME + 9)
    key_by_hand(sample, "head", FRAME + 9)
    sample.pose.bones["head"].location = (0.0, 0.1, 0.0)
    bpy.ops.motion_editing.cancel_layer_edit()
    assert shapes(keys_of(sample)) == shapes(before)
    assert rows_of(sample)[0].key_frames == f"{FRAME}"
    assert viewport.shown_modes() == {}
    assert bpy.ops.motion_editing.edit_layer.poll()


def test_undo_and_redo_follow(sample):
    bpy.ops.ed.undo_push(message="Loaded")
    before = keys_of(sample)
    for name in ("Low", "High"):
        keyed_layer(sample, name=name)
        bpy.ops.ed.undo_push(message=name)
    after = keys_of(sample)
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    armature = bpy.context.object
    assert keys_of(armature) == before
    assert session.load(armature) is None
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    armature = bpy.context.object
    assert keys_of(armature) == after
    assert [row.name for row in rows_of(armature)] == ["High", "Low"]
    rows_of(armature)[0].muted = rows_of(armature)[1].muted = True
    assert keys_of(armature) == before


def test_layers_are_saved_with_the_file_and_go_with_an_appended_action(sample, tmp_path):
    before, _wanted = keys_of(sample), keyed_layer(sample, name="Wave")
    bpy.ops.motion_editing.key_layer_influence(frame=FRAME + 4, value=0.25)
    after, name = keys_of(sample), sample.animation_data.action.name
    path = str(tmp_path / "layers.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    session.forget()
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.context.object
    assert keys_of(armature) == after
    rows_of(armature)[0].muted = True
    assert keys_of(armature) == before

    session.forget()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    with bpy.data.libraries.load(path) as (_there, here):
        here.actions = [name]
    other = bpy.context.object
    other.animation_data.action = here.actions[0]
    other.animation_data.action_slot = here.actions[0].slots[0]
    assert [row.name for row in rows_of(other)] == ["Wave"]
    rows_of(other)[0].muted = True
    assert {key[1:]: value for key, value in keys_of(other).items()} == {k[1:]: v for k, v in before.items()}


def test_a_copy_of_the_action_has_layers_of_its_own(sample):
    keyed_layer(sample)
    action = sample.animation_data.action
    kept = all_keys(action)
    copy = action.copy()
    sample.animation_data.action = copy
    sample.animation_data.action_slot = copy.slots[0]
    rows_of(sample)[0].influence = 0.2
    assert all_keys(action) == kept
    assert action.motion_editing_layers.layers[0].influence == 1.0


def test_another_source_rate_keeps_layers_on_their_frames(sample):
    wanted = keyed_layer(sample)
    sample.animation_data.action.motion_editing.source_rate = 60.0
    rows_of(sample)[0].influence = 0.5
    rows_of(sample)[0].influence = 1.0
    assert rows_of(sample)[0].key_frames == f"{FRAME}"
    motion = motion_of(sample)
    row = int(np.abs(motion.times * 60.0 - FRAME).argmin())
    assert quaternion.angle_between(motion.rotations[row, motion.skeleton.index[BONE]], wanted) < 1e-5


def test_a_locked_channel_is_refused_and_nothing_changes(sample):
    keyed_layer(sample)
    before = keys_of(sample)
    curve_of(sample, BONE).lock = True
    rows_of(sample)[0].influence = 0.5
    assert "locked" in sample.animation_data.action.motion_editing_layers.problem
    assert rows_of(sample)[0].influence == 1.0
    assert keys_of(sample) == before
    with pytest.raises(RuntimeError, match="locked"):
        bpy.ops.motion_editing.remove_layer()
    assert keys_of(sample) == before


def test_a_strip_that_is_tweaked_has_frames_of_its_own():
    armature = chain_armature(2)
    action = key_bones(armature, list(range(1, 41)))
    in_tweak_mode(armature, action)
    before = all_keys(action)
    bpy.context.scene.frame_set(120)
    bpy.ops.motion_editing.add_layer(reach=0.2)
    wanted = turn(armature, "bone1")
    bpy.ops.motion_editing.key_layer()
    row = action.motion_editing_layers.layers[0]
    assert row.key_frames == "20"
    assert quaternion.angle_between(bone_at(armature, 20, "bone1"), quaternion.normalize(wanted)) < 1e-5
    row.muted = True
    assert all_keys(action) == before


def test_frames_without_motion_are_refused(sample):
    bpy.ops.motion_editing.add_layer()
    with pytest.raises(RuntimeError, match="Frame 900 lies outside of the motion"):
        bpy.ops.motion_editing.key_layer(frame=900)
    with pytest.raises(RuntimeError, match="no layer 'Other'"):
        bpy.ops.motion_editing.key_layer(layer="Other")


def test_a_muted_layer_takes_no_key(sample):
    keyed_layer(sample)
    rows_of(sample)[0].muted = True
    turn(sample)
    before = keys_of(sample)
    with pytest.raises(RuntimeError, match="unmute it"):
        bpy.ops.motion_editing.key_layer()
    assert keys_of(sample) == before


def test_disabling_and_enabling_keeps_the_layers(sample, registered_addon):
    before = keys_of(sample)
    keyed_layer(sample)
    registered_addon.unregister()
    registered_addon.register()
    armature = bpy.context.object
    rows_of(armature)[0].muted = True
    assert keys_of(armature) == before


def test_without_layers_tools_say_what_to_do(sample):
    with pytest.raises(RuntimeError, match="use Add Layer"):
        bpy.ops.motion_editing.merge_all_layers()
    assert scope.why_not(bpy.context) is None
