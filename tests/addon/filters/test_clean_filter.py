"""Filters and wave shaping as operators: what they write is what core gives, and what they say is measured."""

import bpy
import numpy as np
import pytest
from motion_editing.core.filters import filtered
from motion_editing.core.filters.wave_shape import compressed, exaggerated, soft_limited
from motion_editing.core.numerics import quaternion
from motion_editing.core.numerics.responses import binomial, butterworth, gaussian
from motion_editing.core.solve.contact_lock import foot_slide
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.any_frames import read_frames
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake
from rigs import all_keys, chain_armature, key_bones

TOOLS = ("smooth", "low_pass", "high_pass", "band_pass", "exaggerate_motion", "soft_limit", "compress_range")


def rig(frames=range(1, 41)):
    armature = chain_armature(3, connected=False)
    key_bones(armature, list(frames))
    return armature


def sample():
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def read(armature, rate=24.0):
    return action_io.read(armature, rate=rate)


def assert_same(found, expected):
    assert quaternion.angle_between(found.rotations, expected.rotations).max() < 3e-6
    np.testing.assert_allclose(found.locations, expected.locations, atol=2e-6)
    np.testing.assert_allclose(found.scales, expected.scales, atol=2e-6)


@pytest.mark.parametrize(
    ("options", "below", "above"),
    [
        (("low_pass", {"cutoff": 4.0, "steepness": 3}), butterworth(4.0, order=3), None),
        (("low_pass", {"kind": "GAUSSIAN", "width": 0.1}), gaussian(0.1), None),
        (("low_pass", {"kind": "BINOMIAL", "passes": 5}), binomial(24.0, passes=5), None),
        (("high_pass", {"cutoff": 1.0}), None, butterworth(1.0)),
        (("band_pass", {"lowest": 1.0, "highest": 5.0}), butterworth(5.0), butterworth(1.0)),
    ],
)
@pytest.mark.parametrize("call", ["EXEC_DEFAULT", "INVOKE_DEFAULT"])
def test_filters_write_what_core_gives(options, below, above, call):
    armature = rig()
    name, values = options
    expected = filtered(read(armature).motion, keep_below=below, keep_above=above, strength=0.8)
    assert getattr(bpy.ops.motion_editing, name)(call, strength=0.8, keep_floor=False, **values) == {"FINISHED"}
    assert_same(read(armature).motion, expected)


def test_without_picked_bones_shaping_leaves_the_root_alone():
    armature = rig()
    motion, joints = read(armature).motion, np.ones(4, dtype=bool)
    assert ClipTake(read(armature), joints).posed_joints.sum() <= 3
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone)
    assert ClipTake(read(armature), joints).posed_joints.all()
    bpy.ops.motion_editing.exaggerate_motion(amount=1.3, keep_floor=False)
    chosen = np.array([False, True, True, True])
    assert_same(read(armature).motion, exaggerated(motion, 1.3, joints=chosen))


@pytest.mark.parametrize(
    ("name", "values", "core"),
    [
        ("soft_limit", {"limit": 0.3, "softness": 0.5}, lambda m, p: soft_limited(m, 0.3, softness=0.5, about=p)),
        (
            "compress_range",
            {"threshold": 0.2, "ratio": 3.0, "knee": 0.1},
            lambda m, p: compressed(m, threshold=0.2, ratio=3.0, knee=0.1, about=p),
        ),
    ],
)
def test_shaping_about_the_current_frame(name, values, core):
    armature = rig()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone)
    bpy.context.scene.frame_set(11)
    motion = read(armature).motion
    getattr(bpy.ops.motion_editing, name)(about="FRAME", **values)
    assert_same(read(armature).motion, core(motion, motion.part(10, 11)))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("smooth", {"strength": 0.0}),
        ("low_pass", {"strength": 0.0}),
        ("high_pass", {"strength": 0.0, "keep_peaks": True}),
        ("band_pass", {"strength": 0.0}),
        ("exaggerate_motion", {"amount": 1.0}),
        ("compress_range", {"ratio": 1.0}),
        ("soft_limit", {"limit": 6.28, "softness": 0.0}),
    ],
)
def test_neutral_values_change_no_key_and_keep_no_copy(name, values):
    armature = rig()
    before = all_keys(armature.animation_data.action)
    getattr(bpy.ops.motion_editing, name)(**values)
    assert all_keys(armature.animation_data.action) == before
    assert armature.animation_data.action.motion_editing.original is None


