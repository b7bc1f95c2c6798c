"""The sample motion's characters: a skeleton, a skinned mannequin, and one with Rigify's controls."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

SHAPES = {"smile", "jaw_open", "blink.L", "blink.R", "brow_up.L", "brow_up.R", "brow_down.L", "brow_down.R"}


def skin_of(armature):
    return next(thing for thing in armature.children if thing.type == "MESH")


def soles(skin, frame):
    """The lowest point of the skin that is seen."""
    bpy.context.scene.frame_set(frame)
    seen = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(seen.data.vertices), dtype=np.float32)
    seen.data.vertices.foreach_get("co", places)
    return float(places.reshape(-1, 3)[:, 2].min())


def test_scripts_get_bones_alone():
    bpy.ops.motion_editing.load_sample_motion()
    assert [thing.type for thing in bpy.data.objects] == ["ARMATURE"]


def test_the_mannequin_moves_with_the_sample_figure():
    bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN", rate=30.0)
    armature = bpy.context.object
    assert armature.type == "ARMATURE"
    skin = skin_of(armature)
    assert {group.name for group in skin.vertex_groups} == {bone.name for bone in armature.data.bones}
    assert {block.name for block in skin.data.shape_keys.key_blocks} == SHAPES | {"Basis"}
    assert all(skin.data.shape_keys.key_blocks[name].value == 0.0 for name in SHAPES)
    assert [soles(skin, frame) for frame in (1, 60, 200)] == pytest.approx([0.0] * 3, abs=0.012)
    assert soles(skin, 129) > 0.1  # in the jump


def test_a_second_mannequin_shares_materials():
    for _ in range(2):
        bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN")
    assert len(bpy.data.materials) == 3


def test_without_rigify_the_way_out_is_told():
    with pytest.raises(RuntimeError, match="Enable the add-on Rigify"):
        bpy.ops.motion_editing.load_sample_motion(character="RIGIFY")
    assert not bpy.data.objects


def test_the_rigify_mannequin_performs_the_same_motion():
    bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN", rate=30.0)
    plain = skin_of(bpy.context.object)
    bpy.ops.preferences.addon_enable(module="rigify")
    try:
        bpy.ops.motion_editing.load_sample_motion(character="RIGIFY", rate=30.0)
    finally:
        bpy.ops.preferences.addon_disable(module="rigify")
    rig = bpy.context.object
    assert "upper_arm_fk.L" in rig.pose.bones
    assert {thing.type for thing in bpy.context.scene.objects} == {"ARMATURE", "MESH"}
    skin = skin_of(rig)
    for frame in (1, 60, 112, 227):
        assert np.abs(middle(skin, frame) - middle(plain, frame)).max() < 0.02


def middle(skin, frame):
    """Mean of all vertices that are seen."""
    bpy.context.scene.frame_set(frame)
    seen = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.mean([seen.matrix_world @ vertex.co for vertex in seen.data.vertices], axis=0)


def test_a_mannequin_stands_beside_what_is_in_its_place():
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.motion_editing.load_sample_motion(character="MANNEQUIN", stand_aside=True)
    armature = bpy.context.object
    assert [child.type for child in armature.children] == ["MESH"]
    assert min((armature.matrix_world @ bone.head).x for bone in armature.pose.bones) > 1.0
    bpy.ops.motion_editing.load_sample_motion()
    assert tuple(bpy.context.object.location) == (0.0, 0.0, 0.0)
