"""A model as flat arrays and short strings, to be saved with an action, and back without loss."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from ...errors import MotionEditError
from ...motion import Motion, Skeleton
from ...numerics import Array
from ..algebra import NUMBER, ROTATION, Algebra
from ..detail import Detail
from ..layout import KnotLayout
from ..model import Fitted, StaggeredMotion
from ..timing import Timing
from ..track import Track
from ..variables import Variables
from ..warping.knot_order import in_order

Arrays = dict[str, Any]

_SOURCE = ("times", "rotations", "locations", "scales", "scalars")


def to_arrays(model: StaggeredMotion, *, with_source: bool = True) -> Arrays:
    """Names to 1-D float64 or int32 arrays, numbers and strings.

    Args:
        with_source: Save the source motion too. Leave it out only where it can be had again bit
            for bit.
    """
    arrays: Arrays = {
        "locations": np.array(model.variables.locations, dtype=np.int32),
        "scales": np.array(model.variables.scales, dtype=np.int32),
    }
    _put_timing(arrays, "timing", model.timing, None)
    _put_timing(arrays, "fitted.timing", model.fitted.timing, model.timing)
    for name in ("rotations", "numbers"):
        now = getattr(model, name)
        _put_track(arrays, name, now, None)
        _put_track(arrays, f"fitted.{name}", getattr(model.fitted, name), now)
    if with_source:
        _put_source(arrays, model.source)
    return arrays


def from_arrays(skeleton: Skeleton, source: Motion | None, arrays: Arrays) -> StaggeredMotion:
    """The model that was saved.

    Args:
        source: The source motion, if it was not saved as well.
        arrays: What `to_arrays` gave.

    Raises:
        MotionEditError: The arrays are of another skeleton.
    """
    motion = _source(skeleton, arrays) if "source.times" in arrays else source
    if motion is None:
        raise ValueError("The arrays hold no source motion; give it")
    variables = Variables(
        len(skeleton), _numbers(arrays["locations"]), _numbers(arrays["scales"]), len(motion.scalar_names)
    )
    if len(arrays["timing.refinements"]) != len(arrays["timing.pose_times"]) * len(variables):
        raise MotionEditError("The saved poses are of another skeleton: use Remove Poses, then extract them again")
    timing = _timing(arrays, "timing", len(variables), None)
    fitted_timing = _timing(arrays, "fitted.timing", len(variables), timing)
    tracks = _tracks(arrays, "", variables, fitted_timing, None)
    fitted = Fitted(motion, variables, fitted_timing, *_tracks(arrays, "fitted.", variables, fitted_timing, tracks))
    return StaggeredMotion(timing, tracks[0], tracks[1], fitted)


def curves_to_arrays(model: StaggeredMotion) -> Arrays:
    """What the poses of a model look like, as far as that is not as they were fitted."""
    arrays: Arrays = {}
    for name in ("rotations", "numbers"):
        now, fitted = getattr(model, name), getattr(model.fitted, name)
        for part in _PARTS:
            _put(arrays, f"{name}.{part}", getattr(now, part), getattr(fitted, part))
    return arrays


def with_curves(fitted: Fitted, arrays: Arrays) -> StaggeredMotion:
    """The model, as it was fitted, with the looks of poses that `curves_to_arrays` gave."""
    tracks = (_track(arrays, name, each.algebra, each.variable, fitted.timing, each) for name, each in _named(fitted))
    return StaggeredMotion.of(fitted).with_tracks(*tracks)


def _named(fitted: Fitted) -> tuple[tuple[str, Track], tuple[str, Track]]:
    return ("rotations", fitted.rotations), ("numbers", fitted.numbers)


def _numbers(values: Any) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def _put(arrays: Arrays, name: str, value: Any, shared: Any) -> None:
    """Write an array flat, component after component, unless it is the very one written before."""
    if value is not shared:
        flat = np.asarray(value).T.ravel()
        arrays[name] = flat.astype(np.float64 if flat.dtype.kind == "f" else np.int32)


_SINGLE = {"margin": float, "is_cyclic": int, "seam": float}
_FLAGS = ("collapsed", "present", "anchors")
_ROWS = ("pose_times", "amounts", "span")


def _put_timing(arrays: Arrays, prefix: str, timing: Timing, shared: Timing | None) -> None:
    for field in fields(Timing):
        value = getattr(timing, field.name)
        if field.name in _SINGLE:
            arrays[f"{prefix}.{field.name}"] = _SINGLE[field.name](value)
        else:
            _put(arrays, f"{prefix}.{field.name}", value, getattr(shared, field.name, None))


def _timing(arrays: Arrays, prefix: str, variables: int, shared: Timing | None) -> Timing:
    values: Arrays = {}
    for field in fields(Timing):
        flat = arrays.get(f"{prefix}.{field.name}")
        if flat is None and shared is None:
            continue  # saved by an earlier version, which knew less
        if flat is None:
            values[field.name] = getattr(shared, field.name)
        elif field.name in _SINGLE:
            values[field.name] = bool(flat) if field.name == "is_cyclic" else float(flat)
        elif field.name in _ROWS:
            values[field.name] = np.array(flat, dtype=np.float64)
        else:
            kind = np.bool_ if field.name in _FLAGS else np.float64
            values[field.name] = np.array(np.asarray(flat).reshape(variables, -1).T, dtype=kind)
    values.setdefault("amounts", np.ones(len(values["pose_times"])))
    if "extreme_times" not in values:
        wanted = values["pose_times"][:, None] + np.where(values["collapsed"], 0.0, values["refinements"])
        values["extreme_times"] = in_order(wanted, values["present"], values["margin"])
    return Timing(**values)


_PARTS = ("values", "leaving", "arriving", "strength")


def _put_track(arrays: Arrays, prefix: str, track: Track, shared: Track | None) -> None:
    for field in _PARTS:
        _put(arrays, f"{prefix}.{field}", getattr(track, field), getattr(shared, field, None))
    if shared is None:  # a model has the displacement maps that it was fitted with
        for field in ("starts", "times", "offsets"):
            _put(arrays, f"{prefix}.detail.{field}", getattr(track.detail, field), None)


def _tracks(
    arrays: Arrays, prefix: str, variables: Variables, timing: Timing, shared: tuple[Track, Track] | None
) -> tuple[Track, Track]:
    columns = np.arange(variables.joints), variables.variable_of_number
    others = shared or (None, None)
    rotations = _track(arrays, f"{prefix}rotations", ROTATION, columns[0], timing, others[0])
    return rotations, _track(arrays, f"{prefix}numbers", NUMBER, columns[1], timing, others[1])


def _track(arrays: Arrays, name: str, algebra: Algebra, variable: Any, timing: Timing, shared: Track | None) -> Track:
    widths = {"values": algebra.width, "leaving": algebra.offset_width, "arriving": algebra.offset_width}
    found: Arrays = {
        field: _components(arrays[f"{name}.{field}"], width)
        for field, width in widths.items()
        if f"{name}.{field}" in arrays
    }
    if f"{name}.strength" in arrays:
        found["strength"] = np.array(arrays[f"{name}.strength"], dtype=np.float64)
    if f"{name}.detail.starts" in arrays:
        found["detail"] = Detail(
            np.array(arrays[f"{name}.detail.starts"], dtype=np.intp),
            np.array(arrays[f"{name}.detail.times"], dtype=np.float64),
            _components(arrays[f"{name}.detail.offsets"], algebra.offset_width),
        )
    if shared is not None:
        return replace(shared, **found)
    found.setdefault("detail", Detail.none(len(found["strength"]), algebra.offset_width))
    return Track(algebra, variable, KnotLayout(timing.slots_used[:, variable]), **found)


def _components(flat: Any, width: int) -> Array:
    return np.array(flat, dtype=np.float64).reshape(width, -1).T


def _put_source(arrays: Arrays, source: Motion) -> None:
    arrays["source.rate"] = source.rate
    arrays["source.scalar_names"] = "\n".join(source.scalar_names)
    arrays["source.stepped"] = "\n".join(sorted(source.stepped))
    for name in _SOURCE:
        _put(arrays, f"source.{name}", getattr(source, name), None)


def _source(skeleton: Skeleton, arrays: Arrays) -> Motion:
    names, stepped = (_names(arrays, f"source.{name}") for name in ("scalar_names", "stepped"))
    times = np.array(arrays["source.times"], dtype=np.float64)
    shapes = {"rotations": (4, len(skeleton)), "locations": (3, len(skeleton)), "scales": (3, len(skeleton))}
    values: Arrays = {
        name: np.array(arrays[f"source.{name}"], dtype=np.float64).reshape(*shape, len(times)).T
        for name, shape in shapes.items()
    }
    values["scalars"] = np.array(arrays["source.scalars"], dtype=np.float64).reshape(len(names), len(times)).T
    rate = float(arrays["source.rate"])
    return Motion(skeleton, times, rate=rate, scalar_names=names, stepped=frozenset(stepped), **values)


def _names(arrays: Arrays, name: str) -> tuple[str, ...]:
    """Names from a text with one a line; none where nothing was saved."""
    return tuple(each for each in str(arrays.get(name, "")).split("\n") if each)
