"""Motions on other armatures: what core says, wherever the objects stand."""

from __future__ import annotations

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from motion_editing.core.body import find_body
from motion_editing.core.retarget import name_mapping, retarget
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.armature import skeleton_of
from motion_editing.motion_editing_addon.document import scope
from retarget_figures import FRAMES, RATE, figure_like, make_active, retargeted, shown
from rigs import all_keys


def test_blender_shows_what_core_gives(walker):
    small = figure_like(walker, 0.6)
    retargeted(source="Sample")
    motion = action_io.read(walker, rate=RATE).motion
    skeleton = skeleton_of(small)
    bodies = find_body(motion.skeleton, motion=motion), find_body(skeleton)
    mapping = name_mapping(motion.skeleton, skeleton, *bodies)
    wanted = retarget(motion, skeleton, mapping, source_body=bodies[0], target_body=bodies[1]).motion
    for frame in FRAMES:
        np.testing.assert_allclose(shown(small, frame), wanted.poses.positions[frame - 1, 1:], atol=2e-6)


def test_the_same_figure_gets_the_motion_as_it_is(walker):
    twin = figure_like(walker, 1.0, name="Twin")
    twin.location = (3.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    retargeted(source="Sample")
    own, made = (action_io.read(each, rate=RATE).motion for each in (walker, twin))
    np.testing.assert_allclose(own.rotations, made.rotations, atol=1e-6)
    # Joint 0 is the object, which stands elsewhere.
    np.testing.assert_allclose(own.locations[:, 1:], made.locations[:, 1:], atol=1e-6)


def test_feet_do_not_slide_on_a_small_rig(walker):
    small = figure_like(walker, 0.6)
    retargeted(source="Sample")
    feet = [small.pose.bones.find(name) for name in ("foot.L", "foot.R", "toe.L", "toe.R")]
    source = np.array([shown(walker, frame)[feet] for frame in range(1, 120)])
    target = np.array([shown(small, frame)[feet] for frame in range(1, 120)])
    still = np.linalg.norm(np.diff(source, axis=0), axis=2) < 1e-3
    moved = np.linalg.norm(np.diff(target, axis=0), axis=2)
    leg = 0.6 * sum(walker.data.bones[name].length for name in ("thigh.L", "shin.L"))
    assert still.any()
    assert np.quantile(moved[still], 0.9) < 0.01 * leg


# How an object may stand: its matrix, and the part of it that is place and heading alone.
PLACES = {
    "moved and turned": (Matrix.Translation((2.0, -1.0, 0.5)) @ Matrix.Rotation(0.7, 4, "Z"), 0.7),
    "imported from centimetres": (Matrix.Rotation(pi / 2, 4, "X") @ Matrix.Scale(0.01, 4), 0.0),
    "turned and tilted": (
        Matrix.Rotation(2.0, 4, "Z") @ Matrix.Rotation(-pi / 2, 4, "Y") @ Matrix.Scale(3.0, 4),
        2.0,
    ),
}


def told_otherwise(armature: bpy.types.Object, matrix: Matrix, beside: Matrix) -> None:
    """Give an object another matrix, and its bones and keys what makes them look as they do, beside another place."""
    change = matrix.inverted() @ beside
    armature.data.transform(change)
    armature.data.update_tag()
    armature.matrix_world = matrix
    bag = action_io.channelbag(armature)
    for curve in bag.fcurves if bag else ():
        if curve.data_path.endswith(".location"):
            for key in curve.keyframe_points:
                key.co[1] *= change.median_scale
            curve.update()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("whose", ["source", "target"])
def test_transforms_of_objects_do_not_change_what_is_seen(walker, place, whose):
    """The same figure, told in other units and axes of its object, moves in the same way beside it."""
    matrix, heading = PLACES[place]
    beside = Matrix.Translation(matrix.translation) @ Matrix.Rotation(heading, 4, "Z")
    small = figure_like(walker, 0.6)
    retargeted(source="Sample")
    wanted, before = ({frame: shown(each, frame) for frame in FRAMES} for each in (small, walker))
    told_otherwise(walker if whose == "source" else small, matrix, beside)
    retargeted(source="Sample")
    for frame in FRAMES:
        expected = wanted[frame] if whose == "source" else placed(beside, wanted[frame])
        np.testing.assert_allclose(shown(small, frame), expected, atol=5e-5)
        if whose == "source":  # The test itself: the source looks as before, elsewhere.
            np.testing.assert_allclose(shown(walker, frame), placed(beside, before[frame]), atol=1e-4)


def test_a_target_below_a_scaled_parent(walker):
    """As files import that are told in centimetres: the armature hangs on something that is scaled."""
    small = figure_like(walker, 0.6)
    retargeted(source="Sample")
    wanted = {frame: shown(small, frame) for frame in FRAMES}
    above = bpy.data.objects.new("Above", None)
    bpy.context.collection.objects.link(above)
    above.scale, above.rotation_euler = (0.01, 0.01, 0.01), (pi / 2, 0.0, 0.0)
    small.parent = above
    small.data.transform((Matrix.Rotation(pi / 2, 4, "X") @ Matrix.Scale(0.01, 4)).inverted())
    small.data.update_tag()
    bpy.context.view_layer.update()
    retargeted(source="Sample")
    for frame in FRAMES:
        np.testing.assert_allclose(shown(small, frame), wanted[frame], atol=5e-5)


def placed(matrix: Matrix, places: np.ndarray) -> np.ndarray:
    return places @ np.array(matrix.to_3x3()).T + np.array(matrix.translation)


def test_in_the_scene_the_target_goes_where_the_source_goes(walker):
    small = figure_like(walker, 0.6)
    retargeted(source="Sample")
    wanted = {frame: shown(small, frame) for frame in FRAMES}
    walker.location, small.location = (1.0, 2.0, 0.0), (5.0, 5.0, 0.0)
    bpy.context.view_layer.update()
    retargeted(source="Sample", space="SCENE")
    for frame in FRAMES:
        np.testing.assert_allclose(shown(small, frame), wanted[frame] + [0.6, 1.2, 0.0], atol=2e-5)


def test_source_and_other_actions_stay_as_they_are(walker):
    small = figure_like(walker, 0.6)
    own = bpy.data.actions.new("Own")
    small.animation_data_create().action = own
    before = all_keys(scope.action_of(walker))
    made = retargeted(source="Sample")
    assert all_keys(scope.action_of(walker)) == before
    assert made.name == "Sample Small"
    assert own.use_fake_user


def test_another_action_of_the_source_is_taken_and_given_back(walker):
    own = scope.action_of(walker)
    other = own.copy()
    other.name = "Other"
    figure_like(walker, 0.6)
    made = retargeted(source="Sample", source_action="Other")
    assert made.name == "Other Small"
    assert scope.action_of(walker) == own


def test_a_recipe_may_name_the_target(walker):
    small = figure_like(walker, 0.6)
    make_active(walker)
    assert bpy.ops.motion_editing.retarget_motion(target="Small") == {"FINISHED"}
    assert scope.action_of(small).name == "Sample Small"
    assert scope.action_of(walker).name == "Sample"


def test_the_rate_of_the_source_is_kept(walker):
    figure_like(walker, 0.6)
    scope.action_of(walker).motion_editing.source_rate = 120.0
    assert retargeted(source="Sample").motion_editing.source_rate == 120.0


@pytest.mark.clips
def test_rate_and_reference_pose_of_an_imported_source_are_found(walker, clips_folder):
    bpy.ops.import_anim.bvh(filepath=str(clips_folder / "dev" / "cmu_118_01_jump.bvh"))
    captured = scope.action_of(bpy.context.object)
    make_active(walker)
    action = retargeted(source_action=captured.name)
    assert action.motion_editing.source_rate == pytest.approx(120.0, rel=0.2)
    assert action.frame_range[0] == captured.frame_range[0] + 1.0


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({}, "Choose the armature that the motion is taken from"),
        ({"source": "Nobody"}, "no armature 'Nobody'"),
        ({"source": "Small"}, "source and target at once"),
        ({"source": "Sample", "source_action": "None"}, "no action 'None'"),
        ({"source": "Sample", "target": "Nobody"}, "no armature 'Nobody'"),
        ({"source": "Sample", "mapping_file": "/nowhere.json"}, "/nowhere.json cannot be read: No such file"),
        ({"source": "Sample", "carry": "CHOSEN", "carry_first": "head", "carry_second": "head"}, "and itself"),
        ({"source": "Sample", "partner": "Small"}, "'Small' is partner and target at once"),
    ],
)
def test_what_cannot_be_done_is_said(walker, properties, reason):
    small = figure_like(walker, 0.6)
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.motion_editing.retarget_motion(**properties)
    assert scope.action_of(small) is None


