"""Locking the feet of a clip: contacts, keys that hold them, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.analysis.contacts import ContactSpans
from ...core.editing import Take
from ...core.errors import MotionEditError
from ...core.numerics import quaternion
from ...core.solve.contact_lock import LockReport, ground_under, largest_slide
from ..border import action_io
from ..border.action_io.any_frames import read_frames
from ..border.action_io.curves.channels import channel_text
from ..border.action_io.reduction.sparse_keys import carry_following, write_following
from ..border.armature import is_carried
from ..border.key_options import AUTOMATIC, EVERY_FRAME, KeyOptions
from ..border.lengths import length_text
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.contacts.foot_slide import slide_of
from ..document.contacts.saved_contacts import goes_on, save_contacts
from ..document.contacts.standing_keys import standing_keys
from ..document.scene.carried_space import Carried
from ..document.stack.settings import is_replaying
from ..document.take.clip_take import ClipTake

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ...core.body import Limb
    from ...core.contacts import LockFeet
    from ...core.motion import Motion
    from ..border.action_io import Property, WriteReport
    from ..border.steps import Steps
    from ..interface.operators.operator import Carry

# Body heights within which feet on sparse keys stand still: all that strays, from hip to toes.
_STILL_SPARSE = 0.001
# Share of the height from which on a lowered root can be seen in the whole figure.
_MUCH = 0.01
# Times the largest step of a loop that it may make from its last pose to its first one.
_CLOSED = 1.2
# As many missed contacts are named in the report.
_NAMED = 4


@dataclass(frozen=True)
class Locked:
    """What locking did to one armature; slides in units, measured on the keys as they are.

    Attributes:
        report: Of the motion before it became keys.
        slide_before: Largest slide of a contact as the keys showed it before.
        slide: The same as they show it now.
        rate: Frames a second.
        height: Of the figure, in units; 0 if it is not known.
    """

    report: LockReport
    slide_before: float
    slide: float
    rate: float
    height: float = 0.0

    @property
    def lowered_text(self) -> str:
        """How far the root was lowered, as a share of the figure's height where that is much."""
        lowered = self.report.root_lowered
        share = lowered / self.height if self.height > 0.0 else 0.0
        much = report_text(" ({share} of the height)", share=f"{share:.0%}") if share >= _MUCH else ""
        return length_text(lowered) + much


