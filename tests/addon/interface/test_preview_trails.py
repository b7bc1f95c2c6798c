"""Trails of an edited motion that is shown on the rig."""

import bpy
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.interface.drawing import viewport
from motion_editing.motion_editing_addon.interface.operators.pose_preview import PosePreview
from motion_editing.motion_editing_addon.interface.operators.preview_trails import ends_of_change, frames_around
from previewed_rig import changed, handlers_are_gone, rig


@pytest.fixture(autouse=True)
def no_handler_left():
    yield from handlers_are_gone()


def test_trails_of_the_last_bones_that_change_come_and_go():
    _armature, clip = rig(bones=4)
    preview = PosePreview(clip, trails=True)
    preview.show(changed(changed(clip.motion, 2), 3))
    assert ends_of_change(clip.motion, changed(changed(clip.motion, 2), 3)).tolist() == [3]
    assert list(viewport.shown()) == ["preview of Rig"]
    preview.show(clip.motion)
    assert not viewport.shown()
    preview.show(changed(clip.motion, 2))
    preview.restore()
    assert not viewport.shown()


def test_trails_show_the_time_around_the_frame_and_follow_it():
    _armature, clip = rig(bones=2, frames=list(range(1, 101)))
    near = frames_around(clip.motion, clip.motion.times[50])
    assert near.start <= 50 - 0.7 * 24
    assert 50 + 0.7 * 24 <= near.stop < 90
    preview = PosePreview(clip, trails=True)
    preview.show(changed(clip.motion, 2))
    first = viewport.shown()["preview of Rig"]
    bpy.context.scene.frame_set(60)
    assert viewport.shown()["preview of Rig"] is not first
    preview.restore()


def test_too_many_trails_are_none():
    armature, _clip = rig(bones=8)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.parent = None
    bpy.ops.object.mode_set(mode="OBJECT")
    clip = action_io.read(armature, rate=24.0)
    motion = clip.motion
    for joint in range(1, 9):
        motion = changed(motion, joint)
    assert len(ends_of_change(clip.motion, motion)) == 8
    preview = PosePreview(clip, trails=True)
    preview.show(motion)
    assert not viewport.shown()
    preview.restore()


def test_the_object_alone_leaves_no_trail():
    _armature, clip = rig()
    assert not len(ends_of_change(clip.motion, changed(clip.motion, 0)))
    assert not len(ends_of_change(clip.motion, clip.motion))
    assert not len(ends_of_change(clip.motion, changed(clip.motion, 2).part(0, 5)))
