"""The motion with and without edits: beside each other, one in the place of the other, and in numbers."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack import replay
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from motion_editing.motion_editing_addon.stack.comparison import comparison
from test_stack import call, fingerprint, sample, stack_of

FRAME = 60


def edited():
    armature = sample()
    call("low_pass", cutoff=1.5)
    call("exaggerate_motion", amount=1.4)
    bpy.context.scene.frame_set(FRAME)
    return armature


def pose_of(armature):
    return np.array([bone.rotation_quaternion for bone in armature.pose.bones])


def test_the_motion_without_an_edit_is_that_of_the_others():
    armature = edited()
    stack = stack_of(armature)
    found = replay.without(armature, stack.entries[0].uid)
    before = fingerprint(armature)
    stack.entries[0].is_muted = True
    expected = scope.read_clip(bpy.context, armature).motion
    stack.entries[0].is_muted = False
    assert fingerprint(armature) == before
    assert quaternion.angle_between(found.rotations, expected.rotations).max() < 1e-5


def test_looking_without_an_edit_changes_nothing():
    armature = edited()
    before, done = fingerprint(armature), [entry.done for entry in stack_of(armature).entries]
    shown = pose_of(armature)
    call("compare_original", mode="ORIGINAL", against="WITHOUT")
    assert not np.allclose(pose_of(armature), shown, atol=1e-4)
    call("compare_original", mode="OFF")
    np.testing.assert_allclose(pose_of(armature), shown, atol=1e-6)
    assert fingerprint(armature) == before
    assert [entry.done for entry in stack_of(armature).entries] == done


def test_numbers_of_what_is_compared_are_told():
    armature = edited()
    call("compare_original", mode="GHOST")
    everything = comparison.numbers_of(armature)
    assert "° (" in everything
    assert "feet slide" in everything
    call("compare_original", mode="OFF")
    assert not comparison.numbers_of(armature)
    call("compare_original", mode="GHOST", against="WITHOUT")
    assert comparison.numbers_of(armature) not in ("", everything)
    call("compare_original", mode="OFF")


def test_what_is_compared_follows_a_changed_edit():
    armature = edited()
    call("compare_original", mode="GHOST")
    before = comparison.numbers_of(armature)
    group_of(stack_of(armature).entries[1]).amount = 1.9
    bpy.context.view_layer.update()
    assert comparison.numbers_of(armature) != before
    call("compare_original", mode="OFF")


def test_without_edits_there_is_nothing_to_compare():
    sample()
    with pytest.raises(RuntimeError, match="has not been edited"):
        call("compare_original")
