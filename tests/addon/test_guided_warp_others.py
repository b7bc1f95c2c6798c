"""Time maps on sequencer strips, NLA strips that are tweaked, markers as events, ranges as reference."""

import wave

import bpy
import numpy as np
import pytest
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon import action_io, scope
from motion_editing.motion_editing_addon.compatibility import CAN_RETIME_STRIPS, select, strip_ends
from motion_editing.motion_editing_addon.guided_warp import kept_maps
from rigs import all_keys, chain_armature, key_bones

RATE = 30.0


@pytest.fixture
def sample(empty_scene):
    bpy.context.scene.render.fps = int(RATE)
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


def time_of(armature):
    return armature.animation_data.action.motion_editing_time


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


def test_strips_stay_as_they_are_outside_tweak_mode(sample):
    action = sample.animation_data.action
    strip = sample.animation_data.nla_tracks.new().strips.new("strip", 400, action)
    end = strip.frame_end
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, influence=0.0)
    assert strip.frame_end == end


# Markers as events


def with_markers(armature, markers):
    for name, frame in markers.items():
        armature.animation_data.action.pose_markers.new(name).frame = frame


def test_like_named_markers_of_two_actions_are_matched(sample):
    bpy.ops.motion_editing.load_sample_motion()
    other = bpy.context.object
    bpy.context.view_layer.objects.active = sample
    with_markers(sample, {"hit": 220, "land": 137, "lonely": 180})
    with_markers(other, {"hit": 240, "land": 130, "someone": 30})
    bpy.context.scene.timeline_markers.new("music", frame=50)
    assert bpy.ops.motion_editing.keytimes_from_events(source=other.name, kind="MARKERS") == {"FINISHED"}
    found = [(round(item.old), round(item.new)) for item in time_of(sample).keytimes][1:-1]
    assert found == [(137, 130), (220, 240)]


def test_without_markers_in_the_other_action_those_of_the_scene_are_used(sample):
    with_markers(sample, {"hit": 220})
    bpy.context.scene.timeline_markers.new("hit", frame=230)
    bpy.context.scene.timeline_markers.new("applause", frame=231)
    assert bpy.ops.motion_editing.keytimes_from_events(kind="MARKERS") == {"FINISHED"}
    assert [(round(item.old), round(item.new)) for item in time_of(sample).keytimes][1:-1] == [(220, 230)]


def test_footfalls_go_to_markers_where_the_action_has_none(sample):
    steps = [1 + round(RATE * time) for _, time in sample_events().steps[1:4]]
    for frame in steps:
        bpy.context.scene.timeline_markers.new("beat", frame=frame + 4)
    assert bpy.ops.motion_editing.keytimes_from_events(kind="MARKERS") == {"FINISHED"}
    assert {round(item.new) for item in time_of(sample).keytimes} >= {frame + 4 for frame in steps}


def test_missing_markers_are_said(sample):
    with pytest.raises(RuntimeError, match="no markers"):
        bpy.ops.motion_editing.keytimes_from_events(kind="MARKERS")


# Ranges as reference


def test_steps_follow_a_range_that_was_slowed_and_the_jump_stays(sample):
    events = sample_events()
    bpy.ops.motion_editing.add_keytime(frame=16)
    bpy.ops.motion_editing.add_keytime(frame=64)
    bpy.ops.motion_editing.move_keytime(keytime=2, frame=16 + 72, ripple=True)
    bpy.ops.motion_editing.warp_time(influence=0.0)
    bpy.ops.motion_editing.warp_time(
        use_keytimes=False, length=1.0, reference="RANGE", reference_start=16, reference_end=88,
        free_length=True, keep_as="Slower",
    )  # fmt: skip
    kept, longer = kept_maps.load(sample, "Slower"), 24

    def lasts(start, end):
        new = kept.map_key_times((1 + RATE * np.array([start, end]) + longer) / RATE)
        return float(new[1] - new[0]) / (end - start)

    walking = [time for _, time in events.steps if 5.0 < time < 6.5]
    assert lasts(*walking) == pytest.approx(1.5, rel=0.15)
    assert lasts(*events.flight) == pytest.approx(1.0, abs=0.1)
    assert lasts(7.3, 9.9) == pytest.approx(1.0, abs=0.05)


