"""Choices of retargeting: sizes, contacts, distances, partners, keys, sources of every kind."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from retarget_figures import FRAMES, figure_like, make_active, places, refused, retargeted, shown


@pytest.mark.parametrize(
    ("choices", "factor"),
    [({}, 0.6), ({"way": "KEPT"}, 1.0), ({"way": "CHOSEN", "way_scale": 2.0}, 2.0)],
)
def test_the_way_along_the_ground_is_scaled_as_chosen(walker, small, choices, factor):
    retargeted(source="Sample", lowering=0.0, **choices)
    ways = [places(each, "hips", (1, 60))[:, 1] for each in (walker, small)]
    assert np.diff(ways[1]) == pytest.approx(factor * np.diff(ways[0]), rel=0.02)


def test_a_character_grows_on_its_way(walker, small):
    retargeted(source="Sample", size=1.0, changes_size=True, size_end=2.0)
    heights = [np.ptp(shown(small, frame)[:, 2]) for frame in (1, 178)]
    source = [np.ptp(shown(walker, frame)[:, 2]) for frame in (1, 178)]
    assert heights[0] == pytest.approx(0.6 * source[0], rel=0.02)
    assert heights[1] == pytest.approx(1.2 * source[1], rel=0.02)


def test_contacts_may_be_left_alone(walker, small):
    retargeted(source="Sample", keep_contacts=False)
    assert small.motion_editing_retarget.report.slide == small.motion_editing_retarget.report.slide_before


def test_marked_contacts_count(walker, small):
    scope.action_of(walker).motion_editing_contacts.new(walker, "foot.L", 40.0, 80.0)
    made = retargeted(source="Sample", lowering=0.0)
    (taken_over,) = made.motion_editing_contacts.spans
    assert (taken_over.bone, taken_over.start, taken_over.end) == ("foot.L", 40.0, pytest.approx(80.0))
    still = places(small, "foot.L", range(40, 80, 5))
    moving = places(walker, "foot.L", range(40, 80, 5))
    # It walks on in the source: holding it there is what was asked for, as far as the leg reaches.
    assert np.ptp(still, axis=0).max() < 0.6 * np.ptp(moving, axis=0).max()


def test_hands_keep_their_distance(walker, small):
    retargeted(source="Sample", carry="HANDS", carry_throughout=False, carry_start=20, carry_end=30)
    apart = [np.linalg.norm(places(each, "hand.L", (25,)) - places(each, "hand.R", (25,))) for each in (walker, small)]
    report = small.motion_editing_retarget.report
    assert apart[1] == pytest.approx(apart[0], abs=1e-3) or report.missed
    refused("no bone 'tentacle'", source="Sample", carry="CHOSEN", carry_first="hand.L", carry_second="tentacle")


def test_a_can_skips_like_a_person(walker):
    can = bpy.data.objects.new("Can", bpy.data.armatures.new("Can"))
    bpy.context.collection.objects.link(can)
    make_active(can)
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for name, low, high in (("bottom", 0.4, 0.7), ("middle", 0.7, 1.0), ("lid", 1.0, 1.2)):
        bone = can.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, low), (0, 0, high), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    settings = can.motion_editing_retarget
    for bone, source in (("bottom", "hips"), ("middle", "chest"), ("lid", "head")):
        pair = settings.pairs.add()
        pair.bone, pair.source = bone, source
    retargeted(source="Sample", structure="OTHER")
    ends = (walker, "hips", "head"), (can, "bottom", "lid")
    bends = [places(each, high, (1, 60, 90)) - places(each, low, (1, 60, 90)) for each, low, high in ends]
    one, other = (bend / np.linalg.norm(bend, axis=1)[:, None] for bend in bends)
    assert np.einsum("fa,fa->f", one, other).min() > 0.97
    assert np.ptp(places(can, "bottom")[:, 1]) > 1.0


def twin(armature: bpy.types.Object, name: str) -> bpy.types.Object:
    """Another object with the same bones that plays the same action."""
    other = bpy.data.objects.new(name, armature.data)
    bpy.context.collection.objects.link(other)
    own, data = armature.animation_data, other.animation_data_create()
    data.action, data.action_slot = own.action, own.action_slot
    bpy.context.view_layer.update()
    return other


def test_partners_are_adapted_together(walker):
    """Two walkers side by side whose hands touch, on targets of two sizes."""
    other = twin(walker, "Other")
    other.location.x = 2.0 * abs(places(walker, "hand.L", (20,))[0, 0])
    figures = [figure_like(walker, factor, name=name) for factor, name in ((0.6, "One"), (1.1, "Two"))]
    figures[1].motion_editing_retarget.source = other
    make_active(figures[0])
    retargeted(source="Sample", partner="Two", touch=0.12)
    assert scope.action_of(figures[1]).name == "Sample Two"
    frames = range(1, 120, 3)
    wanted, apart = (
        np.linalg.norm(places(one, "hand.L", frames) - places(two, "hand.R", frames), axis=1)
        for one, two in ((walker, other), figures)
    )
    touching = wanted < 0.1 * np.ptp(shown(walker, 1)[:, 2])
    reports = [each.motion_editing_retarget.report for each in figures]
    assert 2 < touching.sum() < len(touching)
    assert not any(each.missed for each in reports)
    np.testing.assert_allclose(apart[touching], wanted[touching], atol=1e-3)
    assert all(report.slide < 0.01 * report.leg_length for report in reports)
    refused("No hands of the two sources", source="Sample", partner="Two", touch=0.0)
    figures[1].motion_editing_retarget.source = None
    refused("The partner 'Two' has no source", source="Sample", partner="Two")


def test_hands_that_never_meet_are_told_with_how_near_they_come(walker, small):
    for name, place in (("Other", (0.0, 5.0, 0.0)), ("Second", (0.0, 0.0, 0.0))):
        other = figure_like(walker, 1.0, name=name)
        data, other.location = other.animation_data_create(), place
        data.action, data.action_slot = walker.animation_data.action, walker.animation_data.action_slot
    walker.location.y = -5.0
    make_active(small)
    source = "Other"
    refused(r"the nearest are \d\.\d\d apart: raise Touch", source="Sample", partner="Second", partner_source=source)


def test_parts_that_follow_their_paths_are_not_said_to_miss_them(walker, small):
    retargeted(source="Sample", structure="OTHER")
    assert small.motion_editing_retarget.report.missed == 0


def test_a_source_with_constraints_is_taken_as_it_is_shown(walker, small):
    """The same motion, once from keys, once through a second rig that only copies."""
    retargeted(source="Sample")
    wanted = {frame: shown(small, frame) for frame in FRAMES}
    copy = twin(walker, "Copy")
    for bone in copy.pose.bones:
        constraint = bone.constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = walker, bone.name
    make_active(small)
    bpy.context.scene.frame_set(33)
    retargeted(source="Copy")
    assert bpy.context.scene.frame_current == 33
    for frame in FRAMES:
        np.testing.assert_allclose(shown(small, frame), wanted[frame], atol=1e-4)


def test_an_object_that_travels_carries_the_motion(walker, small):
    """Feet step in place on an object that moves on: the target walks by its bones."""
    walker.location = (0.0, 0.0, 0.0)
    walker.keyframe_insert("location", frame=1)
    walker.location = (0.0, -5.0, 0.0)
    walker.keyframe_insert("location", frame=178)
    retargeted(source="Sample", keep_contacts=False)
    ways = [places(each, "hips", (1, 60, 178)) for each in (walker, small)]
    np.testing.assert_allclose(np.diff(ways[1][:, :2], axis=0), 0.6 * np.diff(ways[0][:, :2], axis=0), atol=1e-3)


@pytest.mark.parametrize(("keying", "fewer"), [("EVERY_FRAME", False), ("REDUCED", True), ("AUTOMATIC", False)])
def test_keys_are_many_or_few_as_chosen(walker, small, keying, fewer):
    retargeted(source="Sample", keying=keying)
    counts = [len(curve.keyframe_points) for curve in action_io.channelbag(small).fcurves]
    assert sum(counts) < 0.5 * 178 * len(counts) if fewer else set(counts) <= {1, 178}


def test_bones_that_were_posed_before_do_not_stay_so(walker, small):
    """A bone without a partner shows its rest pose, not what an earlier action left behind."""
    small.pose.bones["fingers.L"].location = (0.0, 0.3, 0.0)
    small.pose.bones["head"].scale = (2.0, 2.0, 2.0)
    retargeted(source="Sample")
    bpy.context.scene.frame_set(10)
    assert tuple(small.pose.bones["fingers.L"].location) == (0.0, 0.0, 0.0)
    assert tuple(small.pose.bones["head"].scale) == (1.0, 1.0, 1.0)


def test_one_frame_is_enough(walker, small):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 20
    made = retargeted(source="Sample", range="PREVIEW")
    assert tuple(made.frame_range) in {(20.0, 20.0), (20.0, 21.0)}
    wanted = 0.6 * (shown(walker, 20)[walker.pose.bones.find("head")][2])
    assert shown(small, 20)[small.pose.bones.find("head")][2] == pytest.approx(wanted, rel=0.02)


def test_samples_between_whole_frames_stay_there(walker, small):
    """Captured files put their samples between whole frames; the result has them at the same places."""
    action = scope.action_of(walker)
    for curve in action_io.channelbag(walker).fcurves:
        for key in curve.keyframe_points:
            key.co[0] = 1.0 + (key.co[0] - 1.0) * 0.4
        curve.update()
    made = retargeted(source="Sample")
    assert made.frame_range[1] == pytest.approx(action.frame_range[1], abs=1e-3)
    assert {len(curve.keyframe_points) for curve in action_io.channelbag(small).fcurves} <= {1, 178}


def test_a_folded_rest_pose_is_replaced_by_the_current_one(walker, small):
    """Bones that all lie along one axis at rest, as some files have them, posed upright."""
    upright = {bone.name: small.matrix_world @ bone.matrix for bone in small.pose.bones}
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in small.data.edit_bones:
        length = bone.length
        bone.head = bone.parent.tail if bone.parent else (0.0, 0.0, 0.0)
        bone.tail = bone.head + Vector((length, 0.0, 0.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    pose_as(small, upright)
    retargeted(source="Sample")
    names = ("hips", "head", "foot.L")
    for frame in (20, 60):
        hips, head, foot = (shown(small, frame)[small.pose.bones.find(name)] for name in names)
        assert head[2] - hips[2] > 0.2
        assert hips[2] - foot[2] > 0.3
    assert small.motion_editing_retarget.report.slide < 0.01 * small.motion_editing_retarget.report.leg_length


def test_results_do_not_add_up(walker, small):
    """Made again from another frame, with a pose of the first result in sight, it is the same."""
    small.pose.bones["upper_arm.L"].rotation_quaternion = (0.9, 0.3, 0.0, 0.3)
    retargeted(source="Sample", stands="CURRENT")
    wanted = {frame: shown(small, frame) for frame in FRAMES}
    bpy.context.scene.frame_set(60)
    retargeted(source="Sample", stands="CURRENT")
    for frame in FRAMES:
        np.testing.assert_allclose(shown(small, frame), wanted[frame], atol=1e-5)


def pose_as(armature: bpy.types.Object, matrices: dict[str, Matrix]) -> None:
    """Turn bones, parents first, to point as matrices do."""
    for bone in armature.pose.bones:
        if bone.name in matrices:
            bone.matrix = Matrix.Translation(bone.matrix.translation) @ matrices[bone.name].to_3x3().to_4x4()
            bpy.context.view_layer.update()
