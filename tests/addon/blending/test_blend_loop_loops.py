"""Loops: closed without a seam, with sparse keys, with Cycles modifiers."""

import bpy
import numpy as np
import pytest
from blended_sample import PLAIN, assert_same, body, curves, preview, read, sample
from motion_editing.core.blending import Travel, loop
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys


def test_a_loop_is_what_core_gives_and_nothing_else_is_left(capsys):
    armature = sample()
    found = loop(read(armature), body(armature), travel=Travel.CLOSE)
    bpy.ops.motion_editing.make_loop(travel="CLOSE", **PLAIN)
    assert_same(read(armature), found.motion)
    assert armature.animation_data.action.frame_range[:] == (found.start + 1, found.end + 1)
    told = capsys.readouterr().out
    assert f"frames {found.start + 1} to {found.end + 1}" in told
    assert f"largest change {np.degrees(found.largest_turn):.3g}° ({found.turned_joint})" in told


@pytest.mark.parametrize("travel", ["CLOSE", "IN_PLACE"])
def test_first_and_last_frame_agree_in_pose_and_velocity(travel):
    armature = sample()
    bpy.ops.motion_editing.make_loop(travel=travel)
    motion = read(armature)
    assert quaternion.angle_between(motion.rotations[0], motion.rotations[-1]).max() < 2e-6
    np.testing.assert_allclose(motion.locations[0], motion.locations[-1], atol=2e-6)
    for values in (motion.locations, motion.poses.positions):
        out, into = values[1] - values[0], values[-1] - values[-2]
        assert np.abs(out - into).max() < 1e-4


def test_cycles_go_on_where_the_round_ended():
    armature = sample()
    preview(1, 120)
    bpy.ops.motion_editing.make_loop(range="PREVIEW", travel="KEEP", cycles=True)
    first, last = (int(frame) for frame in armature.animation_data.action.frame_range)
    for curve in curves(armature):
        (modifier,) = curve.modifiers
        assert modifier.type == "CYCLES"
        step = curve.evaluate(last + 5) - curve.evaluate(first + 5)
        whole = curve.evaluate(last) - curve.evaluate(first) if modifier.mode_after == "REPEAT_OFFSET" else 0.0
        assert step == pytest.approx(whole, abs=1e-5)
    onward = {curve.data_path for curve in curves(armature) if curve.modifiers[0].mode_after == "REPEAT_OFFSET"}
    assert all(path.endswith("location") for path in onward)
    assert onward


def skin_with_shapes(armature, action=None):
    """Keyed shape keys of a mesh that the armature deforms, in an action of their own or in the given one."""
    mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
    mesh.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    bpy.context.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    for name in ("Basis", "smile.L", "smile.R"):
        mesh.shape_key_add(name=name)
    shapes = mesh.data.shape_keys
    if action is not None:
        shapes.animation_data_create().action = action
        shapes.animation_data.action_slot = action.slots.new("KEY", "Shapes")
    for frame, value in ((1, 0.0), (60, 0.8), (150, 0.1)):
        for side, share in (("L", 1.0), ("R", 0.5)):
            shapes.key_blocks[f"smile.{side}"].value = share * value
            shapes.key_blocks[f"smile.{side}"].keyframe_insert("value", frame=frame)
    return shapes


def thinned():
    """The sample motion with few keys."""
    armature = sample()
    bpy.ops.motion_editing.reduce_keys()
    return armature


def test_sparse_keys_of_a_loop_stay_sparse_and_where_they_are():
    armature = thinned()
    preview(10, 60)
    columns = {}
    for each in curves(armature):
        columns[each.data_path] = columns.get(each.data_path, key_frames(each)) & key_frames(each)
    bpy.ops.motion_editing.make_loop(automatic=False, range="PREVIEW", travel="CLOSE")
    inside = set(range(10, 61))
    assert any(columns[path] & inside for path in columns)
    for each in curves(armature):
        assert columns[each.data_path] & inside <= key_frames(each) <= inside
    assert sum(len(each.keyframe_points) for each in curves(armature)) < 0.4 * len(inside) * len(curves(armature))


def test_a_sparse_loop_keeps_its_errors_and_closes():
    wanted = None
    for keying in ("EVERY_FRAME", "AUTOMATIC"):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature = thinned()
        bpy.ops.motion_editing.make_loop(travel="CLOSE", keying=keying)
        found = read(armature)
        wanted = wanted or found
    assert quaternion.angle_between(found.rotations, wanted.rotations).max() <= np.radians(0.5)
    assert np.linalg.norm(found.locations - wanted.locations, axis=-1).max() <= 0.002
    assert quaternion.angle_between(found.rotations[0], found.rotations[-1]).max() < 2e-6
    out, into = (np.diff(found.poses.positions[rows], axis=0) for rows in ([0, 1], [-2, -1]))
    assert np.abs(out - into).max() < 5e-4


def key_frames(curve):
    return {key.co.x for key in curve.keyframe_points}


def test_a_given_range_in_a_new_action():
    armature = sample()
    own = armature.animation_data.action
    before = all_keys(own)
    preview(10, 50)
    bpy.ops.motion_editing.make_loop(automatic=False, range="PREVIEW", travel="CLOSE", result="NEW")
    assert all_keys(own) == before
    assert armature.animation_data.action.frame_range[:] == (10, 50)
    assert own.use_fake_user, "nothing plays it any more, and Blender would not save it"


def test_the_take_stays_in_the_file_unless_it_is_asked_for(capsys):
    armature = sample()
    own = armature.animation_data.action
    own.use_fake_user, before = False, all_keys(own)
    bpy.ops.motion_editing.make_loop()
    assert armature.animation_data.action != own
    assert all_keys(own) == before
    assert own.use_fake_user
    assert not armature.animation_data.action.use_fake_user
    assert f"; in a new action, '{own.name}' stays in the file" in capsys.readouterr().out
    armature.animation_data.action = own
    bpy.ops.motion_editing.make_loop(result="THIS")
    assert armature.animation_data.action == own
    assert all_keys(own) != before


@pytest.mark.parametrize("one_action", [True, False])
def test_shape_keys_of_the_take_stay_as_well(one_action):
    armature = sample()
    shapes = skin_with_shapes(armature, armature.animation_data.action if one_action else None)
    takes = {armature.animation_data.action, shapes.animation_data.action}
    before = {take: all_keys(take) for take in takes}
    bpy.ops.motion_editing.make_loop(travel="CLOSE")
    assert {take: all_keys(take) for take in takes} == before
    loops = {armature.animation_data.action, shapes.animation_data.action}
    assert len(loops) == len(takes)
    assert loops.isdisjoint(takes)
    first, last = armature.animation_data.action.frame_range
    curve = action_io.channelbag(shapes).fcurves[0]
    assert curve.evaluate(first) == pytest.approx(curve.evaluate(last), abs=1e-4)


def test_a_refused_loop_leaves_no_new_action():
    armature = sample()
    actions, own = len(bpy.data.actions), armature.animation_data.action
    preview(10, 13)
    with pytest.raises(RuntimeError, match="loop"):
        bpy.ops.motion_editing.make_loop(range="PREVIEW", result="NEW")
    assert len(bpy.data.actions) == actions
    assert armature.animation_data.action == own
