"""How quickly a body moves and changes direction, in samples: what is usual for people and animals."""

from dataclasses import dataclass

import numpy as np

from .quaternion import Array

# Seconds over which limbs keep their direction, in captured clips from boxing (0.06) to idling (0.26).
_USUAL_TIME, _TIME_SPREAD = 0.105, 0.5
# Heights per second of the fastest joint in all but the fastest moments: sprinters and punches.
_FASTEST, _SPEED_SPREAD = 6.5, 0.35
# Downward pull on the middle of the body in the air, in heights per second squared, seen over this
# many seconds; nobody falls faster than gravity lets him, but the mean of the joints may a little.
_HARDEST_FALL, _FALL_SPREAD, _FALL_WINDOW = 10.0, 0.4, 0.2
# Movement, in heights per sample, below which a clip says nothing.
_STILL = 2e-5
_MOST_SAMPLES, _MOST_JOINTS = 600, 12
# A movement twice as long goes this much farther, squared: 4 is a straight line, 2 a random walk.
_STRAIGHTNESS = 3.3


@dataclass(frozen=True, eq=False)
class Pace:
    """What a motion shows about its own speed, in samples.

    Attributes:
        persistence: Samples over which limbs keep their direction; not a number if they never do.
        speed: Heights per sample of the fastest joint, but for the fastest twentieth of the time.
        middle: (F,) height of the body's middle over the ground, in heights.
    """

    persistence: float
    speed: float
    middle: Array

    def log_likelihood(self, rates: Array) -> Array:
        """Logarithm of how usual this pace is at each rate."""
        total = -0.5 * (np.maximum(np.log(self.speed * rates / _FASTEST), 0.0) / _SPEED_SPREAD) ** 2
        falls = np.array([self._fall(float(rate)) for rate in rates])
        total -= 0.5 * (np.maximum(np.log(np.maximum(falls, 1e-9) / _HARDEST_FALL), 0.0) / _FALL_SPREAD) ** 2
        if np.isfinite(self.persistence):
            total -= 0.5 * (np.log(self.persistence / rates / _USUAL_TIME) / _TIME_SPREAD) ** 2
        likelihood: Array = total
        return likelihood

    def _fall(self, rate: float) -> float:
        """Strongest downward acceleration over the window, in heights per second squared."""
        window = max(5, round(_FALL_WINDOW * rate))
        if window > len(self.middle):
            return 0.0
        steps = np.arange(window) - 0.5 * (window - 1)
        bend = steps**2 - np.mean(steps**2)
        accelerations = 2.0 * np.convolve(self.middle, bend, "valid") / (bend**2).sum()
        return float(max(0.0, -accelerations.min()) * rate**2)


def measure_pace(bodies: Array, up_axis: int) -> Pace | None:
    """Pace of joint positions (F, J, 3) given in heights of the body; None if nothing moves."""
    middle = bodies.mean(axis=1)
    starts = np.unique(np.linspace(0, len(bodies) - 2, _MOST_SAMPLES).astype(int))
    ways = np.linalg.norm(bodies[starts + 1] - bodies[starts], axis=-1)
    speed = float(np.quantile(ways.max(axis=1), 0.95))
    if speed < _STILL:
        return None
    joints = np.argsort(ways.mean(axis=0))[-_MOST_JOINTS:]
    return Pace(_persistence(bodies[:, joints] - middle[:, None]), speed, middle[:, up_axis])


def _persistence(shapes: Array) -> float:
    """Samples after which the way covered falls behind that of a straight movement."""
    lags = np.unique(np.round(1.2 ** np.arange(38)).astype(int))
    lags = lags[2 * lags < 0.6 * len(shapes)]
    if not len(lags):
        return float("nan")
    ratio = np.array([_way(shapes, 2 * lag) / max(_way(shapes, lag), 1e-30) for lag in lags])
    # Noise makes the shortest lags look like a random walk; the search starts behind it.
    start = int(np.argmax(ratio))
    below = np.flatnonzero(ratio[start:] < _STRAIGHTNESS) + start
    if not len(below) or below[0] == 0 or ratio[start] < _STRAIGHTNESS:
        return float("nan")
    after = int(below[0])
    share = (ratio[after - 1] - _STRAIGHTNESS) / (ratio[after - 1] - ratio[after])
    return float(np.exp((1.0 - share) * np.log(lags[after - 1]) + share * np.log(lags[after])))


def _way(shapes: Array, lag: int) -> float:
    """Mean square way of the joints within a number of samples."""
    starts = np.unique(np.linspace(0, len(shapes) - 1 - lag, _MOST_SAMPLES).astype(int))
    return float(((shapes[starts + lag] - shapes[starts]) ** 2).sum(axis=-1).mean())
