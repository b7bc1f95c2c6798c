"""Low-level edits: spline tangents and the strength of displacement maps."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array
from ..model import StaggeredMotion
from ..track import Track
from .bare_splines import with_smooth_splines
from .pose_edits import extreme_knots
from .selection import chosen_poses, chosen_variables

Channel = Literal["rotation", "location", "scale", "scalar"]
Shape = Literal["auto", "straight", "flat"]


def with_detail_strength(
    model: StaggeredMotion, strength: float, *, poses: Any = None, joints: Any = None
) -> StaggeredMotion:
    """Set how much of the displacement is applied in chosen intervals.

    Args:
        strength: 0 removes detail and leaves the bare splines, 1 keeps it, 2 exaggerates it.
        poses: Numbers or (K,) flags of poses after which the intervals follow; all if not given.
        joints: Numbers or (J,) flags; all joints and scalars if not given.
    """
    after, allowed = chosen_poses(model, poses), chosen_variables(model, joints)

    def weighted(track: Track, fitted: Track) -> Track:
        layout = track.layout
        chosen = after[layout.interval_pose] & allowed[track.variable][layout.interval_curve]
        return with_smooth_splines(model, track, fitted, np.where(chosen, float(strength), track.strength))

    return model.with_tracks(
        weighted(model.rotations, model.fitted.rotations), weighted(model.numbers, model.fitted.numbers)
    )


def with_scaled_tangents(
    model: StaggeredMotion, *, arriving: float = 1.0, leaving: float = 1.0, poses: Any = None, joints: Any = None
) -> StaggeredMotion:
    """Make the tangents at poses longer or shorter: how a motion eases into them and out of them.

    Args:
        arriving: Factor on the way in; 0 stops at the pose, more passes through it faster.
        leaving: Factor on the way out.
        poses: Numbers or (K,) flags; all if not given.
        joints: Numbers or (J,) flags; all joints and scalars if not given.
    """

    def scaled(track: Track) -> Track:
        into, out = _beside_extremes(model, track, poses, joints)
        return track.changed(
            leaving=track.leaving * np.where(out, leaving, 1.0)[:, None],
            arriving=track.arriving * np.where(into, arriving, 1.0)[:, None],
        )

    return model.with_tracks(scaled(model.rotations), scaled(model.numbers))


def with_shaped_tangents(
    model: StaggeredMotion,
    shape: Shape,
    *,
    arriving: float | None = 1.0,
    leaving: float | None = 1.0,
    poses: Any = None,
    joints: Any = None,
) -> StaggeredMotion:
    """Set the tangents at poses anew, from the poses around them alone.

    Args:
        shape: "auto" passes through the pose along the way from the knot before it to the one after
            it, with one velocity; "straight" points at the neighbouring knots; "flat" stops.
        arriving: Length on the way in, as a part of the even one; None leaves the way in as it is.
        leaving: Length on the way out, likewise.
        poses: Numbers or (K,) flags; all if not given.
        joints: Numbers or (J,) flags; all joints and scalars if not given.
    """

    def shaped(track: Track) -> Track:
        into, out = _beside_extremes(model, track, poses, joints)
        new_arriving, new_leaving = _shapes(track, model.fitted.knot_times(track), shape)
        fields = {}
        if arriving is not None:
            fields["arriving"] = np.where(into[:, None], arriving * new_arriving, track.arriving)
        if leaving is not None:
            fields["leaving"] = np.where(out[:, None], leaving * new_leaving, track.leaving)
        return track.changed(**fields)

    return model.with_tracks(shaped(model.rotations), shaped(model.numbers))


def _shapes(track: Track, knot_times: Array, shape: Shape) -> tuple[Array, Array]:
    """Arriving and leaving tangents (N, d) of all intervals that have a shape."""
    left, tangent = track.layout.left, track.algebra.tangent
    to_next = tangent(track.values[left], track.values[left + 1]) / 3.0
    to_last = tangent(track.values[left + 1], track.values[left]) / 3.0
    if shape == "flat":
        return np.zeros_like(to_last), np.zeros_like(to_next)
    if shape == "straight":
        return to_last, to_next
    arriving, leaving = np.array(to_last), np.array(to_next)
    # Intervals of one curve follow each other: the knot between two of them is passed with one velocity.
    before = np.flatnonzero(left[1:] == left[:-1] + 1)
    spans = (knot_times[left + 1] - knot_times[left])[:, None]
    velocity = (to_next[before + 1] - to_last[before]) / (spans[before + 1] + spans[before])
    arriving[before], leaving[before + 1] = -velocity * spans[before], velocity * spans[before + 1]
    return arriving, leaving


def _beside_extremes(
    model: StaggeredMotion, track: Track, poses: Any, joints: Any
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(N,) intervals that end, and that start, at a chosen pose's extreme of a chosen joint."""
    allowed = chosen_variables(model, joints)[track.variable][track.layout.interval_curve]
    chosen = np.zeros(len(track.layout.curve), dtype=np.bool_)
    for pose in np.flatnonzero(chosen_poses(model, poses)):
        knots = extreme_knots(model, track, int(pose))
        chosen[knots[knots >= 0]] = True
    return allowed & chosen[track.layout.left + 1], allowed & chosen[track.layout.left]