class FeetLock:
    """One clip whose feet are locked."""

    def __init__(self, take: ClipTake, tool: LockFeet) -> None:
        """Nothing is looked at yet."""
        self.clip, self.facts, self._tool = take.clip, take, tool
        # What is seen to stand: the figure of a control rig, else the skeleton itself.
        self._body = take.shown.body
        self._report = LockReport()

    def prepare(self) -> Steps[None]:
        """Sample a control rig, find contacts; refuse limbs that were chosen and have none."""
        yield from self.facts.sample()
        if any(self._ends_stay) and not self._settings.is_known(self.clip.armature):
            # Looked for in the whole action they are the same the next time, and can be listed.
            whole = ClipTake(scope.read_clip(bpy.context, self.clip.armature))
            yield from whole.sample()
            self.facts.contacts = whole.contacts
        if self._tool.selected and not self._stiff and not any(map(self.contacts.of, self.contacts.joints)):
            raise MotionEditError("The selected limbs have no contacts: mark some in the Contacts panel")
        if self._stiff and not any(map(self.contacts.of, self.contacts.joints)):
            channel = channel_text(self.muted[0].path)
            raise MotionEditError(f"A channel of {channel} is muted: unmute it, a limb is locked as a whole")

    @cached_property
    def _carried(self) -> Carried | None:
        """What carries the character; None where its keys alone say where it is."""
        is_played = self.facts.is_sampled and not self.facts.is_shown
        return Carried(self.clip) if is_played and is_carried(self.clip.armature) else None

    def _in_scene(self, motion: Motion) -> Motion:
        return motion if self._carried is None else self._carried.in_scene(motion)

    @property
    def contacts(self) -> ContactSpans:
        """All of the clip, or those of limbs with a selected bone; none of limbs that cannot be bent."""
        every, left_out = self.facts.contacts, set().union(*map(self._names, self._stiff))
        joints = [joint for joint in every.joints if joint not in left_out]
        if self._tool.selected:
            picked = scope.picked_bones(self.clip.armature)
            shown = {self.facts.bone_seen(name) for name in picked} | picked
            chosen = set().union(*(names for names in map(self._names, self._body.limbs) if names & shown))
            joints = [joint for joint in joints if joint in chosen]
        return ContactSpans({joint: every.of(joint) for joint in joints})

    @property
    def muted(self) -> list[Property]:
        """The muted rotations for which limbs are left out, and the root's place if it cannot be lowered."""
        return [*(rotation for limb in self._stiff for rotation in self._muted_rotations(limb)), *self._held_root]

    @property
    def _held_root(self) -> list[Property]:
        root = None if self.facts.is_shown else self.facts.body.root
        place = self.clip.channels.joints[root][0] if root is not None else None
        return [place] if place is not None and self._tool.lowering > 0.0 and self.clip.channels.is_muted(place) else []

    @cached_property
    def _stiff(self) -> list[Limb]:
        """Limbs in contact with a muted joint: half of a bent leg would be worse than none."""
        every = self.facts.contacts
        touching = {joint for joint in every.joints if every.of(joint)}
        return [limb for limb in self._body.limbs if touching & self._names(limb) and self._muted_rotations(limb)]

    def _muted_rotations(self, limb: Limb) -> list[Property]:
        if self.facts.is_shown:
            return []
        channels = self.clip.channels
        return [channels.joints[joint][1] for joint in limb.chain if channels.is_muted(channels.joints[joint][1])]

    def _names(self, limb: Limb) -> set[str]:
        return {self._body.skeleton.names[joint] for joint in limb.joints}

    def plan(self, options: KeyOptions) -> Steps[Carry]:
        """Lock, and work out the keys; what it returns writes them."""
        # Feet on few keys stand as well as these can tell; a second time nothing changes.
        few = options.keys != EVERY_FRAME and not all(action_io.baked_bones(self.clip).values())
        change = self._locking(few).apply(self._shown())
        motion, self._report = change.whole, change.found
        motion = motion if self._carried is None else self._carried.as_keyed(motion)
        yield 0.5
        if few and options.keys == AUTOMATIC:
            return lambda: self._write_sparse(motion)
        plan = yield from action_io.plan_write(self.clip, motion, options)
        standing = self.facts.where_standing(self.clip.motion, self.contacts)
        return lambda: carry_following(plan, np.empty(0), standing)

    def _locking(self, few: bool) -> LockFeet:
        """The tool, which knows what lies beyond the clip and how well its keys can tell that a foot stands."""
        tool = replace(self._tool, ends_stay=self._ends_stay, lowering=0.0 if self._held_root else self._tool.lowering)
        return replace(tool, still=_STILL_SPARSE) if few else tool

    def _shown(self) -> Take:
        """What is locked, as it is seen in the scene."""
        if self.facts.is_shown:
            self.facts.shown.contacts = self.contacts
            return self.facts
        take = Take(self._in_scene(self.clip.motion))
        take.body, take.contacts = self._body, self.contacts
        return take

    @property
    def _settings(self) -> PropertyGroup:
        """The list of contacts."""
        return scope.own_action(self.clip.armature).motion_editing_contacts

    def measured(self) -> Locked:
        """What the keys hold now; contacts that were found are listed, so that they count again."""
        before, after = self._slides()
        if after is not None and not self._settings.is_known(self.clip.armature):
            save_contacts(self.clip.armature, self.facts.contacts, self.clip.motion.rate)
        height = self._body.height or 0.0
        return Locked(self._report, before or 0.0, after or 0.0, self.clip.motion.rate, height)

    def _slides(self) -> tuple[float | None, float | None]:
        """Largest slide of a contact on the keys before and after; of a control rig as seen, unless that takes long."""
        armature, body = self.clip.armature, self._body
        if is_replaying():  # nobody reads numbers of edits that are done again
            return 0.0, 0.0 if any(map(self.contacts.of, self.contacts.joints)) else None
        now = ClipTake(read_frames(armature, self.clip.frames, rate=self.clip.motion.rate))
        now.contacts = self.contacts
        if not self.facts.is_shown:
            now.body = body
        after, is_slow = now.shown_slide()
        if is_slow:
            after = largest_slide(self._in_scene(now.clip.motion), self.contacts, body=body)
            return self._report.slide_before, after
        if self.facts.is_shown:
            return self.facts.slide_of(self.clip.motion, contacts=self.contacts), after
        return slide_of(armature, self.clip.motion, self.contacts, body, self.facts.positions), after

    @cached_property
    def _ends_stay(self) -> tuple[bool, bool]:
        """Which end of the clip has frames beyond it that must not change; of a loop each is followed by the other."""
        shown = self.facts.shown
        if ground_under(shown.motion, shown.contacts, self._body).any() and _is_loop(self.clip.motion):
            return True, True
        return goes_on(self.clip)

    def _write_sparse(self, motion: Motion) -> WriteReport:
        """Write into sparse keys, which get more where feet would slide between them."""
        options = standing_keys(self._body.height)
        ends = self.contacts.changes() * self.clip.motion.rate
        near = np.abs(self.clip.frames[:, None] - ends).min(axis=1, initial=np.inf) <= 0.5
        return write_following(self.clip, motion, options, self.clip.frames[near])


