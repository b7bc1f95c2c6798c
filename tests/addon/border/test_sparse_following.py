"""Sparse keys that follow a motion: breakdown keys leave the shape of the curve around them alone."""

from __future__ import annotations

import re

import bpy
import numpy as np
import pytest
from constrained_sample import open_sample
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io.curves.breakdowns import Following, follow
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake
from rigs import chain_armature, key_bones

KEYS = [1, 20, 31, 60]
EVERYWHERE = np.arange(1.0, 61.0)
FINELY = np.linspace(1.0, 60.0, 500)


def curve_with(handles):
    """A curve of a few keys with handles of a kind, of different lengths."""
    armature = chain_armature(1)
    key_bones(armature, KEYS)
    curve = action_io.channelbag(armature).fcurves[0]
    for number, key in enumerate(curve.keyframe_points):
        key.interpolation = "BEZIER"
        key.handle_left_type = key.handle_right_type = handles
        if handles == "FREE":
            key.handle_right = key.co.x + 12.0 + number, key.co.y + 0.4
            key.handle_left = key.co.x - 5.0, key.co.y + 0.2
    curve.update()
    return curve


def shown(curve, frames):
    return np.array([curve.evaluate(frame) for frame in frames])


@pytest.mark.parametrize("handles", ["FREE", "ALIGNED"])
def test_a_key_for_one_frame_leaves_the_others_where_they_were(handles):
    """Keys with automatic handles beside handles that were set by hand bent the curve up to the next key."""
    curve = curve_with(handles)
    before = shown(curve, FINELY)
    wanted = np.array([curve.evaluate(40.0) + 1e-5])
    assert follow([Following(curve, wanted, 1e-6)], np.array([40.0]), most=9) == 1
    assert shown(curve, [40.0]) == pytest.approx(wanted, abs=1e-6)
    np.testing.assert_allclose(shown(curve, FINELY), before, atol=2e-5)
    assert [key.type for key in curve.keyframe_points if key.co.x == 40.0] == ["BREAKDOWN"]


@pytest.mark.parametrize("smoothing", ["NONE", "CONT_ACCEL"])
@pytest.mark.parametrize("handles", ["FREE", "ALIGNED", "AUTO", "AUTO_CLAMPED"])
def test_a_smooth_change_between_the_keys_needs_few_more(handles, smoothing):
    curve = curve_with(handles)
    curve.auto_smoothing = smoothing
    curve.update()
    turn = np.interp(EVERYWHERE, KEYS, np.pi * np.arange(len(KEYS)))
    wanted = shown(curve, EVERYWHERE) + 0.2 * np.sin(turn) ** 2
    added = follow([Following(curve, wanted, 0.005)], EVERYWHERE, most=99)
    assert np.abs(shown(curve, EVERYWHERE) - wanted).max() <= 0.005
    assert added <= (20 if handles.startswith("AUTO") else 12)


def test_the_worst_misses_get_the_few_keys_that_there_may_be():
    """Two curves, one of them ten times as far off, and three keys for both."""
    near, far = curve_with("AUTO"), curve_with("AUTO")
    turn = 0.2 * np.sin(np.interp(EVERYWHERE, KEYS, np.pi * np.arange(len(KEYS)))) ** 2
    shares = ((near, 0.1), (far, 1.0))
    curves = [Following(each, shown(each, EVERYWHERE) + share * turn, 0.001) for each, share in shares]
    before = [len(each.keyframe_points) for each in (near, far)]
    assert follow(curves, EVERYWHERE, most=3) == 3
    assert [len(each.keyframe_points) for each in (near, far)] == [before[0], before[1] + 3]


@pytest.mark.parametrize("move", [(0.0, 0.0, -0.6), (0.4, 0.0, 0.0)])
def test_feet_stand_on_few_keys_too(move):
    armature = open_sample()
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    facts = ClipTake(scope.read_clip(bpy.context, armature))
    before = facts.slide_of(facts.clip.motion)
    count = len_of_keys(armature)
    bpy.ops.motion_editing.drag_joint(bone="hand.L", frame=60, move=move)
    after = facts.slide_of(scope.read_clip(bpy.context, armature).motion)
    assert after < before + 0.002 * facts.body.height
    assert len_of_keys(armature) < 1.3 * count


@pytest.mark.parametrize("keying", ["AUTOMATIC", "REDUCED"])
@pytest.mark.parametrize(
    ("tool", "values"),
    [
        ("low_pass", {"cutoff": 1.0}),
        ("exaggerate_motion", {}),
        ("in_place", {}),
        ("change_heading", {"angle": 0.7}),
        ("mirror_motion", {}),
    ],
)
def test_contacts_that_tools_keep_stand_on_few_keys(capsys, tool, values, keying):
    """Held by limb IK on every frame, feet still slid between an animator's keys, by 374 mm where a walk was turned."""
    open_sample()
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    capsys.readouterr()
    getattr(bpy.ops.motion_editing, tool)(keep_contacts=True, keying=keying, **values)
    told = re.search(r"foot slide (\d+) mm before, (\d+) mm after", capsys.readouterr().out)
    # Exchanged sides stand a little less still on reduced keys.
    assert int(told[2]) <= int(told[1]) + (6 if tool == "mirror_motion" else 2)


def test_arms_get_no_keys_where_feet_stand():
    """Only what a foot's place depends on follows closely."""
    armature = open_sample()
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    before = keys_of(armature, "upper_arm.L")
    bpy.ops.motion_editing.drag_joint(bone="hand.L", frame=60, move=(0.0, 0.0, -0.4))
    after = keys_of(armature, "upper_arm.L")
    for index, frames in before.items():
        assert set(after[index]) <= set(frames) | {60.0}


def keys_of(armature, bone):
    curves = action_io.channelbag(armature).fcurves
    return {
        curve.array_index: [key.co.x for key in curve.keyframe_points]
        for curve in curves
        if f'"{bone}"' in curve.data_path and "rotation" in curve.data_path
    }


def len_of_keys(armature):
    return sum(len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves)