@pytest.mark.parametrize("name", TOOLS)
def test_selected_keys_bound_what_changes(name):
    armature = rig()
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name == "bone1")
    for curve in action_io.channelbag(armature).fcurves:
        for key in curve.keyframe_points:
            key.select_control_point = 8 <= key.co.x <= 30
    before, motion = all_keys(armature.animation_data.action), read(armature).motion
    assert getattr(bpy.ops.motion_editing, name)(range="KEYS") == {"FINISHED"}
    after = all_keys(armature.animation_data.action)
    assert {key[1].split('"')[1] for key in after if after[key] != before[key]} == {"bone1"}
    frames = np.flatnonzero((read(armature).motion.rotations != motion.rotations).any(axis=(1, 2))) + 1
    assert frames.min() >= 8
    assert frames.max() <= 30


def test_sparse_keys_take_the_filtered_value_at_their_frames():
    frames = [1, 5, 9, 13, 21, 40]
    armature = rig(frames)
    expected = filtered(read(armature).motion, keep_below=gaussian(0.2))
    bpy.ops.motion_editing.low_pass(kind="GAUSSIAN", width=0.2, keep_floor=False)
    assert {len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves} == {len(frames)}
    at_keys = np.array(frames) - 1
    found = read(armature).motion
    np.testing.assert_allclose(found.locations[at_keys], expected.locations[at_keys], atol=2e-6)
    assert quaternion.angle_between(found.rotations[at_keys], expected.rotations[at_keys]).max() < 3e-6


def test_few_keys_for_a_clip_between_whole_frames():
    armature = rig([1.0 + 0.4 * number for number in range(60)])
    before = read(armature)
    assert len(before.frames) == 60
    assert bpy.ops.motion_editing.low_pass(cutoff=1.0, keying="REDUCED") == {"FINISHED"}
    expected = filtered(before.motion, keep_below=butterworth(1.0))
    now = read_frames(armature, before.frames, rate=24.0).motion
    assert quaternion.angle_between(now.rotations, expected.rotations).max() < np.radians(0.51)


def test_limits_in_the_wrong_order_are_refused_with_the_reason():
    rig()
    with pytest.raises(RuntimeError, match=r"Lowest \(5.00 Hz\) must be below Highest \(2.00 Hz\)"):
        bpy.ops.motion_editing.band_pass(lowest=5.0, highest=2.0)


def test_peaks_stay_bit_for_bit():
    armature = sample()
    facts = ClipTake(read(armature))
    before, extremes = facts.clip.motion, facts.extremes
    bpy.ops.motion_editing.low_pass(cutoff=1.0, keep_peaks=True, keep_contacts=False, keep_floor=False)
    after = read(armature).motion
    moments = before.times.searchsorted(extremes.times[:, None] + extremes.refinements - 0.5 / before.rate)
    moments = np.clip(moments, 0, len(before) - 1)
    joints = np.arange(before.rotations.shape[1])
    away = quaternion.angle_between(before.rotations[moments, joints], after.rotations[moments, joints])
    assert away.max() < 1e-6
    assert quaternion.angle_between(before.rotations, after.rotations).max() > 0.05


def test_peaks_are_kept_without_feet_too():
    armature = rig()
    before = read(armature).motion
    assert bpy.ops.motion_editing.low_pass(cutoff=1.0, keep_peaks=True) == {"FINISHED"}
    turns = quaternion.angle_between(before.rotations, read(armature).motion.rotations)
    assert turns.max() > 0.05
    assert (turns[1:-1, 1:] < 1e-6).any()


def test_contacts_are_kept_and_the_report_says_so():
    armature = sample()
    facts = ClipTake(read(armature))
    free = largest_slide(facts, "low_pass", cutoff=1.0, keep_contacts=False)
    bpy.ops.ed.undo()
    armature = bpy.context.object
    held = largest_slide(ClipTake(read(armature)), "low_pass", cutoff=1.0)
    assert held < 0.25 * free


def largest_slide(facts, name, **values):
    """Slide in the clip's own contacts after a tool."""
    contacts = facts.contacts
    bpy.ops.ed.undo_push(message="before")
    getattr(bpy.ops.motion_editing, name)(**values)
    bpy.ops.ed.undo_push(message="after")
    slides = foot_slide(read(bpy.context.object).motion, contacts)
    return max(slide for own in slides.values() for slide in own)


def test_the_menu_is_where_poses_are_slid_and_curves_are_smoothed():
    for place in ("VIEW3D_MT_pose_slide", "GRAPH_MT_key_smoothing"):
        drawn = [function.__module__ for function in getattr(bpy.types, place)._dyn_ui_initialize()]
        assert any(".filters." in module for module in drawn)
