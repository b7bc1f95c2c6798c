"""The same poses for a motion that something else has changed: fitted to the keys as they are now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError, TooFewFramesError
from ...core.motion import shape_name
from ...core.staggered import SAME_TIME, PoseTable, carried_over, evaluate, poses_within, with_motion
from ..border.action_io.any_frames import apart, frames_and_keys, read_frames
from ..document import scope
from . import contacts, pose_list, session
from .edits.loops import loop_of

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion
    from ..border.action_io import Clip, Property

# Seconds within which keys of different bones form one pose.
REACH = 0.25
# Frames that knots of one joint are apart.
_MARGIN = 0.5
_FEWEST_FRAMES = 3


def require(context: Context, armature: Object, *, fresh: bool = False) -> session.Session:
    """The poses with a model that fits the keys, whatever has changed these.

    Args:
        context: Of the tool.
        armature: With poses.
        fresh: Fit a model of hand-keyed motion anew if its poses were retimed since: edits of what poses
            look like go by the keys where they are now.

    Raises:
        MotionEditError: There are none, or none that the motion still has.
    """
    saved = session.there(armature)
    if not session.fits(armature):
        saved = session.save(armature, _refitted(context, armature, saved))
        pose_list.refresh(armature, saved)
    rate = scope.source_rate(context, armature)
    if saved.model is not None and abs(saved.model.source.rate - rate) > 1e-6:
        # Times are in seconds: with another source rate the same frames are at other times.
        saved = replace(saved, model=None, table=saved.table.scaled(saved.model.source.rate / rate))
    if saved.model is None or (fresh and saved.from_keys and not saved.is_fresh):
        saved = session.save(armature, fitted(context, armature, saved))
    return saved


def require_pose(context: Context, armature: Object, pose: int, *, fresh: bool = False) -> tuple[session.Session, int]:
    """The same, and the number that a pose of the list has now."""
    table = session.there(armature).table
    time = table.times[table.numbers[pose]] if pose < len(table.numbers) else np.inf
    saved = require(context, armature, fresh=fresh)
    same = len(saved.table) == len(table)
    return saved, pose if same else int(np.argmin(np.abs(saved.table.times[saved.table.shown] - time)))


def with_keys_as_they_are(context: Context, armature: Object, saved: session.Session) -> session.Session:
    """The poses of hand-keyed motion, and those that its keys of now have added to them."""
    clip = scope.read_clip(context, armature)
    refuse_short(clip)
    table = with_shape_keys(clip, saved.table.with_keys(key_times(clip), **grouping(clip)))
    refuse_single(table)
    return fitted(context, armature, replace(saved, table=table))


def motion_to_fit(clip: Clip, saved: session.Session) -> Motion:
    """The clip's motion; of hand-keyed motion also between the frames, where it has keys."""
    if not saved.from_keys:
        return clip.motion
    return read_frames(clip.armature, frames_and_keys(clip), rate=clip.motion.rate).motion


def key_times(clip: Clip) -> list[np.ndarray]:
    """For every joint the seconds at which it has keys within the clip."""
    return [_key_times(clip, joint) for joint in range(len(clip.motion.skeleton))]


def with_shape_keys(clip: Clip, table: PoseTable) -> PoseTable:
    """The poses of hand-keyed motion with the keys of shape keys that lie near them."""
    times = {prop.name: _times(clip, [prop]) for prop in clip.channels.scalars if shape_name(prop.name) is not None}
    return replace(table, channels=table.channels.on_keys(times, table.times, reach=REACH))


def grouping(clip: Clip) -> dict[str, float]:
    """How keys of the clip are put together to poses, in seconds."""
    return {"reach": REACH, "margin": _MARGIN / clip.motion.rate}


def refuse_short(clip: Clip) -> None:
    """Staggered poses need something to lie between."""
    if len(clip.frames) < _FEWEST_FRAMES:
        raise TooFewFramesError(f"Staggered poses need {_FEWEST_FRAMES} frames, the range has {len(clip.frames)}")


def refuse_single(table: PoseTable) -> None:
    """Nothing lies between the keys of a single pose."""
    if len(table) < 2:
        raise MotionEditError("The keys form a single pose: staggered poses need keys at two frames or more")


def _refitted(context: Context, armature: Object, saved: session.Session) -> session.Session:
    """The poses that the motion still has, with a model of it as it is now."""
    if saved.from_keys:
        return with_keys_as_they_are(context, armature, saved)
    clip = scope.read_clip(context, armature)
    motion = clip.motion
    if saved.model is not None and session.remembers_stagger(armature):
        now = saved.shown or contacts.shown(clip, saved)[0]
        if len(now) == len(motion) and np.allclose(now.times, motion.times) and now.scalar_names == motion.scalar_names:
            # What is as it was keeps the timing that can be brought back; the rest follows it.
            changed = carried_over(evaluate(saved.model), now, replace(motion, times=now.times))
            return saved.edited(with_motion(saved.model, changed))
    margin = _MARGIN / motion.rate
    table = poses_within(saved.table, motion.times[0] - margin, motion.times[-1] + margin)
    if not table.shown.any():
        raise MotionEditError("No pose is left in the motion: use Extract Poses again")
    return fitted(context, armature, replace(saved, table=table))


def fitted(context: Context, armature: Object, saved: session.Session) -> session.Session:
    """The poses with a model of the motion as the keys show it now."""
    clip = scope.read_clip(context, armature)
    return saved.fitted_anew(saved.table.fitted(motion_to_fit(clip, saved), **loop_of(clip)))


def _key_times(clip: Clip, joint: int) -> np.ndarray:
    """Seconds at which a joint has keys within the clip."""
    return _times(clip, clip.channels.joints[joint])


def _times(clip: Clip, properties: Iterable[Property]) -> np.ndarray:
    """Seconds at which any of some properties has keys within the clip."""
    frames = [
        clip.keys[prop, index][:, 0] for prop in properties for index in range(prop.size) if (prop, index) in clip.keys
    ]
    times = apart(np.concatenate([np.empty(0), *frames]) / clip.motion.rate, SAME_TIME)
    inside: np.ndarray = times[(times >= clip.motion.times[0]) & (times <= clip.motion.times[-1])]
    return inside
