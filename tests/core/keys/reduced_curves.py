"""Times, kinds of keys and the bound that reduced curves keep."""

import numpy as np
from made_motion import noisy_curves

from core.keys import evaluate_keys

KINDS = ("SMOOTH", "FEWEST")


def uneven_times(frames, seed=0):
    return np.cumsum(np.random.default_rng(seed).uniform(0.2, 3.0, frames))


def middles(times):
    return 0.5 * (times[1:] + times[:-1])


def assert_inside(times, values, keys, tolerance):
    """The bound at samples; in the middles it counts from between the straight line and the smooth cubic."""
    # The test's own arithmetic rounds too; what it rounds is some units of the largest number.
    spare = 1e-13 * np.abs(values).max()
    assert (np.abs(evaluate_keys(keys, times) - values) <= tolerance + spare).all()
    if len(times) < 3:
        return
    straight = 0.5 * (values[1:] + values[:-1])
    slopes = np.gradient(values, times, axis=0, edge_order=2)
    smooth = straight + np.diff(times)[:, None] / 8 * (slopes[:-1] - slopes[1:])
    fitted = evaluate_keys(keys, middles(times))
    spare = 1e-13 * max(np.abs(values).max(), np.abs(smooth).max())
    assert (fitted <= np.maximum(straight, smooth) + tolerance + spare).all()
    assert (fitted >= np.minimum(straight, smooth) - tolerance - spare).all()


def stepped_curves(frames=60, seed=3):
    """Three curves: noisy, stepped all along, and stepped in its second half."""
    values = noisy_curves(frames, 3, seed)
    held = np.zeros((frames - 1, 3), dtype=bool)
    values[:, 1] = np.repeat(np.arange(frames / 6), 6)
    values[30:, 2] = np.repeat([4.0, 4.0, -2.0], 10)
    held[:, 1], held[30:, 2] = True, True
    return np.arange(frames) * 1.0, values, held
