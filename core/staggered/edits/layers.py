"""Further splines and displacement maps on top of those that were fitted (section 3).

Each layer is composed onto the ones before it, in order; order matters for rotations. All share
the knots, so that pose and timing edits carry every layer along.
"""

from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...numerics import Array
from ..algebra import Algebra
from ..construction import build_track
from ..evaluation import evaluate
from ..model import StaggeredMotion
from ..track import Track
from .knot_changes import with_variables


def with_layer(model: StaggeredMotion, target: Motion) -> StaggeredMotion:
    """Add the layer that turns what the model gives now into another motion with the same frames."""
    now = evaluate(model)
    if len(target) != len(now) or (target.times != now.times).any():
        raise ValueError("The motion to reach must have the frames of the model's own")
    moved = (target.locations != now.locations).any(axis=(0, 2))
    sized = (target.scales != now.scales).any(axis=(0, 2))
    model = with_variables(model, np.flatnonzero(moved), np.flatnonzero(sized))
    variables = model.variables
    rotations = _with_difference(model, model.rotations, now.rotations, target.rotations, now.times)
    numbers = _with_difference(
        model,
        model.numbers,
        variables.numbers(now)[..., None],
        variables.numbers(target)[..., None],
        now.times,
    )
    return model.with_tracks(rotations, numbers)


def _with_difference(model: StaggeredMotion, track: Track, now: Array, target: Array, frame_times: Array) -> Track:
    added = build_track(
        track.algebra, track.variable, _difference(track.algebra, now, target), frame_times, model.timing
    )
    return replace(track, layers=(*track.layers, added.layers[0]))


def _difference(algebra: Algebra, now: Array, target: Array) -> Array:
    """(F, C, w) what leads from one to the other: exactly nothing where they are the same."""
    same = (now == target).all(axis=-1)[..., None]
    return np.where(same, algebra.identity, algebra.factor(target, now))
