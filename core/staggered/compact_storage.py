"""A model as arrays without what follows from the rest, and back without loss.

Displacement maps of splines that were fitted to the source motion are measured again, and rotations that come from
single precision are kept in it. What would not come back bit for bit is kept as it is.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..motion import Skeleton
from ..numerics import Array, quaternion, single_quaternions
from .construction import measured_details
from .detail import Detail
from .model import StaggeredMotion
from .storage import Arrays, from_arrays, to_arrays
from .track import Track

_TRACKS = ("rotations", "numbers")
_DETAIL = ("starts", "times", "offsets")


def to_compact_arrays(model: StaggeredMotion) -> Arrays:
    """Names to 1-D float64, float32 or int32 arrays, numbers and strings."""
    arrays = to_arrays(model)
    known = measured_details(model.source, model.variables, model.fitted)
    for name, detail in zip(_TRACKS, known, strict=True):
        for prefix in (f"{name}.0", f"fitted.{name}.0"):
            if _holds(arrays, prefix, detail):
                arrays = {key: value for key, value in arrays.items() if not key.startswith(f"{prefix}.detail.")}
                arrays[f"{prefix}.measured"] = 1
    return arrays | _single_rotations(model.source.rotations)


def from_compact_arrays(skeleton: Skeleton, arrays: Arrays) -> StaggeredMotion:
    """The model that was saved; arrays of `to_arrays` are read too.

    Raises:
        MotionEditError: The arrays are of another skeleton.
    """
    model = from_arrays(skeleton, None, arrays | _all_rotations(skeleton, arrays))
    if not any(name.endswith(".measured") for name in arrays):
        return model
    rotations, numbers = measured_details(model.source, model.variables, model.fitted)
    fitted = replace(
        model.fitted,
        rotations=_with_detail(model.fitted.rotations, rotations, arrays, "fitted.rotations", "rotations"),
        numbers=_with_detail(model.fitted.numbers, numbers, arrays, "fitted.numbers", "numbers"),
    )
    return replace(
        model,
        rotations=_with_detail(model.rotations, rotations, arrays, "rotations"),
        numbers=_with_detail(model.numbers, numbers, arrays, "numbers"),
        fitted=fitted,
    )


def _with_detail(track: Track, detail: Detail, arrays: Arrays, *names: str) -> Track:
    """The track with the detail that was measured, where the first of the names that says something says so."""
    for name in names:
        if f"{name}.0.measured" in arrays:
            return track.with_base(detail=detail)
        if f"{name}.0.detail.starts" in arrays:
            return track
    return track


def _holds(arrays: Arrays, prefix: str, detail: Detail) -> bool:
    """Whether arrays hold this very detail."""
    if f"{prefix}.detail.starts" not in arrays:
        return False
    return all(
        arrays[f"{prefix}.detail.{name}"].tobytes()
        == np.asarray(getattr(detail, name)).T.ravel().astype(arrays[f"{prefix}.detail.{name}"].dtype).tobytes()
        for name in _DETAIL
    )


def _single_rotations(rotations: Array) -> Arrays:
    """Arrays (4, J, F) of joints whose rotations come from single precision, which these are, and of all others."""
    found = [single_quaternions(rotations[:, joint]) for joint in range(rotations.shape[1])]
    joints = [joint for joint, single in enumerate(found) if single is not None]
    others = [joint for joint, single in enumerate(found) if single is None]
    single = np.array([found[joint] for joint in joints], dtype=np.float32).reshape(len(joints), len(rotations), 4)
    return {
        "source.single_joints": np.array(joints, dtype=np.int32),
        "source.single_rotations": single.transpose(2, 0, 1).ravel(),
        "source.rotations": rotations[:, others].T.ravel(),
    }


def _all_rotations(skeleton: Skeleton, arrays: Mapping[str, Any]) -> Arrays:
    """The rotations of all joints, as `to_arrays` has them."""
    if "source.single_joints" not in arrays:
        return {}
    frames, joints = len(arrays["source.times"]), np.asarray(arrays["source.single_joints"])
    single = np.asarray(arrays["source.single_rotations"]).reshape(4, len(joints), frames)
    rotations = np.empty((4, len(skeleton), frames))
    rotations[:, np.setdiff1d(np.arange(len(skeleton)), joints)] = np.asarray(arrays["source.rotations"]).reshape(
        4, len(skeleton) - len(joints), frames
    )
    rotations[:, joints] = quaternion.normalize(single.transpose(2, 1, 0)).transpose(2, 1, 0)
    return {"source.rotations": rotations.ravel()}
