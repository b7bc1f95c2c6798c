"""Pose trees of faces: shape keys and custom properties."""

import bpy
import pytest
import rigs
from motion_editing.motion_editing_addon.pose_tree import model
from tree_rigs import OPERATORS, activate, cursor_of


def face():
    mesh = bpy.data.meshes.new("Face")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    thing = bpy.data.objects.new("Face", mesh)
    bpy.context.scene.collection.objects.link(thing)
    activate(thing)
    for name in ("Basis", "Smile", "Frown"):
        thing.shape_key_add(name=name)
    thing["wink"] = 0.0
    return thing


def test_a_face_of_shape_keys_and_custom_properties_is_blended_played_and_baked():
    thing = face()
    blocks = thing.data.shape_keys.key_blocks
    OPERATORS.add_pose_tree(name="Face", live=False)
    for place, values in (((0, 0, 0), (0, 0, 0)), ((1, 0, 0), (1, 0, 0.5)), ((0, 1, 0), (0.2, 0.8, 1.0))):
        cursor_of(thing).location = place
        blocks["Smile"].value, blocks["Frown"].value, thing["wink"] = values
        OPERATORS.add_tree_pose()
    OPERATORS.live_pose_tree(state="ON")
    for frame, place in ((1, (0, 0, 0)), (11, (1, 0, 0))):
        bpy.context.scene.frame_set(frame)
        cursor_of(thing).location = place
        OPERATORS.key_tree_cursor()
    bpy.context.scene.frame_set(11)
    assert (blocks["Smile"].value, thing["wink"]) == (pytest.approx(1.0), pytest.approx(0.5))
    bpy.context.scene.frame_set(6)
    middle = blocks["Smile"].value, thing["wink"]
    assert 0.2 < middle[0] < 0.8
    assert OPERATORS.bake_pose_tree(use_scene=False, first=1, last=11) == {"FINISHED"}
    bpy.context.scene.frame_set(1)
    bpy.context.scene.frame_set(6)
    assert (blocks["Smile"].value, thing["wink"]) == pytest.approx(middle, abs=1e-6)


def test_shape_keys_of_a_characters_mesh_belong_to_its_poses_if_wanted():
    armature = rigs.chain_armature()
    thing = face()
    thing.parent = armature
    activate(armature)
    smile = thing.data.shape_keys.key_blocks["Smile"]
    OPERATORS.add_pose_tree(live=False, shape_keys=True)
    smile.value = 0.75
    OPERATORS.add_tree_pose()
    smile.value = 0.0
    OPERATORS.live_pose_tree(state="ON")
    assert smile.value == pytest.approx(0.75)
    assert smile.id_data.animation_data is None


def test_an_object_with_nothing_to_pose_is_refused():
    empty = bpy.data.objects.new("Nothing", None)
    bpy.context.scene.collection.objects.link(empty)
    activate(empty)
    with pytest.raises(RuntimeError, match="no bones, shape keys or custom properties"):
        OPERATORS.add_pose_tree()
    assert not model.has_tree(empty)
