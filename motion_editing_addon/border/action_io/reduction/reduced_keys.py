"""Few Bézier keys for what changed, fitted for all bones at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core.keys import KeyedCurves, reduce_curves, reduce_locations, reduce_rotations
from ..curves.channels import Property
from ..curves.curve_keys import keys_alone, span_to_replace
from ..curves.keys import ALIGNED, BEZIER, CONSTANT, FREE, SAME_FRAME, KeyArrays, generated_keys, read_keys
from ..curves.stepped_keys import is_stepped
from ..samples import rotation_mode_of
from .scene_sizes import location_sizes

if TYPE_CHECKING:
    from ...key_options import KeyOptions
    from ...steps import Steps
    from ..clip import Clip
    from ..written_motion import Job

# Samples of all components that are fitted in one step.
_SAMPLES_AT_ONCE = 200_000
# Values that an edit shifts by the same but for this are shifted alike; single precision rounds by less.
_SAME_SHIFT = 1e-5
# Share by which slopes on both sides of a key may differ by rounding.
_SAME_DIRECTION = 1e-6
# The frames whose keys are replaced, and the keys that replace them.
FittedKeys = tuple[np.ndarray, KeyArrays]


def reduced_keys(clip: Clip, jobs: list[Job], options: KeyOptions) -> Steps[dict[tuple[Property, int], FittedKeys]]:
    """Keys for every component of the changed properties.

    Properties of the same kind that change over the same frames are fitted together, as
    many at once as make a step of a fraction of a second.
    """
    groups: dict[tuple[str, float, int, int, tuple[int, ...]], list[Job]] = {}
    sizes = location_sizes(clip)
    for job in jobs:
        span, bound = _common_span(clip, job), options.location_error / (sizes.get(job.prop) or 1.0)
        groups.setdefault((_kind(clip, job.prop), bound, span.start, span.stop, job.columns), []).append(job)
    fitted: dict[tuple[Property, int], FittedKeys] = {}
    for (kind, bound, start, stop, _columns), members in groups.items():
        own = replace(options, location_error=bound)
        at_once = max(1, _SAMPLES_AT_ONCE // ((stop - start) * members[0].prop.size))
        for first in range(0, len(members), at_once):
            _fit_group(clip, members[first : first + at_once], kind, slice(start, stop), own, fitted)
            yield len(fitted) / sum(job.prop.size for job in jobs)
    return fitted


def _fit_group(
    clip: Clip,
    members: list[Job],
    kind: str,
    span: slice,
    options: KeyOptions,
    fitted: dict[tuple[Property, int], FittedKeys],
) -> None:
    frames = clip.frames[span]
    values = np.stack([job.change.new[span] for job in members], axis=1).astype(np.float64)
    held, between = (
        np.stack([told(clip, job)[span.start : span.stop - 1] for job in members], axis=1)
        for told in (held_samples, between_samples)
    )
    fixed = [sample - span.start for sample in members[0].columns if span.start <= sample < span.stop]
    curves = iter(_fit(kind, frames, values, options, held=held, between=between, fixed=fixed))
    for job in members:
        for index in range(job.prop.size):
            fitted[job.prop, index] = frames, key_arrays(next(curves))


def _common_span(clip: Clip, job: Job) -> slice:
    """One span for all components, so that a rotation is fitted as a whole."""
    none = np.empty(0)
    keys = [clip.keys.get((job.prop, index)) for index in range(job.prop.size)]
    spans = [span_to_replace(none if each is None else each[:, 0], job.change) for each in keys]
    return slice(min(span.start for span in spans), max(span.stop for span in spans))


def _kind(clip: Clip, prop: Property) -> str:
    """A rotation mode, LOCATION, or SCALAR with the number of components."""
    name = prop.path.rpartition(".")[2]
    if name.startswith("rotation_"):
        return rotation_mode_of(clip.armature, prop)
    return "LOCATION" if name == "location" else f"SCALAR{prop.size}"


def held_samples(clip: Clip, job: Job) -> np.ndarray:
    """(F - 1, components) where a curve stands still by a constant key, and the new values do as well; or it jumps."""
    held = np.zeros((len(clip.frames) - 1, job.prop.size), dtype=np.bool_)
    for index, curve in enumerate(clip.channels.of(job.prop)):
        if curve is not None and is_stepped(job.prop, curve):
            held[:, index] = True
            continue
        keys = read_keys(curve, "co", "interpolation") if curve is not None and not len(curve.modifiers) else {}
        if keys and (keys["interpolation"] == CONSTANT).any():
            held[:, index] = _held(clip.frames, keys, job.change.new[:, index])
    return held


def _held(frames: np.ndarray, keys: KeyArrays, values: np.ndarray) -> np.ndarray:
    """(F - 1,) as above for one curve; a step between two samples cannot be kept, it is fitted."""
    before = np.searchsorted(keys["co"][:, 0], frames + SAME_FRAME) - 1
    held = (before[:-1] >= 0) & (keys["interpolation"][before[:-1]] == CONSTANT)
    stands = values[1:] == values[:-1]
    stepped = (before[1:] == before[:-1] + 1) & (np.abs(keys["co"][before[1:], 0] - frames[1:]) < SAME_FRAME)
    return held & (stands | stepped)


def between_samples(clip: Clip, job: Job) -> np.ndarray:
    """(F - 1, components) what the curves have halfway to the next frame; not a number where the edit changes it.

    An edit that shifts two neighbouring values alike, or turns the signs of their quaternions, shifts or turns what
    is between them too.
    """
    grid = np.stack([clip.frames[:-1], 0.5 * (clip.frames[:-1] + clip.frames[1:]), clip.frames[1:]])
    between = np.full((len(clip.frames) - 1, job.prop.size), np.nan)
    shown = curve_values(clip, job, grid.ravel()).reshape(*grid.shape, job.prop.size)
    for sign in (-1.0, 1.0):
        first, middle, last = sign * shown
        shift = job.change.new[:-1] - first
        alike = np.isclose(shift, job.change.new[1:] - last, rtol=0.0, atol=_SAME_SHIFT).all(axis=1)
        between[alike] = (middle + shift)[alike]
    return between


def curve_values(clip: Clip, job: Job, frames: np.ndarray) -> np.ndarray:
    """(T, components) a property's curves at any frames; what modifiers add does not count."""
    columns = []
    for index, curve in enumerate(clip.channels.of(job.prop)):
        still = np.full(len(frames), job.change.new[0, index])
        columns.append(still if curve is None else keys_alone(curve, frames))
    return np.stack(columns, axis=1).astype(np.float64)


