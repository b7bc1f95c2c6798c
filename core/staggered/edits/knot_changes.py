"""Other knots for the same motion: poses inserted and deleted, editing knots put in place.

Intervals whose two knots stay keep their spline, displacement map and strength; all others are
fitted anew to what the model gives now, so that the motion does not change (5.1, last paragraph).
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import Indices, Motion
from ..construction import KeptKnots, build
from ..evaluation import evaluate
from ..layout import KnotLayout
from ..model import Fitted, StaggeredMotion
from ..timing import TINY_TIME, Timing
from ..track import Track, joined
from ..variables import Variables

Flags = NDArray[np.bool_]
# What a timing has for every variable.
_COLUMNS = ("refinements", "collapsed", "present", "extreme_times", "companions", "anchors")


def restructured(
    model: StaggeredMotion,
    timing: Timing,
    *,
    variables: Variables | None = None,
    pose_origin: Any = None,
    chosen: Flags | None = None,
    motion: Motion | None = None,
) -> StaggeredMotion:
    """The same motion with the knots of another timing.

    Args:
        timing: The new knots.
        variables: The new control variables, if they change.
        pose_origin: (K,) pose of the model that each new pose was, -1 for new ones; the same if not given.
        chosen: (V,) variables that may have other knots or, with a motion, other curves; the rest stays as it was
            fitted and can be brought back exactly. All if not given.
        motion: What the chosen variables are to show instead of what they show now.
    """
    variables, target = variables or model.variables, evaluate(model) if motion is None else motion
    poses = np.arange(len(timing)) if pose_origin is None else np.asarray(pose_origin, dtype=np.intp)
    free = np.zeros(len(variables), dtype=np.bool_) if motion is None or chosen is None else chosen
    columns = np.arange(variables.joints), variables.variable_of_number
    origins = np.arange(variables.joints), _number_origin(model.variables, variables)
    kept = [
        _kept(model, track, timing, column, poses, np.where(free[column], -1, origin)) if len(track.values) else None
        for track, column, origin in zip(model.tracks, columns, origins, strict=True)
    ]
    whole = build(target, variables, timing, kept=(kept[0], kept[1]))
    stayed = model.fitted.timing
    if chosen is None or (stayed.pose_times != timing.pose_times).any() or (stayed.span != timing.span).any():
        return whole
    return _with_chosen(model, whole, chosen, origins)


def _with_chosen(
    model: StaggeredMotion, whole: StaggeredMotion, chosen: Flags, origins: tuple[Indices, Indices]
) -> StaggeredMotion:
    """A model whose chosen variables (V,) are those of another one with the same poses."""
    before, variables = model.fitted, whole.variables
    known = {key: number for number, key in enumerate(model.variables.keys)}
    column = np.array([known.get(key, 0) for key in variables.keys], dtype=np.intp)
    mixed = {
        name: np.where(chosen, getattr(whole.timing, name), getattr(before.timing, name)[:, column])
        for name in _COLUMNS
    }
    timing, tracks = before.timing.changed(**mixed), []
    for name, origin in zip(("rotations", "numbers"), origins, strict=True):
        new: Track = getattr(whole, name)
        own, layout = chosen[new.variable], KnotLayout(timing.slots_used[:, new.variable])
        fitted = joined(layout, getattr(before, name), new, origin, own)
        now = joined(layout, getattr(model, name), new, origin, own)
        tracks.append((fitted, now.changed(detail=fitted.detail)))
    source = _joined_source(model, whole, chosen)
    state = Fitted(source, variables, timing, tracks[0][0], tracks[1][0])
    return StaggeredMotion(whole.timing, tracks[0][1], tracks[1][1], state)


def _joined_source(model: StaggeredMotion, whole: StaggeredMotion, chosen: Flags) -> Motion:
    """The source motion with the channels of chosen variables from another one."""
    variables, source, other = whole.variables, model.source, whole.source
    numbers = np.where(chosen[variables.variable_of_number], variables.numbers(other), variables.numbers(source))
    turned = chosen[: variables.joints]
    rotations = np.where(turned[:, None], other.rotations, source.rotations)
    return variables.with_numbers(replace(source, rotations=rotations), numbers)


def with_variables(model: StaggeredMotion, locations: Indices, scales: Indices) -> StaggeredMotion:
    """The same motion; locations and scales of these joints, which never changed so far, become variables too."""
    new = model.variables.widened(locations, scales)
    if len(new) == len(model.variables):
        return model
    known = set(model.variables.keys)
    chosen = np.array([key not in known for key in new.keys])
    return restructured(model, _timing_for(model, new), variables=new, chosen=chosen)


def with_motion(model: StaggeredMotion, target: Motion) -> StaggeredMotion:
    """A model with the same poses of another motion with the same frames; what is the same in both stays as it is."""
    now = evaluate(model)
    if len(target) != len(now) or (target.times != now.times).any():
        raise ValueError("The motion to show must have the frames of the model's own")
    moved = (target.locations != now.locations).any(axis=(0, 2))
    sized = (target.scales != now.scales).any(axis=(0, 2))
    model = with_variables(model, np.flatnonzero(moved), np.flatnonzero(sized))
    turned = (target.rotations != now.rotations).any(axis=(0, 2))
    numbers = (model.variables.numbers(target) != model.variables.numbers(now)).any(axis=0)
    chosen = np.zeros(len(model.variables), dtype=np.bool_)
    chosen[: len(turned)] = turned
    chosen[model.variables.variable_of_number[numbers]] = True
    if not chosen.any():
        return model
    return restructured(model, model.settled_timing(), chosen=chosen, motion=target)


def _timing_for(model: StaggeredMotion, variables: Variables) -> Timing:
    """The model's timing for more control variables: a new one takes that of its joint's rotation."""
    before = {key: number for number, key in enumerate(model.variables.keys)}
    # Rotations are numbered like the joints.
    origin = np.array([before.get(key, key[1]) for key in variables.keys], dtype=np.intp)
    timing = model.settled_timing()
    return timing.changed(**{name: getattr(timing, name)[:, origin] for name in _COLUMNS})


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
            np.where(pose_origin < 0, -1, 1 + len(model) + pose_origin),
            [2 * len(model) + 1],
        ]
    )
    old = _by_role(model.fitted.timing, track.variable, track.layout)[role_origin][:, curve_origin]
    old = np.where((role_origin[:, None] < 0) | (curve_origin < 0), -1, old)
    origin = np.full(len(layout.curve), -1)
    origin[new[new >= 0]] = old[new >= 0]
    moved = np.abs(layout.times(timing.slot_times[:, variable]) - model.knot_times(track)[origin]) > 1e-3 * TINY_TIME
    return KeptKnots(track, np.where(moved, -1, origin), _as_they_were(model, track))


def _as_they_were(model: StaggeredMotion, track: Track) -> Flags:
    """(N,) intervals that are shown when they were fitted."""
    layout, knots = track.layout, model.fitted.knot_times(track)
    flags, owner = np.ones(len(layout.left), dtype=np.bool_), track.variable[layout.interval_curve]
    for variable in np.flatnonzero(model.warps.moved):
        own = owner == variable
        flags[own] = model.warps.stays(int(variable), knots[layout.left[own]], knots[layout.left[own] + 1])
    return flags


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
