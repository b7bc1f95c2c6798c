"""The pose timeline with music, with a second character and on rigs that constraints move."""

import wave

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io, sound_samples
from motion_editing.motion_editing_addon.document import scope, watched_keys
from motion_editing.motion_editing_addon.document.character import joint_positions
from motion_editing.motion_editing_addon.document.contacts.saved_contacts import contacts_of
from motion_editing.motion_editing_addon.timeline.collisions import are_known
from motion_editing.motion_editing_addon.timeline.lane.icons_on_strip import IconsOnStrip
from rigs import all_keys
from test_pose_timeline import END, RATE, START, paint, punches, sample, ticked, timeline
from test_pose_timeline_features import bend_head
from test_pose_timeline_lane import second_character, shown

__all__ = ["punches", "sample"]


# Music


@pytest.fixture
def music(tmp_path):
    """A sound strip with a click every 0.45 seconds."""
    rate, seconds = 8000, 13
    samples = np.zeros(rate * seconds)
    decay = np.exp(-np.arange(400) / 60.0) * np.sin(np.arange(400))
    for beat in np.arange(0.2, seconds - 0.3, 0.45):
        samples[int(beat * rate) :][:400] += decay
    with wave.open(str(tmp_path / "clicks.wav"), "w") as sound:
        sound.setparams((1, 2, rate, 0, "NONE", ""))
        sound.writeframes((samples * 20000).astype("<i2").tobytes())
    strip = bpy.context.scene.sequence_editor_create().strips.new_sound("Clicks", str(tmp_path / "clicks.wav"), 1, 1)
    yield strip
    sound_samples.forget()


def steps_of(armature):
    clip = scope.read_clip(bpy.context, armature)
    contacts = contacts_of(clip)
    starts = sorted(start for joint in contacts.joints for start, _end in contacts.of(joint))
    return np.array([start for start in starts if start > clip.motion.times[0] + 0.02]) * RATE


def test_footfalls_are_put_on_beats(sample, music):
    bpy.ops.motion_editing.find_contacts()
    beats = sound_samples.beat_frames(bpy.context.scene, music)
    before = np.abs(steps_of(sample)[:, None] - beats).min(axis=1)
    assert bpy.ops.motion_editing.snap_to_beats(farthest=0.35) == {"FINISHED"}
    after = np.abs(steps_of(sample)[:, None] - beats).min(axis=1)
    assert (after < 1.0).sum() > (before < 1.0).sum() + 3


def test_windows_are_put_on_beats(punches, music):
    beats = sound_samples.beat_frames(bpy.context.scene, music)
    bpy.ops.motion_editing.tick_all_windows(ticked=False)
    bpy.ops.motion_editing.snap_to_beats(events="WINDOWS")
    settings = timeline(punches)
    assert min(abs(settings.start - beats)) < 0.01
    assert min(abs(settings.end - beats)) < 0.01


def test_missing_sounds_are_refused(sample):
    with pytest.raises(RuntimeError, match="There is no sound: add a sound strip"):
        bpy.ops.motion_editing.snap_to_beats()
    with pytest.raises(RuntimeError, match="There is no sound strip 'Song'"):
        bpy.ops.motion_editing.snap_to_beats(sound_strip="Song")


def test_the_lane_shows_waveform_and_beats(sample, music):
    lane = IconsOnStrip()
    data = shown(lane)
    assert len(data.beats) > 20
    assert len(data.waveform_frames) == len(data.waveform_low) == len(data.waveform_high) > 100
    assert max(data.waveform_high) > 0.2
    assert shown(lane) is data
    timeline(sample).sound_strip = "none of these"
    assert not len(shown(lane).beats)


# Two characters


def test_a_drag_finds_touches_anew(punches):
    second_character(punches)
    lane = IconsOnStrip()
    hits = sum(bool(np.any(icon.colliding)) for icon in shown(lane).icons if icon.row == 1)
    lane.drag_window_end(bpy.context, 0, END + 30, final=False)
    dragged = shown(lane)
    assert dragged.preview
    assert sum(bool(np.any(icon.colliding)) for icon in dragged.icons if icon.row == 1) <= hits
    lane.cancel(bpy.context)


