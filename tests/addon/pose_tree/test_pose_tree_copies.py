"""A copied character with a live tree plays its own keys, and loses nothing."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import live, model
from motion_editing.motion_editing_addon.pose_tree.overlay import overlay_data
from tree_paths import rig_with_path
from tree_rigs import PLACES, activate, channels, cursor_of, rig_with_tree

OPERATORS = bpy.ops.motion_editing


@pytest.fixture
def pair(capfd):
    """A character with a live tree, and its copy."""
    armature, _poses = rig_with_tree()
    rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    return armature, copied(armature)


def copied(armature, **options):
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    activate(armature)
    bpy.ops.object.duplicate(**options)
    return bpy.context.object


def curves_of(armature):
    return armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves


def muted_count(armature):
    return sum(curve.mute for curve in curves_of(armature))


def test_the_copy_plays_its_own_keys_and_the_first_one_stays_live(pair):
    armature, copy = pair
    assert copy.animation_data.action != armature.animation_data.action
    assert (muted_count(armature), muted_count(copy)) == (40, 0)
    bpy.context.scene.frame_set(1)
    first = channels(copy)
    bpy.context.scene.frame_set(10)
    assert np.abs(channels(copy) - first).max() > 0.01
    before = channels(armature)
    cursor_of(armature).location = (0.4, 0.3, 0.1)
    bpy.context.view_layer.update()
    assert np.abs(channels(armature) - before).max() > 0.01


def test_the_copy_keeps_its_action_in_the_file(pair, tmp_path, capfd):
    name, copy = (each.name for each in pair)
    action = pair[1].animation_data.action.name
    path = str(tmp_path / "copies.blend")
    for _round in range(2):
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    assert bpy.data.objects[copy].animation_data.action.name == action
    assert len(curves_of(bpy.data.objects[copy])) == 40
    assert (muted_count(bpy.data.objects[name]), muted_count(bpy.data.objects[copy])) == (40, 0)
    output = "".join(capfd.readouterr())
    assert "user decrement error" not in output
    assert "Traceback" not in output


def test_nothing_points_to_the_action_for_its_muted_curves(pair):
    armature, copy = pair
    assert [each.animation_data.action.users for each in (armature, copy)] == [1, 1]


def test_the_copys_tree_is_removed_and_the_first_one_stays_whole(pair):
    armature, copy = pair
    activate(copy)
    assert "belongs to the tree of another object" in live.problem_of(copy)
    assert OPERATORS.remove_pose_tree() == {"FINISHED"}
    assert not model.has_tree(copy)
    assert model.problem_of(armature, model.active_node(armature)) is None
    assert muted_count(armature) == 40


def test_spaces_are_drawn_once(pair):
    armature, copy = pair
    seen = overlay_data.spaces_seen(bpy.context, [armature.name, copy.name])
    assert [space.owner_name for space in seen] == [armature.name]


def test_a_character_that_is_copied_with_its_space_has_a_tree_of_its_own():
    armature, poses = rig_with_tree()
    rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    bpy.ops.object.select_all(action="SELECT")
    activate(armature)
    bpy.ops.object.duplicate()
    copy = bpy.data.objects["Rig.001"]
    assert model.damage_of(copy, model.active_node(copy)) is None
    activate(armature)
    OPERATORS.go_to_tree_pose(target="Pose 1")
    activate(copy)
    OPERATORS.go_to_tree_pose(target="Pose 2.001")
    np.testing.assert_allclose(channels(armature), poses[1], atol=2e-6)
    np.testing.assert_allclose(channels(copy), poses[2], atol=2e-6)
    OPERATORS.remove_pose_tree()
    assert len(model.targets_of(model.active_node(armature))) == 5
    assert (muted_count(armature), muted_count(copy)) == (40, 0)


def test_removing_the_copys_tree_leaves_the_collection_of_a_tree_without_targets():
    armature, _played = rig_with_path()
    copied(armature)
    OPERATORS.remove_pose_tree()
    assert model.damage_of(armature, model.active_node(armature)) is None


def test_a_copied_scene_plays_its_own_tree():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    for frame, place in ((1, PLACES[0]), (10, PLACES[3])):
        bpy.context.scene.frame_set(frame)
        cursor_of(armature).location = place
        OPERATORS.key_tree_cursor()
    bpy.ops.scene.new(type="FULL_COPY")
    copy = bpy.context.scene.objects["Rig.001"]
    bpy.context.scene.frame_set(1)
    first = channels(copy)
    bpy.context.scene.frame_set(10)
    assert np.abs(channels(copy) - first).max() > 0.05


def test_copies_that_share_the_action_leave_it_to_the_live_one():
    armature, _poses = rig_with_tree()
    rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    copy = copied(armature, linked=True)
    if copy.animation_data.action != armature.animation_data.action:
        copy.animation_data.action = armature.animation_data.action
    bpy.context.view_layer.update()
    assert muted_count(armature) == 40
    activate(armature)
    OPERATORS.live_pose_tree(state="OFF")
    assert muted_count(armature) == 0


def save_as_it_is(path):
    """Save without asking anyone, as Blender itself does after a crash: curves stay muted."""
    kept = list(bpy.app.handlers.save_pre)
    bpy.app.handlers.save_pre.clear()
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.app.handlers.save_pre[:] = kept


def point_to_actions(armature):
    """Note muted curves as the first versions did."""
    action = armature.animation_data.action
    for items in (model.tree_of(armature).muted, action.motion_editing_muted):
        for item in items:
            item.action = action


@pytest.mark.parametrize("is_live", [True, False])
def test_files_of_the_first_versions_are_taken_up(is_live, tmp_path, capfd):
    armature, _poses = rig_with_tree()
    rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    point_to_actions(armature)
    model.tree_of(armature).live = is_live
    path = str(tmp_path / "crashed.blend")
    save_as_it_is(path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Rig"]
    assert muted_count(armature) == (40 if is_live else 0)
    assert armature.animation_data.action.users == 1
    copy = copied(armature).name
    OPERATORS.remove_pose_tree()
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert bpy.data.objects[copy].animation_data.action is not None
    assert "user decrement error" not in "".join(capfd.readouterr())
