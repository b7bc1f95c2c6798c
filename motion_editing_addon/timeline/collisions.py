"""When the active character touches the second one."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from ...core.analysis import points_of
from ...core.analysis.collisions import Collisions, fit_capsules
from ...core.analysis.collisions import collisions as find_collisions
from ...core.errors import MotionEditError
from ..border.armature import why_sampled
from ..border.steps import Steps
from ..document import scope, watched_keys
from .frames import frames_of, samples_of
from .lane.icons_on_strip import place_key
from .subject import subject_of
from .windows.windows import settings_of

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion
    from .subject import Subject


def second_subject(context: Context, armature: Object) -> Steps[Subject]:
    """The second character that was chosen."""
    second = settings_of(armature).second
    if second is None or second == armature or scope.action_of(second) is None:
        raise MotionEditError("Choose another animated armature as the second character")
    return (yield from subject_of(context, second))


def touches(first: Subject, second: Subject, *, retimed: Motion | None = None, margin: float = 0.0) -> Collisions:
    """All touches of the two on the first one's frames.

    Args:
        first: Its frames are those of what is found.
        second: Seen at the same scene frames.
        retimed: The first one's motion as a drag would make it, with frames of its own; only for rigs
            whose pose follows from their channels.
        margin: Gap up to which bones count as touching, in units of the scene.
    """
    motion = first.motion if retimed is None else retimed
    points = points_of(motion) if _follows(first) else first.positions
    frames = _scene_frames(first, motion)
    return find_collisions(
        points,
        fit_capsules(first.motion.skeleton, body=first.body),
        _points_at(second, frames),
        fit_capsules(second.motion.skeleton, body=second.body),
        margin=margin,
    )


def _follows(subject: Subject) -> bool:
    return why_sampled(subject.armature) is None


def _scene_frames(subject: Subject, motion: Motion) -> np.ndarray:
    """(F,) scene frames of the samples of the subject's motion, or of a retimed one."""
    frames = subject.clip.frames if motion is subject.motion else motion.times * motion.rate
    return scope.to_scene(subject.armature, frames)


def _points_at(subject: Subject, scene_frames: np.ndarray) -> np.ndarray:
    """Joints, and tips where they are known, at scene frames; before and after its keys the ends are held."""
    own = np.array([scope.from_scene(subject.armature, float(frame)) for frame in scene_frames])
    samples = np.clip(samples_of(subject.clip, own), 0.0, len(subject.clip.frames) - 1.0)
    motion = subject.motion
    if _follows(subject):
        return points_of(motion.at(np.interp(samples, np.arange(len(motion)), motion.times)))
    before = np.minimum(samples.astype(np.intp), len(motion) - 2)
    share = (samples - before)[:, None, None]
    return subject.positions[before] * (1.0 - share) + subject.positions[before + 1] * share


def are_known(armature: Object) -> bool:
    """Whether the list is that of both motions as they are; cheap enough for every redraw."""
    settings = settings_of(armature)
    return bool(settings.collisions_of == _situation(armature, watched_keys.fingerprint))


def _situation(armature: Object, fingerprint: Callable[[Object], str]) -> str:
    """Changes whenever other collisions could be found: with the keys and the places of both characters."""
    second = settings_of(armature).second
    told = [(each.name, fingerprint(each), place_key(each)) for each in (armature, second) if scope.action_of(each)]
    return blake2b(repr(told).encode(), digest_size=8).hexdigest()


def save_touches(subject: Subject, found: Collisions, *, margin: float) -> int:
    """List the touches with the action: one for every run of frames, by its deepest touch; gives how many."""
    settings = settings_of(subject.armature)
    settings.collisions.clear()
    settings.collision_margin = margin
    settings.collisions_of = _situation(subject.armature, watched_keys.fingerprint_now)
    for first, last in found.spans:
        deepest = int(np.argmax(np.where((found.frames >= first) & (found.frames <= last), found.depths, -np.inf)))
        here = found.first_capsules.joints[found.first_bones[deepest]]
        there = found.second_capsules.joints[found.second_bones[deepest]]
        item = settings.collisions.add()
        item.start, item.end = frames_of(subject.clip, [first, last])
        item.bone = found.first_capsules.skeleton.names[here]
        item.other = found.second_capsules.skeleton.names[there]
    return len(settings.collisions)
