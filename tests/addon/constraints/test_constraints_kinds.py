"""Every kind of constraint holds after solving."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from constrained_sample import add, open_sample, path, positions, row, solve


@pytest.fixture
def armature(empty_scene):
    return open_sample()


def test_an_object_that_moves_is_followed(armature):
    thing = bpy.data.objects.new("Ball", None)
    bpy.context.scene.collection.objects.link(thing)
    places = path(armature, "hand.L")
    for frame, lift in ((30, 0.03), (50, 0.06)):
        thing.location = places[row(armature, frame)] + (0.0, 0.0, lift)
        thing.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(5)
    add("POSITION", "hand.L", 30, 30, target_object="Ball")
    add("POSITION", "hand.L", 50, 50, target_object="Ball")
    solve(keying="EVERY_FRAME")
    assert bpy.context.scene.frame_current == 5
    after = path(armature, "hand.L")
    for frame, lift in ((30, 0.03), (50, 0.06)):
        here = row(armature, frame)
        np.testing.assert_allclose(after[here], places[here] + (0.0, 0.0, lift), atol=1e-4)


def test_a_curve_is_followed_from_end_to_end(armature):
    places = path(armature, "hand.L")
    ends = [places[row(armature, frame)] + (0.0, 0.0, 0.05) for frame in (30, 60)]
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(1)
    for point, place in zip(spline.points, ends, strict=True):
        point.co = (*place, 1.0)
    curve = bpy.data.objects.new("Way", data)
    bpy.context.scene.collection.objects.link(curve)
    add("POSITION", "hand.L", 30, 60, target_object="Way")
    solve(keying="EVERY_FRAME", spacing=4)
    after = path(armature, "hand.L")
    for frame, share in ((30, 0.0), (60, 1.0)):
        np.testing.assert_allclose(after[row(armature, frame)], ends[0] + share * (ends[1] - ends[0]), atol=1e-3)


def test_feet_stay_above_a_plane(armature):
    lowest = path(armature, "foot.L")[:, 2].min()
    item = add("ABOVE_PLANE", "foot.L", 1, 60)
    item.height = lowest + 0.02
    solve(keying="EVERY_FRAME", spacing=4)
    rows = slice(row(armature, 1), row(armature, 60) + 1)
    assert path(armature, "foot.L")[rows, 2].min() > lowest + 0.018


def test_no_skid_lets_a_bone_stand_still_in_every_frame(armature):
    places = path(armature, "hand.L")
    first, last = row(armature, 30), row(armature, 40)
    assert np.ptp(places[first : last + 1], axis=0).max() > 0.01
    add("NO_SKID", "hand.L", 30, 40)
    solve(keying="EVERY_FRAME", keep_contacts=True)
    assert np.ptp(path(armature, "hand.L")[first : last + 1], axis=0).max() < 1e-3


def test_hands_are_a_distance_apart(armature):
    bpy.context.scene.frame_set(40)
    item = add("DISTANCE", "hand.L", 40, target_bone="hand.R")
    here = row(armature, 40)
    apart = np.linalg.norm(path(armature, "hand.L")[here] - path(armature, "hand.R")[here])
    assert item.distance == pytest.approx(apart, abs=1e-5)
    item.distance = 0.8 * apart
    solve(keying="EVERY_FRAME")
    apart = np.linalg.norm(path(armature, "hand.L")[here] - path(armature, "hand.R")[here])
    assert apart == pytest.approx(item.distance, abs=1e-3)


def test_a_hand_is_a_distance_from_an_object(armature):
    thing = bpy.data.objects.new("Ball", None)
    bpy.context.scene.collection.objects.link(thing)
    here = row(armature, 40)
    thing.location = path(armature, "hand.L")[here] + (0.0, 0.0, 0.3)
    bpy.context.view_layer.update()
    item = add("DISTANCE", "hand.L", 40, target_object="Ball")
    item.distance = 0.2
    solve(keying="EVERY_FRAME")
    away = np.linalg.norm(path(armature, "hand.L")[here] - np.array(thing.location))
    assert away == pytest.approx(0.2, abs=1e-3)


def test_a_bone_points_as_it_is_told(armature):
    item = add("ORIENTATION", "hand.L", 40)
    item.turn = (0.7071068, 0.7071068, 0.0, 0.0)
    solve(keying="EVERY_FRAME")
    clip, _ = positions(armature)
    turned = clip.motion.poses.rotations[row(armature, 40), clip.motion.skeleton.index["hand.L"]]
    assert abs(np.dot(turned, item.turn)) == pytest.approx(1.0, abs=1e-5)


def test_a_joint_bends_no_further_than_its_limit(armature):
    from motion_editing.core.numerics import quaternion

    clip, _ = positions(armature)
    joint = clip.motion.skeleton.index["forearm.L"]
    angles = np.linalg.norm(quaternion.log(clip.motion.rotations[:, joint]), axis=1)
    item = add("JOINT_LIMIT", "forearm.L", 1, 355)
    item.angle = 0.9 * angles.max()
    solve(keying="EVERY_FRAME", spacing=4)
    after, _ = positions(armature)
    angles = np.linalg.norm(quaternion.log(after.motion.rotations[:, joint]), axis=1)
    assert angles.max() < item.angle + 1e-4