def _fit(kind: str, frames: np.ndarray, values: np.ndarray, options: KeyOptions, **known: Any) -> KeyedCurves:
    if kind == "LOCATION":
        return reduce_locations(frames, values, distance=options.location_error, **known).keys
    if kind.startswith("SCALAR"):
        held, between = (np.reshape(known[name], (len(frames) - 1, values[0].size)) for name in ("held", "between"))
        rows = values.reshape(len(frames), -1)
        return reduce_curves(frames, rows, options.scalar_error, fixed=known["fixed"], held=held, between=between)
    return reduce_rotations(frames, values, kind, degrees=float(np.degrees(options.rotation_error)), **known).keys


def key_arrays(curve: KeyedCurves, handles: int = ALIGNED) -> KeyArrays:
    """One fitted curve as keys of Blender."""
    arrays = generated_keys(curve.times, curve.values, interpolation=BEZIER)
    arrays["interpolation"][curve.constant] = CONSTANT
    arrays["handle_left"][:], arrays["handle_right"][:] = curve.left, curve.right
    types = np.where(_is_corner(curve), FREE, handles)
    arrays["handle_left_type"][:] = arrays["handle_right_type"][:] = types
    return arrays


def _is_corner(curve: KeyedCurves) -> np.ndarray:
    """(K,) keys whose handles point in different directions: Blender would turn them if they were aligned."""
    points = np.stack([curve.times, curve.values], axis=1)
    (before, down), (after, up) = (points - curve.left).T, (curve.right - points).T
    return np.abs(down * after - up * before) > _SAME_DIRECTION * (before * after + np.abs(down * after))
