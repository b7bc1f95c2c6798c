"""Things that went wrong once: redo, modifiers, shared actions, odd parents, empty curves."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.armature import why_sampled
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys, chain_armature, key_bones

BAKED = list(range(1, 41))


def evaluated(armature):
    return action_io.read(armature, rate=24.0).raw


def test_running_the_same_operator_again_works_again():
    """A redo runs execute on the operator that has run before."""
    armature = chain_armature(2)
    key_bones(armature, BAKED)
    bpy.ops.motion_editing.convert_keys("INVOKE_DEFAULT", True, keying="REDUCED", rotation_error=0.3)
    many = sum(len(c.keyframe_points) for c in action_io.channelbag(armature).fcurves)
    last = bpy.context.window_manager.operators[-1]
    last.properties.keying = "EVERY_FRAME"
    last.execute(bpy.context) if hasattr(last, "execute") else bpy.ops.screen.repeat_last()
    again = sum(len(c.keyframe_points) for c in action_io.channelbag(armature).fcurves)
    assert again > many


@pytest.mark.parametrize("keying", ["EVERY_FRAME", "REDUCED"])
def test_modifiers_are_not_written_into_the_keys(keying):
    armature = chain_armature(1)
    key_bones(armature, BAKED)
    curve = action_io.channelbag(armature).fcurves[0]
    offset = curve.modifiers.new("GENERATOR")
    offset.use_additive = True
    offset.coefficients = (5.0, 0.0)
    before = evaluated(armature)
    bpy.ops.motion_editing.convert_keys(keying=keying, location_error=0.001)
    for prop, values in evaluated(armature).items():
        np.testing.assert_allclose(values, before[prop], atol=0.02)


def test_two_armatures_that_share_an_action_are_edited_once():
    first = chain_armature(2)
    key_bones(first, BAKED)
    second = first.copy()
    bpy.context.scene.collection.objects.link(second)
    expected = chain_armature(2, name="Alone")
    expected.animation_data_create().action = first.animation_data.action.copy()
    expected.animation_data.action_slot = expected.animation_data.action.slots[0]
    bpy.ops.motion_editing.smooth(radius=0.1)
    wanted = [c.keyframe_points[9].co[1] for c in action_io.channelbag(expected).fcurves]
    for thing in (first, second):
        thing.select_set(True)
    expected.select_set(False)
    bpy.context.view_layer.objects.active = first
    bpy.ops.object.mode_set(mode="POSE")
    for thing in (first, second):
        for bone in thing.pose.bones:
            select(bone, False)
    bpy.ops.motion_editing.smooth(radius=0.1)
    assert [c.keyframe_points[9].co[1] for c in action_io.channelbag(first).fcurves] == pytest.approx(wanted, abs=1e-5)


def test_an_edit_that_changes_nothing_keeps_no_original():
    armature = chain_armature(2)
    key_bones(armature, [1, 20, 40])
    bpy.ops.motion_editing.continuous_rotations()
    assert armature.animation_data.action.motion_editing.original is None
    assert len(bpy.data.actions) == 1


def test_restoring_leaves_other_slots_alone():
    armature = chain_armature(2)
    action = key_bones(armature, BAKED)
    before = all_keys(action)
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    other.keyframe_insert("location", frame=5)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", rotation_error=0.3)
    other.keyframe_insert("location", frame=9)
    bpy.ops.motion_editing.restore_original()
    after = all_keys(armature.animation_data.action)
    assert {k: v for k, v in after.items() if k[0] != "OBOther"} == before
    assert len(action_io.channelbag(other).fcurves[0].keyframe_points) == 2


def test_shape_keys_come_back_too():
    armature = chain_armature(1)
    key_bones(armature, BAKED)
    mesh = bpy.data.objects.new("Face", bpy.data.meshes.new("Face"))
    mesh.data.from_pydata([(0, 0, 0)], [], [])
    bpy.context.scene.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    mesh.shape_key_add(name="Basis")
    smile = mesh.shape_key_add(name="Smile")
    for frame in BAKED:
        smile.value = 0.5 + 0.5 * np.sin(frame * 0.2)
        smile.keyframe_insert("value", frame=frame)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    keys = mesh.data.shape_keys
    assert len(action_io.channelbag(keys).fcurves[0].keyframe_points) < 40
    bpy.ops.motion_editing.restore_original()
    assert len(action_io.channelbag(keys).fcurves[0].keyframe_points) == 40


def test_curves_without_keys_do_not_stop_the_tools():
    armature = chain_armature(1)
    key_bones(armature, [1, 20, 40])
    empty = action_io.channelbag(armature).fcurves.new('["nothing"]')
    empty.modifiers.new("NOISE")
    armature["nothing"] = 0.0
    assert bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME") == {"FINISHED"}


def test_ranges_without_frames_and_keys_at_infinity_are_refused():
    armature = chain_armature(1)
    action = key_bones(armature, BAKED)
    action.motion_editing.examined = True
    action.motion_editing.skipped_frames = 100
    with pytest.raises(RuntimeError, match="holds no frames"):
        bpy.ops.motion_editing.convert_keys()
    action.motion_editing.skipped_frames = 0
    curve = action_io.channelbag(armature).fcurves[0]
    curve.keyframe_points[39].co[0] = 3.0e38
    with pytest.raises(RuntimeError, match="far out"):
        bpy.ops.motion_editing.convert_keys()


def test_the_scene_range_ends_with_the_action():
    armature = chain_armature(1)
    key_bones(armature, BAKED)
    bpy.context.scene.frame_end = 250
    assert scope.read_clip(bpy.context, armature, choice="SCENE").frames[-1] == 40


@pytest.mark.parametrize("case", ["scaled", "mirrored", "animated", "delta"])
def test_parents_that_core_cannot_follow_are_sampled(case):
    armature = chain_armature(2)
    key_bones(armature, BAKED)
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    armature.parent = parent
    if case == "scaled":
        parent.scale = (2, 2, 2)
    elif case == "mirrored":
        parent.scale = (-1, 1, 1)
    elif case == "animated":
        parent.keyframe_insert("location", frame=1)
    else:
        armature.delta_rotation_euler = (0.5, 0, 0)
    bpy.context.view_layer.update()
    assert why_sampled(armature)


def test_spins_and_missing_components_stay_when_every_frame_is_keyed():
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((1, 0.0), (10, 31.4)):
        bone.rotation_euler = (turn, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    assert action_io.channelbag(armature).fcurves[0].evaluate(10) == pytest.approx(31.4, abs=1e-4)


def test_smoothing_that_sparse_keys_cannot_follow_says_so(capfd):
    armature = chain_armature(1, connected=False)
    bone = armature.pose.bones[0]
    for frame, place in ((1, 0.0), (40, 2.0)):
        bone.location[0] = place
        bone.keyframe_insert("location", index=0, frame=frame)
    bpy.ops.motion_editing.smooth(radius=0.3)
    assert "Smoothed 1 bone" not in capfd.readouterr().out


def test_nonsense_numbers_give_one_line():
    armature = chain_armature(1)
    key_bones(armature, BAKED)
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.motion_editing.convert_keys(rotation_error=float("nan"))
    assert "Traceback" not in str(caught.value)
