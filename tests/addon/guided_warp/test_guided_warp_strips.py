"""Time maps on strips: of the sequencer, and of the NLA while they are tweaked."""

import wave

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border.compatibility import CAN_RETIME_STRIPS, select, strip_ends
from motion_editing.motion_editing_addon.guided_warp import kept_maps
from timed_sample import RATE, load_timed_sample


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


def last_frame(armature):
    return armature.animation_data.action.frame_range[1]


# Sequencer strips


def sound_strip(folder, start=1):
    path = folder / "steps.wav"
    with wave.open(str(path), "w") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"\0\0" * 8000 * 12)
    strips = bpy.context.scene.sequence_editor_create().strips
    strip = strips.new_sound("Steps", str(path), 1 + len(strips), start)
    strip.select = True
    return strip


def movie_strip(folder):
    """Twelve seconds of colour, made by Blender itself."""
    scene = bpy.data.scenes.new("Footage")
    scene.render.fps, scene.frame_end = int(RATE), round(12 * RATE)
    scene.render.resolution_x = scene.render.resolution_y = 32
    if hasattr(scene.render.image_settings, "media_type"):
        scene.render.image_settings.media_type = "VIDEO"
    scene.render.image_settings.file_format = "FFMPEG"
    scene.render.ffmpeg.format = "MPEG4"
    scene.render.filepath = str(folder / "footage.mp4")
    scene.sequence_editor_create().strips.new_effect("Colour", "COLOR", 1, 1, **_length(scene.frame_end))
    bpy.ops.render.render(animation=True, scene=scene.name)
    strip = bpy.context.scene.sequence_editor_create().strips.new_movie("Footage", scene.render.filepath, 2, 1)
    strip.select = True
    return strip


def _length(frames):
    return {"length": frames} if bpy.app.version >= (5, 0, 0) else {"frame_end": 1 + frames}


@pytest.fixture
def open_sequencer():
    """An editor of the only window shows the Sequencer."""
    window = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    before, area.type = area.type, "SEQUENCE_EDITOR"
    if hasattr(window.workspace, "sequencer_scene"):
        window.workspace.sequencer_scene = bpy.context.scene
    yield
    area.type = before


def retimed_with_the_sample(strip):
    start, end = strip_ends(strip)
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, keep_as="Shorter")
    assert bpy.ops.motion_editing.apply_time_map(map_name="Shorter") == {"FINISHED"}
    shorter = kept_maps.load(bpy.context.object, "Shorter")
    expected = shorter.map_key_times(np.array([start, end]) / RATE) * RATE
    frames = [key.timeline_frame for key in strip.retiming_keys]
    assert strip_ends(strip) == pytest.approx(expected, abs=1.5)
    assert (np.diff(frames) > 0).all()
    assert len(frames) > 20


@pytest.mark.parametrize("start", [1, 61, -40])
def test_sound_strips_follow_a_kept_map(sample, open_sequencer, tmp_path, start):
    other = sound_strip(tmp_path)
    other.select = False
    strip = sound_strip(tmp_path, start)
    retimed_with_the_sample(strip)
    assert strip.select
    assert not len(other.retiming_keys)
    assert not other.select


def test_what_blender_would_crash_on_is_refused(sample, open_sequencer, tmp_path):
    strips = bpy.context.scene.sequence_editor_create().strips
    strips.new_effect("Colour", "COLOR", 5, 1, **_length(100)).select = False
    strip = sound_strip(tmp_path)
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, keep_as="Shorter")
    with pytest.raises(RuntimeError, match="while the strip 'Colour' was there before it"):
        bpy.ops.motion_editing.apply_time_map(map_name="Shorter")
    assert not len(strip.retiming_keys)


def test_sound_follows_a_warp_if_that_is_wanted(sample, open_sequencer, tmp_path):
    strip = sound_strip(tmp_path)
    before = strip_ends(strip)
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False)
    assert strip_ends(strip) == before
    bpy.ops.motion_editing.restore_original()
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, strips=True)
    assert strip_ends(strip)[1] < before[1]
    assert len(strip.retiming_keys) > 2


def test_a_strip_can_be_retimed_twice(sample, open_sequencer, tmp_path):
    strip = sound_strip(tmp_path)
    retimed_with_the_sample(strip)
    bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False, keep_as="Half", speed_limit=8)
    end = strip_ends(strip)[1]
    assert bpy.ops.motion_editing.apply_time_map(map_name="Half") == {"FINISHED"}
    expected = kept_maps.load(sample, "Half").map_key_times(end / RATE) * RATE
    assert strip_ends(strip)[1] == pytest.approx(expected, abs=20)  # Keys that would meet stay a frame apart.