def test_a_camera_can_be_its_own_range(empty_scene):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.view_layer.objects.active = camera
    for frame in range(1, 101):
        camera.location = (np.sin(frame / 8.0), 0, 1)
        camera.keyframe_insert("location", frame=frame)
    assert bpy.ops.motion_editing.warp_time(
        length=0.9, use_keytimes=False, reference="RANGE", reference_start=1, reference_end=60
    ) == {"FINISHED"}


# Some bones only


def key_frames(armature, bone):
    curves = [curve for curve in action_io.channelbag(armature).fcurves if f'"{bone}"' in curve.data_path]
    return {frame for curve in curves for frame in (key.co[0] for key in curve.keyframe_points)}


def test_baked_bones_stay_baked_however_short_they_become(sample, capfd):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name in {"upper_arm.L", "forearm.L"})
    others = {key: value for key, value in all_keys(sample.animation_data.action).items() if "arm.L" not in key[1]}
    bpy.ops.motion_editing.warp_time(length=0.4, use_keytimes=False, influence=0.0)
    assert "Retimed 2 bones from 355 to 143 frames" in capfd.readouterr().out
    bpy.ops.motion_editing.warp_time(length=0.9, use_keytimes=False, influence=0.0)
    assert "Retimed 2 bones from 143 to 129 frames" in capfd.readouterr().out
    assert key_frames(sample, "upper_arm.L") == set(range(1, 130))
    after = all_keys(sample.animation_data.action)
    assert all(after[key] == value for key, value in others.items())


@pytest.mark.parametrize("snap", [True, False])
def test_sparse_keys_of_some_bones_are_snapped_if_asked(snap):
    armature = chain_armature(3)
    key_bones(armature, [1, 8, 17, 31])
    bpy.ops.object.mode_set(mode="POSE")
    chosen = armature.pose.bones[1].name
    for bone in armature.pose.bones:
        select(bone, bone.name == chosen)
    bpy.ops.motion_editing.warp_time(length=0.77, use_keytimes=False, influence=0.0, snap=snap, breakdowns=False)
    frames = sorted(key_frames(armature, chosen))
    assert [frame == round(frame) for frame in frames] == ([True] * 4 if snap else [True, False, False, True])
    assert key_frames(armature, armature.pose.bones[0].name) == {1, 8, 17, 31}


def test_errors_are_told_with_their_units(empty_scene, capfd):
    armature = chain_armature(1)
    bone = armature.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, value in ((1, 0.0), (41, 1.0), (81, 0.0)):
        bone.location[0], bone.rotation_euler[0] = value, value
        bone.keyframe_insert("location", index=0, frame=frame)
        bone.keyframe_insert("rotation_euler", index=0, frame=frame)
    bpy.ops.motion_editing.add_keytime(frame=20)
    bpy.ops.motion_editing.move_keytime(keytime=1, frame=40)
    bpy.ops.motion_editing.warp_time(influence=0.0)
    text = capfd.readouterr().out
    assert "breakdown keys added, largest error" in text
    assert "° , " not in text
    assert text.split("largest error ")[1].split(")")[0].endswith(" units")
    assert "°, " in text.split("largest error ")[1]


def test_a_reference_must_be_of_the_same_kind(sample):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    for frame in (1, 50):
        camera.location[0] = frame
        camera.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.objects.active = camera
    with pytest.raises(RuntimeError, match="same kind of object"):
        bpy.ops.motion_editing.warp_time(
            length=0.9, use_keytimes=False, reference="ACTION", reference_action=sample.animation_data.action.name
        )
    assert scope.action_of(camera).frame_range[1] == 50
