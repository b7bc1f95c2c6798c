"""What solving and dragging have in common: how the motion may change, and a report of what is missed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from ... import core
from ...core.errors import MotionEditError
from ...core.wording import angle_text, counted
from ..border.lengths import length_text
from ..document import scope
from ..document.action_users import one_per_animation
from ..interface.operators.whole_character import WholeCharacter
from ..interface.shared_options import KEEP_CONTACTS
from .kinds import KINDS

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Object, PropertyGroup, UILayout

    from ...core.constraints import Constraint, Position, Violation
    from ..border.action_io import Clip, Property, WriteReport
    from ..border.steps import Steps
    from ..document.take.clip_take import ClipTake
    from ..interface.operators.operator import Carry
    from .solve.spacetime_solve import Constrained, Miss, SolveOptions
    from .solve.together import Member

_MOST_NAMED = 3


class SpacetimeEdit(WholeCharacter):
    """Mixin of edits of the whole motion that hold the listed constraints. A tool may add `handles`."""

    offers_range = True
    own = ()  # type: tuple[str, ...]
    _missed = ()
    _solved = ()
    _planned = ()
    _refused = ()
    _together = ()

    spacing: IntProperty(
        name="Spacing",
        description="Shortest swing of the change in frames; fewer follow more closely",
        default=10,
        min=1,
        soft_max=60,
    )
    objective: EnumProperty(
        name="Objective",
        description="Which changes are kept small",
        items=(
            ("CHANGE", "Least Change", "Keep all changes small, and swings most of all"),
            ("SLOW", "Least Quick Change", "Keep fast changes small; the motion may lean slowly"),
        ),
    )
    slow: FloatProperty(
        name="Slow Below", description="Frequency in hertz below which changes are almost free", default=0.5, min=0.01
    )
    hold_root: BoolProperty(name="Hold Root", description="Keep bones without a parent as they are", default=False)
    keep_contacts: BoolProperty(**KEEP_CONTACTS, default=False)

    def handles(self, _constrained: Constrained) -> tuple[Position, ...]:
        """What else has to hold, after the constraints of the lists."""
        return ()

    def members(self, clips: list[Clip]) -> list[Member]:
        """The characters that change together, with their lists."""
        from .solve.together import members_of

        return members_of(clips)

    def solve_options(self) -> SolveOptions:
        """The properties as the solver takes them."""
        from .solve.spacetime_solve import SolveOptions

        slow = self.slow if self.objective == "SLOW" else 0.0
        return SolveOptions(spacing=self.spacing, slow=slow, hold_root=self.hold_root, contacts=self.keep_contacts)

    # Doing it

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures; then tell what is missed."""
        self._missed, self._solved, self._planned, self._refused = [], [], {}, {}
        # Before actions are copied: who shares one with another armature follows that one.
        self._together = one_per_animation(self.chosen(context))
        yield from super().work(context)

    def plan(self, clip: Clip, _joints: np.ndarray) -> Steps[Carry]:
        """Solve, and plan the keys; characters that are tied together are all planned with the first of them."""
        from .solve.together import group_of

        name = clip.armature.name
        if name in self._refused:
            raise self._refused[name]
        if name not in self._planned:
            try:
                yield from self._plan_together(clip)
            except MotionEditError as error:
                self._refused |= {each.name: error for each in group_of(clip.armature, self._together)}
                raise
        return self._planned[name]

    def muted(self, _clip: Clip, _joints: np.ndarray) -> list[Property]:
        """Nothing yet: those count that could have helped to meet a constraint, see `plan`."""
        return []

    def _plan_together(self, clip: Clip) -> Steps[None]:
        from ..border import action_io
        from ..border.action_io.reduction.sparse_keys import carry_following
        from .solve.seen import as_keyed, keyed

        constrained = yield from self.constrained(clip, self._together)
        facts = yield from sampled_facts(constrained)
        handles = self.handles(constrained)
        check_places(facts, (*constrained.gathered.constraints, *handles))
        constrained.check_free(handles)
        edited, _problem = yield from constrained.solved(handles)
        planned, closings = {}, constrained.closings(handles)
        for character, (member, motion) in enumerate(zip(constrained.members, edited, strict=True)):
            given = keyed(member.clip), as_keyed(member.clip, motion), self.key_options()
            plan = yield from action_io.plan_write(*given)
            left_out = {*plan.muted, *constrained.left_out(character, handles), *closings[character].left_out}
            plan = replace(plan, muted=list(left_out))
            # Sparse curves get keys where a single moment was asked for and where limbs stand; else theirs have to do.
            met, closely = constrained.moments(character, handles), closings[character].closely(member.clip.motion)
            planned[member.clip.armature.name] = partial(carry_following, plan, met, *closely)
        self._planned.update(planned)
        self._solved.append((constrained, handles))

    def constrained(self, clip: Clip, chosen: list[Object]) -> Steps[Constrained]:
        """The armature of a clip, and of the chosen ones all that it is tied to, in the scene, with constraints."""
        from .solve.seen import as_seen
        from .solve.spacetime_solve import Constrained
        from .solve.standing_limbs import has_feet
        from .solve.together import group_of

        _, *others = group_of(clip.armature, chosen)
        clips = [clip, *(scope.read_clip(bpy.context, other, choice=self.range) for other in others)]
        wholes = []
        for each in clips:
            wholes.append((yield from as_seen(self._whole(each))))
        members, options = self.members(wholes), self.solve_options()
        if not self.properties.is_property_set("keep_contacts"):  # nobody asked for them, and there may be none
            options = replace(options, contacts=options.contacts and all(map(has_feet, wholes)))
        return Constrained(members, options, window=self._window(members, clips))

    def _whole(self, clip: Clip) -> Clip:
        """The whole action: a range of it is changed so that it joins smoothly."""
        return clip if self.range == "ACTION" else scope.read_clip(bpy.context, clip.armature)

    def _window(self, members: list[Member], clips: list[Clip]) -> tuple[int, int] | None:
        """First and last row of the common frames that all may change; None for all."""
        import numpy as np

        if self.range == "ACTION":
            return None
        ends = []
        for member, clip in zip(members, clips, strict=True):
            own = member.clip.frames
            ends.append(member.start + np.minimum(np.searchsorted(own, clip.frames[[0, -1]] - 1e-3), len(own) - 1))
        first, last = max(end[0] for end in ends), min(end[1] for end in ends)
        if first > last:
            raise MotionEditError("The characters have no frames of this range in common: choose another one")
        return int(first), int(last)

    def look_back(self, constrained: Constrained, handles: tuple[Position, ...]) -> list[Miss]:
        """Look at what the keys, as they are now, miss."""
        from ..border.action_io.any_frames import read_frames

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

    def tell_edit(self, reports: list[WriteReport], chosen: list[Object], remarks: str = "") -> None:
        """Report what was done, and what is missed."""
        for solved in self._solved:
            self.look_back(*solved)
        super().tell_edit(reports, chosen, remarks)
        if self._missed:
            self.report({"WARNING"}, self._missed_text())

    def _missed_text(self) -> str:
        worst = sorted(self._missed, key=lambda missed: -missed[1].amount)
        named = [
            f"'{each.name}' by {amount_text(kind, each.amount)} at frame {each.frame:g}"
            for kind, each in worst[:_MOST_NAMED]
        ]
        count = len(worst)
        more = f" and {count - _MOST_NAMED} more" if count > _MOST_NAMED else ""
        return f"{counted(count, 'constraint is', 'constraints are')} missed: {', '.join(named)}{more}"

    def draw_own(self, layout: UILayout) -> None:
        """The tool's own properties, then how the motion may change."""
        for name in (*self.own, "spacing", "objective"):
            layout.prop(self, name)
        if self.objective == "SLOW":
            layout.prop(self, "slow")
        for name in ("hold_root", "keep_contacts"):
            layout.prop(self, name)


