"""Cameras and props are read, written and retimed like a character of one joint."""

import bpy
import numpy as np
from motion_editing.core.motion.time_maps.time_map import TimeMap
from motion_editing.motion_editing_addon.border import action_io


def keyed_camera():
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    for frame in range(1, 31):
        camera.location = (0.1 * frame, 0, 1)
        camera.rotation_euler = (0.05 * frame, 0, 0)
        camera.data.lens = 30 + frame
        camera.keyframe_insert("location", frame=frame)
        camera.keyframe_insert("rotation_euler", frame=frame)
        camera.data.keyframe_insert("lens", frame=frame)
    return camera


def test_a_camera_is_one_joint_with_its_lens_as_a_scalar():
    clip = action_io.read(keyed_camera(), rate=24.0)
    assert clip.motion.skeleton.names == ("",)
    np.testing.assert_allclose(clip.motion.locations[:, 0, 0], 0.1 * np.arange(1, 31), atol=1e-6)
    np.testing.assert_allclose(clip.motion.scalars[:, 0], 30 + np.arange(1, 31), atol=1e-5)


def test_a_camera_can_be_retimed():
    camera = keyed_camera()
    clip = action_io.read(camera, rate=24.0)
    start, end = clip.motion.times[[0, -1]]
    twice = TimeMap.through([start, start + 2 * (end - start)], [start, end], smooth=False)
    action_io.retime(clip, twice, np.array([True]))
    again = action_io.read(camera, rate=24.0)
    assert again.frames[-1] == 59
    np.testing.assert_allclose(again.motion.locations[::2], clip.motion.locations, atol=1e-5)
    np.testing.assert_allclose(again.motion.scalars[::2], clip.motion.scalars, atol=1e-4)
