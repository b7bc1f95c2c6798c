"""New timing of staggered poses, carried to other windows as such: their poses move, sparse keys with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from ...core.errors import MotionEditError
from ...core.staggered import carry_pose_edit, to_arrays
from ..border import saved_state
from ..border.saved_state import STAGGERED
from ..document import scope
from . import refit, session
from .pose_edit import commit

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.body import Body
    from ...core.staggered import StaggeredMotion
    from ..border.action_io import Clip, KeyOptions, WriteReport

_TIMES = ("pose_times", "refinements", "collapsed", "span")
_PREFIX = "staggered "
_CURVES = f"{_PREFIX}curves"
# Seconds that are no other time.
_ROUNDING = 1e-6


def remembered(armature: Object) -> dict[str, Any]:
    """When staggered poses happen, to be remembered with the operation window; nothing where there are none."""
    found = _current(armature)
    if found is None:
        return {}
    arrays: dict[str, Any] = {f"{_PREFIX}{name}": np.array(getattr(found.poses.timing, name)) for name in _TIMES}
    return arrays | {_CURVES: _curves(found.poses)}


def carried(
    clip: Clip,
    before: Mapping[str, Any],
    span: tuple[float, float],
    others: Sequence[Any],
    *,
    amount: float,
    body: Body,
) -> Callable[[KeyOptions], WriteReport] | None:
    """What writes the poses of other windows, retimed as those of the operation window were.

    None where something else than the times of its staggered poses was edited: that is carried frame
    by frame.
    """
    found = _current(clip.armature)
    past = _before(found.poses, before) if found is not None else None
    if found is None or past is None or len(found.poses.source) != len(clip.motion):
        return None
    model = found.poses
    for pose in _moved_poses(past, found.poses):
        model = carry_pose_edit(past, model, pose, span, others, amount=amount, body=body)
    if model is found.poses:
        return None
    return lambda options: commit(bpy.context, clip.armature, found, found.edited(model), options)[0]


def _current(armature: Object) -> session.Session | None:
    """The saved poses as they fit the keys now; None where there are none, or none that can be used."""
    if STAGGERED.name not in saved_state.names(*scope.saved_place(armature)):
        return None
    try:
        return refit.require(bpy.context, armature)
    except MotionEditError:  # said by the tools for staggered poses
        return None


def _before(model: StaggeredMotion, remembered: Mapping[str, Any]) -> StaggeredMotion | None:
    """The model with its remembered timing; None if more than that has changed since."""
    if _CURVES in remembered:
        fields = {name: remembered[f"{_PREFIX}{name}"] for name in _TIMES}
        same = fields["refinements"].shape == model.timing.refinements.shape and remembered[_CURVES] == _curves(model)
        return model.with_timing(**fields) if same else None
    fitted = model.fitted  # the poses were made after the window was remembered
    if fitted.timing.refinements.shape != model.timing.refinements.shape:
        return None
    edited = model.rotations.differs(fitted.rotations).any() or model.numbers.differs(fitted.numbers).any()
    return None if edited else model.with_timing(**{name: getattr(fitted.timing, name) for name in _TIMES})


def _moved_poses(before: StaggeredMotion, after: StaggeredMotion) -> list[int]:
    later = np.abs(after.timing.wanted_times - before.timing.wanted_times).max(axis=1)
    return np.flatnonzero(later > _ROUNDING).tolist()


def _curves(model: StaggeredMotion) -> str:
    """A digest of what the poses look like, whenever they happen."""
    digest = blake2b(digest_size=16)
    for name, values in sorted(to_arrays(model, with_source=False).items()):
        if name.startswith(("rotations", "numbers")):
            digest.update(name.encode() + np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()
