"""Easing and tangents of hand-keyed poses: the handles of the animator's own keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.staggered import SAME_TIME, changed_frames
from ...border import action_io
from ...border.action_io import WriteReport, bone_of_path
from ...border.action_io.curves.handles import has_handles
from ...border.action_io.curves.keys import KeyArrays, is_sampled, read_keys, write_keys
from ...border.action_io.reduction.sparse_keys import carry_following
from ...border.action_io.written_motion import refuse_protected
from ...border.key_options import KeyOptions
from ...border.steps import finish
from ...document import scope
from ...document.action_users import original_kept
from .. import contacts, pose_list, refit, session

if TYPE_CHECKING:
    from bpy.types import Context, FCurve

    from ....core.motion import Motion
    from ...border.action_io import Property
    from ..edits.poses_run import Target

    # All keys of a curve and which of them are meant to the keys with other handles.
    Shaping = Callable[[KeyArrays, np.ndarray], KeyArrays]


def write(
    context: Context, target: Target, shaping: Shaping, *, keeps_contacts: bool = False
) -> tuple[WriteReport, session.Session]:
    """Shape the handles of the chosen poses' keys; gives what was done, and the poses of the motion that these give.

    Args:
        keeps_contacts: Feet stay where they stood.
    """
    refuse_protected(target.clip, [prop for prop, _curve, _chosen in _curves(target)])
    armature = target.armature
    with original_kept(context, armature) as kept:
        changed = _shape(target, shaping)
        kept.needed = bool(changed)
        if changed and keeps_contacts:
            _hold(context, target)
        now = scope.read_clip(context, armature).motion
        made = session.save(armature, refit.fitted(context, armature, target.session))
        pose_list.refresh(armature, made)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return WriteReport(bones=len(changed), frames=changed_frames(target.clip.motion, now)), made


def _hold(context: Context, target: Target) -> None:
    """Put feet back to where they stood before the handles were shaped."""
    standing, clip = contacts.standing(target.clip, target.session), scope.read_clip(context, target.armature)
    wanted, _report = standing.held(target.model, clip.motion)
    plan = finish(action_io.plan_write(clip, wanted, KeyOptions()))
    if plan.jobs:
        carry_following(plan, (), standing.where_standing(target.model, wanted))


def preview(context: Context, target: Target, shaping: Shaping) -> Motion:
    """What the keys would show; they stay as they are."""
    before = [(curve, read_keys(curve)) for _prop, curve, _chosen in _curves(target)]
    try:
        _shape(target, shaping)
        return scope.read_clip(context, target.armature).motion
    finally:
        for curve, keys in before:
            write_keys(curve, keys)


def _shape(target: Target, shaping: Shaping) -> set[str]:
    """Give the curves their new handles; gives the bones of those that changed."""
    changed, has_keys, is_shaped = set(), False, False
    for prop, curve, chosen in _curves(target):
        keys, has_keys = read_keys(curve), True
        is_shaped |= has_handles(keys, chosen)
        new = shaping(keys, chosen)
        if any(not np.array_equal(new[name], values) for name, values in keys.items()):
            write_keys(curve, new)
            changed.add(bone_of_path(prop.path) or prop.name)
    if not has_keys:
        raise MotionEditError("The chosen bones have no keys in this pose: pick another pose, or select other bones")
    if not is_shaped:
        raise MotionEditError("The keys are stepped or have an easing: set their interpolation to Bézier first")
    return changed


def _curves(target: Target) -> Iterator[tuple[Property, FCurve, np.ndarray]]:
    """Curves of the chosen joints, and which of their keys belong to the chosen poses."""
    timing, rate = target.model.timing, target.clip.motion.rate
    poses = range(len(timing)) if target.poses is None else target.poses
    for joint in np.flatnonzero(target.joints):
        knots = [timing.extreme_times[pose, joint] for pose in poses if timing.present[pose, joint]]
        for prop in target.clip.channels.joints[joint]:
            for curve in target.clip.channels.of(prop):
                if curve is None or is_sampled(curve):
                    continue
                times = read_keys(curve, "co")["co"][:, 0] / rate
                chosen = np.abs(times[:, None] - np.array(knots)).min(axis=1, initial=np.inf) < SAME_TIME
                if chosen.any():
                    yield prop, curve, chosen
