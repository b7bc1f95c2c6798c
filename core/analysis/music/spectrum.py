"""Loudness of a sound over time in bands of pitch, as an ear hears it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import NotFiniteError
from ...numerics import Array

# Seconds of a window: short enough to tell when a drum starts, long enough to tell bass from treble.
WINDOW = 0.032
_BANDS = 40
_LOWEST, _HIGHEST = 30.0, 11000.0
# How far below the loudest band a sound is still heard, as a ratio of amplitudes: 60 dB.
_DYNAMICS = 1000.0
_FRAMES_AT_ONCE = 2048


def checked_sound(samples: Any, rate: float) -> NDArray[np.float32]:
    """(N,) the samples of one channel in single precision.

    Raises:
        ValueError: There are several channels, or the rate is not positive.
        NotFiniteError: A sample is NaN or infinite.
    """
    sound = np.asarray(samples, dtype=np.float32)
    if sound.ndim != 1:
        raise ValueError(f"Sound must have one channel, shape (N,), not {sound.shape}")
    if not rate > 0.0:
        raise ValueError(f"The sample rate must be above 0 Hz, not {rate:g}")
    if not np.isfinite(sound).all():
        raise NotFiniteError("The sound holds NaN or infinite samples; export it again")
    return sound


def band_loudness(sound: NDArray[np.float32], rate: float, centres: Array) -> Array:
    """(F, B) logarithm of the amplitude in each band, 0 where 60 dB below the loudest.

    Args:
        sound: (N,) one channel; silence surrounds it.
        rate: Samples per second.
        centres: (F,) seconds of the middles of the windows.
    """
    size = _quick_size(max(16, round(WINDOW * rate)))
    bands = _bands(size, rate)
    padded = np.pad(sound, size)
    starts = np.clip(np.rint(centres * rate).astype(np.intp) + size - size // 2, 0, len(padded) - size)
    amplitudes = np.concatenate([block @ bands for block in _amplitudes(padded, starts, size)])
    loudest = float(amplitudes.max(initial=0.0))
    loudness: Array = np.log1p(amplitudes * (_DYNAMICS / loudest)) if loudest > 0.0 else 0.0 * amplitudes
    return loudness


def _quick_size(least: int) -> int:
    """The next size without prime factors above 5, of which Fourier transforms are quick."""
    size = least
    # Only such numbers divide a high enough power of 30.
    while pow(30, least.bit_length(), size):
        size += 1
    return size


def _amplitudes(padded: NDArray[np.float32], starts: NDArray[np.intp], size: int) -> Iterator[Array]:
    """(F, size // 2 + 1) amplitudes of the windows' spectra, some windows at a time."""
    taper = np.hanning(size + 1)[:-1].astype(np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)
    for first in range(0, max(1, len(starts)), _FRAMES_AT_ONCE):
        yield np.abs(np.fft.rfft(windows[starts[first : first + _FRAMES_AT_ONCE]] * taper))


def _bands(size: int, rate: float) -> Array:
    """(size // 2 + 1, B) overlapping triangles, as wide as the ear's, of area 1."""
    highest = min(_HIGHEST, 0.5 * rate)
    edges = _pitch_to_frequency(np.linspace(_frequency_to_pitch(_LOWEST), _frequency_to_pitch(highest), _BANDS + 2))
    frequencies = np.fft.rfftfreq(size, 1.0 / rate)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising, falling = (frequencies - low) / (middle - low), (high - frequencies) / (high - middle)
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    # Narrow bands may lie between two frequencies: they hold nothing.
    bands: Array = triangles / np.maximum(triangles.sum(axis=0), 1e-9)
    return bands


def _frequency_to_pitch(frequency: float) -> float:
    """Mel scale: even at low frequencies, logarithmic above 1 kHz."""
    return 2595.0 * float(np.log10(1.0 + frequency / 700.0))


def _pitch_to_frequency(pitch: Array) -> Array:
    frequencies: Array = 700.0 * (10.0 ** (pitch / 2595.0) - 1.0)
    return frequencies
