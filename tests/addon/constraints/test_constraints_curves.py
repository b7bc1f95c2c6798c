"""Curves that bones follow and planes that they stay above, as Blender itself evaluates them."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from held_chain import CORNERS, FRAMES, add, constraint, curve, evaluated, keyed_chain, link, moving_empty
from mathutils import Vector
from motion_editing.motion_editing_addon.document import scope


@pytest.fixture
def armature(empty_scene):
    return keyed_chain()


# Curves


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
