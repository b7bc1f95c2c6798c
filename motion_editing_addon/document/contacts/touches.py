"""Hands and feet that touch another character: while an edit says so, they are kept where they touch it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import bpy
import numpy as np

from ....core.analysis import points_of
from ....core.analysis.collisions import collisions, fit_capsules
from ....core.numerics import first_and_last
from ...border.armature import why_sampled
from .. import scope
from ..character.saved_body import body_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Object

    from ....core.analysis.collisions import Collisions
    from ....core.body import Body
    from ...border.action_io import Clip

# A hand or foot, and seconds from when to when it touches.
Touch = tuple[str, float, float]


class _Pair(NamedTuple):
    """Who is edited, who is touched, and at which frames of the one the other is seen now."""

    armature: str
    second: Object
    seen_at: Callable[[np.ndarray], np.ndarray]


_pair: _Pair | None = None


@contextmanager
def kept(armature: Object, second: Object | None, seen_at: Callable[[np.ndarray], np.ndarray]) -> Iterator[None]:
    """Let edits of an armature keep its touches with a second one meanwhile.

    Args:
        armature: Who is edited.
        second: Who is touched; nothing happens without.
        seen_at: Frames of the scene at which the second one does now what it does at others with the first one.
    """
    global _pair
    before = _pair
    if second is not None and scope.action_of(second) is not None:
        _pair = _Pair(armature.name, second, seen_at)
    try:
        yield
    finally:
        _pair = before


def touches_of(clip: Clip, body: Body) -> list[Touch]:
    """When hands and feet of a clip touch the second character; none of control rigs."""
    if _pair is None or _pair.armature != clip.armature.name:
        return []
    if why_sampled(clip.armature) is not None or why_sampled(_pair.second) is not None:
        return []
    frames = _pair.seen_at(np.asarray(scope.to_scene(clip.armature, clip.frames)))
    found = _collisions(clip, body, _pair.second, frames)
    return [touch for limb in body.limbs if limb.end is not None for touch in _touches(clip, found, limb.end)]


def _collisions(clip: Clip, body: Body, second: Object, frames: np.ndarray) -> Collisions:
    """Bones of a clip that touch those of another character, which is seen at frames (F,) of the scene."""
    other = scope.read_clip(bpy.context, second)
    own = np.array([scope.from_scene(second, float(frame)) for frame in frames])
    shown = other.motion.at(np.clip(own / other.motion.rate, *other.motion.times[[0, -1]]))
    capsules = fit_capsules(other.motion.skeleton, body=body_of(second, other, None))
    return collisions(points_of(clip.motion), fit_capsules(clip.motion.skeleton, body=body), points_of(shown), capsules)


def _touches(clip: Clip, found: Collisions, end: int) -> list[Touch]:
    """Spans in which a hand or foot, or what hangs on it, touches."""
    skeleton, joints = clip.motion.skeleton, np.asarray(found.first_capsules.joints)
    touching = np.isin(joints[found.first_bones], (end, *skeleton.descendants(end)))
    frames = np.zeros(len(clip.motion), dtype=np.bool_)
    frames[found.frames[touching]] = True
    times = clip.motion.times
    spans = [(times[first], times[last]) for first, last in first_and_last(frames) if last > first]
    return [(skeleton.names[end], float(start), float(stop)) for start, stop in spans]