@pytest.mark.parametrize(
    ("scale", "wrong"),
    [
        ((1.0, 1.0, 2.0), r"is scaled unevenly \(1, 1, 2\)"),
        ((-1.0, 1.0, 1.0), r"is mirrored \(-1, 1, 1\)"),
        ((0.0, 1.0, 1.0), r"is scaled to nothing \(0, 1, 1\)"),
    ],
)
@pytest.mark.parametrize("by_parent", [False, True])
def test_uneven_scales_are_refused_with_whose_they_are_and_what_helps(walker, scale, wrong, by_parent):
    scaled = small = figure_like(walker, 0.6)
    who = "'Small' "
    if by_parent:
        small.parent = scaled = bpy.data.objects.new("Holder", None)
        bpy.context.collection.objects.link(scaled)
        who = "'Holder', which 'Small' is parented to, "
    scaled.scale = scale
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match=f"{who}{wrong}: apply its scale"):
        bpy.ops.motion_editing.retarget_motion(source="Sample")


def test_a_result_that_nobody_touched_need_not_be_kept(walker):
    figure_like(walker, 0.6)
    first = retargeted(source="Sample")
    second = retargeted(source="Sample")
    assert not first.use_fake_user
    action_io.channelbag(bpy.context.object).fcurves[0].keyframe_points[3].co[1] += 0.5
    retargeted(source="Sample")
    assert second.use_fake_user
