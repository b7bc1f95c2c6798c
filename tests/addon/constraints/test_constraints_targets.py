"""What constraints are held to: places, objects and bones, as Blender itself evaluates them; how they are chosen."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from held_chain import CORNERS, FRAMES, add, constraint, curve, evaluated, keyed_chain, link, moving_empty
from mathutils import Vector
from motion_editing.core.errors import MotionEditError
from rigs import chain_armature, key_bones


@pytest.fixture
def armature(empty_scene):
    return keyed_chain()


# Places and objects


def test_a_place_is_the_same_at_all_frames(armature):
    item = add()
    item.point = (1.0, 2.0, 3.0)
    found, _clip = constraint(armature)
    np.testing.assert_allclose(np.broadcast_to(found.target, (11, 3)), np.tile([1.0, 2.0, 3.0], (11, 1)))


def test_an_object_that_moves_is_where_blender_has_it(armature):
    ball = moving_empty()
    add(target_object="Ball")
    bpy.context.scene.frame_set(3)
    found, clip = constraint(armature)
    assert bpy.context.scene.frame_current == 3
    np.testing.assert_allclose(found.target, evaluated(ball, clip.frames[found.at])[:, :3, 3], atol=1e-6)
    assert np.ptp(found.target[:, 0]) > 0.5


def test_an_object_that_is_parented_to_a_moving_one_is_followed(armature):
    moving_empty()
    child = link(bpy.data.objects.new("Child", None))
    child.parent, child.location = bpy.data.objects["Ball"], (0.5, 0.0, 0.3)
    add(target_object="Child")
    found, clip = constraint(armature)
    np.testing.assert_allclose(found.target, evaluated(child, clip.frames[found.at])[:, :3, 3], atol=1e-6)
    assert np.ptp(found.target[:, 0]) > 0.5


def test_an_object_that_stands_still_needs_no_stepping_through_frames(armature):
    cube = link(bpy.data.objects.new("Cube", None))
    cube.location = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    add(target_object="Cube")
    seen = []
    bpy.app.handlers.frame_change_pre.append(lambda *_: seen.append(1))
    try:
        found, _clip = constraint(armature)
    finally:
        bpy.app.handlers.frame_change_pre.pop()
    np.testing.assert_allclose(found.target, np.tile([1.0, 2.0, 3.0], (11, 1)))
    assert not seen


def test_a_target_of_several_constraints_is_looked_at_once(armature):
    moving_empty()
    for _ in range(3):
        add(target_object="Ball")
    seen = []
    bpy.app.handlers.frame_change_pre.append(lambda scene, *_: seen.append(scene.frame_current))
    try:
        constraint(armature)
    finally:
        bpy.app.handlers.frame_change_pre.pop()
    assert len(seen) == FRAMES[1] - FRAMES[0] + 2, "every frame of the span once, then back"


def test_a_bone_of_another_armature_is_followed(armature):
    other = chain_armature(3, name="Other")
    key_bones(other, [1, 24], seed=5)
    other.location = (2.0, 0.0, 0.0)
    bpy.context.view_layer.objects.active = armature
    item = add(target_object="Other", target_bone="bone2")
    assert item.target == "BONE"
    found, clip = constraint(armature)
    wanted = evaluated(other, clip.frames[found.at], "bone2")[:, :3, 3]
    np.testing.assert_allclose(found.target, wanted, atol=1e-6)
    assert np.ptp(wanted, axis=0).max() > 0.01


def test_orientations_are_those_of_the_object_without_its_scale(armature):
    ball = moving_empty()
    ball.scale = (2.0, 3.0, 0.5)
    add("ORIENTATION", target_object="Ball")
    found, clip = constraint(armature)
    for target, matrix in zip(found.target, evaluated(ball, clip.frames[found.at]), strict=True):
        turned = np.array([Vector(row).normalized() for row in matrix[:3, :3].T]).T
        w, x, y, z = target
        column = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
        np.testing.assert_allclose(column, turned[:, 0], atol=1e-5)


# The choice


def test_an_object_sets_the_choice_and_the_choice_lets_objects_go(armature):
    moving_empty()
    curve("POLY", CORNERS)
    item = add()
    assert item.target == "PLACE"
    item.target_object = bpy.data.objects["Ball"]
    assert item.target == "OBJECT"
    item.target = "CURVE"
    assert item.target_object is None
    item.target_object = bpy.data.objects["Way"]
    assert item.target == "CURVE"
    item.target = "BONE"
    assert item.target_object is None
    item.target_object = armature
    item.target_bone = "bone0"
    assert item.target == "BONE"
    item.target = "PLACE"
    assert (item.target_object, item.target_bone) == (None, "")


def test_a_target_that_was_deleted_is_asked_for_instead_of_being_ignored(armature):
    moving_empty()
    add(target_object="Ball")
    bpy.data.objects.remove(bpy.data.objects["Ball"])
    with pytest.raises(MotionEditError, match="'Position bone3' has no target object: choose one"):
        constraint(armature)


def test_a_target_that_was_deleted_in_the_viewport_is_asked_for_although_the_list_keeps_it_in_the_file(armature):
    moving_empty()
    add(target_object="Ball")
    with bpy.context.temp_override(selected_objects=[bpy.data.objects["Ball"]]):
        bpy.ops.object.delete()
    assert "Ball" in bpy.data.objects
    with pytest.raises(MotionEditError, match="'Position bone3' has no target object: choose one"):
        constraint(armature)
    with pytest.raises(RuntimeError, match="There is no object 'Ball'"):
        add(target_object="Ball")


@pytest.mark.parametrize("bone", ["", "bone2"])
def test_targets_that_are_switched_off_in_viewports_are_followed_all_the_same(armature, bone):
    if bone:
        thing = chain_armature(3, name="Other")
        key_bones(thing, [1, 24], seed=5)
        bpy.context.view_layer.objects.active = armature
    else:
        thing = moving_empty()
    add(target_object=thing.name, target_bone=bone)
    found, _clip = constraint(armature)
    bpy.context.scene.frame_set(3)
    objects = len(bpy.data.objects)
    thing.hide_viewport = True
    unseen, _clip = constraint(armature)
    np.testing.assert_allclose(unseen.target, found.target, atol=1e-6)
    assert np.ptp(found.target, axis=0).max() > 0.01
    assert (len(bpy.data.objects), bpy.context.scene.frame_current) == (objects, 3)


def test_a_distance_added_without_a_target_takes_it_from_the_pose_when_it_is_chosen(armature):
    bpy.context.scene.frame_set(10)
    item = add("DISTANCE")
    assert (item.target, item.distance) == ("BONE", 0.0)
    item.target_bone = "bone0"
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    assert item.distance == pytest.approx((posed["bone3"].head - posed["bone0"].head).length, abs=1e-5)


def test_what_cannot_be_taken_from_the_pose_is_not_added(armature):
    with pytest.raises(RuntimeError, match="'Rig' has no bone 'tentacle'"):
        add("DISTANCE", target_bone="tentacle")
    assert not armature.animation_data.action.motion_editing_constraints.listed


def test_a_distance_without_an_armature_is_from_a_bone_of_its_own(armature):
    item = add("DISTANCE", target_bone="bone0")
    assert (item.target, item.target_object) == ("BONE", None)
    found, clip = constraint(armature)
    assert found.other_joint == clip.motion.skeleton.index["bone0"]
    assert found.other_character == 0
