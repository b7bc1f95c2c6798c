"""Mirrored control rigs: switches on the way, controls that only one side has keys for, shape keys; and back again."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from control_rigs import key_place, key_steps, key_switch, key_turn, shown_figure, traveller_rig
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys
from test_blend_loop_loops import skin_with_shapes

LAST = 41
ABOUT = ("HEADING", "START", "REST")


@pytest.fixture
def rig():
    """A walk in IK whose left leg goes over to FK on the way; only the left side has keys for that."""
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l", "c_foot_ik.r"))
    key_switch(rig.pose.bones["c_foot_ik.l"], "ik_fk_switch", {1: 0.0, 20: 1.0})
    for frame, angle in ((1, 0.0), (20, 0.3), (LAST, -0.4)):
        key_turn(rig.pose.bones["c_thigh_fk.l"], frame, "X", angle)
        key_turn(rig.pose.bones["c_leg_fk.l"], frame, "X", abs(angle))
        key_turn(rig.pose.bones["c_spine_01.x"], frame, "Y", angle)
    key_switch(rig.pose.bones["c_prop.x"], "space", {1: 1, 18: 0})
    for frame in (1, 18, LAST):
        key_place(rig.pose.bones["c_prop.x"], frame, np.array([0.1, -0.01 * frame, 0.0]))
    return rig


def names_of(rig):
    return [bone.name for bone in rig.data.bones if bone.use_deform]


def mirrored_places(rig, figure):
    """(F, J, 3) where the mirror image of a figure has its bones."""
    names = names_of(rig)
    partners = [names.index(bpy.utils.flip_name(name)) for name in names]
    return figure[:, partners][..., :3, 3] * [-1.0, 1.0, 1.0]


def statics(rig):
    """All channels as they are on the rig at one frame, and custom properties."""
    bpy.context.scene.frame_set(7)
    channels = [(*bone.location, *bone.rotation_quaternion, *bone.rotation_euler) for bone in rig.pose.bones]
    return channels, [dict(bone.items()) for bone in rig.pose.bones]


def test_the_figure_is_the_mirror_image_before_and_after_the_switches(rig):
    frames = range(1, LAST + 1)
    wanted = mirrored_places(rig, shown_figure(rig, frames))
    assert bpy.ops.motion_editing.mirror_motion(about="REST") == {"FINISHED"}
    np.testing.assert_allclose(shown_figure(rig, frames)[..., :3, 3], wanted, atol=1e-4)


@pytest.mark.parametrize("about", ["HEADING", "START"])
def test_wherever_it_goes_the_figure_is_the_mirror_image(rig, about):
    frames = [1, 9, 17, 20, 21, 33, 41]
    wanted = mirrored_places(rig, shown_figure(rig, frames))
    assert bpy.ops.motion_editing.mirror_motion(about=about, keying="EVERY_FRAME") == {"FINISHED"}
    found = shown_figure(rig, frames)[..., :3, 3]
    prop = names_of(rig).index("prop.x")
    body = [number for number in range(found.shape[1]) if number != prop]
    between = [places[:, body, None] - places[:, None, body] for places in (wanted, found)]
    np.testing.assert_allclose(*(np.linalg.norm(each, axis=-1) for each in between), atol=2e-3)


@pytest.mark.parametrize("about", ABOUT)
def test_mirrored_twice_every_bit_is_as_it_was(rig, about):
    before, held = all_keys(rig.animation_data.action), statics(rig)
    for _time in range(2):
        assert bpy.ops.motion_editing.mirror_motion(about=about) == {"FINISHED"}
        assert all_keys(rig.animation_data.action) != before or _time
    assert all_keys(rig.animation_data.action) == before
    assert statics(rig) == held


@pytest.mark.parametrize("about", ABOUT)
def test_captured_motion_mirrored_twice_is_as_it_was(about):
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    before = all_keys(armature.animation_data.action)
    for _time in range(2):
        bpy.ops.motion_editing.mirror_motion(about=about)
    assert all_keys(armature.animation_data.action) == before


def test_what_was_changed_between_is_kept():
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    bpy.ops.motion_editing.mirror_motion()
    curve = action_io.channelbag(armature).fcurves.find('pose.bones["hips"].location', index=2)
    for key in curve.keyframe_points:
        key.co.y += 0.5
    curve.update()
    heights = [key.co.y for key in curve.keyframe_points]
    bpy.ops.motion_editing.mirror_motion()
    curve = action_io.channelbag(armature).fcurves.find('pose.bones["hips"].location', index=2)
    np.testing.assert_allclose([key.co.y for key in curve.keyframe_points], heights, atol=1e-5)


def test_a_pose_without_keys_is_mirrored_too(rig):
    rig.pose.bones["c_foot_fk.l"].rotation_mode = "QUATERNION"
    rig.pose.bones["c_foot_fk.l"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    frames = [1, 19, 20, 35]
    wanted = mirrored_places(rig, shown_figure(rig, frames))
    rig.pose.bones["c_foot_fk.r"].rotation_mode = "QUATERNION"
    bpy.ops.motion_editing.mirror_motion(about="REST")
    np.testing.assert_allclose(shown_figure(rig, frames)[..., :3, 3], wanted, atol=1e-4)


def test_a_mirrored_part_leaves_the_keys_outside_of_it(rig):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 17, 33
    outside, inside = [1, 41], [17, 19, 20, 25, 33]
    before, wanted = shown_figure(rig, outside), mirrored_places(rig, shown_figure(rig, inside))
    assert bpy.ops.motion_editing.mirror_motion(about="REST", range="PREVIEW", keying="EVERY_FRAME") == {"FINISHED"}
    np.testing.assert_allclose(shown_figure(rig, outside), before, atol=1e-4)
    np.testing.assert_allclose(shown_figure(rig, inside)[..., :3, 3], wanted, atol=1e-4)


@pytest.mark.parametrize("both", [True, False])
def test_shape_keys_of_both_sides_are_exchanged_and_back(both):
    bpy.ops.motion_editing.load_sample_motion()
    armature = bpy.context.object
    shapes = skin_with_shapes(armature)
    left, right = (f'key_blocks["smile.{side}"].value' for side in "LR")
    curves = action_io.channelbag(shapes).fcurves
    if not both:
        curves.remove(curves.find(right))
        shapes.key_blocks["smile.R"].value = 0.25
    own, shaped = armature.animation_data.action, shapes.animation_data.action
    before = all_keys(own), all_keys(shaped), shapes.key_blocks["smile.R"].value
    values = [curves.find(left).evaluate(frame) for frame in (1, 30, 60, 100)]
    bpy.ops.motion_editing.mirror_motion()
    assert [curves.find(right).evaluate(frame) for frame in (1, 30, 60, 100)] == values
    if not both:
        assert curves.find(left) is None
        assert shapes.key_blocks["smile.L"].value == 0.25
    bpy.ops.motion_editing.mirror_motion()
    bpy.context.scene.frame_set(60)
    assert (all_keys(own), all_keys(shaped), shapes.key_blocks["smile.R"].value) == (
        before if not both else (*before[:2], pytest.approx(0.4))
    )


def test_a_rigify_human_is_mirrored_as_it_is_seen(generated):
    rig = generated("human")
    bpy.context.view_layer.objects.active = rig
    key_steps(rig, "torso", ("foot_ik.L", "foot_ik.R"))
    key_place(rig.pose.bones["hand_ik.L"], 1, np.array([-0.2, -0.3, 0.2]))
    key_switch(rig.pose.bones["thigh_parent.L"], "IK_FK", {1: 0.0, 17: 1.0})
    key_turn(rig.pose.bones["thigh_fk.L"], 17, "X", -0.5)
    frames = [1, 9, 17, 33]
    wanted = mirrored_places(rig, shown_figure(rig, frames))
    before = all_keys(rig.animation_data.action)
    assert bpy.ops.motion_editing.mirror_motion(about="REST") == {"FINISHED"}
    np.testing.assert_allclose(shown_figure(rig, frames)[..., :3, 3], wanted, atol=2e-3)
    bpy.ops.motion_editing.mirror_motion(about="REST")
    assert all_keys(rig.animation_data.action) == before