def test_far_characters_do_not_touch(sample):
    other = second_character(sample)
    other.delta_location = (50.0, 0.0, 0.0)
    bpy.ops.motion_editing.find_collisions()
    assert not timeline(sample).collisions


@pytest.mark.parametrize("changed", ["own keys", "keys of the second", "place of the second", "the second"])
def test_the_list_of_collisions_tells_that_it_is_out_of_date(sample, changed):
    other = second_character(sample)
    bpy.ops.motion_editing.find_collisions(margin=0.05)
    assert are_known(sample)
    bpy.context.scene.frame_set(40)
    bpy.context.view_layer.update()
    assert are_known(sample)
    change = {
        "own keys": lambda: bpy.ops.motion_editing.smooth(),
        "keys of the second": lambda: nudge(other),
        "place of the second": lambda: setattr(other, "location", (3.0, 0.0, 0.0)),
        "the second": lambda: setattr(timeline(sample), "second", None),
    }
    change[changed]()
    bpy.context.view_layer.update()
    for each in (sample, other):
        watched_keys.fingerprint(each, exact=True)  # otherwise keys are looked at a moment later
    assert not are_known(sample)
    assert timeline(sample).collision_margin == pytest.approx(0.05)
    timeline(sample).second = other
    bpy.ops.motion_editing.find_collisions(margin=timeline(sample).collision_margin)
    assert are_known(sample)


def nudge(armature):
    curve = action_io.channelbag(armature).fcurves[0]
    curve.keyframe_points[3].co.y += 0.1
    curve.update()


# Rigs that constraints move


@pytest.fixture
def constrained(sample):
    constraint = sample.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x = True
    joint_positions.forget()
    return sample


def test_a_constrained_rig_has_icons_once_it_was_sampled(constrained):
    lane = IconsOnStrip()
    assert shown(lane).icons == ()
    frame = bpy.context.scene.frame_current
    assert bpy.ops.motion_editing.show_icons() == {"FINISHED"}
    data = shown(lane)
    assert len(data.icons) == timeline(constrained).icons
    assert data.rows[0].head is not None
    assert bpy.context.scene.frame_current == frame


def test_a_constrained_rig_is_searched_and_retimed(constrained):
    assert bpy.ops.motion_editing.find_similar(start=START, end=END) == {"FINISHED"}
    assert timeline(constrained).windows
    lengths = [end - start for start, end in ticked(constrained)]
    assert bpy.ops.motion_editing.stretch_windows(factor=1.25) == {"FINISHED"}
    for (start, end), length in zip(ticked(constrained), lengths, strict=True):
        assert end - start == pytest.approx(1.25 * length, abs=0.05)
    assert shown(IconsOnStrip()).icons, "icons stay after an edit"
    paint(constrained, "head")
    bpy.ops.motion_editing.transfer_mean()


# What must not happen


def test_a_locked_channel_is_refused_before_anything_changes(punches):
    action_io.channelbag(punches).fcurves[0].lock = True
    before, windows = all_keys(punches.animation_data.action), ticked(punches)
    with pytest.raises(RuntimeError, match="is locked"):
        bpy.ops.motion_editing.stretch_windows(factor=1.5)
    assert all_keys(punches.animation_data.action) == before
    assert ticked(punches) == windows


def test_the_scene_stays_as_it_is(punches):
    scene = bpy.context.scene
    scene.frame_set(40)
    state = scene.frame_current, scene.frame_start, scene.frame_end, bpy.context.mode
    bpy.ops.motion_editing.stretch_windows(factor=1.5)
    bpy.ops.motion_editing.find_similar()
    assert (scene.frame_current, scene.frame_start, scene.frame_end, bpy.context.mode) == state


def test_an_edit_of_painted_bones_alone_is_carried(punches):
    bend_head(punches, START, END)
    paint(punches, "hand.R")
    keys = all_keys(punches.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(punches.animation_data.action) == keys, "the head is not painted"