def sampled_facts(constrained: Constrained) -> Steps[list[ClipTake]]:
    """What is known about each character; control rigs are sampled in steps."""
    for each in constrained.facts:
        yield from each.sample()
    return constrained.facts


def check_places(facts: list[ClipTake], constraints: tuple[Constraint, ...]) -> None:
    """Refuse bones that something else than their own channels moves.

    Raises:
        MotionEditError: A constraint or driver of the rig moves the bone.
    """
    import numpy as np

    for number, known in enumerate(facts):
        if known.positions is None:
            continue
        motion = known.clip.motion
        away = np.abs(known.positions - motion.poses.positions).max(axis=(0, 2))
        ends = {joint for each in constraints for character, joint in each.ends() if character == number}
        for joint in sorted(ends):
            if away[joint] > 1e-3 * core.constraints.size_of(motion.skeleton):
                bone = motion.skeleton.names[joint]
                raise MotionEditError(
                    f"'{bone}' is moved by the rig's constraints or drivers: choose its control, or bake"
                )


def amount_text(kind: str, amount: float) -> str:
    """By how much a constraint of a kind is missed, with its unit: "12 mm", "3.5°"."""
    return angle_text(amount) if kind in KINDS and KINDS[kind].is_angle else length_text(amount)


def note_miss(item: PropertyGroup, missed: Violation | None) -> None:
    """Note beside a constraint that was held by how much it is missed."""
    item.missed = missed.amount if missed else 0.0
    item.missed_frame = missed.frame if missed else 0.0
