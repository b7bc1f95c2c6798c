"""Mirror images and ways over the ground as operators, through F-curves."""

import bpy
import numpy as np
import pytest
from blended_sample import assert_same, body, curves, preview, read, sample
from motion_editing.core.editing.mirror import MirrorAbout, mirrored
from motion_editing.core.numerics import quaternion
from motion_editing.core.root_motion import along_curve, heading_change
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from rigs import all_keys

# Mirror


@pytest.mark.parametrize("about", ["HEADING", "START", "REST"])
@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME"])
def test_a_mirrored_motion_is_what_core_gives(about, keying):
    armature = sample()
    expected = mirrored(read(armature), body(armature), about=MirrorAbout[about])
    bpy.ops.motion_editing.mirror_motion(about=about, keying=keying)
    assert_same(read(armature), expected, within=5e-6)


def test_mirroring_twice_restores():
    armature = sample()
    before = read(armature)
    for _time in range(2):
        bpy.ops.motion_editing.mirror_motion()
    assert_same(read(armature), before, within=5e-6)


def test_mirroring_twice_about_the_rest_pose_restores_every_key():
    armature = sample()
    before = all_keys(armature.animation_data.action)
    for _time in range(2):
        bpy.ops.motion_editing.mirror_motion(about="REST")
    after = all_keys(armature.animation_data.action)
    assert after.keys() == before.keys()
    for key, each in after.items():
        for name in ("co", "handle_left", "handle_right"):
            # As numbers: 0 and -0 are the same.
            found, expected = (np.frombuffer(keys[name], dtype=np.float32) for keys in (each, before[key]))
            np.testing.assert_array_equal(found, expected)


def test_picked_bones_and_their_partners_are_mirrored():
    armature = sample()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "forearm.L")
    motion, before = read(armature), all_keys(armature.animation_data.action)
    expected = mirrored(motion, body(armature))
    bpy.ops.motion_editing.mirror_motion()
    after = all_keys(armature.animation_data.action)
    assert {key[1].split('"')[1] for key in after if after[key] != before[key]} == {"forearm.L", "forearm.R"}
    for name in ("forearm.L", "forearm.R"):
        joint = motion.skeleton.index[name]
        away = quaternion.angle_between(read(armature).rotations[:, joint], expected.rotations[:, joint])
        assert away.max() < 5e-6


def test_sparse_keys_go_over_with_their_times_and_handles():
    armature = sparse_arms()
    left, right = frames_of(armature, "forearm.L"), frames_of(armature, "forearm.R")
    assert left != right
    expected = mirrored(read(armature), body(armature), about=MirrorAbout.REST)
    bpy.ops.motion_editing.mirror_motion(about="REST")
    assert (frames_of(armature, "forearm.L"), frames_of(armature, "forearm.R")) == (right, left)
    joints = [expected.skeleton.index[name] for name in ("forearm.L", "forearm.R")]
    found = read(armature)
    assert quaternion.angle_between(found.rotations[:, joints], expected.rotations[:, joints]).max() < 1e-5


def sparse_arms():
    """The sample motion with few keys on both forearms, at other frames on each side, with free handles."""
    armature = sample()
    for curve in curves(armature):
        if '"forearm.' in curve.data_path:
            kept = (1, 40, 90, 284) if ".L" in curve.data_path else (1, 60, 120, 200, 284)
            values = [(frame, curve.evaluate(frame)) for frame in kept]
            curve.keyframe_points.clear()
            for frame, value in values:
                curve.keyframe_points.insert(frame, value)
            for key in curve.keyframe_points:
                key.interpolation = "BEZIER"
                key.handle_left_type = key.handle_right_type = "FREE"
                key.handle_right = (key.co.x + 5, key.co.y + 0.03)
            curve.update()
    return armature


def frames_of(armature, bone):
    curve = next(curve for curve in curves(armature) if f'"{bone}"].rotation' in curve.data_path)
    return [key.co.x for key in curve.keyframe_points]


def test_only_the_range_is_mirrored():
    armature = sample()
    before = read(armature)
    preview(50, 90)
    bpy.ops.motion_editing.mirror_motion(range="PREVIEW")
    changed = np.flatnonzero((read(armature).rotations != before.rotations).any(axis=(1, 2))) + 1
    assert changed.min() == 50
    assert changed.max() == 90