def _is_loop(motion: Motion) -> bool:
    """Whether the motion goes on from its last pose to its first one without a larger step than it has itself."""
    if len(motion) < 3:
        return False
    turns = quaternion.angle_between(motion.rotations, np.roll(motion.rotations, -1, axis=0))
    places = motion.poses.positions
    ways = np.linalg.norm(np.roll(places, -1, axis=0) - places, axis=-1)
    closed = [steps[-1].max() <= _CLOSED * steps[:-1].max() for steps in (turns, ways)]
    return all(closed)


def locked_text(locked: Sequence[Locked]) -> str:
    """How many contacts, and how far they slid: ', 14 contacts, slide 44 mm -> 0 mm'."""
    if not locked:
        return ""
    contacts = sum(each.report.contacts - len(each.report.missed) for each in locked)
    before, after = max(each.slide_before for each in locked), max(each.slide for each in locked)
    slide = {"before": length_text(before), "after": length_text(after)}
    text = report_text(", {contacts}, slide {before} -> {after}", contacts=counted_text(contacts, "contact"), **slide)
    lowest = max(locked, key=lambda each: each.report.root_lowered)
    if lowest.report.root_lowered > 0.0:
        text += report_text(", root lowered by {distance}", distance=lowest.lowered_text)
    return text


def warning_text(locked: Sequence[Locked]) -> str:
    """Contacts that could not be held, worst first, that there are none, or too few keys; empty if all is well."""
    if locked and not any(each.report.contacts for each in locked):
        return report_text("There are no contacts: mark some in the Contacts panel, or use Find Contacts")
    missed = [(miss, each.rate) for each in locked for miss in each.report.missed]
    if not missed:
        worse = any(each.slide > max(each.slide_before, 2.0 * _STILL_SPARSE * each.height) for each in locked)
        sliding = "Feet slide more than before between so few keys: lower Rotation Error, or choose other Keys"
        return report_text(sliding) if worse else ""
    named = ", ".join(
        report_text(
            "{bone} {first}-{last} by {distance}",
            bone=miss.joint,
            first=round(miss.start * rate),
            last=round(miss.end * rate),
            distance=length_text(miss.distance),
        )
        for miss, rate in sorted(missed, key=lambda each: -each[0].distance)[:_NAMED]
    )
    if len(missed) > _NAMED:
        named = report_text("{names} and {count} more", names=named, count=len(missed) - _NAMED)
    return report_text(
        "{contacts} could not be held: {names}; shorten them in the list, or raise Lowering",
        contacts=counted_text(len(missed), "contact"),
        names=named,
    )
