"""What the list offers besides places: ranges of joints, stiffness, and one list for each slot."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.constraints.constraint_list import read_list
from motion_editing.motion_editing_addon.constraints.from_pose import angles_about
from motion_editing.motion_editing_addon.constraints.kinds import KINDS
from motion_editing.motion_editing_addon.constraints.lane import ConstraintsOnStrip
from motion_editing.motion_editing_addon.constraints.stiffness import stiffness_of
from motion_editing.motion_editing_addon.document import scope
from rigs import chain_armature, key_bones


@pytest.fixture
def armature(empty_scene):
    rig = chain_armature(4)
    key_bones(rig, [1, 12, 24])
    return rig


def settings(armature):
    return armature.animation_data.action.motion_editing_constraints


def add(kind, bone="bone3", **options):
    assert bpy.ops.motion_editing.add_constraint(kind=kind, bone=bone, **options) == {"FINISHED"}
    return settings(bpy.context.object).listed[-1]


def bends(armature, axis, bone="bone2"):
    """(F,) radians about an axis of a bone."""
    motion = scope.read_clip(bpy.context, armature).motion
    return angles_about(motion.rotations[:, motion.skeleton.index[bone]], axis)


# Adding and removing


def test_a_list_without_constraints_says_what_to_do(armature):
    for tool in ("remove_constraint", "jump_to_constraint"):
        with pytest.raises(RuntimeError, match="There are no constraints: add one with the plus"):
            getattr(bpy.ops.motion_editing, tool)()


def test_the_distance_of_two_selected_bones_is_one_constraint(armature):
    bpy.ops.object.mode_set(mode="POSE")
    for name in ("bone1", "bone3"):
        select(armature.pose.bones[name], True)
    armature.data.bones.active = armature.data.bones["bone3"]
    assert bpy.ops.motion_editing.add_constraint(kind="DISTANCE") == {"FINISHED"}
    (item,) = settings(armature).listed
    assert (item.bone, item.target_bone) == ("bone3", "bone1")
    heads = [armature.pose.bones[name].head for name in ("bone1", "bone3")]
    assert item.distance == pytest.approx((heads[1] - heads[0]).length, rel=1e-5)


# Ranges


def test_angles_are_those_of_turns_about_one_axis():
    angles = np.array([-2.0, -0.3, 0.0, 0.7, 3.0])
    for axis in range(3):
        turns = np.cos(0.5 * angles)[:, None] * np.eye(4)[0] + np.sin(0.5 * angles)[:, None] * np.eye(4)[1 + axis]
        np.testing.assert_allclose(angles_about(turns, axis), angles, atol=1e-12)
        np.testing.assert_allclose(angles_about(-turns, axis), angles, atol=1e-12)


def test_a_range_begins_as_wide_as_the_motion_bends(armature):
    item = add("JOINT_RANGE", "bone2")
    axis = "XYZ".index(item.axis)
    angles = bends(armature, axis)
    assert (item.smallest, item.largest) == pytest.approx((angles.min(), angles.max()), abs=1e-5)
    spreads = [np.ptp(bends(armature, each)) for each in range(3)]
    assert spreads[axis] > 0.9 * max(spreads)
    assert (item.start, item.end) == (1.0, 24.0), "over the whole action"


def test_a_joint_stays_within_its_range(armature):
    item = add("JOINT_RANGE", "bone2")
    axis, middle = "XYZ".index(item.axis), 0.5 * (item.smallest + item.largest)
    half = 0.3 * (item.largest - item.smallest)
    item.smallest, item.largest = middle - half, middle + half
    assert bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", spacing=2) == {"FINISHED"}
    angles = bends(armature, axis)
    assert angles.min() > middle - half - 1e-3
    assert angles.max() < middle + half + 1e-3


def test_a_range_the_wrong_way_round_is_refused(armature):
    item = add("JOINT_RANGE", "bone2")
    item.smallest, item.largest = 0.5, 0.2
    with pytest.raises(RuntimeError, match="largest angle below its smallest"):
        bpy.ops.motion_editing.solve_constraints()


def test_every_type_can_be_added_and_solved(armature):
    for kind in KINDS:
        item = add(kind, start=5, end=9, target_bone="bone0" if kind == "DISTANCE" else "")
        assert (item.kind, item.bone) == (kind, "bone3")
        assert bpy.ops.motion_editing.solve_constraints() == {"FINISHED"}


# Stiffness


def test_stiffness_is_one_until_it_is_set(armature):
    np.testing.assert_array_equal(stiffness_of(armature, ["", "bone1", "no such bone"]), [1.0, 1.0, 1.0])


def test_selected_bones_get_it_and_it_is_saved(armature, tmp_path):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name in ("bone1", "bone2"))
    assert bpy.ops.motion_editing.set_stiffness(stiffness=20.0) == {"FINISHED"}
    assert bpy.ops.motion_editing.set_stiffness(stiffness=100.0, bone="bone3") == {"FINISHED"}
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "stiff.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "stiff.blend"))
    found = stiffness_of(bpy.data.objects["Rig"], ["bone0", "bone1", "bone2", "bone3"])
    np.testing.assert_array_equal(found, [1.0, 20.0, 20.0, np.inf])


def test_all_bones_are_set_back_at_once(armature):
    bpy.ops.motion_editing.set_stiffness(stiffness=5.0, bone="bone1")
    bpy.ops.motion_editing.set_stiffness(stiffness=1.0, everything=True)
    assert stiffness_of(armature, armature.pose.bones.keys()).tolist() == [1.0] * 4


def test_stiffness_of_nothing_is_refused_with_the_reason(armature):
    for options, reason in (({}, "Select bones in pose mode"), ({"bone": "tail"}, "There is no bone 'tail'")):
        with pytest.raises(RuntimeError, match=reason):
            bpy.ops.motion_editing.set_stiffness(**options)


def bend(armature, bone):
    """How far a bone turns when another one below it is moved, in radians over all frames."""
    from motion_editing.core.numerics import quaternion

    clip = scope.read_clip(bpy.context, armature)
    joint = clip.motion.skeleton.index[bone]
    item = add("POSITION", "bone3", start=12, end=12)
    item.point[0] += 0.3
    assert bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME") == {"FINISHED"}
    after = scope.read_clip(bpy.context, armature).motion.rotations[:, joint]
    turned = quaternion.angle_between(clip.motion.rotations[:, joint], after)
    bpy.ops.motion_editing.restore_original()
    bpy.ops.motion_editing.remove_constraint(everything=True)
    return float(turned.max())


def test_stiff_bones_turn_less_and_the_stiffest_not_at_all(armature):
    found = []
    for stiffness in (1.0, 20.0, 100.0):
        bpy.ops.motion_editing.set_stiffness(stiffness=stiffness, bone="bone1")
        found.append(bend(armature, "bone1"))
    assert found[0] > 0.01
    assert found[1] < 0.3 * found[0]
    assert found[2] < 1e-6


# Slots


@pytest.fixture
def two_slots(armature):
    """Two armatures in two slots of one action, each with a constraint of its own."""
    other = chain_armature(4, name="Other")
    other.animation_data_create()
    action = armature.animation_data.action
    other.animation_data.action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    key_bones(other, [1, 12, 24], seed=2)
    add("POSITION", "bone3", start=5, end=5)
    bpy.context.view_layer.objects.active = armature
    add("KEEP", "bone2", start=3, end=8)
    return armature, other


def test_each_armature_sees_the_constraints_of_its_slot(two_slots):
    first, second = two_slots
    action = first.animation_data.action
    assert second.animation_data.action == action
    assert [item.kind for _number, item in settings(first).of(first)] == ["KEEP"]
    assert [item.kind for _number, item in settings(second).of(second)] == ["POSITION"]
    for rig, kinds in ((first, ["Keep"]), (second, ["Position"])):
        bpy.context.view_layer.objects.active = rig
        assert [span.label for span in ConstraintsOnStrip().data(bpy.context).spans] == kinds
        clip = scope.read_clip(bpy.context, rig)
        listed = read_list(clip, settings(rig).listed, first=0, last=999)
        assert [settings(rig).listed[number].kind.title() for number in listed.numbers] == kinds


def test_removing_all_leaves_those_of_the_other_slot(two_slots):
    first, second = two_slots
    bpy.ops.motion_editing.remove_constraint(number=settings(first).of(first)[0][0], everything=True)
    assert not settings(first).of(first)
    assert len(settings(second).of(second)) == 1


def test_a_constraint_of_another_slot_cannot_be_named_by_its_number(two_slots):
    _first, second = two_slots
    number = settings(second).of(second)[0][0]
    with pytest.raises(RuntimeError, match="There is no constraint with number"):
        bpy.ops.motion_editing.remove_constraint(number=number)


def test_lists_saved_before_slots_counted_belong_to_every_slot(two_slots):
    first, second = two_slots
    settings(first).listed[0].slot = 0
    assert all(settings(rig).listed[0].belongs_to(rig) for rig in (first, second))


def test_constraints_follow_a_copy_of_the_action(armature):
    add("KEEP", "bone2", start=3, end=8)
    armature.animation_data.action = armature.animation_data.action.copy()
    assert len(settings(armature).of(armature)) == 1
