"""Saved data of pose trees that are spoilt: nothing that belongs to the user is touched, and there is a way out."""

import tracemalloc

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.core.errors import DamagedDataError
from motion_editing.motion_editing_addon.pose_tree import live, model
from motion_editing.motion_editing_addon.pose_tree.overlay import overlay_data
from motion_editing.motion_editing_addon.pose_tree.poses import saved_poses, stored_poses
from tree_paths import rig_with_path
from tree_rigs import OPERATORS, activate, channels, rig_with_tree


@pytest.fixture
def tree():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    return armature, poses


def control_of(name):
    return bpy.data.objects[name].motion_editing_control


def spoil(armature, group, name, value):
    """Change what is kept as a damaged file would have it."""
    del group[name]
    group[name] = value
    model.tree_of(armature).revision += 1


# Poses


def test_a_pose_that_cannot_be_read_is_left_out_named_and_taken_away(tree):
    armature, poses = tree
    spoil(armature, control_of("Pose 3"), "rotations_still", [float("nan")] * 16)
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)
    assert "The pose of 'Pose 3' is damaged" in live.note_of(armature)
    assert live.note_of(armature).endswith("use Repair Tree")
    assert OPERATORS.repair_pose_tree() == {"FINISHED"}
    assert "Pose 3" not in bpy.data.objects
    assert live.note_of(armature) == ""


@pytest.mark.parametrize("count", [-5, 0, 2, 1_000_000, 2**31 - 1])
def test_a_wrong_count_is_found_before_room_is_made_for_it(tree, count):
    armature, _poses = tree
    spoil(armature, control_of("Pose 3"), "pose_count", count)
    tracemalloc.start()
    with pytest.raises(DamagedDataError):
        stored_poses.load(control_of("Pose 3"), 1)
    with pytest.raises(DamagedDataError):
        stored_poses.load(control_of("Pose 1"), count)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
    assert len(saved_poses.sound_targets(armature, model.active_node(armature))) == 4


def test_a_path_that_cannot_be_read_is_not_drawn_and_taken_away():
    armature, _played = rig_with_path()
    node = model.active_node(armature)
    OPERATORS.add_tree_pose(name="Other")
    spoil(armature, node.paths[0].store, "places", [0.0, 1.0])
    assert overlay_data.spaces_seen(bpy.context, [armature.name])[0].paths == ()
    with pytest.raises(RuntimeError, match=r"The path 'RigAction' is damaged, .*: use Repair Tree"):
        OPERATORS.pick_path_pose()
    assert OPERATORS.repair_pose_tree() == {"FINISHED"}
    assert len(node.paths) == 0
    assert OPERATORS.suggest_tree_place() == {"FINISHED"}


@pytest.mark.parametrize(
    ("name", "value"), [("frames", 1_000_000), ("frames", -3), ("rate", 0.0), ("step", -1.0), ("step", 1e30)]
)
def test_numbers_of_a_path_are_mended(name, value):
    armature, _played = rig_with_path()
    path = model.active_node(armature).paths[0]
    setattr(path, name, value)
    model.tree_of(armature).revision += 1
    assert saved_poses.damages(armature, model.active_node(armature))
    OPERATORS.repair_pose_tree()
    assert (path.frames, path.step) == (40, 1.0)
    assert path.rate > 0.0
    assert OPERATORS.follow_tree_path() == {"FINISHED"}


# Nodes


def add_nodes(*names):
    for name in names:
        OPERATORS.add_tree_node(name=name, parent="Body")


def test_parents_in_a_circle_are_told_shown_and_unhooked(tree):
    armature, _poses = tree
    add_nodes("Arm", "Leg")
    body, arm, leg = model.tree_of(armature).nodes
    arm.parent, leg.parent = leg.number, arm.number
    assert model.damage_of(armature, arm) == "The parent of 'Arm' is gone: use Repair Tree"
    assert [node.name for _depth, node in model.in_tree_order(armature)] == ["Body", "Arm", "Leg"]
    OPERATORS.repair_pose_tree()
    assert (arm.parent, leg.parent, body.parent) == (0, arm.number, 0)
    assert [model.damage_of(armature, node) for node in model.tree_of(armature).nodes] == [None] * 3


