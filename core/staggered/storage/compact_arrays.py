"""A model as arrays without what follows from the rest, and back without loss.

Displacement maps of splines that were fitted to the source motion are measured again, and rotations that come from
single precision are kept in it. What would not come back bit for bit is kept as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...motion import Skeleton
from ...numerics import Array, quaternion, single_quaternions
from ..construction import measured_details
from ..detail import Detail
from ..model import Fitted, StaggeredMotion
from .model_arrays import Arrays, from_arrays, to_arrays

_TRACKS = ("rotations", "numbers")
_DETAIL = ("starts", "times", "offsets")


@dataclass(frozen=True, eq=False)
class _Follows:
    """What follows from the rest of a model: found out once for all edits of the same fit.

    Attributes:
        measured: Names of the tracks whose displacement maps are what their splines leave over of the source.
        rotations: Arrays of the source's rotations.
    """

    measured: frozenset[str]
    rotations: Arrays


_found_out: WeakKeyDictionary[Fitted, _Follows] = WeakKeyDictionary()


def to_compact_arrays(model: StaggeredMotion) -> Arrays:
    """Names to 1-D float64, float32 or int32 arrays, numbers and strings."""
    arrays, follows = to_arrays(model), _follows(model)
    for name in follows.measured:
        for part in _DETAIL:
            del arrays[f"{name}.detail.{part}"]
        arrays[f"{name}.measured"] = 1
    return arrays | follows.rotations


def _follows(model: StaggeredMotion) -> _Follows:
    fitted = model.fitted
    if fitted not in _found_out:
        details = dict(zip(_TRACKS, measured_details(fitted), strict=True))
        same = (name for name in _TRACKS if _is_same(getattr(fitted, name).detail, details[name]))
        _found_out[fitted] = _Follows(frozenset(same), _single_rotations(fitted.source.rotations))
    return _found_out[fitted]


def from_compact_arrays(skeleton: Skeleton, arrays: Arrays) -> StaggeredMotion:
    """The model that was saved; arrays of `to_arrays` are read too.

    Raises:
        MotionEditError: The arrays are of another skeleton.
    """
    model = from_arrays(skeleton, None, arrays | _all_rotations(skeleton, arrays))
    if not any(name.endswith(".measured") for name in arrays):
        return model
    details = dict(zip(_TRACKS, measured_details(model.fitted), strict=True))
    measured = {name: details[name] for name in _TRACKS if f"{name}.measured" in arrays}
    fitted = replace(
        model.fitted, **{name: getattr(model.fitted, name).changed(detail=each) for name, each in measured.items()}
    )
    now = {name: getattr(model, name).changed(detail=getattr(fitted, name).detail) for name in _TRACKS}
    return replace(model, fitted=fitted, **now)


def _is_same(detail: Detail, other: Detail) -> bool:
    """Whether two details are the same bit for bit."""
    pairs = ((np.asarray(getattr(detail, name)), np.asarray(getattr(other, name))) for name in _DETAIL)
    return all(one.shape == two.shape and one.T.tobytes() == two.astype(one.dtype).T.tobytes() for one, two in pairs)


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
