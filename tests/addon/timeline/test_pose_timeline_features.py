"""Features carried from a reference to windows, and edits of one window carried to all."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_state import WINDOW
from motion_editing.motion_editing_addon.document import scope, watched_keys
from rigs import all_keys, chain_armature, key_bones
from test_pose_timeline import END, START, motion_of, paint, punches, sample, ticked, timeline

__all__ = ["punches", "sample"]


def rows(start, end):
    return slice(int(np.ceil(start)) - 1, int(np.floor(end)))


def mean_angle(motion, joint, start, end, other_start, other_end):
    means = [
        quaternion.mean(motion.rotations[rows(*span), joint : joint + 1])[0]
        for span in ((start, end), (other_start, other_end))
    ]
    return 2.0 * np.arccos(min(1.0, abs(float(means[0] @ means[1]))))


def changed_bones(before, after):
    return {identity[1].split('"')[1] for identity in after if after[identity] != before[identity]}


def test_the_mean_of_the_operation_window_goes_to_all_ticked(punches):
    paint(punches, "upper_arm.R")
    before, keys = motion_of(punches), all_keys(punches.animation_data.action)
    assert bpy.ops.motion_editing.transfer_mean(ease=0.0) == {"FINISHED"}
    after = motion_of(punches)
    joint = before.skeleton.index["upper_arm.R"]
    for start, end in ticked(punches):
        assert mean_angle(after, joint, START, END, start, end) < 0.1 * mean_angle(
            before, joint, START, END, start, end
        )
    np.testing.assert_array_equal(after.rotations[rows(START, END)], before.rotations[rows(START, END)])
    assert changed_bones(keys, all_keys(punches.animation_data.action)) == {"upper_arm.R"}


def test_one_window_alone_is_changed_when_it_is_the_target(punches):
    paint(punches, "upper_arm.R")
    first, second = [number for number, item in enumerate(timeline(punches).windows) if item.ticked][:2]
    before = motion_of(punches)
    bpy.ops.motion_editing.transfer_variance(source_window=first, target=second)
    changed = 1 + np.flatnonzero((motion_of(punches).rotations != before.rotations).any(axis=(1, 2)))
    item = timeline(punches).windows[second]
    assert len(changed)
    assert changed[0] >= item.start
    assert changed[-1] <= item.end


def test_the_reference_may_be_another_action_or_character(punches):
    other = bpy.data.objects.new("Other", punches.data)
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_create().action = punches.animation_data.action.copy()
    other.animation_data.action.name = "Reference"
    other.animation_data.action_slot = other.animation_data.action.slots[0]
    paint(punches, "head")
    before = all_keys(punches.animation_data.action)
    options = {"reference_start": 20.0, "reference_end": 60.0, "target": -1}
    bpy.ops.motion_editing.transfer_mean(reference="OBJECT", reference_object="Other", **options)
    by_object = all_keys(punches.animation_data.action)
    assert changed_bones(before, by_object) == {"head"}
    bpy.ops.motion_editing.restore_original()
    bpy.data.objects.remove(other)
    bpy.ops.motion_editing.transfer_mean(reference="ACTION", reference_action="Reference", **options)
    assert all_keys(punches.animation_data.action) == by_object
    with pytest.raises(RuntimeError, match="Choose the action"):
        bpy.ops.motion_editing.transfer_mean(reference="ACTION")
    with pytest.raises(RuntimeError, match="Choose an animated armature"):
        bpy.ops.motion_editing.transfer_mean(reference="OBJECT")
    with pytest.raises(RuntimeError, match="must lie within 1 to"):
        bpy.ops.motion_editing.transfer_mean(
            reference="ACTION", reference_action="Reference", reference_start=20, reference_end=9999
        )


def test_a_hand_follows_the_path_of_the_operation_window(punches):
    paint(punches, "hand.R")
    before = motion_of(punches)
    assert bpy.ops.motion_editing.transfer_trajectory() == {"FINISHED"}
    after = motion_of(punches)
    changed = (after.rotations != before.rotations).any(axis=(0, 2))
    names = {name for name, each in zip(before.skeleton.names, changed, strict=True) if each}
    assert names == {"upper_arm.R", "forearm.R", "hand.R"}


def test_coordination_keeps_what_is_not_painted(punches):
    paint(punches, "upper_arm.R", "forearm.R")
    before = all_keys(punches.animation_data.action)
    assert bpy.ops.motion_editing.transfer_coordination() == {"FINISHED"}
    assert changed_bones(before, all_keys(punches.animation_data.action)) <= {"upper_arm.R", "forearm.R"}
    with pytest.raises(RuntimeError, match="needs other painting"):
        bpy.ops.motion_editing.transfer_coordination(shift="LIMB_COORDINATION")


@pytest.mark.parametrize("name", ["transfer_mean", "transfer_variance", "transfer_trajectory", "transfer_coordination"])
def test_transfers_without_painting_are_refused(punches, name):
    before = all_keys(punches.animation_data.action)
    with pytest.raises(RuntimeError, match="Paint "):
        getattr(bpy.ops.motion_editing, name)()
    assert all_keys(punches.animation_data.action) == before


def test_without_a_ticked_window_there_is_nothing_to_carry_to(punches):
    paint(punches, "head")
    bpy.ops.motion_editing.tick_all_windows(ticked=False)
    with pytest.raises(RuntimeError, match="enable windows"):
        bpy.ops.motion_editing.transfer_mean()
    with pytest.raises(RuntimeError, match="No window is enabled"):
        bpy.ops.motion_editing.propagate_edit()


# Edit one, change all


def bend_head(armature, start, end, angle=0.4):
    """Turn the head by hand within a window, most in its middle."""
    clip = scope.read_clip(bpy.context, armature)
    head = clip.motion.skeleton.index["head"]
    rotations = np.array(clip.motion.rotations)
    chosen = rows(start, end)
    count = chosen.stop - chosen.start
    half = 0.5 * angle * np.sin(np.linspace(0.0, np.pi, count)) ** 2
    turn = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=-1)
    rotations[chosen, head] = quaternion.multiply(rotations[chosen, head], turn)
    action_io.write(clip, clip.motion.with_rotations(rotations))
    return head


def test_an_edit_of_one_window_is_carried_to_all_ticked(punches):
    before = motion_of(punches)
    head = bend_head(punches, START, END)
    assert watched_keys.state(punches, WINDOW, exact=True) is watched_keys.State.CHANGED
    edited = motion_of(punches)
    assert bpy.ops.motion_editing.propagate_edit() == {"FINISHED"}
    after = motion_of(punches)
    np.testing.assert_array_equal(after.rotations[rows(START, END)], edited.rotations[rows(START, END)])
    turned = 2.0 * np.arccos(np.clip(np.abs((after.rotations[:, head] * before.rotations[:, head]).sum(-1)), 0.0, 1.0))
    for start, end in ticked(punches):
        assert turned[rows(start, end)].max() == pytest.approx(0.4, abs=0.03)
    others = np.arange(len(before.skeleton)) != head
    np.testing.assert_array_equal(after.rotations[:, others], before.rotations[:, others])
    assert watched_keys.state(punches, WINDOW, exact=True) is watched_keys.State.CURRENT
    keys = all_keys(punches.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(punches.animation_data.action) == keys, "an edit is carried once"


def test_remember_starts_a_new_edit(punches):
    bend_head(punches, START, END)
    bpy.ops.motion_editing.remember_window()
    keys = all_keys(punches.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(punches.animation_data.action) == keys


def test_memory_survives_saving(punches, tmp_path):
    bend_head(punches, START, END)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    keys = all_keys(bpy.context.object.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert changed_bones(keys, all_keys(bpy.context.object.animation_data.action)) == {"head"}


# Sparse keys


@pytest.fixture
def sparse(empty_scene):
    """A chain that swings to and fro, with a key on every eighth frame."""
    armature = chain_armature(3)
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
    for number, frame in enumerate(range(1, 98, 8)):
        for bone in armature.pose.bones:
            bone.rotation_euler = (0.6 * np.sin(number * np.pi / 2.0), 0.0, 0.2 * np.cos(number * np.pi / 2.0))
            bone.keyframe_insert("rotation_euler", frame=frame)
    return armature


def test_sparse_keys_stay_sparse(sparse):
    bpy.ops.motion_editing.find_similar(start=33, end=65)
    bpy.ops.motion_editing.tick_all_windows(ticked=False)
    assert bpy.ops.motion_editing.stretch_windows(factor=1.5, breakdowns=False, ease=0.0) == {"FINISHED"}
    curve = action_io.channelbag(sparse).fcurves[0]
    frames = [point.co[0] for point in curve.keyframe_points]
    assert len(frames) == 13
    assert frames[:5] == [1, 9, 17, 25, 33]
    np.testing.assert_allclose(frames[4:9], [33, 45, 57, 69, 81], atol=0.01)
    np.testing.assert_allclose(frames[8:], [81, 89, 97, 105, 113], atol=0.01)


def test_an_edit_is_carried_to_sparse_keys(sparse):
    bpy.ops.motion_editing.find_similar(start=33, end=57)
    assert ticked(sparse)
    curve = action_io.channelbag(sparse).fcurves[1]  # the first bone about its second axis, which rests
    curve.keyframe_points[5].co[1] = 0.3
    curve.update()
    count = len(curve.keyframe_points)
    assert bpy.ops.motion_editing.propagate_edit() == {"FINISHED"}
    assert len(action_io.channelbag(sparse).fcurves[1].keyframe_points) == count
    assert sum(abs(point.co[1]) > 0.1 for point in action_io.channelbag(sparse).fcurves[1].keyframe_points) > 1


def test_random_keys_can_be_searched(empty_scene):
    armature = chain_armature(3)
    key_bones(armature, [1, 11, 31, 61])
    assert bpy.ops.motion_editing.find_similar(start=5, end=30) == {"FINISHED"}
    assert timeline(armature).has_window