# Ways over the ground


def test_in_place_keeps_heights_and_takes_travel_out(capsys):
    armature = sample()
    before = read(armature)
    root = body(armature).root
    bpy.ops.motion_editing.in_place()
    after = read(armature)
    places = [motion.poses.positions[:, root] for motion in (before, after)]
    np.testing.assert_allclose(places[1][:, 2], places[0][:, 2], atol=1e-5)
    assert np.ptp(places[0][:, :2], axis=0).max() > 1.0
    assert np.ptp(places[1][:, :2], axis=0).max() < 0.5
    assert "foot slide" in capsys.readouterr().out


def test_heading_is_what_core_gives_and_bones_need_not_be_picked():
    armature = sample()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "forearm.L")
    motion = read(armature)
    expected = heading_change(motion, body(armature), 0.7).applied(motion)
    bpy.ops.motion_editing.change_heading(angle=0.7)
    assert_same(read(armature), expected, within=2e-5)


def test_a_gradual_turn_leaves_all_before_it():
    armature = sample()
    before = read(armature)
    bpy.ops.motion_editing.change_heading(angle=1.0, gradual=True, start_frame=40, end_frame=80, keep_contacts=False)
    after = read(armature)
    changed = np.flatnonzero((after.rotations != before.rotations).any(axis=(1, 2))) + 1
    assert changed.min() == 41
    with pytest.raises(RuntimeError, match=r"End \(3\) must be after Start \(9\)"):
        bpy.ops.motion_editing.change_heading(angle=1.0, gradual=True, start_frame=9, end_frame=3)


def bezier(points):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    data.bevel_depth = 0.1
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(points) - 1)
    for point, place in zip(spline.bezier_points, points, strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    thing = bpy.data.objects.new("Way", data)
    thing.location = (1.0, 2.0, 3.0)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    return thing


def test_the_character_follows_a_curve_object():
    from motion_editing.motion_editing_addon.border.curve_points import points_of

    armature = sample()
    way = bezier([(0, 0, 0), (2, 1, 0), (3, 4, 1)])
    points = points_of(way.name)
    np.testing.assert_allclose(points[[0, -1]], [(1, 2, 3), (4, 6, 4)], atol=1e-6)
    assert len(points) > 10
    motion = read(armature)
    expected = along_curve(motion, body(armature), points).applied(motion)
    data = len(bpy.data.curves), len(bpy.data.objects), len(bpy.data.meshes)
    bpy.ops.motion_editing.follow_curve(curve=way.name, keep_contacts=False)
    assert_same(read(armature), expected, within=2e-5)
    assert (len(bpy.data.curves), len(bpy.data.objects), len(bpy.data.meshes)) == data


def test_no_curve_is_refused_with_what_to_do():
    sample()
    with pytest.raises(RuntimeError, match="Choose a curve object to follow"):
        bpy.ops.motion_editing.follow_curve()


@pytest.mark.parametrize(
    ("tool", "values"), [("in_place", {}), ("change_heading", {"angle": 1.0, "gradual": True, "end_frame": 200})]
)
def test_contacts_stand_still(tool, values):
    from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake

    slides = []
    for keep in (False, True):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature = sample()
        facts = ClipTake(action_io.read(armature, rate=read(armature).rate))
        assert facts.contacts.joints
        getattr(bpy.ops.motion_editing, tool)(keep_contacts=keep, **values)
        slides.append(facts.slide_of(read(armature)))
    assert slides[1] < 0.3 * slides[0]


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("make_loop", {"result": "NEW"}),
        ("mirror_motion", {}),
        ("in_place", {}),
        ("change_heading", {"angle": 1.0}),
    ],
)
def test_one_step_to_undo(tool, values):
    armature = sample()
    bpy.ops.ed.undo_push(message="before")
    name, before = armature.animation_data.action.name, all_keys(armature.animation_data.action)
    getattr(bpy.ops.motion_editing, tool)(**values)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    action = bpy.context.object.animation_data.action
    assert action.name == name
    assert all_keys(action) == before
