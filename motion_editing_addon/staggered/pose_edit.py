"""Bringing an edit of the poses into the keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.motion import Motion
from ...core.solve.contact_lock import HoldReport
from ...core.staggered import ShownPoses, StaggeredMotion, changed_only, pose_map, without_rounding
from ..border import action_io
from ..border.action_io import bone_of_path
from ..border.key_options import KeyOptions
from ..document import scope
from ..document.action_users import original_kept
from ..document.motion_changes import MotionChange, tell
from . import contacts, pose_list, refit, session
from .edits import source_keys
from .keyed import keyed_edit

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import TimeMap
    from ..border.action_io import Clip, Property, WriteReport


def commit(
    context: Context,
    armature: Object,
    before: session.Session,
    edited: session.Session,
    options: KeyOptions,
    *,
    whole_frames: bool = True,
) -> tuple[WriteReport, HoldReport | None]:
    """Write what edited poses show, and save them with the action; gives what was done, and how feet are held.

    Args:
        whole_frames: Hand-set keys that move go to whole frames.
    """
    with original_kept(context, armature) as kept:
        clip = scope.read_clip(context, armature)
        if before.is_fresh:
            source_keys.keep(clip, before.poses.source)
        holding: HoldReport | None
        if before.from_keys:
            report, holding = keyed_edit.write(context, clip, before, edited, options, whole_frames=whole_frames)
            if edited.poses.tracks != before.poses.tracks:
                edited = refit.with_keys_as_they_are(context, armature, edited)
        else:
            motion, holding = contacts.shown(clip, edited)
            report = _write_baked(clip, before, edited, motion, options)
            edited = replace(edited, shown=motion)
        kept.needed = report.bones > 0
        _tell(clip, pose_map(before.poses, edited.poses))
        pose_list.refresh(armature, session.save(armature, edited))
    return report, holding


def _tell(clip: Clip, time_map: TimeMap | None) -> None:
    """Let all that goes with the motion follow the poses, which themselves are saved next."""
    if time_map is not None:
        everything = np.ones(len(clip.motion.skeleton), dtype=np.bool_)
        tell(MotionChange(clip, everything, True, time_map, joints=everything, leaves_windows=True))


def shown_motion(model: StaggeredMotion) -> ShownPoses:
    """What an edited model shows, for previews."""
    return ShownPoses(model)


def _write_baked(
    clip: Clip, before: session.Session, edited: session.Session, motion: Motion, options: KeyOptions
) -> WriteReport:
    if len(motion) != len(clip.frames) or not np.allclose(motion.times, clip.motion.times, atol=1e-9):
        if motion.times[0] < clip.motion.times[0]:
            # The motion now begins where the reference pose was.
            scope.own_action(clip.armature).motion_editing.skipped_frames = 0
        return action_io.write_other_frames(clip, motion)
    back = _shown_as_fitted(clip, edited, motion)
    shown_before = before.shown or contacts.shown(clip, before)[0]
    if len(shown_before) == len(motion):
        # What this edit does not change stays as it is, also where keys are not quite what poses show.
        motion = changed_only(clip.motion, shown_before, motion)
    report = action_io.write(clip, _without(clip, without_rounding(clip.motion, motion), back), options)
    names = source_keys.bring_back(clip.armature, (prop.name for prop in back))
    report.bones += len({bone_of_path(prop.path) or prop.name for prop in back if prop.name in names})
    report.frames = report.frames or (len(clip.frames) if names else 0)
    return report


def _shown_as_fitted(clip: Clip, edited: session.Session, motion: Motion) -> list[Property]:
    """Properties that show just what they showed when the poses were fitted, and whose keys of then are kept."""
    source = edited.poses.source
    if len(source) != len(motion):
        return []
    kept = source_keys.kept_properties(clip, source)
    found = []
    for joint, own in enumerate(clip.channels.joints):
        for prop, name in zip(own, ("locations", "rotations", "scales"), strict=True):
            if prop in kept and np.array_equal(getattr(source, name)[:, joint], getattr(motion, name)[:, joint]):
                found.append(prop)
    for number, prop in enumerate(clip.channels.scalars):
        if prop in kept and np.array_equal(source.scalars[:, number], motion.scalars[:, number]):
            found.append(prop)
    return found


def _without(clip: Clip, motion: Motion, left: list[Property]) -> Motion:
    """A motion with some properties as they are in the clip."""
    chosen = set(left)
    masks = [np.array([own[part] in chosen for own in clip.channels.joints])[:, None] for part in range(3)]
    scalars = np.array([prop in chosen for prop in clip.channels.scalars], dtype=np.bool_)
    return replace(
        motion,
        locations=np.where(masks[0], clip.motion.locations, motion.locations),
        rotations=np.where(masks[1], clip.motion.rotations, motion.rotations),
        scales=np.where(masks[2], clip.motion.scales, motion.scales),
        scalars=np.where(scalars, clip.motion.scalars, motion.scalars),
    )
