"""What constraints are held to: places, objects, curves, planes and bones, as Blender itself evaluates them."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Vector
from motion_editing.core.errors import MotionEditError
from motion_editing.motion_editing_addon import scope
from motion_editing.motion_editing_addon.constraints.listed import read_list
from rigs import chain_armature, key_bones

FRAMES = (10, 20)


@pytest.fixture
def armature(empty_scene):
    rig = chain_armature(4)
    key_bones(rig, [1, 12, 24])
    for bone in rig.pose.bones:
        bone.scale = (1.0, 1.0, 1.0)
    return rig


def add(kind="POSITION", **options):
    settings = bpy.context.object.animation_data.action.motion_editing_constraints
    added = bpy.ops.motion_editing.add_constraint(kind=kind, bone="bone3", start=FRAMES[0], end=FRAMES[1], **options)
    assert added == {"FINISHED"}
    return settings.listed[-1]


def link(thing):
    bpy.context.scene.collection.objects.link(thing)
    return thing


def constraint(armature):
    """The first of the list as core takes it, and the clip."""
    clip = scope.read_clip(bpy.context, armature)
    listed = read_list(clip, armature.animation_data.action.motion_editing_constraints.listed, first=0, last=999)
    return listed.constraints[0], clip


def evaluated(thing, frames, bone=""):
    """World matrices of an object or a bone, frame by frame."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        posed = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append(np.array(posed.matrix_world @ posed.pose.bones[bone].matrix if bone else posed.matrix_world))
    return np.array(found)


def moving_empty(name="Ball"):
    thing = link(bpy.data.objects.new(name, None))
    for frame, place in ((1, (0.0, 0.0, 2.0)), (24, (3.0, 1.0, 4.0))):
        thing.location = place
        thing.rotation_euler = (0.0, 0.05 * frame, 0.02 * frame)
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_euler", frame=frame)
    return thing


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


# Curves


def curve(kind, points, *, splines=1, cyclic=False):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    for number in range(splines):
        spline = data.splines.new(kind)
        if kind == "BEZIER":
            spline.bezier_points.add(len(points) - 1)
            for point, place in zip(spline.bezier_points, points, strict=True):
                point.co = np.add(place, (0.0, 0.0, 10.0 * number))
                point.handle_left_type = point.handle_right_type = "AUTO"
        else:
            spline.points.add(len(points) - 1)
            for point, place in zip(spline.points, points, strict=True):
                point.co = (*np.add(place, (0.0, 0.0, 10.0 * number)), 1.0)
        spline.use_cyclic_u = cyclic
        if kind == "NURBS":
            spline.use_endpoint_u, spline.order_u = True, 3
    return link(bpy.data.objects.new("Way", data))


CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (1.0, 2.0, 1.5), (3.0, 2.0, 2.0)]


@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
@pytest.mark.parametrize("splines", [1, 3])
def test_curves_are_followed_evenly_from_end_to_end(armature, kind, splines):
    thing = curve(kind, CORNERS, splines=splines)
    thing.location, thing.rotation_euler, thing.scale = (0.3, 0.2, 1.0), (0.0, 0.0, radians(30)), (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    assert add(target_object="Way").target == "CURVE"
    found, _clip = constraint(armature)
    ends = [np.array(thing.matrix_world @ Vector(place)) for place in (CORNERS[0], CORNERS[-1])]
    np.testing.assert_allclose(found.target[[0, -1]], ends, atol=1e-5)
    steps = np.linalg.norm(np.diff(found.target, axis=0), axis=1)
    # A chord across a corner is a little shorter than the way.
    assert steps.min() > 0.7 * steps.max()


def test_a_closed_curve_comes_back_to_its_beginning(armature):
    curve("POLY", CORNERS, cyclic=True)
    add(target_object="Way")
    found, _clip = constraint(armature)
    np.testing.assert_allclose(found.target[[0, -1]], [CORNERS[0], CORNERS[0]], atol=1e-6)
    assert np.linalg.norm(found.target - found.target[0], axis=1).max() > 2.0


def test_a_curve_that_moves_is_followed_as_it_is_at_each_frame(armature):
    way, ball = curve("POLY", CORNERS), moving_empty()
    way.parent = ball
    bpy.context.scene.frame_set(7)
    add(target_object="Way")
    found, clip = constraint(armature)
    matrices = evaluated(way, clip.frames[found.at])
    first, last = (matrices[row] @ (*CORNERS[row], 1.0) for row in (0, -1))
    np.testing.assert_allclose(found.target[[0, -1]], [first[:3], last[:3]], atol=1e-5)


def test_the_origin_of_a_curve_is_a_target_if_that_is_chosen(armature):
    curve("POLY", CORNERS).location = (5.0, 6.0, 7.0)
    bpy.context.view_layer.update()
    add(target_object="Way").target = "OBJECT"
    found, _clip = constraint(armature)
    np.testing.assert_allclose(found.target, np.tile([5.0, 6.0, 7.0], (11, 1)))


# Planes


def test_the_floor_is_a_height(armature):
    item = add("ABOVE_PLANE")
    item.height = 0.25
    found, _clip = constraint(armature)
    assert (found.height, tuple(found.normal)) == (0.25, (0.0, 0.0, 1.0))


def test_a_plane_follows_its_object_frame_by_frame(armature):
    ball = moving_empty()
    ball.scale = (1.0, 1.0, 4.0)
    add("ABOVE_PLANE", target_object="Ball")
    found, clip = constraint(armature)
    for row, matrix in enumerate(evaluated(ball, clip.frames[found.at])):
        normal = matrix[:3, 2] / np.linalg.norm(matrix[:3, 2])
        np.testing.assert_allclose(found.normal[row], normal, atol=1e-6)
        assert found.height[row] == pytest.approx(normal @ matrix[:3, 3], abs=1e-6)
    assert np.ptp(found.normal[:, 0]) > 0.1


def test_a_bone_stays_above_a_platform_that_rises(armature):
    places = scope.read_clip(bpy.context, armature)
    joint = places.motion.skeleton.index["bone3"]
    before = places.motion.poses.positions[:, joint, 2]
    lift = link(bpy.data.objects.new("Lift", None))
    for frame in FRAMES:
        lift.location.z = before[frame - 1] + 0.2
        lift.keyframe_insert("location", frame=frame)
    add("ABOVE_PLANE", target_object="Lift")
    assert bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", spacing=3) == {"FINISHED"}
    after = scope.read_clip(bpy.context, armature).motion.poses.positions[:, joint, 2]
    for frame in range(FRAMES[0], FRAMES[1] + 1):
        bpy.context.scene.frame_set(frame)
        assert after[frame - 1] > lift.matrix_world.translation.z - 0.01


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
