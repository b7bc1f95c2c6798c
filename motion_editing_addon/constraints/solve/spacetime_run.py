"""Running edits of whole motions that hold the listed constraints; what is missed is noted and told."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ....core.errors import MotionEditError
from ....core.solve.spacetime import size_of
from ...border import action_io
from ...border.action_io.any_frames import read_frames
from ...border.action_io.reduction.sparse_keys import carry_following
from ...document import scope
from ...document.action_users import one_per_animation
from ...document.take.clip_take import ClipTake
from ...interface.operators.take_run import TakeRun
from ..misses import missed_text, note_miss
from .seen import as_keyed, as_seen, keyed
from .spacetime_solve import Constrained, Miss
from .standing_limbs import has_feet
from .together import Member, group_of, members_of

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ....core.solve.spacetime import Constraint, Position, Violation
    from ...border.action_io import Clip, Property, WriteReport
    from ...border.steps import Steps
    from ...interface.operators.operator import Carry, MotionEditOperator

    Handles = tuple[Position, ...]


class SpacetimeRun(TakeRun):
    """One call of an operator whose tool changes whole motions. Its kinds may add `handles`."""

    def __init__(self, operator: MotionEditOperator) -> None:
        """Nothing is read yet."""
        super().__init__(operator)
        self._together: list[Object] = []
        self._planned: dict[str, Carry] = {}
        self._refused: dict[str, MotionEditError] = {}
        self._solved: list[tuple[Constrained, Handles]] = []
        self._missed: list[tuple[str, Violation]] = []

    def handles(self, _constrained: Constrained) -> Handles:
        """What else has to hold, after the constraints of the lists."""
        return ()

    def members(self, clips: list[Clip]) -> list[Member]:
        """The characters that change together, with their lists."""
        return members_of(clips)

    # Doing it

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures; then tell what is missed."""
        # Before actions are copied: who shares one with another armature follows that one.
        self._together = one_per_animation(self.operator.chosen(context))
        yield from super().work(context)

    def take_of(self, clip: Clip, _joints: np.ndarray) -> ClipTake:
        """The whole character, whatever bones are picked."""
        return ClipTake(clip)

    def muted(self, _take: ClipTake) -> list[Property]:
        """Nothing yet: those count that could have helped to meet a constraint, see `plan`."""
        return []

    def plan(self, take: ClipTake) -> Steps[Carry]:
        """Solve, and plan the keys; characters that are tied together are all planned with the first of them."""
        clip, name = take.clip, take.clip.armature.name
        if name in self._refused:
            raise self._refused[name]
        if name not in self._planned:
            try:
                yield from self._plan_together(clip)
            except MotionEditError as error:
                self._refused |= {each.name: error for each in group_of(clip.armature, self._together)}
                raise
        return self._planned[name]

    def _plan_together(self, clip: Clip) -> Steps[None]:
        constrained, handles = yield from self.prepared(clip, self._together)
        edited, _problem = yield from constrained.solved(handles)
        planned, closings = {}, constrained.closings(handles)
        for character, (member, motion) in enumerate(zip(constrained.members, edited, strict=True)):
            given = keyed(member.clip), as_keyed(member.clip, motion), self.operator.key_options()
            plan = yield from action_io.plan_write(*given)
            left_out = {*plan.muted, *constrained.left_out(character, handles), *closings[character].left_out}
            plan = replace(plan, muted=list(left_out))
            # Sparse curves get keys where a single moment was asked for and where limbs stand; else theirs have to do.
            met, closely = constrained.moments(character, handles), closings[character].closely(member.clip.motion)
            planned[member.clip.armature.name] = partial(carry_following, plan, met, *closely)
        self._planned.update(planned)
        self._solved.append((constrained, handles))

    def prepared(self, clip: Clip, chosen: list[Object]) -> Steps[tuple[Constrained, Handles]]:
        """The armature of a clip, and of the chosen ones all that it is tied to, with what has to hold.

        Raises:
            MotionEditError: Something that has to hold is about a bone that cannot move.
        """
        constrained = yield from self._constrained(clip, chosen)
        handles = self.handles(constrained)
        for each in constrained.facts:
            yield from each.sample()
        _check_places(constrained.facts, (*constrained.gathered.constraints, *handles))
        constrained.check_free(handles)
        return constrained, handles

    def _constrained(self, clip: Clip, chosen: list[Object]) -> Steps[Constrained]:
        """The characters in the scene, with constraints."""
        _, *others = group_of(clip.armature, chosen)
        choice = self.operator.range
        clips = [clip, *(scope.read_clip(bpy.context, other, choice=choice) for other in others)]
        wholes = []
        for each in clips:
            # A range of the action is changed so that it joins smoothly.
            whole = each if choice == "ACTION" else scope.read_clip(bpy.context, each.armature)
            wholes.append((yield from as_seen(whole)))
        members, tool = self.members(wholes), self.operator.present_tool()
        if not self.operator.properties.is_property_set("keep_contacts"):  # nobody asked for them
            tool = replace(tool, keep_contacts=tool.keep_contacts and all(map(has_feet, wholes)))
        return Constrained(members, tool, window=None if choice == "ACTION" else _window(members, clips))

    # What came of it

    def tell(self, reports: list[WriteReport], chosen: list[Object]) -> None:
        """Report what was done, and what is missed."""
        for solved in self._solved:
            self.look_back(*solved)
        super().tell(reports, chosen)
        if self._missed:
            self.operator.report({"WARNING"}, missed_text(self._missed))

    def remarks(self, _reports: list[WriteReport]) -> str:
        """Nothing: how far the motion changed follows from what was asked for."""
        return ""

    def look_back(self, constrained: Constrained, handles: Handles) -> list[Miss]:
        """Look at what the keys, as they are now, miss."""
        # At the clips' own frames: few keys would not tell any more that they were sampled between whole frames.
        clips = [member.clip for member in constrained.members]
        now = [read_frames(clip.armature, clip.frames, rate=clip.motion.rate).motion for clip in clips]
        misses = constrained.misses(now, handles)
        for each in misses:
            items = constrained.members[each.character].items
            # A handle is a place, and so is what else is in no list.
            kind = items[each.number].kind if each.number >= 0 else ""
            self._missed.append((kind, each.violation))
        for character, member in enumerate(constrained.members):
            own = {each.number: each.violation for each in misses if each.character == character}
            for number in constrained.gathered.numbers_of(character):
                note_miss(member.items[number], own.get(number))
        return misses


