"""Other knots for the same motion: poses inserted and deleted, editing knots put in place.

Intervals whose two knots stay keep their spline, displacement map and strength; all others are
fitted anew to what the model gives now, so that the motion does not change (5.1, last paragraph).
Layers on top of the first are merged into it.
"""

from typing import Any

import numpy as np

from ...motion import Indices
from ..construction import KeptKnots, build
from ..evaluation import evaluate
from ..layout import KnotLayout
from ..model import StaggeredMotion
from ..timing import TINY_TIME, Timing
from ..track import Track
from ..variables import Variables


def restructured(
    model: StaggeredMotion,
    timing: Timing,
    *,
    variables: Variables | None = None,
    pose_origin: Any = None,
) -> StaggeredMotion:
    """The same motion with the knots of another timing.

    Args:
        timing: The new knots.
        variables: The new control variables, if they change.
        pose_origin: (K,) pose of the model that each new pose was, -1 for new ones; the same if not given.
    """
    variables = variables or model.variables
    poses = np.arange(len(timing)) if pose_origin is None else np.asarray(pose_origin, dtype=np.intp)
    columns = np.arange(variables.joints), variables.variable_of_number
    origins = np.arange(variables.joints), _number_origin(model.variables, variables)
    kept = [
        _kept(model, track, timing, column, poses, origin) if _can_keep(track) else None
        for track, column, origin in zip(model.tracks, columns, origins, strict=True)
    ]
    return build(evaluate(model), variables, timing, kept=(kept[0], kept[1]))


def _can_keep(track: Track) -> bool:
    """Whether there are knots to go on with, in one layer."""
    return len(track.layers) == 1 and len(track.layout.curve) > 0


def with_variables(model: StaggeredMotion, locations: Indices, scales: Indices) -> StaggeredMotion:
    """The same motion; locations and scales of these joints, which never changed so far, become variables too."""
    new = model.variables.widened(locations, scales)
    if len(new) == len(model.variables):
        return model
    return restructured(model, _timing_for(model, new), variables=new)


def merged(model: StaggeredMotion) -> StaggeredMotion:
    """The same motion in one layer: what poses look like is then what is seen."""
    return model if len(model.rotations.layers) == 1 else restructured(model, model.timing)


def _timing_for(model: StaggeredMotion, variables: Variables) -> Timing:
    """The model's timing for more control variables: a new one takes that of its joint's rotation."""
    before = {key: number for number, key in enumerate(model.variables.keys)}
    # Rotations are numbered like the joints.
    origin = np.array([before.get(key, key[1]) for key in variables.keys], dtype=np.intp)
    columns = {
        name: getattr(model.timing, name)[:, origin]
        for name in ("refinements", "collapsed", "present", "companions", "anchors")
    }
    return model.timing.changed(**columns)


def _kept(
    model: StaggeredMotion,
    track: Track,
    timing: Timing,
    variable: Indices,
    pose_origin: Indices,
    curve_origin: Indices,
) -> KeptKnots:
    """Match the knots of a track with those of the new timing by pose, role and time."""
    layout = KnotLayout(timing.slots_used[:, variable])
    new = _by_role(timing, variable, layout)
    role_origin = np.concatenate(
        [
            [0],
            np.where(pose_origin < 0, -1, 1 + pose_origin),
            _companion_rows(model, pose_origin),
            [2 * len(model) + 1],
        ]
    )
    old = _by_role(model.timing, track.variable, track.layout)[role_origin][:, curve_origin]
    old = np.where((role_origin[:, None] < 0) | (curve_origin < 0), -1, old)
    origin = np.full(len(layout.curve), -1)
    origin[new[new >= 0]] = old[new >= 0]
    moved = np.abs(layout.times(timing.slot_times[:, variable]) - model.knot_times(track)[origin]) > 1e-3 * TINY_TIME
    return KeptKnots(track, np.where(moved, -1, origin))


def _companion_rows(model: StaggeredMotion, pose_origin: Indices) -> Indices:
    return np.where(pose_origin < 0, -1, 1 + len(model) + pose_origin)


def _by_role(timing: Timing, variable: Indices, layout: KnotLayout) -> Indices:
    """(2 K + 2, C) knot numbers: start, extremes of all poses, their editing knots, end."""
    extremes = np.take_along_axis(layout.number, timing.extreme_slots[:, variable], axis=0)
    editing = np.take_along_axis(layout.number, timing.companion_slots[:, variable], axis=0)
    return np.concatenate([layout.number[:1], extremes, editing, layout.number[-1:]])


def _number_origin(old: Variables, new: Variables) -> Indices:
    """(C,) curve that each number was, -1 for new ones."""
    before = {key: number for number, key in enumerate(_number_keys(old))}
    return np.array([before.get(key, -1) for key in _number_keys(new)], dtype=np.intp)


def _number_keys(variables: Variables) -> list[tuple[str, int, int]]:
    keys = [variables.keys[variable] for variable in variables.variable_of_number]
    seen: dict[tuple[str, int], int] = {}
    result = []
    for key in keys:
        seen[key] = seen.get(key, -1) + 1
        result.append((*key, seen[key]))
    return result
