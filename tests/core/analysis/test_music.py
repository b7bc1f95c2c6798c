"""Onsets and beats of made music, whose times are known."""

from __future__ import annotations

from typing import Any

import made_music
import numpy as np
import pytest
from made_music import RATE, chords, click_track, drums, even_times, noise, silence

from core.analysis.music import Beats, beats, onset_strength, onsets, waveform
from core.errors import NotFiniteError

# Seconds by which a beat may be off, and the share by which a tempo may.
CLOSE, TEMPO = 0.02, 0.02


def assert_times(found: Any, wanted: Any) -> None:
    """As many times, each within 20 ms of its own."""
    assert len(found) == len(wanted)
    np.testing.assert_allclose(found, wanted, atol=CLOSE)


def assert_beats(found: Beats, wanted: Any, tempo: float) -> None:
    assert_times(found.times, wanted)
    assert found.tempo == pytest.approx(tempo, rel=TEMPO)


@pytest.mark.parametrize("tempo", [60, 72, 90, 100, 120, 133, 150, 165, 180])
def test_clicks_are_beats(tempo: float) -> None:
    times = even_times(tempo, end=12.0)
    assert_beats(beats(click_track(times, seconds=12.0), RATE), times, tempo)


@pytest.mark.parametrize("rate", [8000, 44100, 48000])
def test_the_sample_rate_does_not_matter(rate: int) -> None:
    times = even_times(110.0, end=8.0)
    assert_beats(beats(click_track(times, seconds=8.0, rate=rate), rate), times, 110.0)


@pytest.mark.parametrize("instrument", [click_track, drums, chords])
@pytest.mark.parametrize("tempo", [66.0, 97.0, 140.0])
def test_music_that_starts_late_and_ends_early_has_no_beats_outside(instrument: Any, tempo: float) -> None:
    times = even_times(tempo, start=2.37, end=13.0)
    assert_beats(beats(instrument(times, seconds=16.0), RATE), times, tempo)


@pytest.mark.parametrize("tempo", [60.0, 97.0, 120.0, 180.0])
@pytest.mark.parametrize("start", [0.2, 1.3])
def test_noise_does_not_move_the_beats(tempo: float, start: float) -> None:
    times = even_times(tempo, start=start, end=15.0)
    # The noise fades in: starting at once, it is an onset itself.
    fade = np.minimum(np.arange(16 * RATE) / RATE, 1.0)
    sound = click_track(times, seconds=16.0) + fade * noise(16.0, 0.1)
    assert_beats(beats(sound, RATE), times, tempo)


def test_a_crash_at_the_start_is_no_beat() -> None:
    times = even_times(97.0, start=1.3, end=15.0)
    assert_beats(beats(click_track(times, seconds=16.0) + noise(16.0, 0.1), RATE), times, 97.0)


def test_beats_follow_a_drifting_tempo() -> None:
    periods = 60.0 / np.linspace(100.0, 125.0, 50)
    times = 0.5 + np.concatenate([[0.0], np.cumsum(periods)])
    found = beats(click_track(times, seconds=times[-1] + 0.5), RATE)
    assert_times(found.times, times)
    assert found.regularity < beats(click_track(even_times(110.0, end=25.0), seconds=25.0), RATE).regularity


def test_beats_go_on_through_a_pause() -> None:
    times = even_times(120.0, end=16.0)
    kept = np.delete(times, [5, 9, 14, 20, 21, 26])
    assert_times(beats(click_track(kept, seconds=16.0), RATE).times, times)


def test_syncopated_accents_do_not_pull_the_beat_away() -> None:
    times = even_times(120.0, end=20.0)
    clave = np.sort(np.concatenate([np.arange(0.0, 20.0, 4.0) + place for place in (0.0, 0.75, 1.5, 2.5, 3.0)]))
    sound = click_track(clave, seconds=20.0) + 0.5 * drums(times, seconds=20.0)
    assert_beats(beats(sound, RATE), times, 120.0)


def test_weak_notes_between_the_beats_are_onsets_but_no_beats() -> None:
    times, halves = even_times(120.0, end=12.0), even_times(240.0, end=12.0)
    sound = click_track(halves, seconds=12.0, loudness=(1.0, 0.3))
    assert_beats(beats(sound, RATE), times, 120.0)
    assert_times(onsets(sound, RATE), halves)