def test_movie_strips_follow_a_kept_map(sample, open_sequencer, tmp_path):
    retimed_with_the_sample(movie_strip(tmp_path))


@pytest.mark.skipif(CAN_RETIME_STRIPS, reason="this Blender retimes strips without a Sequencer")
def test_an_older_blender_without_a_sequencer_says_what_to_do(sample, tmp_path):
    strip = sound_strip(tmp_path)
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, keep_as="Shorter")
    prop = bpy.data.objects.new("Prop", None)
    bpy.context.scene.collection.objects.link(prop)
    prop.keyframe_insert("location", frame=100)
    prop.select_set(True)
    with pytest.raises(RuntimeError, match="Open a Video Sequencer"):
        bpy.ops.motion_editing.apply_time_map(map_name="Shorter")
    assert prop.animation_data.action.frame_range[0] == 100, "a refusal changes nothing"
    assert not len(strip.retiming_keys)
    assert bpy.ops.motion_editing.apply_time_map(map_name="Shorter", strips=False) == {"FINISHED"}


# NLA strips


def tweaked(armature, *, scale=1.0, repeat=1.0):
    data = armature.animation_data
    action = data.action
    track = data.nla_tracks.new()
    strip = track.strips.new("strip", 101, action)
    strip.use_sync_length = False
    strip.scale, strip.repeat = scale, repeat
    data.action = None
    data.nla_tracks.active = track
    data.use_tweak_mode = True
    return strip


@pytest.mark.parametrize("share", [0.8, 1.3])
@pytest.mark.parametrize(("scale", "repeat"), [(1.0, 1.0), (1.5, 2.0)])
def test_a_strip_that_is_tweaked_plays_the_whole_warped_motion(sample, share, scale, repeat):
    strip = tweaked(sample, scale=scale, repeat=repeat)
    assert bpy.ops.motion_editing.warp_time(length=share, use_keytimes=False, influence=0.0) == {"FINISHED"}
    assert strip.action_frame_end == pytest.approx(last_frame(sample), abs=0.6)
    length = (strip.action_frame_end - strip.action_frame_start) * scale * repeat
    assert (strip.frame_start, strip.scale, strip.repeat) == (101, scale, repeat)
    assert strip.frame_end == pytest.approx(101 + length, abs=1e-3)


def test_a_tweaked_strip_keeps_its_end_for_bones_that_are_not_retimed(sample):
    strip = tweaked(sample)
    end = strip.action_frame_end
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == "forearm.L")
    bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False, influence=0.0)
    assert strip.action_frame_end == end


def test_the_warp_and_its_strip_are_undone_together(sample):
    strip = tweaked(sample)
    name, end = sample.name, strip.frame_end
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, influence=0.0)
    bpy.ops.ed.undo_push(message="after")
    assert strip.frame_end < end
    bpy.ops.ed.undo()
    strip = bpy.data.objects[name].animation_data.nla_tracks[0].strips[0]
    assert strip.frame_end == end
    assert last_frame(bpy.data.objects[name]) == pytest.approx(end - 100, abs=1)


def test_strips_follow_outside_tweak_mode_too(sample):
    action = sample.animation_data.action
    strip = sample.animation_data.nla_tracks.new().strips.new("strip", 400, action)
    part = sample.animation_data.nla_tracks.new().strips.new("part", 400, action)
    part.action_frame_start, part.action_frame_end = 101.0, 201.0
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, influence=0.0)
    assert (strip.action_frame_start, strip.action_frame_end) == pytest.approx((1.0, 284.0), abs=0.5)
    assert strip.frame_start == 400.0
    assert (part.action_frame_start, part.action_frame_end) == pytest.approx((80.8, 160.6), abs=0.6)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_keytime_beyond_the_ends_is_refused_with_the_scene_frames_that_are_allowed(sample, scale):
    end = 101 + scale * (last_frame(sample) - 1)
    tweaked(sample, scale=scale)
    for frame in (end + 50, end, 101, 20):
        with pytest.raises(
            RuntimeError, match=f"between frame 101 and {end:g}, the ends of the motion, not to {frame:g}"
        ):
            bpy.ops.motion_editing.add_keytime(frame=frame)
    assert bpy.ops.motion_editing.add_keytime(frame=end - 1) == {"FINISHED"}
