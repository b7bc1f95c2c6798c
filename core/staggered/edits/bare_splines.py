"""Splines without their detail: with one velocity on both sides of every knot.

Splines are fitted one by one, and the detail makes up for what they leave over, also for velocities
that do not meet. The less of it is left, the more the splines themselves have to meet.
"""

from weakref import WeakKeyDictionary

import numpy as np

from ...motion import Indices
from ...numerics import Array
from ..curve_fit.joined_tangents import Splines, join_tangents
from ..model import StaggeredMotion
from ..track import Track

Tangents = tuple[Array, Array]
_known: WeakKeyDictionary[Track, Tangents] = WeakKeyDictionary()


def with_smooth_splines(model: StaggeredMotion, track: Track, fitted: Track, strength: Array) -> Track:
    """A track with another strength (N,) of its detail; tangents that nobody has edited meet where it is low."""
    before, after = (_tangents(model, fitted, each) for each in (track.strength, strength))
    fields = {
        name: np.where((getattr(track, name) == old).all(axis=1)[:, None], new, getattr(track, name))
        for name, old, new in zip(("leaving", "arriving"), before, after, strict=True)
    }
    return track.changed(strength=strength, **fields)


def _tangents(model: StaggeredMotion, fitted: Track, strength: Array) -> Tangents:
    """Tangents (N, d) of all intervals at a strength of the detail: those that were fitted where it is whole."""
    inner = _inner_knots(fitted)
    if not len(inner) or (strength >= 1.0).all():
        return fitted.leaving, fitted.arriving
    before, after = (np.searchsorted(fitted.layout.left, inner + side) for side in (-1, 0))
    bare = 1.0 - np.clip(np.maximum(strength[before], strength[after]), 0.0, 1.0)[:, None]
    leaving, arriving = np.array(fitted.leaving), np.array(fitted.arriving)
    joined = _joined(model, fitted)
    leaving[after] += bare * (joined[0][after] - leaving[after])
    arriving[before] += bare * (joined[1][before] - arriving[before])
    return leaving, arriving


def _inner_knots(track: Track) -> Indices:
    """Knots that lie between two intervals."""
    left = track.layout.left
    inner: Indices = left[1:][left[1:] == left[:-1] + 1]
    return inner


def _joined(model: StaggeredMotion, fitted: Track) -> Tangents:
    """The fitted tangents with one velocity on both sides of every knot."""
    if fitted not in _known:
        splines = Splines(
            fitted.algebra,
            fitted.layout.left,
            fitted.values,
            model.fitted.knot_times(fitted),
            np.array(fitted.leaving.T).T,
            np.array(fitted.arriving.T).T,
        )
        join_tangents(splines, _inner_knots(fitted), np.ones(len(fitted.strength), dtype=np.bool_))
        _known[fitted] = splines.leaving, splines.arriving
    return _known[fitted]
