"""Muted channels stay as they are: other bones do what is asked, and what was left out is told."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from constrained_sample import open_sample
from gentle_chain import FRAME, MOVE, TIP, chain, curves, drag, listed, refused, shown
from motion_editing.motion_editing_addon.document.scope import read_clip
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake
from rigs import all_keys


def mute(armature, *parts):
    """Mute one component of each property whose path has the parts; gives the paths."""
    found = {curve.data_path: curve for curve in curves(armature) if all(part in curve.data_path for part in parts)}
    assert found
    for curve in found.values():
        curve.mute = True
    return set(found)


def keys_of(armature, paths):
    return {key: keys for key, keys in all_keys(armature.animation_data.action).items() if key[1] in paths}


@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME"])
def test_a_muted_joint_stays_and_the_others_reach_the_place(keying, capsys):
    armature = chain()
    paths = mute(armature, "bone1", "rotation")
    before, keys = shown(armature), keys_of(armature, paths)
    assert keys
    drag(keying=keying)
    np.testing.assert_allclose(shown(armature) - before, MOVE, atol=1e-4)
    assert keys_of(armature, paths) == keys
    assert "1 muted channel was left out: 'rotation quaternion of bone1'" in capsys.readouterr().out


def test_constraints_are_solved_by_what_is_not_muted():
    armature = chain()
    paths = mute(armature, "bone0", "location") | mute(armature, "bone2", "rotation")
    keys = keys_of(armature, paths)
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone=TIP, start=FRAME, end=FRAME)
    listed(armature)[0].point = aim = shown(armature) - 2.0 * MOVE
    bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(armature), aim, atol=1e-4)
    assert keys_of(armature, paths) == keys


def test_a_root_that_cannot_turn_is_moved_and_one_that_cannot_move_is_turned():
    for muted, other in (("location", "rotation_quaternion"), ("rotation", "location")):
        armature = chain()
        mute(armature, "bone0", muted)
        before, keys = shown(armature, bone="bone1"), keys_of(armature, {f'pose.bones["bone0"].{other}'})
        bpy.ops.motion_editing.drag_joint(bone="bone1", frame=FRAME, move=(0.05, 0.0, 0.0), keying="EVERY_FRAME")
        assert np.linalg.norm(shown(armature, bone="bone1") - before) > 0.03
        assert keys_of(armature, {f'pose.bones["bone0"].{other}'}) != keys
        bpy.data.objects.remove(armature)


def test_it_is_refused_only_where_nothing_is_left_that_could_move():
    armature = chain()
    mute(armature, "rotation")
    mute(armature, "location")
    refused(armature, r"A channel of 'location of bone0' is muted: unmute it, nothing else moves")


def test_a_leg_with_a_muted_knee_is_left_alone_and_the_other_foot_stays(capsys):
    armature = open_sample()
    bpy.context.scene.frame_set(40)
    keys = keys_of(armature, mute(armature, "shin.L", "rotation"))
    clip = read_clip(bpy.context, armature)
    contacts, joints = ClipTake(clip).contacts, clip.motion.skeleton.index
    capsys.readouterr()
    drag((0.0, 0.0, -0.3), frame=40, keying="EVERY_FRAME", bone="hand.L")
    after = read_clip(bpy.context, armature).motion
    moved = np.abs(after.poses.positions - clip.motion.poses.positions)
    assert moved[39, joints["hips"]].max() > 0.02
    standing = contacts.active("foot.R", clip.motion.times)
    assert standing.any()
    assert moved[standing, joints["foot.R"]].max() < 1e-3
    assert keys_of(armature, {key[1] for key in keys}) == keys
    assert "left out: 'rotation quaternion of shin.L'" in capsys.readouterr().out


def test_a_foot_that_is_kept_is_held_by_what_is_left_of_its_leg():
    armature = open_sample()
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    mute(armature, "shin.L", "rotation")
    before = shown(armature, 40, "hand.L")
    drag((0.0, -0.1, 0.1), frame=40, keying="EVERY_FRAME", bone="hand.L")
    np.testing.assert_allclose(shown(armature, 40, "hand.L") - before, (0.0, -0.1, 0.1), atol=2e-4)
    for item in listed(armature):
        assert item.missed < 5e-3, item.name
