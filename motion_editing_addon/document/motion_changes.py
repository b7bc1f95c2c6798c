"""What an edit did with a motion as a whole, told to all that goes with the motion: contacts, windows, strips.

Whoever keeps frames or sides of a motion adds a follower; whoever gives a motion another timing, or exchanges its
sides, tells of it once. So no tool has to know what else there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ... import core
from ..border import action_io, armature
from ..border.lazy_modules import np
from . import scope

if TYPE_CHECKING:
    from bpy.types import Object

    from ...core.motion import TimeMap
    from ..border.action_io import Clip, WriteReport


@dataclass(frozen=True, eq=False)
class MotionChange:
    """A new timing, or exchanged sides.

    Attributes:
        clip: What was read before the edit.
        moved: (J,) joints whose places are seen to move so, also those that only hang on others.
        is_whole: Nothing that is seen and has keys was left out.
        time_map: From new to old seconds between the clip's ends; the timing stayed if there is none.
        partner: (J,) the joint whose motion each has now; its own if there is none.
        joints: (J,) joints whose channels were edited so; where there is none, this is not known.
        leaves_windows: Windows stay, so that what was done in one of them can be carried to others.
        new_ends: First and last action frame of the motion, where it got another part or lost one.
    """

    clip: Clip
    moved: np.ndarray
    is_whole: bool
    time_map: TimeMap | None = None
    partner: np.ndarray | None = None
    joints: np.ndarray | None = None
    leaves_windows: bool = False
    new_ends: tuple[float, float] | None = None

    @property
    def armature(self) -> Object:
        """The object that was edited."""
        return self.clip.armature

    @property
    def names(self) -> set[str]:
        """The bones that are seen to move so."""
        return {name for name, moved in zip(self.clip.motion.skeleton.names, self.moved, strict=True) if moved}

    @property
    def partners(self) -> dict[str, str]:
        """Who has the motion of which bone now, where sides were exchanged."""
        names = self.clip.motion.skeleton.names
        return {} if self.partner is None else {names[other]: names[own] for own, other in enumerate(self.partner)}

    @property
    def reach(self) -> tuple[float, float]:
        """Action frames between which the edit counts; without end where no keys lie beyond it."""
        frames, keys = self.clip.frames, [each[:, 0] for each in self.clip.keys.values() if len(each)]
        earlier = any(each[0] < np.floor(frames[0]) - 0.5 for each in keys)
        later = any(each[-1] > np.ceil(frames[-1]) + 0.5 for each in keys)
        return float(frames[0]) if earlier else -np.inf, float(frames[-1]) if later else np.inf

    def new_frames(self, frames: np.ndarray | list[float]) -> np.ndarray:
        """Action frames (N,) at which moments are seen now that were seen at others.

        Beyond the time map moments keep their distance to it, beyond the edit they stay.
        """
        old, (first, last) = np.asarray(frames, dtype=np.float64), self.reach
        if self.time_map is None or not self.time_map.direction:
            return old
        rate = self.clip.motion.rate
        times = old / rate
        inside = np.clip(times, *sorted(self.time_map.old_times[[0, -1]]))
        new = self.time_map.map_key_times(inside) + self.time_map.direction * (times - inside)
        return np.where((old >= first) & (old <= last), new * rate, old)

    def new_range(self, first: float, last: float) -> tuple[float, float]:
        """The range of action frames that a range has become; ends of the motion are those of the new one."""
        low, high = sorted(map(float, self.new_frames([first, last])))
        if self.new_ends is None:
            return low, high
        old = self.clip.frames
        low = self.new_ends[0] if first <= old[0] else min(max(low, self.new_ends[0]), self.new_ends[1])
        high = self.new_ends[1] if last >= old[-1] else max(min(high, self.new_ends[1]), self.new_ends[0])
        return low, high

    def seen_frames(self, frames: np.ndarray) -> np.ndarray:
        """The same for action frames of any shape, of a time that may turn round, too; NaN for moments cut away."""
        old, (first, last) = np.asarray(frames, dtype=np.float64), self.reach
        if self.time_map is None:
            return old
        rate = self.clip.motion.rate
        times = old / rate
        inside = np.clip(times, self.time_map.old_times.min(), self.time_map.old_times.max())
        beyond = self.time_map.direction * (times - inside)
        new = np.where((times == inside) | (self.time_map.direction != 0), self.time_map.first_seen(inside), np.nan)
        return np.where((old >= first) & (old <= last), (new + beyond) * rate, old)


Follower = Callable[[MotionChange], None]
_followers: list[Follower] = []
# Those of them that are not kept with the action: strips that play it, the scene.
_outside: list[Follower] = []
_outside_waits = False


def follower_in(module: str) -> Follower:
    """The function `follow` of a module, which is imported when it is first needed."""
    return lambda change: import_module(module).follow(change)


def add_follower(follower: Follower, *, outside: bool = False) -> None:
    """Call this from now on after every change that is told; `outside` if what follows is not kept with the action."""
    _followers.append(follower)
    if outside:
        _outside.append(follower)


def remove_follower(follower: Follower) -> None:
    """Call it no more."""
    _followers.remove(follower)
    if follower in _outside:
        _outside.remove(follower)


@contextmanager
def following(follower: Follower) -> Iterator[None]:
    """Call this after every change meanwhile."""
    add_follower(follower)
    try:
        yield
    finally:
        remove_follower(follower)


@contextmanager
def outside_waiting() -> Iterator[None]:
    """Let nothing outside of actions follow meanwhile; `tell_outside` makes up for it."""
    global _outside_waits
    before, _outside_waits = _outside_waits, True
    try:
        yield
    finally:
        _outside_waits = before


def tell_outside(change: MotionChange) -> None:
    """Let what is not kept with the action follow."""
    for follower in list(_outside):
        follower(change)


def tell(change: MotionChange) -> None:
    """Let all that goes with the motion follow; to be called when the keys are written."""
    action = scope.action_of(change.armature)
    if action is not None:
        action.motion_editing.retimed = True
        for follower in [each for each in _followers if not (_outside_waits and each in _outside)]:
            follower(change)


def retime(clip: Clip, time_map: TimeMap, joints: np.ndarray, **options: Any) -> WriteReport:
    """Show a clip with another timing as `action_io.retime` does, with all that goes with it."""
    report = action_io.retime(clip, time_map, joints, **options)
    tell(change_of(clip, joints, time_map=time_map))
    return report


def change_of(
    clip: Clip, joints: np.ndarray, *, time_map: TimeMap | None = None, partner: np.ndarray | None = None
) -> MotionChange:
    """An edit of the channels of some joints (J,), and what is seen to move with them.

    The place of a joint does if all that it hangs on and that has keys was edited. Where constraints move bones too,
    any of them may hang on any other: then all do, or none if something was left out that is seen.
    """
    keyed = _keyed(clip)
    left_out = keyed & ~joints
    is_whole = not (left_out & _visible(clip)).any()
    if not left_out.any():
        moved = np.ones(len(joints), dtype=np.bool_)
    elif armature.why_bones_move(clip.armature) is not None:
        moved = np.full(len(joints), is_whole)
    else:
        moved = _carried_by(clip, keyed & joints) & ~_carried_by(clip, left_out)
    return MotionChange(clip, moved, is_whole, _spelled_out(time_map, clip), partner, joints)


def _spelled_out(time_map: TimeMap | None, clip: Clip) -> TimeMap | None:
    """A map that goes on at its speed beyond its knots as one with knots for all of a clip."""
    if time_map is None or time_map.ends is not core.motion.Ends.EXTEND:
        return time_map
    return time_map.unrolled(*time_map.covering(*map(float, clip.motion.times[[0, -1]])))


def _keyed(clip: Clip) -> np.ndarray:
    """(J,) joints with keys."""
    keyed = {prop for (prop, _index), keys in clip.keys.items() if len(keys)}
    return np.array([not keyed.isdisjoint(own) for own in clip.channels.joints])


def _visible(clip: Clip) -> np.ndarray:
    """(J,) bones that are seen, and the object."""
    return np.array([True, *(scope.is_visible(bone) for bone in armature.pose_bones(clip.armature))])


def _carried_by(clip: Clip, joints: np.ndarray) -> np.ndarray:
    """(J,) joints whose places some joints (J,) move: all that hang on them, themselves only by a location."""
    placed = {prop for (prop, _index), keys in clip.keys.items() if len(keys)}
    skeleton, carries, carried = clip.motion.skeleton, joints.copy(), np.zeros(len(joints), dtype=np.bool_)
    for joint, parent in enumerate(skeleton.parents):
        by_others = parent >= 0 and carries[parent]
        carries[joint] |= by_others
        is_placed = clip.channels.joints[joint][0] in placed and not skeleton.connected[joint]
        carried[joint] = by_others or (joints[joint] and is_placed)
    return carried
