"""Bringing an edit of the poses into the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.motion import Motion
from ...core.staggered import StaggeredMotion, evaluate, pose_map, without_rounding
from ..border import action_io
from ..border.key_options import KeyOptions
from ..document import scope
from ..document.action_users import original_kept
from ..document.motion_changes import MotionChange, tell
from . import pose_list, refit, session
from .keyed import keyed_edit

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import TimeMap
    from ..border.action_io import Clip, WriteReport


def commit(
    context: Context, armature: Object, before: session.Session, model: StaggeredMotion, options: KeyOptions
) -> WriteReport:
    """Write what an edited model shows, and save it with the action."""
    with original_kept(context, armature) as kept:
        clip, edited = scope.read_clip(context, armature), before.edited(model)
        if before.from_keys:
            report = keyed_edit.write(context, clip, before.model, model, options)
            if model.tracks != before.model.tracks:
                edited = refit.with_keys_as_they_are(context, armature, edited)
        else:
            report = _write_baked(clip, model, options)
        kept.needed = report.bones > 0
        _tell(clip, pose_map(before.model, model))
        pose_list.refresh(armature, session.save(armature, edited))
    return report


def _tell(clip: Clip, time_map: TimeMap | None) -> None:
    """Let contacts follow the poses; windows stay, to be compared with what they were."""
    if time_map is not None:
        everything = np.ones(len(clip.motion.skeleton), dtype=np.bool_)
        tell(MotionChange(clip, everything, is_whole=False, time_map=time_map))  # the poses themselves are saved next


def shown_motion(clip: Clip, model: StaggeredMotion) -> Motion:
    """What an edited model shows at the clip's own frames, for previews."""
    return evaluate(model, clip.motion.times)


def _write_baked(clip: Clip, model: StaggeredMotion, options: KeyOptions) -> WriteReport:
    motion = evaluate(model)
    if len(motion) == len(clip.frames) and np.allclose(motion.times, clip.motion.times, atol=1e-9):
        return action_io.write(clip, without_rounding(clip.motion, motion), options)
    if motion.times[0] < clip.motion.times[0]:
        # The motion now begins where the reference pose was.
        scope.action_of(clip.armature).motion_editing.skipped_frames = 0
    return action_io.write_other_frames(clip, motion)
