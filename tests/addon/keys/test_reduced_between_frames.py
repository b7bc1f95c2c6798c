"""Reduce Keys, and Convert Keys with Reduced, keep their errors on half frames too, as Blender evaluates them."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import chain_armature

OPERATORS = bpy.ops.motion_editing


def curves_of(armature):
    return list(action_io.channelbag(armature).fcurves)


def count(armature):
    return sum(len(curve.keyframe_points) for curve in curves_of(armature))


def seen(armature, frames):
    """Rotations (F, B, 4) and locations (F, B, 3) of all bones, and their heads and tails (F, 2B, 3)."""
    turns, places, ends = [], [], []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame // 1), subframe=float(frame % 1))
        bones = armature.pose.bones
        turns.append([bone.matrix_basis.to_quaternion() for bone in bones])
        places.append([tuple(bone.location) for bone in bones])
        ends.append([armature.matrix_world @ end for bone in bones for end in (bone.head, bone.tail)])
    return np.array(turns), np.array(places), np.array(ends)


def differences(armature, before, frames):
    """Largest angle in degrees, and distances of bones' own locations and of their ends."""
    after = seen(armature, frames)
    turned = np.degrees(quaternion.angle_between(before[0], after[0])).max()
    own, ends = (np.linalg.norm(after[part] - before[part], axis=-1).max() for part in (1, 2))
    return turned, own, ends


def sample_with(interpolation):
    """The sample motion with punches that are over in a few frames."""
    OPERATORS.load_sample_motion(rate=24)
    armature = bpy.context.object
    for curve in curves_of(armature):
        for key in curve.keyframe_points:
            key.interpolation = interpolation
        curve.update()
    return armature


PUNCHES = np.arange(170.0, 240.01, 0.5)


@pytest.mark.parametrize("interpolation", ["LINEAR", "BEZIER"])
@pytest.mark.parametrize(
    "choices", [{}, {"kind": "FEWEST"}, {"pose_columns": True}], ids=["smooth", "fewest", "columns"]
)
def test_reduce_keys_keeps_and_tells_its_errors(choices, interpolation, capfd):
    armature = sample_with(interpolation)
    before, keys = seen(armature, PUNCHES), count(armature)
    capfd.readouterr()
    OPERATORS.reduce_keys(location_error=0.006, **choices)
    told = capfd.readouterr().out
    turned, _own, ends = differences(armature, before, PUNCHES)
    assert turned <= 0.5
    assert turned <= float(told.partition("largest error ")[2].partition("°")[0]) + 0.005
    assert ends <= 0.006
    assert count(armature) < 0.4 * keys


@pytest.mark.parametrize("interpolation", ["LINEAR", "BEZIER"])
def test_convert_keys_keeps_its_errors(interpolation):
    armature = sample_with(interpolation)
    before, keys = seen(armature, PUNCHES), count(armature)
    OPERATORS.convert_keys(keying="REDUCED")
    turned, own, _ends = differences(armature, before, PUNCHES)
    assert turned <= 0.5
    assert own <= 0.002
    assert count(armature) < 0.2 * keys


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
@pytest.mark.parametrize("tool", ["reduce_keys", "convert_keys"])
def test_rotations_that_jump_keep_the_errors(tool, mode):
    """After frame 12 the same rotations are written in another way; the jump itself is not kept."""
    armature = chain_armature(1)
    bone, path = armature.pose.bones[0], {"XYZ": "rotation_euler"}.get(mode, f"rotation_{mode.lower()}")
    bone.rotation_mode = mode
    for frame in range(1, 31):
        angle, turns = 1.0 + 0.6 * np.sin(0.4 * frame), frame > 12
        bone.matrix_basis = Matrix.Rotation(angle, 4, (0.6, 0.0, 0.8))
        if mode == "QUATERNION":
            bone.rotation_quaternion *= -1.0 if turns else 1.0
        elif mode == "XYZ":
            bone.rotation_euler.z += 2.0 * np.pi * turns
        else:
            bone.rotation_axis_angle[0] += 2.0 * np.pi * turns
        bone.keyframe_insert(path, frame=frame)
    for curve in curves_of(armature):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    frames = np.array([frame for frame in np.arange(1.0, 30.01, 0.5) if frame != 12.5])
    before, keys = seen(armature, frames), count(armature)
    getattr(OPERATORS, tool)()
    assert differences(armature, before, frames)[0] <= 0.5
    assert count(armature) < keys


def test_single_channels_keep_their_errors():
    armature = chain_armature(1)
    armature["fade"] = 0.0
    values = np.random.default_rng(1).normal(size=40).cumsum() * 0.01
    for frame, value in enumerate(values, start=1):
        armature["fade"] = float(value)
        armature.keyframe_insert('["fade"]', frame=frame)
    curve = curves_of(armature)[0]
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
    grid = np.arange(1.0, 40.01, 0.5)
    before = np.array([curve.evaluate(frame) for frame in grid])
    OPERATORS.convert_keys(keying="REDUCED")
    assert np.abs([curves_of(armature)[0].evaluate(frame) for frame in grid] - before).max() <= 0.002
