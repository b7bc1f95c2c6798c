"""Blends, transitions and bridges as operators: what they write is what core gives, through F-curves."""

import bpy
import numpy as np
import pytest
from motion_editing.core import quaternion
from motion_editing.core.blending import blend, find_transition, transition
from motion_editing.motion_editing_addon import action_io
from motion_editing.motion_editing_addon.action_io.splitting import split_at
from motion_editing.motion_editing_addon.character.saved import body_of
from motion_editing.motion_editing_addon.compatibility import select
from rigs import all_keys, chain_armature, key_bones


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def with_mirrored_action():
    """The sample motion, and the name of an action with its mirror image."""
    armature = sample()
    data = armature.animation_data
    own, slot = data.action, data.action_slot.identifier
    other = own.copy()
    other.name = "Mirrored"
    data.action = other
    data.action_slot = other.slots[slot]
    bpy.ops.motion_editing.mirror_motion()
    data.action = own
    data.action_slot = own.slots[slot]
    return armature, other


def read(armature, action=None):
    """The motion of the armature's action, or of another one that it plays for a moment."""
    rate = armature.animation_data.action.motion_editing.source_rate or 24.0
    if action is None:
        return action_io.read(armature, rate=rate).motion
    data = armature.animation_data
    own, slot = data.action, data.action_slot.identifier
    data.action = action
    data.action_slot = action.slots[slot]
    try:
        return action_io.read(armature, rate=rate).motion
    finally:
        data.action = own
        data.action_slot = own.slots[slot]


def assert_same(found, expected, *, within=3e-6):
    assert quaternion.angle_between(found.rotations, expected.rotations).max() < within
    np.testing.assert_allclose(found.locations, expected.locations, atol=within)
    np.testing.assert_allclose(found.scales, expected.scales, atol=within)


def test_weight_0_changes_no_key():
    armature, other = with_mirrored_action()
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.0, keep_contacts=True)
    assert all_keys(armature.animation_data.action) == before


@pytest.mark.parametrize("timing", ["RECORDED", "STRETCHED"])
def test_weight_1_is_the_other_motion(timing):
    armature, other = with_mirrored_action()
    bpy.ops.motion_editing.blend_action(action=other.name, weight=1.0, timing=timing, ground="PLACES")
    assert_same(read(armature), read(armature, other))


def test_half_is_the_mean_of_both():
    armature, other = with_mirrored_action()
    expected = blend([read(armature), read(armature, other)], [0.5, 0.5])
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.5, ground="PLACES")
    assert_same(read(armature), expected)


def test_a_fade_starts_with_this_motion_and_ends_with_the_other():
    armature, other = with_mirrored_action()
    own = read(armature)
    bpy.ops.motion_editing.blend_action(action=other.name, weight=1.0, profile="IN", ground="PLACES")
    found = read(armature)
    assert_same(found.part(0, 1), own.part(0, 1))
    assert_same(found.part(len(own) - 1, len(own)), read(armature, other).part(len(own) - 1, len(own)))


def test_in_and_out_leaves_the_ends_of_the_range():
    armature, other = with_mirrored_action()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 60
    before = read(armature)
    bpy.ops.motion_editing.blend_action(
        action=other.name, weight=1.0, profile="IN_OUT", range="PREVIEW", timing="IN_STEP"
    )
    frames = np.flatnonzero((read(armature).rotations != before.rotations).any(axis=(1, 2))) + 1
    assert frames.min() == 21
    assert frames.max() == 59


def test_only_picked_bones_are_blended():
    armature, other = with_mirrored_action()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "forearm.L")
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.7)
    after = all_keys(armature.animation_data.action)
    assert {key[1].split('"')[1] for key in after if after[key] != before[key]} == {"forearm.L"}


def test_sparse_keys_stay_sparse_and_take_the_blend_at_their_frames():
    frames = [1, 9, 20, 31, 40]
    armature = chain_armature(3, connected=False)
    key_bones(armature, frames)
    own = armature.animation_data.action
    other = own.copy()
    for layer in other.layers:
        for curve in layer.strips[0].channelbags[0].fcurves:
            for key in curve.keyframe_points:
                key.co.y *= 0.5
            curve.update()
    expected = blend([read(armature), read(armature, other)], [0.5, 0.5])
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.5, ground="PLACES")
    assert {len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves} == {len(frames)}
    at_keys = np.array(frames) - 1
    found = read(armature)
    np.testing.assert_allclose(found.locations[at_keys], expected.locations[at_keys], atol=3e-6)


def test_another_armature_without_some_bones_is_matched_by_name(capsys):
    armature = chain_armature(3, connected=False)
    key_bones(armature, list(range(1, 31)))
    other = chain_armature(2, name="Short", connected=False)
    key_bones(other, list(range(1, 31)), seed=2)
    bpy.context.view_layer.objects.active = armature
    own = read(armature)
    bpy.ops.motion_editing.blend_action(armature="Short", weight=1.0, ground="PLACES")
    found, given = read(armature), read(other)
    assert_same(found.part(0, 30), found)
    names = own.skeleton.names
    for name in ("bone0", "bone1"):
        joint, its = names.index(name), given.skeleton.names.index(name)
        assert quaternion.angle_between(found.rotations[:, joint], given.rotations[:, its]).max() < 3e-6
    joint = names.index("bone2")
    np.testing.assert_array_equal(found.rotations[:, joint], own.rotations[:, joint])
    assert "has no keys for 'bone2'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({}, "Choose the other motion"),
        ({"armature": "Nobody"}, "'Nobody' is no armature with an action"),
        ({"action": "Mirrored", "offset": 100000}, "Offset 100000 leaves nothing of 'Mirrored'"),
    ],
)
def test_refusals_say_what_to_do(values, reason):
    armature, _other = with_mirrored_action()
    before = all_keys(armature.animation_data.action)
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.motion_editing.blend_action(**values)
    assert all_keys(armature.animation_data.action) == before


def test_an_action_for_other_bones_is_refused():
    armature = sample()
    stranger = chain_armature(3)
    key_bones(stranger, [1, 10])
    bpy.context.view_layer.objects.active = armature
    with pytest.raises(RuntimeError, match="animates 0 of"):
        bpy.ops.motion_editing.blend_action(action=stranger.animation_data.action.name)


def test_the_panels_choice_counts_where_nothing_is_told():
    armature, other = with_mirrored_action()
    bpy.context.scene.motion_editing_blend_loop.action = other
    bpy.ops.motion_editing.blend_action(weight=1.0, ground="PLACES")
    assert_same(read(armature), read(armature, other))


def test_contacts_stand_still_in_a_blend():
    slides = {}
    for keep in (False, True):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature, other = with_mirrored_action()
        bpy.ops.motion_editing.blend_action(action=other.name, weight=0.5, keep_contacts=keep, timing="IN_STEP")
        from motion_editing.motion_editing_addon.blend_loop.standing import contacts_within, largest_slide

        motion, body = read(armature), body_of(armature, action_io.read(armature, rate=24.0))
        slides[keep] = largest_slide(motion, contacts_within(motion, body, 0, len(motion) - 1))
    assert slides[True] < 0.5 * slides[False]


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


def preview(first, last):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, first, last


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
