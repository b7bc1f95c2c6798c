"""Samples of sounds in the scene and the frames on which their beats fall."""

from __future__ import annotations

import wave
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from motion_editing.core.analysis.music import beats
from motion_editing.motion_editing_addon.border import sound_samples
from motion_editing.motion_editing_addon.border.compatibility import CAN_RETIME_STRIPS
from motion_editing.motion_editing_addon.border.sound_samples import SoundError

RATE, SECONDS, PERIOD = 22050, 8.0, 0.5
CLICKS = np.arange(0.25, SECONDS, PERIOD)
# Part of the full scale of 16 bits at which sounds are written.
FULL = 0.97
# Scene frames of 20 ms of sound.
CLOSE = 0.02 * 24.0


def click_track() -> Any:
    sound = np.zeros(round(SECONDS * RATE))
    click = np.exp(-np.arange(600) / 120.0) * np.sin(np.arange(600) * 0.4)
    for time in CLICKS:
        sound[round(time * RATE) :][:600] += click
    return sound


def write_wav(path: Path, samples: Any, *, channels: int = 1) -> Path:
    data = np.repeat((np.asarray(samples) * FULL * 32768.0).astype("<i2")[:, None], channels, axis=1)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data.tobytes())
    return path


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    sound_samples.forget()


@pytest.fixture
def clicks(tmp_path: Path) -> Path:
    return write_wav(tmp_path / "clicks.wav", click_track())


def strips() -> Any:
    return bpy.context.scene.sequence_editor_create().strips


def add_strip(path: Path, *, frame: int = 1, name: str = "Song") -> Any:
    return strips().new_sound(name, str(path), 1, frame)


def trim(strip: Any, *, left: int = 0, right: int = 0) -> None:
    if hasattr(strip, "left_handle_offset"):
        strip.left_handle_offset, strip.right_handle_offset = left, right
    else:
        strip.frame_offset_start, strip.frame_offset_end = left, right


def expected(start: float, *, fps: float = 24.0, first: float = -np.inf, end: float = np.inf) -> Any:
    frames = start + CLICKS * fps
    return frames[(frames >= first) & (frames < end)]


def test_beats_of_a_strip_in_scene_frames(clicks: Path) -> None:
    strip = add_strip(clicks, frame=40)
    found = sound_samples.beat_frames(bpy.context.scene, strip)
    np.testing.assert_allclose(found, expected(40.0), atol=CLOSE)


def test_samples_are_those_of_the_file_without_loss(clicks: Path) -> None:
    found = sound_samples.samples_of(add_strip(clicks, frame=40))
    samples, rate, first_frame, frames_per_second = found
    np.testing.assert_allclose(samples, FULL * click_track(), atol=1e-4)
    assert (rate, first_frame, frames_per_second) == (RATE, 40.0, 24.0)
    assert found.last_frame == pytest.approx(40.0 + 24.0 * SECONDS)


def test_channels_are_mixed(tmp_path: Path, clicks: Path) -> None:
    stereo = sound_samples.samples_of(add_strip(write_wav(tmp_path / "stereo.wav", click_track(), channels=2)))
    np.testing.assert_allclose(stereo.samples, sound_samples.samples_of(add_strip(clicks)).samples, atol=1e-6)


def test_a_trimmed_strip_keeps_its_beats_where_they_are(clicks: Path) -> None:
    strip = add_strip(clicks, frame=40)
    trim(strip, left=30, right=50)
    end = 40.0 + 24.0 * SECONDS - 50.0
    found = sound_samples.beat_frames(bpy.context.scene, strip)
    np.testing.assert_allclose(found, expected(40.0, first=70.0, end=end), atol=CLOSE)
    heard = sound_samples.samples_of(strip)
    # A sample lies next to the trimmed end.
    assert heard.first_frame == pytest.approx(70.0, abs=24.0 / RATE)
    assert heard.last_frame == pytest.approx(end, abs=0.01)
    whole = click_track()[round(30 / 24 * RATE) :][: len(heard.samples)]
    np.testing.assert_allclose(heard.samples, FULL * whole, atol=1e-4)


def cut_content(strip: Any, frames: int) -> None:
    if hasattr(strip, "content_trim_start"):
        strip.content_trim_start = frames
    else:
        strip.animation_offset_start = frames


@pytest.mark.parametrize(("offset", "left", "cut"), [(0.0, 0, 0), (0.05, 0, 0), (0.03, 18, 0), (0.0, 10, 6)])
def test_blender_plays_the_onsets_on_these_frames(
    clicks: Path, tmp_path: Path, offset: float, left: int, cut: int
) -> None:
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 260
    strip = add_strip(clicks, frame=40)
    strip.sound_offset = offset
    trim(strip, left=left)
    cut_content(strip, cut)
    found = sound_samples.onset_frames(scene, strip)
    mix = tmp_path / "mix.wav"
    bpy.ops.sound.mixdown(filepath=str(mix), container="WAV", codec="PCM", format="S16")
    played = sound_samples.onset_frames(scene, bpy.data.sounds.load(str(mix)))
    np.testing.assert_allclose(found, played, atol=0.1)


def test_the_rate_of_the_scene_counts(clicks: Path) -> None:
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.001
    strip = add_strip(clicks, frame=10)
    fps = 30.0 / 1.001
    np.testing.assert_allclose(sound_samples.beat_frames(scene, strip), expected(10.0, fps=fps), atol=0.02 * fps)
    assert sound_samples.samples_of(strip).frames_per_second == pytest.approx(fps)


