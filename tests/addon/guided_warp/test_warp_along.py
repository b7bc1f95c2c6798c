"""Warp Time on several objects: one timing for all that play together."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.document import scope
from timed_sample import load_timed_sample


@pytest.fixture
def pair(empty_scene):
    """Two characters, the second of which waits where the first one jumps; the first one is active."""
    second = load_timed_sample()
    bpy.ops.motion_editing.shift_time(offset=2.0)
    first = load_timed_sample()
    second.select_set(True)
    return first, second


def prop_with_keys(*frames):
    thing = bpy.data.objects.new("Prop", None)
    bpy.context.scene.collection.objects.link(thing)
    for frame in frames:
        thing.location[0] = frame
        thing.keyframe_insert("location", index=0, frame=frame)
    thing.select_set(True)
    return thing


def clock(thing, first, last):
    """Key the time beside the motion, so that it can be read off."""
    thing["clock"] = 0.0
    bag = scope.action_of(thing).layers[0].strips[0].channelbags[0]
    curve = bag.fcurves.new('["clock"]')
    for frame in range(first, last + 1):
        key = curve.keyframe_points.insert(frame, float(frame))
        key.interpolation = "LINEAR"
    return curve


def old_frames(curve, frames):
    return np.array([curve.evaluate(frame) for frame in frames])


def test_partners_stay_together(pair):
    first, second = pair
    curves = [clock(first, 1, 415), clock(second, 1, 415)]
    assert bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False) == {"FINISHED"}
    frames = np.arange(1, 280)
    ours, theirs = (old_frames(curve, frames) for curve in curves)
    # Each has its own reading of the same map between the frames of its keys.
    np.testing.assert_allclose(ours, theirs, atol=0.2)


def test_both_jumps_are_kept(pair):
    first, _second = pair
    curve = clock(first, 1, 415)
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    frames = np.arange(1.0, 330.0, 0.25)
    shown = old_frames(curve, frames)
    for start, end in ((124.0, 137.0), (184.0, 197.0)):
        lasts = np.interp(end, shown, frames) - np.interp(start, shown, frames)
        assert lasts == pytest.approx(end - start, abs=0.6)


def test_without_it_the_others_stay(pair):
    _first, second = pair
    last = scope.action_of(second).frame_range[1]
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, along=False)
    assert scope.action_of(second).frame_range[1] == last


def test_props_follow_on_whole_frames(empty_scene):
    sample = load_timed_sample()
    thing = prop_with_keys(1, 20, 124, 137, 300)
    bpy.context.view_layer.objects.active = sample
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    curve = scope.action_of(thing).layers[0].strips[0].channelbags[0].fcurves[0]
    frames = [key.co.x for key in curve.keyframe_points]
    assert len(frames) == 5
    assert frames[3] - frames[2] == pytest.approx(13.0, abs=0.6), "it flies with the jump"
    assert frames[-1] < 265.0
    assert frames == [round(frame) for frame in frames]


def test_shape_keys_and_a_cameras_lens_follow(empty_scene):
    sample = load_timed_sample()
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    mesh = bpy.data.objects.new("Face", bpy.data.meshes.new("Face"))
    mesh.data.from_pydata([(0, 0, 0)], [], [])
    for thing in (camera, mesh):
        bpy.context.scene.collection.objects.link(thing)
    mesh.parent = sample
    mesh.shape_key_add(name="Basis")
    smile = mesh.shape_key_add(name="Smile")
    for frame, value in ((1, 0.0), (300, 1.0)):
        camera.location[0], camera.data.lens, smile.value = frame, 35.0 + value, value
        camera.keyframe_insert("location", frame=frame)
        camera.data.keyframe_insert("lens", frame=frame)
        smile.keyframe_insert("value", frame=frame)
    camera.select_set(True)
    bpy.context.view_layer.objects.active = sample
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    ends = [each.animation_data.action.frame_range[1] for each in (camera, camera.data, mesh.data.shape_keys)]
    assert max(ends) < 260.0
    assert np.ptp(ends) <= 1.0


def test_a_partner_keeps_the_shared_timing_when_its_edit_is_done_again(pair):
    first, second = pair
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    entry = scope.action_of(second).motion_editing_stack.entries[-1]
    assert entry.warp_time_parameters.lead == first.name
    before = scope.action_of(second).frame_range[1]
    entry.is_muted = True
    entry.is_muted = False
    assert scope.action_of(second).frame_range[1] == pytest.approx(before, abs=1.0)


def test_two_characters_are_synchronized(empty_scene):
    other = load_timed_sample()
    bpy.ops.motion_editing.warp_time(length=1.2, use_keytimes=False, influence=0.0)
    own = load_timed_sample()
    other.select_set(True)
    assert bpy.ops.motion_editing.synchronize() == {"FINISHED"}
    mine, theirs = (scope.read_clip(bpy.context, each).motion for each in (own, other))
    assert len(mine) == pytest.approx(len(theirs), abs=2)
    count = min(len(mine), len(theirs)) - 5
    off = np.linalg.norm(mine.poses.positions[:count] - theirs.poses.positions[:count], axis=-1).max(axis=1)
    assert np.median(off) < 0.05


def test_nobody_to_follow_is_told(empty_scene):
    load_timed_sample()
    with pytest.raises(RuntimeError, match="Name the action to follow"):
        bpy.ops.motion_editing.synchronize()