@pytest.mark.parametrize("number", [0, -7, 1])
def test_nodes_with_one_number_get_their_own(tree, number):
    armature, _poses = tree
    add_nodes("Arm")
    model.tree_of(armature).nodes[1].number = number
    assert [node.name for _depth, node in model.in_tree_order(armature)] == ["Body", "Arm"]
    OPERATORS.repair_pose_tree()
    body, arm = model.tree_of(armature).nodes
    assert 0 < arm.number != body.number
    assert model.damage_of(armature, arm) is None
    assert len(model.targets_of(body)) == 5


def test_the_largest_number_is_no_end(tree):
    armature, _poses = tree
    model.active_node(armature).number = 2**31 - 1
    OPERATORS.repair_pose_tree()
    OPERATORS.add_tree_node(name="Arm")
    assert [node.number for node in model.tree_of(armature).nodes] == [2**31 - 1, 1]
    model.tree_of(armature).revision = 2**31 - 1
    assert OPERATORS.add_tree_pose() == {"FINISHED"}


# What belongs to the user


def test_what_pointers_lead_to_by_mistake_is_not_removed(tree):
    armature, _poses = tree
    add_nodes("Arm")
    prop = rigs.chain_armature(2, name="Prop")
    folder = bpy.data.collections.new("Mine")
    bpy.context.scene.collection.children.link(folder)
    node = model.tree_of(armature).nodes[1]
    model.tree_of(armature).ghost, node.cursor, node.space, node.place, node.collection = (
        armature, prop, prop, armature, folder,
    )  # fmt: skip
    activate(armature)
    for tool in (OPERATORS.end_suggesting, OPERATORS.repair_pose_tree, OPERATORS.remove_pose_tree):
        assert tool() == {"FINISHED"}
    assert {"Rig", "Prop"} <= set(bpy.context.scene.objects.keys())
    assert "Mine" in bpy.data.collections
    assert not [thing for thing in bpy.data.objects if model.is_part(armature, thing)]


# Characters that are gone


def test_what_a_deleted_character_left_can_be_removed(tree):
    armature, _poses = tree
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    bpy.ops.object.delete()
    activate(bpy.data.objects["Pose 1"])
    assert not OPERATORS.add_tree_pose.poll()
    assert OPERATORS.remove_pose_tree() == {"FINISHED"}
    assert not bpy.context.scene.objects
    assert "Control Spaces" not in bpy.data.collections


def test_an_appended_character_is_live_at_once(tree, tmp_path):
    _armature, poses = tree
    path = tmp_path / "tree.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.append(filename="Rig", directory=f"{path}/Object/")
    armature = bpy.data.objects["Rig"]
    activate(armature)
    assert live.owner_names() == ["Rig"]
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_a_character_that_a_script_appends_is_repaired(tree, tmp_path):
    _armature, poses = tree
    path = str(tmp_path / "tree.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(path, link=False) as (_there, here):
        here.objects = ["Rig"]
    armature = here.objects[0]
    bpy.context.scene.collection.objects.link(armature)
    activate(armature)
    assert OPERATORS.repair_pose_tree() == {"FINISHED"}
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_disabling_and_enabling_leaves_a_live_tree_live(tree, registered_addon):
    armature, poses = tree
    action = rigs.key_bones(armature, [1, 10])
    OPERATORS.go_to_tree_pose(target="Pose 1")
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    assert all(curve.mute for curve in curves)
    registered_addon.unregister()
    assert not any(curve.mute for curve in curves)
    registered_addon.register()
    assert all(curve.mute for curve in curves)
    OPERATORS.go_to_tree_pose(target="Pose 2")
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)
