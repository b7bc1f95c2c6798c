"""Succession, Overlap and the rows of the strip on control rigs: controls follow each other down the body."""

import bpy
import numpy as np
import pytest
from control_rigs import key_place, key_steps, key_switch, key_turn, shown_figure, traveller_rig
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.staggered import session
from motion_editing.motion_editing_addon.staggered.lane import lane_data
from rigs import all_keys

OPERATORS = bpy.ops.motion_editing
KEY_FRAMES = (1, 21, 41, 61)
RATE = 24.0
# The left arm on IK, the right one on FK, fingers, the trunk, the root, and a foot.
TURNED = (
    "root",
    "torso",
    "shoulder.L",
    "shoulder.R",
    "hand_ik.L",
    "upper_arm_fk.R",
    "forearm_fk.R",
    "hand_fk.R",
    "f_index.01_master.L",
    "f_index.01_master.R",
)


@pytest.fixture(scope="module")
def rigify_file(generated, tmp_path_factory):
    """A Rigify human with one arm on IK and one on FK, keyed pose by pose."""
    rig = generated("human")
    rig.pose.bones["upper_arm_parent.R"]["IK_FK"] = 1.0
    for number, frame in enumerate(KEY_FRAMES):
        for name in TURNED:
            key_turn(rig.pose.bones[name], frame, "X", 0.1 * (-1) ** number)
        for name in ("torso", "hand_ik.L", "foot_ik.L"):
            key_place(rig.pose.bones[name], frame, np.array([0.0, -0.02 * number, 0.02 * (-1) ** number]))
    path = tmp_path_factory.mktemp("overlap") / "rig.blend"
    bpy.context.view_layer.objects.active = rig
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.fixture
def rigify(rigify_file, empty_scene):
    bpy.ops.wm.open_mainfile(filepath=str(rigify_file))
    return bpy.data.objects["rig"]


def delays(rig):
    """How much later the second key of every bone is, in frames."""
    curves = action_io.channelbag(rig).fcurves
    return {action_io.bone_of_path(curve.data_path): curve.keyframe_points[1].co[0] - KEY_FRAMES[1] for curve in curves}


def pick(rig, *names):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in rig.pose.bones:
        select(bone, bone.name in names)


def levels_after_succession(rig, bone):
    offset = 0.25 / RATE  # small enough that no pose becomes tight
    OPERATORS.poses_from_keys()
    assert OPERATORS.succession(bone=bone, offset=offset, all_poses=True, whole_frames=False, keep_contacts=False) == {
        "FINISHED"
    }
    return {name: late / (offset * RATE) for name, late in delays(rig).items()}


def test_succession_goes_from_the_root_to_the_fingers_of_both_arms(rigify):
    levels = levels_after_succession(rigify, "root")
    expected = {"root": 0, "torso": 1, "foot_ik.L": 4, "shoulder.L": 5, "hand_ik.L": 8, "f_index.01_master.L": 10}
    expected |= {"shoulder.R": 5, "upper_arm_fk.R": 6, "forearm_fk.R": 7, "hand_fk.R": 8, "f_index.01_master.R": 10}
    assert levels == pytest.approx(expected, abs=0.01)


def test_succession_down_one_arm_leaves_the_rest(rigify):
    levels = levels_after_succession(rigify, "shoulder.L")
    late = {name for name, level in levels.items() if level > 0.01}
    assert late == {"hand_ik.L", "f_index.01_master.L"}
    assert levels["hand_ik.L"] == pytest.approx(3, abs=0.01)


@pytest.mark.parametrize(
    "row",
    [
        ("shoulder.L", "hand_ik.L", "f_index.01_master.L"),
        ("shoulder.R", "upper_arm_fk.R", "forearm_fk.R", "hand_fk.R"),
        ("root", "torso", "foot_ik.L"),
    ],
)
def test_overlap_delays_each_picked_control_behind_the_ones_above(rigify, row):
    pick(rigify, *row)
    assert OPERATORS.overlap(overlap=2 / RATE) == {"FINISHED"}
    wanted = {name: 2.0 * row.index(name) if name in row else 0.0 for name in delays(rigify)}
    assert delays(rigify) == pytest.approx(wanted, abs=1e-3)


def test_overlap_of_a_baked_rig_does_not_jump(rigify):
    for curve in action_io.channelbag(rigify).fcurves:
        values = [curve.evaluate(frame) for frame in range(1, 62)]
        for frame, value in enumerate(values, 1):
            curve.keyframe_points.insert(frame, value)
    before = np.linalg.norm(np.diff(shown_figure(rigify, range(1, 62))[..., :3, 3], axis=0), axis=-1).max()
    pick(rigify, "shoulder.L", "hand_ik.L", "f_index.01_master.L")
    assert OPERATORS.overlap(overlap=0.08, keep_contacts=False) == {"FINISHED"}
    after = np.linalg.norm(np.diff(shown_figure(rigify, range(1, 62))[..., :3, 3], axis=0), axis=-1).max()
    assert after < 2.0 * before


@pytest.mark.parametrize("tool", ["succession", "overlap"])
def test_planted_ik_feet_keep_their_time(tool, generated):
    rig = generated("human")
    bpy.context.view_layer.objects.active = rig
    key_steps(rig, "torso", ("foot_ik.L", "foot_ik.R", "hand_ik.R", "hand_ik.L"))
    before = all_keys(rig.animation_data.action)
    if tool == "succession":
        OPERATORS.poses_from_keys()
        OPERATORS.succession(bone="torso", offset=0.02, all_poses=True)
    else:
        OPERATORS.overlap(overlap=0.08)
    after = all_keys(rig.animation_data.action)
    changed = {action_io.bone_of_path(curve[1]) for curve, keys in after.items() if keys != before[curve]}
    assert changed == {"hand_ik.L", "hand_ik.R"}


def test_rows_hold_animated_controls_by_the_limb_that_they_move(rigify):
    OPERATORS.poses_from_keys()
    data = lane_data.of(bpy.context, rigify, session.load(rigify))
    rows = {name: data.rows[row].name for name, row in zip(data.joint_names, data.joint_rows, strict=True) if row >= 0}
    assert set(rows) == {*TURNED, "foot_ik.L"}
    assert {rows[name] for name in ("hand_ik.L", "f_index.01_master.L")} == {"Left arm"}
    assert {rows[name] for name in ("hand_fk.R", "forearm_fk.R")} == {"Right arm"}
    assert rows["root"] == rows["torso"] == "Torso"
    assert rows["foot_ik.L"] == "Left leg"


@pytest.fixture
def traveller(empty_scene):
    rig = traveller_rig()
    for number, frame in enumerate(KEY_FRAMES):
        for name in ("traj", "root_master.x", "spine_01.x", "head.x", "foot_ik.l", "thigh_fk.r", "foot_fk.r"):
            key_turn(rig.pose.bones[f"c_{name}"], frame, "X", 0.1 * (-1) ** number)
    key_switch(rig.pose.bones["c_foot_ik.r"], "ik_fk_switch", {1: 1.0, 21: 1.0, 41: 1.0, 61: 1.0})
    return rig


def test_succession_on_a_rig_with_a_traveller(traveller):
    levels = levels_after_succession(traveller, "c_traj")
    del levels["c_foot_ik.r"]
    expected = {"c_traj": 0, "c_root_master.x": 1, "c_spine_01.x": 2, "c_head.x": 3}
    expected |= {"c_foot_ik.l": 4, "c_thigh_fk.r": 2, "c_foot_fk.r": 4}
    assert levels == pytest.approx(expected, abs=0.01)
