"""Made music: clicks, drums and chords at known times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

RATE = 22050


def silence(seconds: float, rate: int = RATE) -> Any:
    return np.zeros(round(seconds * rate))


def click_track(times: Any, *, seconds: float, rate: int = RATE, loudness: Sequence[float] = (1.0,)) -> Any:
    """Short ringing clicks at the times, their loudness in turn."""
    sound = silence(seconds, rate)
    ring = np.arange(round(0.03 * rate)) / rate
    click = np.sin(2.0 * np.pi * 1500.0 * ring) * np.exp(-ring / 0.006)
    for number, time in enumerate(times):
        _add(sound, click * loudness[number % len(loudness)], time, rate)
    return sound


def drums(times: Any, *, seconds: float, rate: int = RATE, seed: int = 0) -> Any:
    """Low drums that sweep down and noisy ones, in turn."""
    random = np.random.default_rng(seed)
    sound = silence(seconds, rate)
    ring = np.arange(round(0.15 * rate)) / rate
    low = np.sin(2.0 * np.pi * (50.0 * ring + 4.0 * (1.0 - np.exp(-ring / 0.02)))) * np.exp(-ring / 0.06)
    for number, time in enumerate(times):
        noisy = random.normal(size=len(ring)) * np.exp(-ring / 0.03)
        _add(sound, low if number % 2 == 0 else 0.4 * noisy, time, rate)
    return sound


def chords(times: Any, *, seconds: float, rate: int = RATE) -> Any:
    """Held chords that change at the times, with a soft attack of 10 ms."""
    sound = silence(seconds, rate)
    ends = [*times[1:], seconds]
    for number, (start, end) in enumerate(zip(times, ends, strict=True)):
        ring = np.arange(round((end - start) * rate)) / rate
        root = 220.0 * 2.0 ** ((number * 5 % 12) / 12.0)
        tones = sum(np.sin(2.0 * np.pi * root * step * ring) / step for step in (1.0, 1.25, 1.5, 2.0))
        _add(sound, 0.3 * tones * np.minimum(ring / 0.01, 1.0) * np.exp(-ring / 0.8), start, rate)
    return sound


def noise(seconds: float, loudness: float, *, rate: int = RATE, seed: int = 1) -> Any:
    return loudness * np.random.default_rng(seed).normal(size=round(seconds * rate))


def even_times(tempo: float, *, start: float = 0.0, end: float) -> Any:
    return np.arange(start, end, 60.0 / tempo)


def _add(sound: Any, part: Any, time: float, rate: int) -> None:
    first = round(time * rate)
    end = min(first + len(part), len(sound))
    sound[first:end] += part[: end - first]
