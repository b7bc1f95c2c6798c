"""Spacetime edits of a clip: its constraints, what a drag adds to them, and what came of it. Knows no operators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import MotionEditError
from ...core.filters import butterworth
from ...core.motion import Motion
from ...core.spacetime import Objective, Position, Spacetime, SplineBasis, Violation
from ...core.spacetime.degrees import size_of
from .listed import Listed, read_list

if TYPE_CHECKING:
    from bpy.types import PropertyGroup

    from ..action_io import Clip

# Steps of a solve that nobody waits for with the mouse in hand, and of one at every move of it.
_STEPS, _DRAG_STEPS = 40, 2
# Seconds: after a move that took longer, the next one takes a single step. What it leaves open the ones after it meet.
_PATIENCE = 0.05
# Share of the character's size by which a constraint may be missed and still counts as held.
_HELD = 1e-4


@dataclass(frozen=True)
class SolveOptions:
    """How a motion may change.

    Attributes:
        spacing: Frames of the quickest half wave of the change.
        slow: Hertz below which changes are nearly free; 0 lets every change count the same.
        hold_root: Bones without a parent stay as they are.
    """

    spacing: int = 10
    slow: float = 0.0
    hold_root: bool = False


class ConstrainedClip:
    """A clip with its list of constraints, ready to be solved."""

    def __init__(
        self,
        clip: Clip,
        items: list[PropertyGroup],
        options: SolveOptions,
        *,
        window: tuple[int, int] | None = None,
        leave_out: int = -1,
    ) -> None:
        """Read the list and where its targets are.

        Args:
            clip: Whole action.
            items: The list.
            options: How the motion may change.
            window: First and last row that may change; all by default.
            leave_out: Number of an item that does not count, because a drag takes its place.
        """
        self.clip, self._items, self._options = clip, items, options
        self.first, self.last = window or (0, len(clip.frames) - 1)
        self._leave_out = leave_out
        self.listed = self._read(max(1, options.spacing // 3))

    def _read(self, every: int) -> Listed:
        rows = {"first": self.first, "last": self.last}
        return read_list(self.clip, self._items, every=every, leave_out=self._leave_out, **rows)

    def handle(self, bone: str, frame: float, move: Iterable[float]) -> Position:
        """A bone's head held where it is at a frame, and so much (3,) further on."""
        from .listed import rows_of

        rows, joints = rows_of(self.clip.frames, frame, frame), self.clip.motion.skeleton.index
        if bone not in joints:
            raise MotionEditError(f"There is no bone '{bone}'" if bone else "Make a bone active, or name it")
        if not len(rows) or not self.first <= rows[0] <= self.last:
            raise MotionEditError(f"Frame {frame:g} is outside the frames that may change: go to another one")
        place = self.clip.motion.part(rows[0], rows[0] + 1).poses.positions[0, joints[bone]]
        return Position(frames=rows, joint=joints[bone], target=place + np.asarray(move), name=f"Drag {bone}")

    def spacetime(self, handles: tuple[Position, ...] = ()) -> Spacetime:
        """The problem, with handles after the constraints of the list.

        Raises:
            MotionEditError: There is nothing to hold, or the spacing does not fit the frames.
        """
        constraints = (*self.listed.constraints, *handles)
        if not constraints:
            raise MotionEditError("No constraint is enabled within these frames: add one with the plus")
        basis = self._basis()
        motions = (self.clip.motion, *self.listed.companions)
        weights = (self._weights(), *([np.inf] for _each in self.listed.companions))
        return Spacetime(motions, constraints, basis=basis, objective=self._objective(basis), joint_weights=weights)

    def solved(self, handles: tuple[Position, ...] = ()) -> Motion:
        """The motion with the least change that meets all constraints and handles."""
        return self.spacetime(handles).solve(steps=_STEPS).motions[0]

    def misses(self, motion: Motion, handles: tuple[Position, ...] = ()) -> list[tuple[int, Violation]]:
        """What a motion misses, at every frame of every span, the worst first.

        Each comes with its number in the list, -1 for a handle; frames are those of the action.
        """
        listed = self._read(1)
        constraints = (*listed.constraints, *handles)
        if not constraints:
            return []
        looked = Spacetime((motion, *listed.companions), constraints, basis=self._basis()).solve(steps=0)
        least, numbers = _HELD * size_of(motion.skeleton), (*listed.numbers, *(-1 for _each in handles))
        return [
            (numbers[each.constraint], replace(each, frame=float(self.clip.frames[each.frame])))
            for each in looked.violations
            if each.amount > least
        ]

    def _basis(self) -> SplineBasis:
        frames, spacing = len(self.clip.frames), self._options.spacing
        return SplineBasis.build(frames, spacing=spacing, start=self.first, end=self.last)

    def _objective(self, basis: SplineBasis) -> Objective:
        if not self._options.slow:
            return Objective.least_change(basis)
        rate = self.clip.motion.rate
        return Objective.least_change_above(basis, butterworth(self._options.slow), rate=rate)

    def _weights(self) -> np.ndarray:
        """(J,) how much joints resist."""
        skeleton = self.clip.motion.skeleton
        carriers = (-1, 0) if skeleton.has_placement else (-1,)
        held = np.isin(skeleton.parents, carriers) & self._options.hold_root
        return np.where(held, np.inf, 1.0)


class Pull:
    """A joint that is dragged: at every move of the mouse the whole motion follows, from where it was."""

    def __init__(self, spacetime: Spacetime, handle: Position, others: tuple[object, ...]) -> None:
        """Take a problem whose constraints are the others, then the handle."""
        self._spacetime, self._handle, self._others = spacetime, handle, others
        self._place = np.array(handle.target)
        self._steps = _DRAG_STEPS

    @classmethod
    def of(cls, constrained: ConstrainedClip, handle: Position) -> Pull:
        """Drag a handle of a clip with all its constraints held."""
        return cls(constrained.spacetime((handle,)), handle, constrained.listed.constraints)

    def to(self, move: Iterable[float]) -> Motion:
        """The motion when the joint is so far (3,) from where it was at first."""
        moved = replace(self._handle, target=self._place + np.asarray(move, dtype=np.float64))
        started = perf_counter()
        self._spacetime = self._spacetime.with_constraints((*self._others, moved))
        motion = self._spacetime.solve(steps=self._steps).motions[0]
        self._steps = 1 if perf_counter() - started > _PATIENCE else _DRAG_STEPS
        return motion
