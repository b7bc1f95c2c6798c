"""Transitions into another action, and gaps that are bridged."""

import bpy
import numpy as np
import pytest
from blended_sample import assert_same, preview, read, sample, with_mirrored_action
from motion_editing.core.blending import find_transition, transition
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.key_splits import split_at
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document.character.saved_body import body_of
from rigs import all_keys, chain_armature, key_bones

# Transitions


def test_a_transition_is_what_core_gives_and_keys_before_it_stay(capsys):
    armature, other = with_mirrored_action()
    first, second = read(armature), read(armature, other)
    body = body_of(armature, action_io.read(armature, rate=first.rate))
    expected = transition(first, second, body, length=0.4)
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.append_transition(action=other.name, length=0.4)
    assert_same(read(armature), expected.motion)
    place = find_transition(first, second, body, length=0.4)
    told = capsys.readouterr().out
    assert f"leaves at frame {place.first + 1}, enters 'Mirrored' at its frame {place.second + 1}" in told
    after = all_keys(armature.animation_data.action)
    kept = np.frombuffer(next(iter(after.values()))["co"], dtype=np.float32)[: 2 * place.first]
    assert (kept == np.frombuffer(next(iter(before.values()))["co"], dtype=np.float32)[: 2 * place.first]).all()


def test_chosen_frames_and_a_new_action():
    armature, other = with_mirrored_action()
    own = armature.animation_data.action
    before, first = all_keys(own), read(armature)
    bpy.ops.motion_editing.append_transition(
        action=other.name, automatic=False, leave_frame=50, enter_frame=11, length=0.5, result="NEW"
    )
    assert all_keys(own) == before
    made = armature.animation_data.action
    assert made not in (own, other)
    assert "Append Transition" in made.name
    found = read(armature)
    assert len(found) == 49 + len(first) - 10
    assert_same(found.part(0, 50), first.part(0, 50))


def test_a_bridge_adds_frames_between_two_poses():
    armature, other = with_mirrored_action()
    first = read(armature)
    bpy.ops.motion_editing.append_transition(action=other.name, method="GAP", length=0.5)
    assert len(read(armature)) == 2 * len(first) + round(0.5 * first.rate) - 1
    assert_same(read(armature).part(0, len(first)), first)


def sparse_chain():
    armature = chain_armature(3, connected=False)
    key_bones(armature, [1, 9, 20, 31, 40])
    return armature


def append_itself(armature, **values):
    bpy.ops.motion_editing.append_transition(
        action=armature.animation_data.action.name,
        automatic=False,
        leave_frame=30,
        enter_frame=5,
        length=0.2,
        **values,
    )


def key_frames(armature):
    return [[key.co.x for key in curve.keyframe_points] for curve in action_io.channelbag(armature).fcurves]


def test_appended_sparse_keys_stay_before_the_transition_and_few_come_after_it(capsys):
    armature = sparse_chain()
    motion = read(armature)
    append_itself(armature)
    found = read(armature)
    assert_same(found.part(0, 30), motion.part(0, 30), within=2e-5)
    # Frame 5 comes at frame 30: the other keys follow 25 frames later.
    for frames in key_frames(armature):
        assert frames[:4] == [1.0, 9.0, 20.0, 30.0]
        assert {45.0, 56.0, 65.0} <= set(frames)
        assert len(frames) < 20
    assert "few keys, within 0." in capsys.readouterr().out


@pytest.mark.parametrize("bound", [0.002, 0.02])
def test_few_keys_of_a_new_part_keep_their_errors(bound):
    append_itself(sparse_chain(), keying="EVERY_FRAME")
    wanted = read(bpy.context.object)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    append_itself(sparse_chain(), rotation_error=bound, location_error=bound)
    found = read(bpy.context.object)
    assert 0.3 * bound < quaternion.angle_between(found.rotations, wanted.rotations).max() <= bound
    assert np.linalg.norm(found.locations - wanted.locations, axis=-1).max() <= bound


def test_every_frame_of_a_new_part_has_a_key_if_wanted():
    armature = sparse_chain()
    append_itself(armature, keying="EVERY_FRAME")
    for frames in key_frames(armature):
        assert frames == [1.0, 9.0, 20.0, *range(21, 66)]


def test_bones_that_the_other_action_has_baked_are_baked_after_the_transition():
    armature = sparse_chain()
    own = armature.animation_data.action
    other = own.copy()
    armature.animation_data.action = other
    armature.data.bones.active = armature.data.bones["bone1"]
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    armature.animation_data.action = own
    bpy.ops.motion_editing.append_transition(
        action=other.name, automatic=False, leave_frame=30, enter_frame=5, length=0.2
    )
    for curve in action_io.channelbag(armature).fcurves:
        frames = {key.co.x for key in curve.keyframe_points}
        assert ("bone1" in curve.data_path) == (set(range(31, 66)) <= frames)


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR", "CONSTANT", "BOUNCE"])
def test_a_key_more_keeps_the_shape_of_a_curve(interpolation):
    armature = sparse_chain()
    for curve in action_io.channelbag(armature).fcurves:
        for key in curve.keyframe_points:
            key.interpolation = interpolation
            key.handle_right_type = key.handle_left_type = "FREE"
            key.handle_right.x += 4.0  # longer than the way to the next key together with its handle
            key.handle_right.y += 0.3
        before = [curve.evaluate(frame) for frame in np.linspace(1, 40, 157)]
        split_at(curve, 27.0)
        split_at(curve, 20.0)
        split_at(curve, 50.0)
        after = [curve.evaluate(frame) for frame in np.linspace(1, 40, 157)]
        np.testing.assert_allclose(after, before, atol=3e-5)
        assert len(curve.keyframe_points) == (5 if interpolation == "BOUNCE" else 6)


def test_reduced_keys_are_fewer():
    armature, other = with_mirrored_action()
    bpy.ops.motion_editing.append_transition(action=other.name, length=0.4)
    dense = sum(len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature, other = with_mirrored_action()
    bpy.ops.motion_editing.append_transition(action=other.name, length=0.4, keying="REDUCED")
    assert sum(len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves) < 0.8 * dense


# Bridge Gap


def test_a_bridged_gap_leaves_all_around_it():
    armature = sample()
    before = read(armature)
    preview(40, 60)
    bpy.ops.motion_editing.bridge_gap(range="PREVIEW")
    after = read(armature)
    changed = np.flatnonzero((after.rotations != before.rotations).any(axis=(1, 2))) + 1
    assert changed.min() >= 41
    assert changed.max() <= 59
    steps = quaternion.angle_between(after.rotations[1:], after.rotations[:-1])[38:60]
    assert steps.max() < 3.0 * quaternion.angle_between(before.rotations[1:], before.rotations[:-1]).max()


def test_a_carried_rest_has_the_same_poses():
    armature = sample()
    before = read(armature)
    preview(40, 60)
    bpy.ops.motion_editing.bridge_gap(range="PREVIEW", carry=True)
    after = read(armature)
    assert len(after) == len(before)
    arm = before.skeleton.index["forearm.L"]
    assert quaternion.angle_between(after.rotations[60:, arm], before.rotations[60:, arm]).max() < 1e-5


def test_a_gap_needs_motion_on_both_sides():
    sample()
    with pytest.raises(RuntimeError, match="motion before and after it"):
        bpy.ops.motion_editing.bridge_gap(range="ACTION")
