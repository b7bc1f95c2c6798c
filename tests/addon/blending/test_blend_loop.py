"""Blends of an action with another one."""

import bpy
import numpy as np
import pytest
from blended_sample import PLAIN, assert_same, read, sample, with_mirrored_action
from motion_editing.core.blending import blend
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document.character.saved_body import body_of
from rigs import all_keys, chain_armature, key_bones


def test_weight_0_changes_no_key():
    armature, other = with_mirrored_action()
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.0, keep_contacts=True)
    assert all_keys(armature.animation_data.action) == before


@pytest.mark.parametrize("timing", ["RECORDED", "STRETCHED"])
def test_weight_1_is_the_other_motion(timing):
    armature, other = with_mirrored_action()
    bpy.ops.motion_editing.blend_action(action=other.name, weight=1.0, timing=timing, ground="PLACES", **PLAIN)
    assert_same(read(armature), read(armature, other))


def test_half_is_the_mean_of_both():
    armature, other = with_mirrored_action()
    expected = blend([read(armature), read(armature, other)], [0.5, 0.5])
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.5, ground="PLACES", **PLAIN)
    assert_same(read(armature), expected)


def test_a_fade_starts_with_this_motion_and_ends_with_the_other():
    armature, other = with_mirrored_action()
    own = read(armature)
    bpy.ops.motion_editing.blend_action(action=other.name, weight=1.0, profile="IN", ground="PLACES", **PLAIN)
    found = read(armature)
    assert_same(found.part(0, 1), own.part(0, 1))
    assert_same(found.part(len(own) - 1, len(own)), read(armature, other).part(len(own) - 1, len(own)))


def test_in_and_out_leaves_the_ends_of_the_range():
    armature, other = with_mirrored_action()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 60
    before = read(armature)
    bpy.ops.motion_editing.blend_action(
        action=other.name, weight=1.0, profile="IN_OUT", range="PREVIEW", timing="IN_STEP", **PLAIN
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
    bpy.ops.motion_editing.blend_action(action=other.name, weight=0.5, ground="PLACES", **PLAIN)
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
    bpy.ops.motion_editing.blend_action(armature="Short", weight=1.0, ground="PLACES", **PLAIN)
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
    bpy.ops.motion_editing.blend_action(weight=1.0, ground="PLACES", **PLAIN)
    assert_same(read(armature), read(armature, other))


def test_contacts_stand_still_in_a_blend():
    slides = {}
    for keep in (False, True):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature, other = with_mirrored_action()
        bpy.ops.motion_editing.blend_action(action=other.name, weight=0.5, keep_contacts=keep, timing="IN_STEP")
        from motion_editing.core.editing import contacts_within
        from motion_editing.core.solve.contact_lock import largest_slide

        motion, body = read(armature), body_of(armature, action_io.read(armature, rate=24.0))
        slides[keep] = largest_slide(motion, contacts_within(motion, body, 0, len(motion) - 1))
    assert slides[True] < 0.5 * slides[False]
