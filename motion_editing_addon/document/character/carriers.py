"""The bones that carry a character over the ground: of plain skeletons and of control rigs.

On a control rig these are controls that an animator sees or has keyed. Mechanism bones follow them by constraints
and are never moved; whether the whole figure does, is looked at in Blender.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Carriers, Motion, find_carriers, with_free_joints
from ...border.armature import why_bones_move
from ...border.rigs.rig_followers import Following
from .. import scope
from ..scene.shown_frame import shown_at

if TYPE_CHECKING:
    from ....core.body import Body
    from ....core.motion import Skeleton
    from ...border.action_io import Clip

# States of a rig's switches that are looked at, at most.
_MOST_STATES = 12


def carried_motion(clip: Clip, body: Body, *others: Motion) -> Motion:
    """The clip's motion, which knows what carries the character; on a rig joints hang on what they follow.

    Args:
        clip: Of any armature.
        body: Its root is used.
        others: Further motions of the same joints, which are to have the same carriers.

    Raises:
        MotionEditError: Controls follow now this, now that, and there are further motions.
    """
    if why_bones_move(clip.armature) is None:
        return clip.motion.with_carriers(find_carriers((clip.motion, *others), body.root))
    rows, state_of = rig_states(clip)
    states = [_State.at(clip, row) for row in rows]
    moved = sorted({joint for state in states for joint in state.carrying((clip.motion, *others), body)})
    follows = np.array([state.follows(moved) for state in states])
    if follows.any() and others:
        _refuse_following(clip, states, moved, follows)
    skeleton = _skeleton(states, moved, follows)
    carriers = with_free_joints(skeleton, moved, movable=states[0].movable)
    if follows.any():
        carriers = replace(carriers, follows=follows[state_of])
    return replace(clip.motion, skeleton=skeleton, carriers=carriers)


def carried_from_above(clip: Clip, carried: Motion) -> Motion | None:
    """The same motion of a rig, carried by the topmost controls above its carriers; None if these are the topmost.

    Whatever a rig does with its parts, they all follow its root.
    """
    if why_bones_move(clip.armature) is None or carried.carriers is None:
        return None
    state = _State.at(clip, 0)
    lines = [[joint, *state.skeleton.ancestors(joint)] for joint in carried.carriers.moved if joint]
    tops = {[joint for joint in line if joint and state.movable[joint]][-1] for line in lines}
    if tops <= {*carried.carriers.moved}:
        return None
    carriers = with_free_joints(state.skeleton, tops, movable=state.movable)
    return replace(carried, skeleton=state.skeleton, carriers=carriers)


def rig_states(clip: Clip) -> tuple[list[int], np.ndarray]:
    """Rows of a clip that stand for the states of its rig's switches, and (F,) which of them each row is in."""
    watched = _watched_paths(clip)
    columns = [number for number, prop in enumerate(clip.channels.scalars) if prop.path in watched]
    values = np.round(clip.motion.scalars[:, columns], 2)
    rows = np.sort(np.unique(values, axis=0, return_index=True)[1]) if columns else np.zeros(1, dtype=np.intp)
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, _MOST_STATES).round().astype(int))]
    away = np.abs(values[:, None] - values[None, rows]).sum(axis=-1)
    return rows.tolist(), away.argmin(axis=1)


def _skeleton(states: list[_State], moved: list[int], follows: np.ndarray) -> Skeleton:
    """Joints hang on what they follow; what follows now this, now that, on what it does while it is free."""
    first, parents = states[0].skeleton, np.array(states[0].skeleton.parents)
    for number in np.flatnonzero(follows[0]):
        free = next(state for state, each in zip(states, follows, strict=True) if not each[number])
        line = [moved[number], *free.skeleton.ancestors(moved[number])]
        parents[line] = free.skeleton.parents[line]
    return replace(first, parents=parents)


def _watched_paths(clip: Clip) -> set[str]:
    """What decides how much constraints of the rig act: numbers of theirs, and what drives these."""
    found = {prop.path for prop in clip.channels.scalars if ".constraints[" in prop.path}
    data = clip.armature.animation_data
    for curve in data.drivers if data else ():
        if ".constraints[" in curve.data_path and curve.driver is not None:
            found |= {each.data_path for variable in curve.driver.variables for each in variable.targets}
    return found


@dataclass(frozen=True, eq=False)
class _State:
    """A control rig at one frame.

    Attributes:
        clip: Of the rig.
        row: Of the clip.
        following: What its bones follow.
    """

    clip: Clip
    row: int
    following: Following

    @classmethod
    def at(cls, clip: Clip, row: int) -> _State:
        """The rig as it is shown at a row of the clip."""
        with shown_at(clip, row):
            return cls(clip, row, Following(clip.armature))

    @cached_property
    def skeleton(self) -> Skeleton:
        """Joints hang on what they follow."""
        return self.following.skeleton(self.clip.motion.skeleton)

    @cached_property
    def movable(self) -> np.ndarray:
        """(J,) the object, and bones that are seen or have keys and do what their channels say."""
        clip, keyed = self.clip, {prop for prop, _index in self.clip.channels.curves}
        able = [True]
        for bone, properties in zip(clip.armature.pose.bones, clip.channels.joints[1:], strict=True):
            known = scope.is_visible(bone) or not keyed.isdisjoint(properties)
            able.append(known and self.following.obeys_its_channels(bone.name))
        return np.array(able)

    def carrying(self, motions: Sequence[Motion], body: Body) -> set[int]:
        """The joints that carry the figure now."""
        alike = [replace(motion, skeleton=self.skeleton) for motion in motions]
        return self._with_bound(find_carriers(alike, body.root, movable=self.movable))

    def follows(self, moved: list[int]) -> list[bool]:
        """Which of some joints follow another one of them now."""
        return [not {*moved}.isdisjoint(self.skeleton.ancestors(joint)) for joint in moved]

    def _with_bound(self, carriers: Carriers) -> set[int]:
        """The carriers, and still controls that hold a part of what they move, such as a foot that stands."""
        names, bones = self.skeleton.names, self.clip.armature.pose.bones
        moved = {*carriers.moved}
        if 0 in moved:
            return moved
        reached = self.following.followers(names[joint] for joint in moved)
        figure = {bone.name for bone in bones if bone.bone.use_deform} or {*bones.keys()}
        for joint in np.flatnonzero(self.movable)[1:].tolist():
            if names[joint] in reached:
                continue
            own = self.following.followers([names[joint]])
            if own & reached & figure and own.isdisjoint(names[each] for each in moved):
                moved.add(joint)
                reached |= own
        return moved


def _refuse_following(clip: Clip, states: list[_State], moved: list[int], follows: np.ndarray) -> None:
    """Raise: of two motions that are put together it is not known which control follows what."""
    state, number = np.argwhere(follows)[0]
    frame = scope.to_scene(clip.armature, clip.frames[[states[state].row]])[0]
    raise MotionEditError(
        f"'{clip.motion.skeleton.names[moved[number]]}' travels on its own at some frames and follows another bone at "
        f"frame {frame:g}: give it one parent for the whole action first"
    )
