"""Reading, writing and forward kinematics on real captured clips."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys, evaluated_matrices

CLIPS = (
    "cmu_07_01_walk",
    "cmu_09_01_run",
    "cmu_138_01_march",
    "cmu_49_06_cartwheel",
    "fair1_jumping_zup",
    "freemocap_gestures_long",
    "m2m_human_fixing_kneeling_fingers",
    "quad_horse_walk",
    "rokoko_jesse_dance_fingers",
)


@pytest.fixture(params=CLIPS)
def imported(request, clips_folder, empty_scene):
    """An armature with a captured clip, by Blender's own importer (file's Euler orders kept)."""
    bpy.ops.import_anim.bvh(filepath=str(clips_folder / "dev" / f"{request.param}.bvh"))
    return bpy.context.object


def test_forward_kinematics_is_blenders(imported):
    clip = action_io.read(imported, rate=30.0)
    poses = clip.motion.poses
    height = np.ptp(poses.positions[0, 1:], axis=0).max()
    for frame in np.linspace(clip.frames[0], clip.frames[-1], 6).astype(int):
        matrices = evaluated_matrices(imported, int(frame))
        sample = int(frame - clip.frames[0])
        assert np.abs(poses.positions[sample, 1:] - matrices[:, :3, 3]).max() < 1e-5 * height


def test_reading_and_writing_back_changes_nothing(imported):
    action = imported.animation_data.action
    before = all_keys(action)
    clip = action_io.read(imported, rate=30.0)
    action_io.write(clip, clip.motion)
    assert all_keys(action) == before


def test_an_edit_comes_back_as_it_was_written(imported):
    clip = action_io.read(imported, rate=30.0)
    turn = quaternion.from_axis_angle([0.0, 1.0, 0.0], 0.3)
    wanted = clip.motion.with_rotations(quaternion.multiply(clip.motion.rotations, turn))
    action_io.write(clip, wanted)
    again = action_io.read(imported, rate=30.0).motion
    animated = np.array([any(clip.channels.of(joint[1])) for joint in clip.channels.joints])
    error = quaternion.angle_between(again.rotations, wanted.rotations)[:, animated]
    assert error.max() < 1e-5


@pytest.mark.clips
@pytest.mark.parametrize("name", ["cmu_124_02_baseball_pitch", "cmu_94_05_dance_long"])
def test_reduced_keys_keep_the_bound_on_captured_motion(name, clips_folder):
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / f"{name}.bvh"))
    armature = bpy.context.object
    before = scope.read_clip(bpy.context, armature)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", rotation_error=np.radians(1.0), location_error=0.05)
    after = scope.read_clip(bpy.context, armature)
    error = np.degrees(quaternion.angle_between(before.motion.rotations, after.motion.rotations))
    assert error.max() <= 1.0 + 1e-3
    assert sum(map(len, after.keys.values())) < 0.5 * sum(map(len, before.keys.values()))
