"""Spacetime edits of clips: their constraints, what handles add to them, and what came of it. Knows no operators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.constraints import DragJoint, SpacetimeTool
from ....core.errors import MotionEditError
from ....core.motion import Motion
from ....core.solve.spacetime import (
    KNOTS_APART,
    Constraint,
    Degrees,
    NoSkid,
    Position,
    Spacetime,
    Violation,
    natural_weights,
    size_of,
)
from ....core.solve.spacetime.kinds import place_of
from ...border.action_io.curves.channels import channel_text
from ...border.steps import Steps
from ..constraint_list import rows_of
from ..figure_clip import bone_in, point_in
from ..stiffness import stiffness_in
from .gathered_constraints import Gathered, ends_of, gather
from .limb_pass import Closing
from .muted_channels import muted_above, muted_degrees
from .seen import facts_of
from .standing_limbs import held_now_and_then, known_body, standing_items
from .together import Member

if TYPE_CHECKING:
    from ....core.body import Body
    from ....core.solve.spacetime import SpacetimeResult
    from ...border.action_io import Property

# Steps of a solve at most.
_STEPS = 120
# Share of the way of what is dragged by which the whole body is carried along where a solve starts from that; and
# share of the character's size below which a drag is so short that there is one answer only.
_CARRIED, _SHORT = 0.3, 0.05
# Share of the character's size by which a constraint may be missed and still counts as held; and of a figure whose
# controls cannot show each turn of its back.
_HELD, _HELD_BY_CONTROLS = 1e-4, 5e-4


@dataclass(frozen=True)
class Miss:
    """A constraint that is missed.

    Attributes:
        character: Number of the character.
        number: In its list; -1 for a handle.
        violation: By how much; its frame is one of the character's action.
    """

    character: int
    number: int
    violation: Violation


class Constrained:
    """Characters that change together, mostly one, with their lists of constraints: ready to be solved."""

    def __init__(self, members: list[Member], tool: SpacetimeTool, *, window: tuple[int, int] | None = None) -> None:
        """Read the lists and where their targets are.

        Args:
            members: The characters; handles are about the first one.
            tool: How their motions may change.
            window: First and last row of the common frames that may change; all by default.
        """
        self.members, self.tool = members, tool
        self.motions = tuple(member.motion for member in members)
        self.facts = [facts_of(member.clip) for member in members]
        self._bodies = [known_body(each) for each in self.facts]
        # For each character the numbers in its list that limb IK holds in the end.
        self.standing = [standing_items(member, body) for member, body in zip(members, self._bodies, strict=True)]
        self._resist = list(map(self._weights, members, self._bodies))
        self.first, self.last = window or (0, len(self.motions[0]) - 1)
        self.gathered = self._gather(max(1, tool.spacing // 3))

    def _gather(self, every: int) -> Gathered:
        return gather(self.members, first=self.first, last=self.last, every=every)

    def handle(self, bone: str, frame: float, move: Iterable[float]) -> Position:
        """A bone's head held where it is at an action frame of the first character, and so much (3,) further on."""
        member, motion = self.members[0], self.motions[0]
        rows, joints = rows_of(member.clip.frames, frame, frame) + member.start, motion.skeleton.index
        shown = bone_in(member.clip, bone)
        if not bone or shown not in joints:  # the object itself goes by the empty name
            raise MotionEditError(
                f"There is no bone '{bone}'" if bone else "Make a bone active in pose mode, or name it"
            )
        if not len(rows) or not self.first <= rows[0] <= self.last:
            raise MotionEditError(f"Frame {frame:g} is outside the frames that may change: go to another one")
        x, y, z = way = tuple(move)
        handle = DragJoint(bone=shown, move=(x, y, z)).handle(motion, rows)
        offset = point_in(member.clip, bone)
        place = place_of(motion, handle.joint, rows, offset)[0]
        return replace(handle, name=f"Drag {bone}", offset=offset, target=place + way)

    def constraints(self, handles: tuple[Position, ...] = ()) -> tuple[Constraint, ...]:
        """What the lists ask for, as it is solved together with handles: limbs that stand are held now and then."""
        moments = np.concatenate([np.empty(0, dtype=np.intp), *(handle.at for handle in handles)])
        every = KNOTS_APART * self.tool.spacing
        found: list[Constraint] = []
        for each, (character, number) in zip(self.gathered.constraints, self.gathered.sources, strict=True):
            stands, motion = number in self.standing[character], self.motions[character]
            if stands and isinstance(each, (Position, NoSkid)):
                each = held_now_and_then(each, motion, every=every, moments=moments)
            found.append(each)
        return tuple(found)

    def spacetime(
        self, handles: tuple[Position, ...] = (), *, instead: tuple[Constraint, ...] | None = None
    ) -> Spacetime:
        """The problem, with handles after the constraints of the lists, or after what says the same instead of them.

        Raises:
            MotionEditError: There is nothing to hold, or the spacing does not fit the frames.
        """
        constraints = (*(self.constraints(handles) if instead is None else instead), *handles)
        if not constraints:
            raise MotionEditError("No constraint is enabled within these frames: add one with the plus")
        companions = self.gathered.companions
        weights = (*self._resist, *([np.inf] for _each in companions))
        return self._problem((*self.motions, *companions), constraints, joint_weights=weights)

    def _problem(
        self, motions: Sequence[Motion], constraints: Sequence[Constraint], *, joint_weights: Any = None
    ) -> Spacetime:
        window = self.first, self.last
        return self.tool.problem(motions, constraints, window=window, joint_weights=joint_weights)

    def solved(self, handles: tuple[Position, ...] = ()) -> Steps[tuple[list[Motion], Spacetime]]:
        """For each character its own frames with the least change that meets all constraints and handles.

        Limbs that stand are closed by limb IK. Where a leg would not reach the ground, all is solved again so that
        it does. The problem, solved, comes second.
        """
        closings = self.closings(handles)
        result, problem = yield from self._least(handles)
        for exactly in (False, True):
            pairs = zip(closings, result.motions, strict=False)
            reaches = [closing.out_of_reach(motion, spare=_HELD, exactly=exactly) for closing, motion in pairs]
            beyond = [each for found in reaches for each in found]
            if not beyond:
                break
            problem = problem.with_further(beyond)
            result = yield from problem.solving(steps=_STEPS // 2)
        ends = zip(closings, self.members, self.own(result.motions), strict=True)
        return [closing.closed(member.clip.motion, after) for closing, member, after in ends], problem

    def _least(self, handles: tuple[Position, ...]) -> Steps[tuple[SpacetimeResult, Spacetime]]:
        """The smallest change that solving finds from the motions as they are and from bodies carried along.

        Over standing feet with straight legs, no small turn of a knee lowers the hips: from there alone a body that is
        pulled down would sway or bend its back where it could crouch.
        """
        found: list[tuple[SpacetimeResult, Spacetime]] = []
        for start in (None, *filter(None, map(self._carried_along, handles))):
            problem = self.spacetime(handles)
            if start is not None:
                problem.go_on_from(start)
            result = yield from problem.solving(steps=_STEPS)
            found.append((result, problem))
        return min(found, key=lambda each: (bool(each[0].violations), each[0].size))

    def _carried_along(self, handle: Position) -> Spacetime | None:
        """A part of the way of a handle taken by the root that carries it; None where that is of no use."""
        motion, row = self.motions[0], handle.at[0]
        skeleton, places = motion.skeleton, motion.part(row, row + 1).poses.positions[0]
        move = np.asarray(handle.target) - place_of(motion, handle.joint, [row], handle.offset)[0]
        chain = [handle.joint, *skeleton.ancestors(handle.joint)]
        root = chain[-2 if skeleton.has_placement and len(chain) > 1 else -1]
        is_short = np.linalg.norm(move) < _SHORT * size_of(skeleton)
        stays = not np.isfinite(self._resist[0][root, 3])
        if is_short or root == handle.joint or stays or not self.gathered.constraints:
            return None
        way = {"joint": root, "offset": np.zeros(3), "target": places[root] + _CARRIED * move}
        carried = self.spacetime((replace(handle, **way),), instead=())
        carried.solve()
        return carried

    def closings(self, handles: tuple[Position, ...] = ()) -> list[Closing]:
        """What limb IK holds of each character in the end."""
        return [Closing(self, character, handles) for character in range(len(self.members))]

    def moments(self, character: int, handles: tuple[Position, ...] = ()) -> np.ndarray:
        """(N,) action frames of a character at which something about it has to hold for that frame alone."""
        member = self.members[character]
        own = [
            each.at[0] - member.start
            for each in (*self.gathered.constraints, *handles)
            if len(each.at) == 1 and ends_of(character, (each,))
        ]
        rows = np.array([row for row in own if 0 <= row < len(member.clip.frames)], dtype=np.intp)
        return member.clip.frames[np.unique(rows)]

    def own(self, motions: Iterable[Motion], first: int = 0) -> list[Motion]:
        """Of motions over common frames, from the first one given on, the own frames of each character."""
        return [member.own(motion, first) for member, motion in zip(self.members, motions, strict=False)]

    def misses(self, motions: list[Motion], handles: tuple[Position, ...] = ()) -> list[Miss]:
        """What the characters' own frames, as keyed, miss at every frame of every span, the worst first."""
        gathered = self._gather(1)
        constraints = (*gathered.constraints, *handles)
        if not constraints:
            return []
        held = [member.seen(motion) for member, motion in zip(self.members, motions, strict=True)]
        looked = self._problem((*held, *gathered.companions), constraints).solve(steps=0)
        sources = (*gathered.sources, *((0, -1) for _each in handles))
        found = [self._miss(*sources[each.constraint], each) for each in looked.violations]
        return [each for each in found if each.violation.amount > self._allowed(each)]

    def _miss(self, character: int, number: int, violation: Violation) -> Miss:
        member = self.members[character]
        row = min(max(int(violation.frame) - member.start, 0), len(member.clip.frames) - 1)
        return Miss(character, number, replace(violation, frame=float(member.clip.frames[row])))

    def _allowed(self, miss: Miss) -> float:
        share = _HELD_BY_CONTROLS if self.facts[miss.character].is_shown else _HELD
        return share * size_of(self.motions[miss.character].skeleton)

    def _weights(self, member: Member, body: Body | None) -> np.ndarray:
        """(J, 4) how much joints resist: what bodies do, times the stiffness of each bone; muted ones stay."""
        skeleton = member.motion.skeleton
        carriers = (-1, 0) if skeleton.has_placement else (-1,)
        held = np.isin(skeleton.parents, carriers) & self.tool.hold_root
        stiffness = np.where(held, np.inf, stiffness_in(member.clip))
        resist = natural_weights(member.clip.motion, body) * stiffness[:, None]
        return np.where(muted_degrees(member.clip), np.inf, resist)

    def check_free(self, handles: tuple[Position, ...] = ()) -> None:
        """Refuse handles, or without any all constraints, if nothing is left that could move to meet them.

        Raises:
            MotionEditError: With a channel to unmute.
        """
        muted: list[Property] = []
        for character, (member, resist) in enumerate(zip(self.members, self._resist, strict=True)):
            ends = ends_of(character, handles or self.gathered.constraints)
            if len(Degrees.of_chains(member.motion.skeleton, ends, joint_weights=resist)):
                return
            muted += muted_above(member.clip, ends)
        if muted:
            raise MotionEditError(f"A channel of {channel_text(muted[0].path)} is muted: unmute it, nothing else moves")

    def left_out(self, character: int, handles: tuple[Position, ...] = ()) -> list[Property]:
        """Muted channels of a character that could not help to meet constraints and handles."""
        ends = ends_of(character, (*self.gathered.constraints, *handles))
        return muted_above(self.members[character].clip, ends)