def _window(members: list[Member], clips: list[Clip]) -> tuple[int, int]:
    """First and last row of the common frames that all may change.

    Raises:
        MotionEditError: There are none.
    """
    ends = []
    for member, clip in zip(members, clips, strict=True):
        own = member.clip.frames
        ends.append(member.start + np.minimum(np.searchsorted(own, clip.frames[[0, -1]] - 1e-3), len(own) - 1))
    first, last = max(end[0] for end in ends), min(end[1] for end in ends)
    if first > last:
        raise MotionEditError("The characters have no frames of this range in common: choose another one")
    return int(first), int(last)


def _check_places(facts: list[ClipTake], constraints: tuple[Constraint, ...]) -> None:
    """Refuse bones that something else than their own channels moves.

    Raises:
        MotionEditError: A constraint or driver of the rig moves the bone.
    """
    for number, known in enumerate(facts):
        if known.is_shown or known.positions is None:
            continue
        motion = known.clip.motion
        away = np.abs(known.positions - motion.poses.positions).max(axis=(0, 2))
        ends = {joint for each in constraints for character, joint in each.ends() if character == number}
        for joint in sorted(ends):
            if away[joint] > 1e-3 * size_of(motion.skeleton):
                bone = motion.skeleton.names[joint]
                raise MotionEditError(
                    f"'{bone}' is moved by the rig's constraints or drivers: choose its control, or bake"
                )
