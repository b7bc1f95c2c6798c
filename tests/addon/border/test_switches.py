"""Choices, switches and whole numbers are read as the numbers that their keys hold."""

import bpy
import pytest
import rigs
from motion_editing.motion_editing_addon.border.action_io.curves.numbers import is_whole, number_at, put_number
from motion_editing.motion_editing_addon.border.rigs import rig_pose
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.pose_tree import live, model
from switching_rigs import PARENT, STRETCH, SWITCHES, VARIANT, add_switches, switch_curve, switching_rig
from tree_rigs import cursor_of

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def rig():
    return switching_rig()


# One number


def test_a_choice_is_read_and_set_as_a_number(rig):
    bone = rig.pose.bones["bone1"]
    bone["torso_parent"] = 3
    assert rig.path_resolve(PARENT) == "P3"
    assert number_at(rig, PARENT) == 3.0
    assert rig_pose.scalar(rig, PARENT, 0.0) == 3.0
    rig_pose.set_scalar(rig, PARENT, 2.2)
    assert bone["torso_parent"] == 2
    assert type(bone["torso_parent"]) is int
    assert rig.path_resolve(PARENT) == "P2"


@pytest.mark.parametrize(
    ("path", "before", "put", "after", "whole"),
    [
        (STRETCH, 1.0, 0.2, 0.0, True),
        (VARIANT, 2.0, 4.6, 5.0, True),
        ('pose.bones["bone0"].rotation_mode', 0.0, 3.1, 3.0, True),
        ('pose.bones["bone0"].constraints["Copy Rotation"].mix_mode', 0.0, 1.0, 1.0, True),
        ('pose.bones["bone0"].constraints["Copy Rotation"].enabled', 1.0, 0.0, 0.0, True),
        ('pose.bones["bone0"].constraints["Copy Rotation"].influence', 1.0, 0.25, 0.25, False),
        ('pose.bones["bone0"].bbone_scalein', 1.0, 2.5, 2.5, False),
        ('pose.bones["bone0"].bbone_scalein[2]', 1.0, 2.5, 2.5, False),
        ('["a \\"quoted\\" [\\"list\\"]"]', 1.5, 2.5, 2.5, False),
        ('["a \\"quoted\\" [\\"list\\"]"][1]', 0.5, 2.5, 2.5, False),
        ('["counts"][1]', 7.0, 8.4, 8.0, True),
    ],
)
def test_any_number_is_read_and_set_where_it_is(path, before, put, after, whole):
    armature = rigs.chain_armature(2)
    armature.pose.bones["bone0"].constraints.new("COPY_ROTATION")
    add_switches(rigs.chain_armature(2, name="Other").pose.bones["bone1"])
    add_switches(armature.pose.bones["bone1"])
    armature['a "quoted" ["list"]'] = [1.5, 0.5]
    armature["counts"] = [3, 7]
    assert number_at(armature, path) == before
    assert is_whole(armature, path) == whole
    put_number(armature, path, put)
    assert number_at(armature, path) == pytest.approx(after)


@pytest.mark.parametrize("path", ['["gone"]', '["text"]', 'pose.bones["gone"].location', "nothing", "location[7]", ""])
def test_what_is_no_number_is_none(path):
    armature = rigs.chain_armature(2)
    armature["text"] = "7"
    assert number_at(armature, path) is None
    assert not is_whole(armature, path)
    rig_pose.set_scalar(armature, path, 1.0)
    assert armature["text"] == "7"


# Whole tools


def test_a_choice_without_keys_is_read_with_the_motion(rig):
    action = rig.animation_data.action
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    rig.pose.bones["bone1"]["torso_parent"] = 3
    curves.remove(switch_curve(rig, PARENT))
    OPERATORS.add_pose_tree()
    OPERATORS.embed_action(action=action.name)
    path = model.active_node(rig).paths[0]
    from motion_editing.motion_editing_addon.pose_tree.poses import stored_poses

    poses = stored_poses.load(path.store, path.frames)
    assert set(poses.scalars[:, poses.scalar_names.index(PARENT)].tolist()) == {3.0}


def test_a_pose_tree_takes_up_a_keyed_choice_and_gives_it_back(rig):
    bone = rig.pose.bones["bone1"]
    OPERATORS.add_pose_tree(live=False)
    for place, frame in (((0, 0, 0), 1), ((1, 0, 0), 11)):
        bpy.context.scene.frame_set(frame)
        cursor_of(rig).location = place
        bpy.context.view_layer.update()
        OPERATORS.add_tree_pose(name=f"Frame {frame}")
    OPERATORS.live_pose_tree(state="ON")
    for name, choice in (("Frame 1", 1), ("Frame 11", 3), ("Frame 1", 1)):
        OPERATORS.go_to_tree_pose(target=name)
        assert live.problem_of(rig) is None
        assert bone["torso_parent"] == choice
        assert type(bone["torso_parent"]) is int


def test_an_embedded_action_is_baked_with_its_choices(rig):
    action = rig.animation_data.action
    before = {path: [switch_curve(rig, path).evaluate(frame) for frame in range(1, 22)] for path in SWITCHES}
    OPERATORS.add_pose_tree()
    OPERATORS.embed_action(action=action.name)
    bpy.context.scene.frame_set(1)
    OPERATORS.follow_tree_path()
    OPERATORS.bake_pose_tree(use_scene=False, first=1, last=21)
    for path, values in before.items():
        curve = switch_curve(rig, path)
        assert [curve.evaluate(frame) for frame in range(1, 22)] == values
    assert type(rig.pose.bones["bone1"]["torso_parent"]) is int


def test_a_staggered_pose_is_edited_on_a_rig_with_choices(rig):
    assert OPERATORS.poses_from_keys() == {"FINISHED"}
    assert OPERATORS.edit_staggered_pose(pose=1) == {"FINISHED"}
    bone = rig.pose.bones["bone1"]
    assert bone["torso_parent"] == 3
    assert type(bone["torso_parent"]) is int
    bone["torso_parent"] = 2
    assert OPERATORS.apply_staggered_pose() == {"FINISHED"}
    values = scope.read_clip(bpy.context, rig).motion
    assert values.scalars[10, values.scalar_names.index(PARENT)] == 2.0
