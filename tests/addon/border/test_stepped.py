"""Switches of rigs, keyed with constant keys: they stay stepped whatever is done to the motion."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from control_rigs import key_steps, key_switch, traveller_rig
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys

SWITCH, SPACE = 'pose.bones["c_foot_ik.l"]["ik_fk_switch"]', 'pose.bones["c_prop.x"]["space"]'
LAST = 41


@pytest.fixture
def rig():
    """A walk whose left leg goes over to FK, and whose prop goes from hand to ground."""
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l", "c_foot_ik.r"))
    key_switch(rig.pose.bones["c_foot_ik.l"], "ik_fk_switch", {1: 0.0, 20: 1.0})
    key_switch(rig.pose.bones["c_prop.x"], "space", {1: 1, 18: 0, 30: 1})
    return rig


def curve_of(rig, path):
    return action_io.channelbag(rig).fcurves.find(path)


def values_of(rig, path, frames):
    curve = curve_of(rig, path)
    return [round(curve.evaluate(frame), 6) for frame in frames]


def assert_stepped(rig):
    for path, allowed in ((SWITCH, {0.0, 1.0}), (SPACE, {0.0, 1.0})):
        curve = curve_of(rig, path)
        assert {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}, path
        assert {key.co.y for key in curve.keyframe_points} <= allowed, path


@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME", "REDUCED"])
def test_in_a_loop(rig, keying):
    before = values_of(rig, SWITCH, range(10, 34))
    bpy.context.scene.use_preview_range = True
    bpy.context.scene.frame_preview_start, bpy.context.scene.frame_preview_end = 10, 34
    assert bpy.ops.motion_editing.make_loop(range="PREVIEW", automatic=False, keying=keying) == {"FINISHED"}
    assert_stepped(rig)
    assert values_of(rig, SWITCH, range(10, 34)) == before
    assert values_of(rig, SWITCH, [34]) == before[:1], "the last frame is the first one again"


@pytest.mark.parametrize("method", ["FADE", "GAP"])
def test_in_a_transition(rig, method):
    before = values_of(rig, SPACE, range(1, LAST + 1))
    other = rig.animation_data.action.copy()
    options = {"automatic": False, "leave_frame": 25, "enter_frame": 10, "length": 0.25}
    assert bpy.ops.motion_editing.append_transition(action=other.name, method=method, **options) == {"FINISHED"}
    assert_stepped(rig)
    assert values_of(rig, SPACE, range(1, 26)) == before[:25]
    assert values_of(rig, SPACE, range(40, 50)) == before[24 if method == "FADE" else 18 :][:10]


def test_in_a_blend(rig):
    other = rig.animation_data.action.copy()
    curves = other.layers[0].strips[0].channelbags[0].fcurves
    for key in curves.find(SWITCH).keyframe_points:
        key.co.y = 1.0 - key.co.y
    assert bpy.ops.motion_editing.blend_action(action=other.name, weight=0.3) == {"FINISHED"}
    assert_stepped(rig)
    assert values_of(rig, SWITCH, (5, 30)) == [0.0, 1.0]
    assert bpy.ops.motion_editing.blend_action(action=other.name, weight=0.7) == {"FINISHED"}
    assert_stepped(rig)
    assert values_of(rig, SWITCH, (5, 30)) == [1.0, 0.0]


@pytest.fixture
def layered(rig):
    """A layer that turns the leg's switch around frame 12, keyed with a pose."""
    bpy.context.scene.frame_set(12)
    bpy.ops.motion_editing.add_layer(reach=0.2)
    rig.pose.bones["c_foot_ik.l"]["ik_fk_switch"] = 1.0
    rig.pose.bones["c_root_master.x"].location.z += 0.1
    assert bpy.ops.motion_editing.key_layer() == {"FINISHED"}
    return rig


def test_in_a_layer(layered):
    assert_stepped(layered)
    values = values_of(layered, SWITCH, range(1, LAST + 1))
    assert values[11] == 1.0
    assert values[0] == 0.0
    assert values[18:] == [0.0, *[1.0] * (LAST - 19)]


def test_a_layer_that_is_muted_leaves_the_keys_as_they_were(rig):
    before = all_keys(rig.animation_data.action)
    bpy.context.scene.frame_set(12)
    bpy.ops.motion_editing.add_layer(reach=0.2)
    rig.pose.bones["c_foot_ik.l"]["ik_fk_switch"] = 1.0
    bpy.ops.motion_editing.key_layer()
    assert all_keys(rig.animation_data.action) != before
    rig.animation_data.action.motion_editing_layers.layers[0].muted = True
    assert all_keys(rig.animation_data.action) == before


def test_a_layer_of_a_switch_alone_tells_what_it_changed(capsys, rig):
    bpy.context.scene.frame_set(12)
    bpy.ops.motion_editing.add_layer(reach=0.2)
    rig.pose.bones["c_foot_ik.l"]["ik_fk_switch"] = 1.0
    capsys.readouterr()
    assert bpy.ops.motion_editing.key_layer() == {"FINISHED"}
    told = capsys.readouterr().out
    assert "the motion stays as it was" not in told
    assert "1 property changed" in told


def test_between_frames_a_switch_is_what_it_was_before(rig):
    motion = scope.read_clip(bpy.context, rig).motion
    at = motion.at(19.5 / motion.rate)
    assert motion.stepped == {SWITCH, SPACE}
    np.testing.assert_array_equal(at.scalars[0], motion.scalars[18])
