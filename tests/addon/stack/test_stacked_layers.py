"""Layers in the stack: one edit, put over whatever the motion below becomes."""

import bpy
import pytest
from mathutils import Quaternion
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.stack.parameters import group_of
from test_stack import assert_same, call, fingerprint, keys_of, sample, stack_of

BONE, FRAME = "upper_arm.L", 60


def key_arm(armature, angle=0.5):
    bpy.context.scene.frame_set(FRAME)
    bone = armature.pose.bones[BONE]
    bone.rotation_quaternion = bone.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), angle)
    call("key_layer")


def layered(tool="low_pass", **values):
    armature = sample()
    call(tool, **values)
    bpy.context.scene.frame_set(FRAME)
    call("add_layer")
    key_arm(armature)
    return armature


def turn_of_layers(armature):
    """Frame and angle at which layers turn the arm farthest."""
    entry = stack_of(armature).entries[1]
    with_layers = scope.read_clip(bpy.context, armature)
    entry.is_muted = True
    below = scope.read_clip(bpy.context, armature)
    entry.is_muted = False
    joint = below.motion.skeleton.index[BONE]
    angles = quaternion.angle_between(with_layers.motion.rotations[:, joint], below.motion.rotations[:, joint])
    return float(below.frames[angles.argmax()]), float(angles.max())


def test_all_changes_of_layers_are_one_edit():
    armature = layered(cutoff=4.0)
    assert [entry.tool for entry in stack_of(armature).entries] == ["low_pass", "set_layers"]
    key_arm(armature, 0.2)
    armature.animation_data.action.motion_editing_layers.layers[0].influence = 0.5
    assert [entry.tool for entry in stack_of(armature).entries] == ["low_pass", "set_layers"]


def test_layers_stay_over_another_motion_below():
    armature = layered(cutoff=4.0)
    done = fingerprint(armature)
    frame, angle = turn_of_layers(armature)
    assert fingerprint(armature) == done
    assert (frame, angle) == (FRAME, pytest.approx(0.5, abs=0.01))
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    assert [entry.message for entry in stack_of(armature).entries] == ["", ""]
    assert turn_of_layers(armature) == (FRAME, pytest.approx(0.5, abs=0.01))
    group_of(stack_of(armature).entries[0]).cutoff = 4.0
    assert fingerprint(armature) == done


def test_layers_are_at_their_moments_of_another_timing():
    armature = layered("shift_time", offset=0.5)
    group_of(stack_of(armature).entries[0]).offset = 1.0
    later = 0.5 * scope.source_rate(bpy.context, armature)
    frame, angle = turn_of_layers(armature)
    assert frame == pytest.approx(FRAME + later, abs=1.0)
    assert angle == pytest.approx(0.5, abs=0.02)


def test_layers_can_be_changed_after_the_motion_below_was():
    armature = layered(cutoff=4.0)
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    armature.animation_data.action.motion_editing_layers.layers[0].influence = 0.0
    found = keys_of(armature)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = sample()
    call("low_pass", cutoff=2.0)
    assert_same(found, keys_of(armature))


def test_edits_after_layers_are_done_again():
    armature = layered(cutoff=4.0)
    call("exaggerate_motion", amount=1.3)
    done = action_io.fingerprint(armature)
    group_of(stack_of(armature).entries[0]).cutoff = 2.0
    assert [entry.message for entry in stack_of(armature).entries] == ["", "", ""]
    group_of(stack_of(armature).entries[0]).cutoff = 4.0
    assert action_io.fingerprint(armature) == done


def test_keys_changed_by_hand_before_layers_stay_an_edit():
    armature = sample()
    call("low_pass", cutoff=4.0)
    curve = next(
        each
        for each in armature.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
        if each.data_path.endswith('["hips"].rotation_quaternion') and each.array_index == 2
    )
    curve.keyframe_points[20].co.y += 0.2
    curve.update()
    armature.animation_data.action.update_tag()
    call("add_layer")
    key_arm(armature)
    assert [entry.tool for entry in stack_of(armature).entries] == ["low_pass", "", "set_layers"]