def test_a_known_tempo_is_followed() -> None:
    times = even_times(160.0, end=12.0)
    assert_beats(beats(click_track(times, seconds=12.0, loudness=(1.0, 0.5)), RATE, tempo=80.0), times[::2], 80.0)


def test_the_volume_does_not_matter() -> None:
    sound = drums(even_times(100.0, end=8.0), seconds=8.0)
    loud, quiet = beats(sound, RATE), beats(0.001 * sound, RATE)
    np.testing.assert_allclose(quiet.times, loud.times, atol=1e-3)


def test_later_music_has_later_beats() -> None:
    sound = drums(even_times(100.0, end=8.0), seconds=8.0)
    later = np.concatenate([silence(1.5), sound])
    np.testing.assert_allclose(beats(later, RATE).times, beats(sound, RATE).times + 1.5, atol=CLOSE)


@pytest.mark.parametrize("sound", [silence(5.0), np.full(5 * RATE, 0.3), silence(0.0)], ids=["silent", "flat", "empty"])
def test_where_nothing_happens_there_are_no_beats(sound: Any) -> None:
    found = beats(sound, RATE)
    assert len(found.times) == 0
    assert found.tempo == 0.0
    assert not (onsets(sound, RATE) > CLOSE).any()


def test_a_tone_starts_once_and_has_no_beat() -> None:
    sound = np.concatenate([silence(1.0), np.sin(np.arange(4 * RATE) * 0.1)])
    assert_times(onsets(sound, RATE), [1.0])
    assert len(beats(sound, RATE).times) == 0


def test_noise_has_no_beat() -> None:
    assert len(beats(noise(12.0, 0.5), RATE).times) == 0


@pytest.mark.parametrize("count", [1, 10, 100, 1000, RATE // 4])
def test_a_very_short_sound_has_no_beat(count: int) -> None:
    sound = click_track([0.0], seconds=count / RATE)
    assert len(beats(sound, RATE).times) == 0
    assert len(onsets(sound, RATE)) <= 1
    assert len(beats(sound, RATE, tempo=120.0).times) == 0


def test_onsets_are_where_uneven_notes_start() -> None:
    random = np.random.default_rng(5)
    times = 0.4 + np.cumsum(random.uniform(0.12, 0.7, 25))
    for instrument in (click_track, drums):
        assert_times(onsets(instrument(times, seconds=times[-1] + 1.0), RATE), times)


def test_strength_is_highest_where_sounds_start() -> None:
    times = np.array([0.5, 1.2, 2.0])
    found = onset_strength(click_track(times, seconds=3.0), RATE)
    strongest = np.sort(np.argsort(found.strength)[-3:]) / found.rate
    np.testing.assert_allclose(strongest, times, atol=CLOSE)
    assert len(found.strength) == round(3.0 * found.rate) + 1


def test_waveform_holds_every_sample_once() -> None:
    sound = np.random.default_rng(2).normal(size=1003)
    shape = waveform(sound, 17)
    parts = [sound[1003 * n // 17 : 1003 * (n + 1) // 17] for n in range(17)]
    np.testing.assert_array_equal(shape, [[part.min(), part.max()] for part in parts])


def test_waveform_of_few_samples_repeats_them_and_of_none_is_flat() -> None:
    np.testing.assert_array_equal(waveform([1.0, -2.0], 4), [[1, 1], [1, 1], [-2, -2], [-2, -2]])
    np.testing.assert_array_equal(waveform([], 3), np.zeros((3, 2)))


def test_the_input_is_left_alone() -> None:
    sound = drums(even_times(100.0, end=4.0), seconds=4.0)
    before = sound.copy()
    beats(sound, RATE), onsets(sound, RATE), waveform(sound, 10)
    np.testing.assert_array_equal(sound, before)


def test_refusals_say_why() -> None:
    with pytest.raises(ValueError, match=r"one channel, shape \(N,\), not \(10, 2\)"):
        beats(np.zeros((10, 2)), RATE)
    with pytest.raises(ValueError, match="above 0 Hz, not 0"):
        onsets(made_music.silence(1.0), 0)
    with pytest.raises(NotFiniteError, match="export it again"):
        onset_strength([0.0, np.nan], RATE)
    with pytest.raises(ValueError, match="above 0 beats per minute, not -3"):
        beats(made_music.silence(1.0), RATE, tempo=-3.0)
    with pytest.raises(ValueError, match="at least 1 bin, not 0"):
        waveform([1.0], 0)