def test_an_offset_of_the_sound_moves_its_beats(clicks: Path) -> None:
    strip = add_strip(clicks, frame=40)
    before = sound_samples.beat_frames(bpy.context.scene, strip)
    strip.sound_offset = 0.01
    np.testing.assert_allclose(sound_samples.beat_frames(bpy.context.scene, strip), before + 0.24, atol=1e-4)


def test_a_known_tempo_is_followed(clicks: Path) -> None:
    strip = add_strip(clicks, frame=1)
    found = sound_samples.beat_frames(bpy.context.scene, strip, tempo=60.0)
    np.testing.assert_allclose(np.diff(found), 24.0, atol=CLOSE)


def test_a_packed_sound_needs_no_file(clicks: Path) -> None:
    strip = add_strip(clicks, frame=40)
    wanted = sound_samples.beat_frames(bpy.context.scene, strip)
    strip.sound.pack()
    clicks.unlink()
    sound_samples.forget()
    np.testing.assert_array_equal(sound_samples.beat_frames(bpy.context.scene, strip), wanted)


def test_a_sound_is_decoded_once_and_again_when_its_file_changes(clicks: Path) -> None:
    strip = add_strip(clicks)
    first = sound_samples.samples_of(strip).samples
    trim(strip, left=5)
    assert np.shares_memory(sound_samples.samples_of(strip).samples, first)
    assert sound_samples.beats_of(strip) is sound_samples.beats_of(strip)
    write_wav(clicks, 0.5 * click_track()[:RATE])
    assert not np.shares_memory(sound_samples.samples_of(strip).samples, first)


def test_samples_cannot_be_written_to(clicks: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        sound_samples.samples_of(add_strip(clicks)).samples[0] = 1.0


def test_strips_are_listed_by_start_without_the_muted_ones(clicks: Path) -> None:
    scene = bpy.context.scene
    assert sound_samples.sound_strips(scene) == []
    late, muted, early = (add_strip(clicks, frame=frame, name=str(frame)) for frame in (50, 20, 10))
    muted.mute = True
    strips().new_effect(name="Colour", type="COLOR", channel=5, frame_start=1, **_effect_end(20))
    assert sound_samples.sound_strips(scene) == [early, late]


def _effect_end(frame: int) -> dict[str, int]:
    return {"length": frame} if bpy.app.version >= (5, 0, 0) else {"frame_end": frame}


def test_a_speaker_and_a_sound_alone_have_beats_too(clicks: Path) -> None:
    scene = bpy.context.scene
    scene.frame_start = 11
    speaker = bpy.data.speakers.new("Speaker")
    speaker.sound = bpy.data.sounds.load(str(clicks))
    np.testing.assert_allclose(sound_samples.beat_frames(scene, speaker.sound), expected(11.0), atol=CLOSE)
    np.testing.assert_allclose(sound_samples.beat_frames(scene, speaker), expected(11.0), atol=CLOSE)
    speaker.pitch = 2.0
    np.testing.assert_allclose(sound_samples.beat_frames(scene, speaker), expected(11.0, fps=12.0), atol=CLOSE)


def test_a_speaker_is_heard_from_its_strip_on(clicks: Path) -> None:
    scene = bpy.context.scene
    scene.frame_set(30)
    bpy.ops.object.speaker_add()
    speaker = bpy.context.object.data
    speaker.sound = bpy.data.sounds.load(str(clicks))
    np.testing.assert_allclose(sound_samples.beat_frames(scene, speaker), expected(30.0), atol=CLOSE)


def test_onsets_fall_on_the_clicks(clicks: Path) -> None:
    strip = add_strip(clicks, frame=5)
    np.testing.assert_allclose(sound_samples.onset_frames(bpy.context.scene, strip), expected(5.0), atol=CLOSE)


def test_beats_are_those_of_the_samples(clicks: Path) -> None:
    strip = add_strip(clicks, frame=5)
    samples, rate, start, fps = sound_samples.samples_of(strip)
    wanted = start + beats(samples, rate).times * fps
    np.testing.assert_allclose(sound_samples.beat_frames(bpy.context.scene, strip), wanted)


@pytest.mark.skipif(not CAN_RETIME_STRIPS, reason="this Blender crashes when a script adds retiming keys")
def test_a_strip_of_another_speed_has_its_beats_as_far_apart(clicks: Path) -> None:
    strip = add_strip(clicks, frame=40)
    middle = strip.retiming_keys.add(timeline_frame=100)
    with pytest.raises(SoundError, match="speed of 'Song' changes along the strip"):
        sound_samples.beat_frames(bpy.context.scene, strip)
    middle.remove()
    strip.retiming_keys[-1].timeline_frame = 40 + round(1.5 * 24 * SECONDS)
    found = sound_samples.beat_frames(bpy.context.scene, strip)
    np.testing.assert_allclose(found, expected(40.0, fps=36.0), atol=1.5 * CLOSE)


def test_a_missing_file_is_refused(clicks: Path) -> None:
    strip = add_strip(clicks)
    clicks.unlink()
    with pytest.raises(SoundError, match=r"file of the sound 'clicks.wav' is missing: .*clicks\.wav"):
        sound_samples.samples_of(strip)


def test_a_file_that_is_no_sound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.wav"
    path.write_text("no sound")
    strip = add_strip(write_wav(tmp_path / "good.wav", click_track()))
    strip.sound.filepath = str(path)
    with pytest.raises(SoundError, match="cannot be decoded: use a WAV"):
        sound_samples.samples_of(strip)


def test_a_speaker_without_sound_is_refused() -> None:
    with pytest.raises(SoundError, match="'Speaker' has no sound"):
        sound_samples.samples_of(bpy.data.speakers.new("Speaker"))
