"""Low-level edits: spline tangents and the strength of displacement maps."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ..quaternion import Array
from ..skeleton import Indices
from .model import StaggeredMotion
from .pose_edits import extreme_knots
from .selection import chosen_poses, chosen_variables
from .track import Track

Channel = Literal["rotation", "location", "scale", "scalar"]


def with_detail_strength(
    model: StaggeredMotion, strength: float, *, poses: Any = None, joints: Any = None, layer: int = 0
) -> StaggeredMotion:
    """Set how much of the displacement is applied in chosen intervals.

    Args:
        model: Staggered poses.
        strength: 0 removes detail and leaves the bare splines, 1 keeps it, 2 exaggerates it.
        poses: Numbers or (K,) flags of poses after which the intervals follow; all if not given.
        joints: Numbers or (J,) flags; all joints and scalars if not given.
        layer: Which of several layers.
    """
    after, allowed = chosen_poses(model, poses), chosen_variables(model, joints)

    def weighted(track: Track) -> Track:
        layout, base = track.layout, track.layers[layer]
        chosen = after[layout.interval_pose] & allowed[track.variable][layout.interval_curve]
        changed = replace(base, strength=np.where(chosen, float(strength), base.strength))
        return replace(track, layers=(*track.layers[:layer], changed, *track.layers[layer + 1 :]))

    return model.with_tracks(weighted(model.rotations), weighted(model.numbers))


def tangents(model: StaggeredMotion, pose: int, number: int, *, channel: Channel = "rotation") -> tuple[Array, Array]:
    """The tangents that arrive at and leave the extreme of a joint or scalar, relative to it.

    Rotation vectors in radians in the joint's own axes, else vectors in units; both end a third of
    the way along the interval when it is straight. Zero where the motion begins or ends.
    """
    track, knots = _knots(model, pose, number, channel)
    before, after = _intervals_at(track, knots)
    base, width = track.layers[0], track.algebra.offset_width
    nothing = np.zeros((len(knots), width))
    arriving = np.where((before >= 0)[:, None], base.arriving[before], nothing)
    leaving = np.where((after >= 0)[:, None], base.leaving[after], nothing)
    return arriving.reshape(-1), leaving.reshape(-1)


def with_tangents(
    model: StaggeredMotion,
    pose: int,
    number: int,
    *,
    arriving: Any = None,
    leaving: Any = None,
    channel: Channel = "rotation",
) -> StaggeredMotion:
    """Set the tangents at the extreme of one joint or scalar; what is not given stays."""
    track, knots = _knots(model, pose, number, channel)
    before, after = _intervals_at(track, knots)
    fields: dict[str, Array] = {}
    for name, given, intervals in (("arriving", arriving, before), ("leaving", leaving, after)):
        if given is not None:
            values = np.array(getattr(track.layers[0], name))
            vectors = np.asarray(given, dtype=np.float64).reshape(len(knots), -1)
            values[intervals[intervals >= 0]] = vectors[intervals >= 0]
            fields[name] = values
    changed = track.with_base(**fields)
    rotations, numbers = model.tracks
    return model.with_tracks(changed, numbers) if track is rotations else model.with_tracks(rotations, changed)


def _knots(model: StaggeredMotion, pose: int, number: int, channel: Channel) -> tuple[Track, Indices]:
    """Track and knots of one variable's extreme: three of a vector, else one."""
    if (channel, number) not in model.variables.keys:
        raise ValueError(f"The {channel} of {number} is not a control variable")
    variable = model.variables.keys.index((channel, number))
    track = model.rotations if channel == "rotation" else model.numbers
    knots = extreme_knots(model, track, pose)[track.variable == variable]
    if (knots < 0).any():
        raise ValueError(f"Pose {pose} does not hold the {channel} of {number}")
    return track, knots


def _intervals_at(track: Track, knots: Indices) -> tuple[Indices, Indices]:
    """Intervals that end and that start at knots, -1 where there is none."""
    left = track.layout.left

    def starting_at(wanted: Indices) -> Indices:
        found = np.minimum(np.searchsorted(left, wanted), len(left) - 1)
        return np.where(left[found] == wanted, found, -1)

    return starting_at(knots - 1), starting_at(knots)


def with_scaled_tangents(
    model: StaggeredMotion, *, arriving: float = 1.0, leaving: float = 1.0, poses: Any = None, joints: Any = None
) -> StaggeredMotion:
    """Make the tangents at poses longer or shorter: how a motion eases into them and out of them.

    Args:
        model: Staggered poses.
        arriving: Factor on the way in; 0 stops at the pose, more passes through it faster.
        leaving: Factor on the way out.
        poses: Numbers or (K,) flags; all if not given.
        joints: Numbers or (J,) flags; all joints and scalars if not given.
    """
    held, allowed = chosen_poses(model, poses), chosen_variables(model, joints)

    def scaled(track: Track) -> Track:
        layout, base = track.layout, track.layers[0]
        wanted = allowed[track.variable][layout.interval_curve]
        chosen = np.zeros(len(layout.curve), dtype=np.bool_)
        for pose in np.flatnonzero(held):
            knots = extreme_knots(model, track, int(pose))
            chosen[knots[knots >= 0]] = True
        out = np.where(wanted & chosen[layout.left], leaving, 1.0)[:, None]
        into = np.where(wanted & chosen[layout.left + 1], arriving, 1.0)[:, None]
        return track.with_base(leaving=base.leaving * out, arriving=base.arriving * into)

    return model.with_tracks(scaled(model.rotations), scaled(model.numbers))
