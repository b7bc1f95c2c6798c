"""Channels as waves, which may be scaled by their frequency any number of times."""

from collections.abc import Callable

import numpy as np

from ..numerics import Array, frames_within, quaternion

# Lengths of a motion, and frames for short ones, beyond which nothing is added at its ends: values are held there.
_FURTHEST, _LEAST = 12.0, 4096

# From the value at an end and those on its inner side to those beyond it.
Mirror = Callable[[Array, Array], Array]


def mirrored_vectors(end: Array, inner: Array) -> Array:
    """Values on the other side of an end, as far away as the inner ones."""
    return 2.0 * end - inner


def mirrored_rotations(end: Array, inner: Array) -> Array:
    """Rotations on the other side of an end, as far away as the inner ones."""
    return quaternion.multiply(quaternion.multiply(end, quaternion.conjugate(inner)), end)


class Waves:
    """Frequencies of channels that go on beyond their ends, reflected in the first and last value."""

    def __init__(self, values: Array, *, rate: float, reach: float, mirror: Mirror = mirrored_vectors) -> None:
        """Take channels apart.

        Args:
            values: (F, J, C) at even distances.
            rate: Samples per second.
            reach: Seconds beyond which samples have no say in each other; as much is added at the
                ends, so that one end never meets the other, within some lengths of the motion.
            mirror: How to reflect.
        """
        self.frames = len(values)
        beyond = frames_within(reach, frames=self.frames, rate=rate, lengths=_FURTHEST, least=_LEAST)
        self.pad = int(np.ceil(beyond)) + 1
        self.size = _quick_size(self.frames + 2 * self.pad)
        self.waves = np.fft.rfft(self._extended(values, mirror), axis=-1)
        self.hertz: Array = np.fft.rfftfreq(self.size, 1.0 / rate).astype(np.float64)

    def scaled(self, factor: Callable[[Array], Array]) -> Array:
        """(F, J, C) channels with every wave scaled by a factor that depends on its frequency in hertz."""
        filtered = np.fft.irfft(self.waves * factor(self.hertz), self.size, axis=-1)
        inside: Array = filtered[..., self.pad : self.pad + self.frames].T
        return inside

    def _extended(self, values: Array, mirror: Mirror) -> Array:
        """(C, J, size) reflected as far as there are values, and held beyond."""
        memory = np.empty((*reversed(values.shape[1:]), self.size))
        frames, pad = self.frames, self.pad
        count = np.minimum(np.arange(1, pad + 1), frames - 1)
        memory[..., pad : pad + frames] = values.T
        memory[..., :pad] = mirror(values[:1], values[count[::-1]]).T
        memory[..., pad + frames : 2 * pad + frames] = mirror(values[-1:], values[frames - 1 - count]).T
        memory[..., 2 * pad + frames :] = memory[..., 2 * pad + frames - 1, None]
        return memory


def _quick_size(least: int) -> int:
    """The next number whose only prime factors are 2, 3 and 5."""
    size = least
    while True:
        left = size
        for prime in (2, 3, 5):
            while left % prime == 0:
                left //= prime
        if left == 1:
            return size
        size += 1
