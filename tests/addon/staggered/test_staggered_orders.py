"""Un-stagger, Re-stagger, Restore Original, Rebuild Poses, Extract Poses and undo in all orders.

A motion has levels: the original is 0, and Un-stagger takes it one further, from where Re-stagger brings it
back as long as the poses are the same. Whatever else was done, it is one of these levels, never another motion.
"""

import itertools

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.saved_state import STAGGERED
from motion_editing.motion_editing_addon.document import watched_keys
from rigs import all_keys
from staggered_motions import extracted_sample, keyed_chain, motion_of, poses_of

UNSTAGGER, RESTAGGER, RESTORE, REBUILD, EXTRACT, UNDO = "URSBEZ"
ALL = UNSTAGGER + RESTAGGER + RESTORE + REBUILD + EXTRACT + UNDO
PAIRS = ["".join(pair) for pair in itertools.product(ALL, repeat=2) if pair[0] != UNDO]
AFTER_UNSTAGGER = [UNSTAGGER + pair for pair in PAIRS]


class Walk:
    """An armature, what was done to it, and which level its motion should have."""

    def __init__(self, armature, extract):
        self.name, self.extract = armature.name, extract
        self.level, self.remembered, self.edited = 0, False, False
        self.earlier, self.known = [], {0: motion_of(armature)}
        bpy.ops.ed.undo_push(message="start")

    @property
    def armature(self):
        return bpy.data.objects[self.name]

    def step(self, letter):
        if letter == UNDO:
            bpy.ops.ed.undo()
            self.level, self.remembered, self.edited = self.earlier.pop()
            bpy.context.view_layer.objects.active = self.armature
        else:
            self.earlier.append((self.level, self.remembered, self.edited))
            self.call(letter)
            self.expect(letter)
            bpy.ops.ed.undo_push(message=letter)
        now = motion_of(self.armature)
        assert largest_difference(now, self.known.setdefault(self.level, now)) < 1e-5

    def call(self, letter):
        tools = bpy.ops.motion_editing
        if letter == UNSTAGGER:
            tools.unstagger(all_poses=True)
        elif letter == RESTAGGER:
            tools.restagger(all_poses=True)
        elif letter == REBUILD:
            tools.rebuild_poses()
        elif letter == EXTRACT:
            self.extract()
        elif tools.restore_original.poll():
            tools.restore_original()

    def expect(self, letter):
        if letter == UNSTAGGER and not self.remembered:
            self.level, self.remembered, self.edited = self.level + 1, True, True
        elif letter == RESTAGGER and self.remembered:
            self.level, self.remembered = self.level - 1, False
        elif letter == RESTORE and self.edited:
            self.level, self.remembered, self.edited = 0, False, False
        elif letter == EXTRACT:
            self.remembered = False


def largest_difference(a, b):
    return max(quaternion.angle_between(a.rotations, b.rotations).max(), np.abs(a.locations - b.locations).max())


@pytest.mark.parametrize("order", PAIRS + AFTER_UNSTAGGER)
def test_hand_keyed_motion_keeps_to_its_levels(order):
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    walk = Walk(armature, bpy.ops.motion_editing.poses_from_keys)
    for letter in order:
        walk.step(letter)


@pytest.mark.parametrize("order", ["USBR", "USR", "USU", "UBR", "UBU", "UBSR", "USZR", "UZR", "USBUR", "UER", "URBU"])
def test_captured_motion_keeps_to_its_levels(order):
    walk = Walk(extracted_sample(share=0.4), lambda: bpy.ops.motion_editing.extract_poses(share=0.4))
    for letter in order:
        walk.step(letter)


def test_the_original_comes_back_with_its_poses():
    armature = extracted_sample(share=0.4)
    before = [(pose.frame, pose.spread) for pose in poses_of(armature).poses]
    bpy.ops.motion_editing.scale_stagger(factor=2.0, all_poses=True)
    poses_of(armature).share = 1.0
    bpy.ops.motion_editing.unstagger(all_poses=True)
    bpy.ops.motion_editing.restore_original()
    assert watched_keys.state(armature, STAGGERED, exact=True) is watched_keys.State.CURRENT
    assert [(pose.frame, pose.spread) for pose in poses_of(armature).poses] == before
    assert poses_of(armature).share == pytest.approx(0.4)
    keys = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.restagger(all_poses=True)
    assert all_keys(armature.animation_data.action) == keys


def test_poses_that_are_younger_than_the_original_count_as_staggered(capfd):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    bpy.ops.motion_editing.exaggerate_motion()
    bpy.ops.motion_editing.extract_poses(share=0.4)
    bpy.ops.motion_editing.unstagger(all_poses=True)
    bpy.ops.motion_editing.restore_original()
    keys = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.restagger(all_poses=True)
    assert "Re-stagger changed nothing" in capfd.readouterr().out
    assert all_keys(armature.animation_data.action) == keys


def test_stagger_is_brought_back_after_keys_were_changed_in_between():
    armature = extracted_sample(share=0.4)
    before = motion_of(armature)
    bpy.ops.motion_editing.unstagger(all_poses=True)
    curve = next(c for c in action_io.channelbag(armature).fcurves if "head" in c.data_path and c.array_index == 1)
    for key in curve.keyframe_points:
        key.co[1] += 0.02
    curve.update()
    bpy.ops.motion_editing.rebuild_poses()
    bpy.ops.motion_editing.restagger(all_poses=True)
    after = motion_of(armature)
    others = [joint for joint, name in enumerate(before.skeleton.names) if name != "head"]
    turned = quaternion.angle_between(before.rotations, after.rotations)
    assert turned[:, others].max() < 1e-5
    assert 0.02 < np.median(turned[:, before.skeleton.index["head"]]) < 0.06


def test_tools_that_forget_the_stagger_say_so(capfd):
    extracted_sample(share=0.4)
    assert "forgotten" not in capfd.readouterr().out
    bpy.ops.motion_editing.unstagger(all_poses=True)
    bpy.ops.motion_editing.extract_poses(share=0.4)
    assert "the stagger that was removed is forgotten: undo and use Re-stagger first" in capfd.readouterr().out
