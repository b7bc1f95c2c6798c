"""Constraints of Blender as core's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.rig import constraints as kinds
from .rig_numbers import UnknownPartError

_AXES = "xyz"
_ORDERS = frozenset({"AUTO", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"})


def constraint_of(constraint: Any, **shared: Any) -> kinds.Constraint:
    """Core's constraint that does the same.

    Args:
        constraint: Of a bone.
        shared: What all constraints have: targets, influence, spaces, order.

    Raises:
        UnknownPartError: Core has none.
    """
    make = _MAKERS.get(constraint.type)
    if make is None:
        raise UnknownPartError(f"{constraint.type} is not worked out")
    made: kinds.Constraint = make(constraint, **shared)
    return made


def _flags(constraint: Any, name: str) -> kinds.Axes:
    x, y, z = (bool(getattr(constraint, f"{name}_{axis}")) for axis in _AXES)
    return x, y, z


def _copy_location(constraint: Any, **shared: Any) -> kinds.Constraint:
    axes, inverted = _flags(constraint, "use"), _flags(constraint, "invert")
    return kinds.CopyLocation(axes=axes, inverted=inverted, adds=constraint.use_offset, **shared)


def _copy_rotation(constraint: Any, **shared: Any) -> kinds.Constraint:
    axes, inverted = _flags(constraint, "use"), _flags(constraint, "invert")
    return kinds.CopyRotation(axes=axes, inverted=inverted, mix=constraint.mix_mode, **shared)


def _copy_scale(constraint: Any, **shared: Any) -> kinds.Constraint:
    offset = ("ADD" if constraint.use_add else "MULTIPLY") if constraint.use_offset else ""
    return kinds.CopyScale(
        axes=_flags(constraint, "use"),
        uniform=constraint.use_make_uniform,
        power=constraint.power,
        offset=offset,
        **shared,
    )


def _copy_transforms(constraint: Any, **shared: Any) -> kinds.Constraint:
    return kinds.CopyTransforms(mix=constraint.mix_mode, straightened=constraint.remove_target_shear, **shared)


def _damped_track(constraint: Any, **shared: Any) -> kinds.Constraint:
    axis = constraint.track_axis
    return kinds.DampedTrack(axis="XYZ".index(axis[-1]), sign=-1.0 if "NEGATIVE" in axis else 1.0, **shared)


def _stretch_to(constraint: Any, **shared: Any) -> kinds.Constraint:
    if constraint.rest_length == 0.0:
        raise UnknownPartError("its rest length is not known yet")
    return kinds.StretchTo(
        rest_length=constraint.rest_length,
        keep_axis=constraint.keep_axis,
        volume=constraint.volume,
        bulge=constraint.bulge,
        bulge_limits=(
            constraint.bulge_min if constraint.use_bulge_min else None,
            max(constraint.bulge_max, 1.0) if constraint.use_bulge_max else None,
        ),
        bulge_smooth=constraint.bulge_smooth,
        **shared,
    )


def _child_of(constraint: Any, **shared: Any) -> kinds.Constraint:
    turns, sizes = _flags(constraint, "use_rotation"), _flags(constraint, "use_scale")
    places = _flags(constraint, "use_location")
    if (turns, sizes, places) != (kinds.ALL, kinds.ALL, kinds.ALL):
        raise UnknownPartError("it follows its target only in part")
    return kinds.ChildOf(inverse=np.array(constraint.inverse_matrix), **shared)


def _limits(constraint: Any) -> dict[str, Any]:
    low = tuple(getattr(constraint, f"min_{a}") if getattr(constraint, f"use_min_{a}") else None for a in _AXES)
    high = tuple(getattr(constraint, f"max_{a}") if getattr(constraint, f"use_max_{a}") else None for a in _AXES)
    return {"low": low, "high": high}


def _limit_location(constraint: Any, **shared: Any) -> kinds.Constraint:
    if constraint.owner_space == "WORLD":
        raise UnknownPartError("it limits places in the scene")
    return kinds.LimitLocation(**_limits(constraint), **shared)


def _limit_scale(constraint: Any, **shared: Any) -> kinds.Constraint:
    return kinds.LimitScale(**_limits(constraint), **shared)


def _limit_rotation(constraint: Any, **shared: Any) -> kinds.Constraint:
    if constraint.owner_space == "WORLD":
        raise UnknownPartError("it limits rotations in the scene")
    low, high = (tuple(getattr(constraint, f"{side}_{axis}") for axis in _AXES) for side in ("min", "max"))
    plain = getattr(constraint, "use_legacy_behavior", True)
    return kinds.LimitRotation(axes=_flags(constraint, "use_limit"), low=low, high=high, is_plain=plain, **shared)


def _limit_distance(constraint: Any, **shared: Any) -> kinds.Constraint:
    return kinds.LimitDistance(distance=constraint.distance, mode=constraint.limit_mode, **shared)


def _maintain_volume(constraint: Any, **shared: Any) -> kinds.Constraint:
    axis = "XYZ".index(constraint.free_axis[-1])
    return kinds.MaintainVolume(axis=axis, volume=constraint.volume, mode=constraint.mode, **shared)


def _transformation(constraint: Any, **shared: Any) -> kinds.Constraint:
    ends = {"LOCATION": "", "ROTATION": "_rot", "SCALE": "_scale"}
    source, result = constraint.map_from, constraint.map_to
    orders = constraint.from_rotation_mode, constraint.to_euler_order
    if source == "ROTATION" and orders[0] not in _ORDERS:
        raise UnknownPartError(f"it maps rotations as {orders[0]}")
    order = shared.pop("order")

    def numbers(side: str, end: str) -> tuple[float, float, float]:
        x, y, z = (getattr(constraint, f"{side}_{axis}{end}") for axis in _AXES)
        return x, y, z

    x, y, z = ("XYZ".index(getattr(constraint, f"map_to_{axis}_from")) for axis in _AXES)
    mix = {"LOCATION": "mix_mode", "ROTATION": "mix_mode_rot", "SCALE": "mix_mode_scale"}[result]
    return kinds.Transformation(
        source=source,
        result=result,
        from_low=numbers("from_min", ends[source]),
        from_high=numbers("from_max", ends[source]),
        to_low=numbers("to_min", ends[result]),
        to_high=numbers("to_max", ends[result]),
        axes_from=(x, y, z),
        extrapolates=constraint.use_motion_extrapolate,
        mix=getattr(constraint, mix),
        target_order=order if orders[0] == "AUTO" else orders[0],
        order=order if orders[1] == "AUTO" else orders[1],
        **shared,
    )


def _follow_bones(_constraint: Any, **shared: Any) -> kinds.Constraint:
    return kinds.FollowBones(**shared)


_MAKERS: dict[str, Any] = {
    "ARMATURE": _follow_bones,
    "CHILD_OF": _child_of,
    "COPY_LOCATION": _copy_location,
    "COPY_ROTATION": _copy_rotation,
    "COPY_SCALE": _copy_scale,
    "COPY_TRANSFORMS": _copy_transforms,
    "DAMPED_TRACK": _damped_track,
    "LIMIT_DISTANCE": _limit_distance,
    "LIMIT_LOCATION": _limit_location,
    "LIMIT_ROTATION": _limit_rotation,
    "LIMIT_SCALE": _limit_scale,
    "MAINTAIN_VOLUME": _maintain_volume,
    "STRETCH_TO": _stretch_to,
    "TRANSFORM": _transformation,
}
