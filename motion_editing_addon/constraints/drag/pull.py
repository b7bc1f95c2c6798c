"""A joint that is dragged: the solve that keeps up with the mouse. Knows no operators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import thread_time
from typing import TYPE_CHECKING

import numpy as np

from ....core.errors import MotionEditError
from ....core.motion import Motion
from ....core.solve.spacetime import WithinReach
from ..solve.gathered_constraints import merged

if TYPE_CHECKING:
    from ....core.solve.spacetime import Position, Spacetime
    from ...border.steps import Steps
    from ..solve.spacetime_solve import Constrained

# Steps of the solve at every move of the mouse.
_STEPS = 2
# Seconds of own work, not of waiting for a busy machine: after a move that took more, the next one takes a single
# step. What it leaves open the ones after it meet.
_PATIENCE = 0.08
# Share of the character's size by which a foot may float before it is seen while the mouse moves.
_SEEN = 3e-3


class Pull:
    """A joint that is dragged: at every move of the mouse the whole motion follows, from where it was.

    Of several ways to meet the constraints, small steps along the way of the mouse may come to another one than a
    solve from the motion as it was, which is what letting go does. So while the mouse rests that solve is done too,
    step by step; what it finds is shown, and further moves go on from there.

    Attributes:
        before: The shown frames of each character as they were.
        is_settled: What letting go gives has been found.
    """

    def __init__(self, constrained: Constrained, handle: Position, shown: slice) -> None:
        """Drag a handle of the first character with all constraints held; some rows of the common frames are shown."""
        self._constrained, self._handle, self._shown = constrained, handle, shown
        self._others = merged(constrained.constraints((handle,)))
        self._reaches: list[WithinReach] = []
        self._closings = constrained.closings((handle,))
        self._spacetime = constrained.spacetime((handle,), instead=self._others)
        self._moved = handle
        self._settling: Steps[tuple[list[Motion], Spacetime]] | None = None
        self.is_settled = True
        self._steps = _STEPS
        shows = [motion.part(shown.start, shown.stop) for motion in constrained.motions]
        self.before = constrained.own(shows, shown.start)

    def to(self, move: Iterable[float]) -> list[Motion]:
        """The shown frames of each character when the joint is so far (3,) from where it was at first."""
        place = np.asarray(self._handle.target) + np.asarray(move, dtype=np.float64)
        self._moved = replace(self._handle, target=place)
        self._settling, self.is_settled = None, False
        started = thread_time()
        self._spacetime = self._spacetime.with_constraints((*self._others, self._moved, *self._reaches))
        motions = self._spacetime.solve(steps=self._steps, shown=self._shown).motions
        if self._constrained.tool.keep_contacts:  # What is held now and then by constraints hardly gets out of reach.
            self._heed(self._out_of_reach(motions))
        self._steps = 1 if thread_time() - started > _PATIENCE else _STEPS
        pairs = zip(self._closings, self.before, self._constrained.own(motions, self._shown.start), strict=True)
        return [closing.closed(before, after) for closing, before, after in pairs]

    def settle(self) -> list[Motion] | None:
        """Come one step nearer to what letting go here gives; its shown frames if that is found now."""
        if self._settling is None:
            self._settling = self._constrained.solved((self._moved,))
        try:
            next(self._settling)
        except MotionEditError:  # The move itself has told it.
            self.is_settled = True
        except StopIteration as end:
            motions, problem = end.value
            self._heed([each for each in problem.constraints if isinstance(each, WithinReach)])
            self._spacetime.go_on_from(problem)
            self.is_settled = True
            return [self._shown_of(number, motion) for number, motion in enumerate(motions)]
        return None

    def _shown_of(self, character: int, motion: Motion) -> Motion:
        """The rows of a character's own frames that are shown."""
        member, before = self._constrained.members[character], self.before[character]
        start = min(max(self._shown.start - member.start, 0), len(motion) - len(before))
        return motion.part(start, start + len(before))

    def _out_of_reach(self, motions: Iterable[Motion]) -> list[WithinReach]:
        """What would let limbs reach what they keep that clearly do not."""
        pairs = zip(self._closings, motions, strict=False)
        return [
            each for closing, motion in pairs for each in closing.out_of_reach(motion, self._shown.start, spare=_SEEN)
        ]

    def _heed(self, reaches: list[WithinReach]) -> None:
        """From the next move on let limbs reach what they keep."""
        further = [each for each in reaches if _when(each) not in map(_when, self._reaches)]
        if further:
            self._reaches += further
            self._spacetime = self._spacetime.with_further(further)


def _when(reach: WithinReach) -> tuple[int, int, int]:
    """Whose limb it is, which one, and from which row on."""
    return reach.character, reach.joint, int(reach.at[0])
