"""A last pass by limb IK: what has to stand still does so in every frame, between the solver's frames too."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.analysis.contacts import ContactSpans
from ....core.motion import Motion
from ....core.solve.contact_lock import hold_contacts, lock_feet
from ....core.solve.spacetime import Position, WithinReach, size_of, stay_in_reach
from ....core.solve.whole_body import solvable
from ..figure_clip import bone_in
from .gathered_constraints import ends_of
from .muted_channels import muted_turns

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ....core.body import Body
    from ...border.action_io import Property
    from ...border.action_io.reduction.sparse_keys import Closely
    from .spacetime_solve import Constrained

# Frames from one to the next at which a limb is to reach at first: with all of them the solve would take long.
_EVERY = 2
# Seconds that are rounding.
_ROUNDING = 1e-6


class Closing:
    """What limb IK holds of one character after solving.

    Limbs without constraints keep their contacts where they were, if that is wanted. Bones to be kept follow their
    old way. Bones that may not skid stand where they are most of the time in their span. Limbs with a muted joint are
    left alone: half of a bent leg would be worse than none.

    Attributes:
        left_out: Muted rotations for which a limb is not held.
    """

    def __init__(self, constrained: Constrained, character: int, handles: tuple[Position, ...]) -> None:
        """Find out.

        Args:
            constrained: What is solved.
            character: Number of the character.
            handles: What is dragged of the first character.
        """
        member, known = constrained.members[character], constrained.facts[character]
        contacts, standing = constrained.tool.keep_contacts, constrained.standing[character]
        numbers = [each for each in constrained.gathered.numbers_of(character) if contacts or each in standing]
        self._items = [(member.items[number], bone_in(member.clip, member.items[number].bone)) for number in numbers]
        self._facts = known
        self._motion, self._character = member.motion, character
        # Seconds of the first and last frame that may change, and of the character's own first and last one.
        self._window = tuple(member.motion.times[[constrained.first, constrained.last]])
        self._ends = tuple(member.clip.motion.times[[0, -1]])
        self._limbs: list[set[str]] = []
        self._kept = ContactSpans()
        self.left_out: list[Property] = []
        if not contacts and not numbers:
            return
        self._body: Body = known.shown.body
        names = self._motion.skeleton.names
        moved = {names[joint] for joint in ends_of(character, (*constrained.gathered.constraints, *handles))}
        kept = known.shown.contacts if contacts else ContactSpans()
        touching = moved | {joint for joint in kept.joints if kept.of(joint)}
        for limb in self._body.limbs:
            own = {names[joint] for joint in limb.joints}
            stiff = muted_turns(member.clip, limb.chain)
            self.left_out += stiff if own & touching else []
            self._limbs += [] if stiff else [own]
        self._kept = _spans("KEEP", self._items, set().union(*self._limbs), self._motion.rate)
        self._keep_contacts(kept, moved)

    def _keep_contacts(self, contacts: ContactSpans, moved: set[str]) -> None:
        """Keep contacts of limbs of which nothing is asked."""
        free = set().union(*(limb for limb in self._limbs if not limb & moved))
        for name in sorted(free & set(contacts.joints)):
            self._kept = self._kept.with_spans(name, contacts.of(name))

    @cached_property
    def _reaches(self) -> tuple[WithinReach, ...]:
        """That limbs reach what their ends keep, for each time that they do."""
        found, names = [], self._motion.skeleton.names
        for limb in self._body.limbs if self._kept.joints else ():
            joints = solvable(self._motion.skeleton, limb)
            if joints is None:
                continue
            ends = (limb.end, *(joint for digit in limb.digits for joint in digit))
            held = [names[end] for end in ends if end is not None and names[end] in self._kept.joints]
            kept = [self._kept.active(name, self._motion.times) for name in held]
            rows = np.flatnonzero(np.any(kept, axis=0)) if kept else ()
            times = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if len(rows) else ()
            found += [stay_in_reach(self._motion, joints, each, character=self._character) for each in times]
        return tuple(found)

    def out_of_reach(self, motion: Motion, first: int = 0, *, spare: float, exactly: bool = False) -> list[WithinReach]:
        """What has to hold so that limbs reach again what they do not in a motion over common frames from one on.

        Args:
            motion: The edit.
            first: Its first row among the common frames.
            spare: Share of the character's size; limbs that miss by no more do not count.
            exactly: Ask for the frames alone at which they miss; for all times around otherwise.
        """
        found, spare = [], spare * size_of(motion.skeleton)
        for each in self._reaches:
            seen = np.flatnonzero((each.at >= first) & (each.at < first + len(motion)))
            away = motion.poses.positions[each.at[seen] - first, each.joint] - each.place[seen]
            missed = seen[np.linalg.norm(away, axis=1) > each.reach[seen] + spare]
            if len(missed):
                chosen = missed if exactly else np.union1d(np.arange(0, len(each.at), _EVERY), len(each.at) - 1)
                found.append(replace(each, frames=each.at[chosen], place=each.place[chosen], reach=each.reach[chosen]))
        return found

    def closed(self, before: Motion, after: Motion) -> Motion:
        """An edit of a motion, of all its frames or some, with everything held exactly."""
        held = after
        if after is not before and self._limbs:
            held, _report = hold_contacts(before, after, self._body, self._kept, giving=0.0)
        standing = self._standing(after.rate)
        return self._standing_still(held, standing) if standing.joints else held

    def _standing(self, rate: float) -> ContactSpans:
        """When bones may not skid."""
        return _spans("NO_SKID", self._items, set().union(*self._limbs), rate)

    def closely(self, motion: Motion) -> tuple[Closely, ...]:
        """Where sparse curves have to follow the edit of a motion so that what is held stays so between keys."""
        held = self._standing(motion.rate)
        for name in self._kept.joints:
            held = held.with_spans(name, (*held.of(name), *self._kept.of(name)))
        return (self._facts.where_standing(motion, held),) if held.joints else ()

    def _standing_still(self, motion: Motion, spans: ContactSpans) -> Motion:
        """A motion with bones standing still at one place in each of their spans; what may not change stays."""
        first, last = self._window
        rows = np.flatnonzero((motion.times > first - _ROUNDING) & (motion.times < last + _ROUNDING))
        if not len(rows):
            return motion
        start, stop = rows[0], rows[-1] + 1
        stays = first > self._ends[0] + _ROUNDING, last < self._ends[1] - _ROUNDING
        part, _report = lock_feet(motion.part(start, stop), self._body, spans, giving=0.0, ends_stay=stays)
        names = ("rotations", "locations")
        arrays: dict[str, Any] = {name: np.array(getattr(motion, name)) for name in names}
        for name in names:
            arrays[name][start:stop] = getattr(part, name)
        return replace(motion, **arrays)


def _spans(kind: str, items: list[tuple[PropertyGroup, str]], bones: set[str], rate: float) -> ContactSpans:
    """Spans of the constraints of a kind, given with what they hold, on the heads of bones."""
    spans = ContactSpans()
    for item, bone in items:
        if item.kind == kind and bone in bones and item.end > item.start and not item.tail:
            spans = spans.add(bone, item.start / rate, item.end / rate)
    return spans
