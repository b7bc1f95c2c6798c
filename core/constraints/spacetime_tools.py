"""Meeting constraints and dragging a joint as tools: how far the whole motion may change for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .. import numerics
from ..editing import KEEP_CONTACTS_TEXT, Tool, Unit, choice, number, numbers, switch, text, whole_number
from ..solve import spacetime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..editing import Change
    from ..motion import Indices, Motion
    from ..solve.spacetime import Constraint, Objective, Position, Spacetime, SplineBasis
    from .constrained_take import ConstrainedTake

# Shares of the spacing, and of the frames at most, over which a change is calmed: it hardly swings to the other side
# before and after.
_CALM, _MOST_CALM = 0.75, 0.1
_SPACING = whole_number(
    10, "Shortest swing of the change in frames; fewer follow more closely", limits=(1, None), soft_limits=(None, 60)
)
_OBJECTIVE = choice(
    "CHANGE",
    "Which changes are kept small",
    ("CHANGE", "Least Change", "Keep all changes small, and swings most of all"),
    ("SLOW", "Least Quick Change", "Keep fast changes small; the motion may lean slowly"),
)
_SLOW = number(0.5, "Frequency in hertz below which changes are almost free", label="Slow Below", limits=(0.01, None))
_HOLD_ROOT = switch(False, "Keep bones without a parent as they are")


class SpacetimeTool(Tool):
    """Tools that change all frames together, as little and as smoothly as can be."""

    spacing: int
    objective: str
    slow: float
    hold_root: bool
    keep_contacts: bool

    @property
    def unused(self) -> frozenset[str]:
        """The frequency, where every change counts the same."""
        return frozenset() if self.objective == "SLOW" else frozenset({"slow"})

    def problem(
        self,
        motions: Sequence[Motion],
        constraints: Sequence[Constraint],
        *,
        window: tuple[int, int] | None = None,
        joint_weights: Sequence[Any] | None = None,
    ) -> Spacetime:
        """Constraints over motions with common frames, ready to be solved.

        Args:
            motions: Of all characters, then those that nothing may change.
            window: First and last frame that may change; all by default.
            joint_weights: How much the joints of each motion resist; all alike by default.
        """
        first, last = window or (0, len(motions[0]) - 1)
        basis = spacetime.SplineBasis.build(len(motions[0]), spacing=self.spacing, start=first, end=last)
        objective = self._objective(basis, motions[0].rate, last - first)
        return spacetime.Spacetime(motions, constraints, basis=basis, objective=objective, joint_weights=joint_weights)

    def _objective(self, basis: SplineBasis, rate: float, frames: int) -> Objective:
        if self.objective == "SLOW":
            return spacetime.Objective.least_change_above(basis, numerics.butterworth(self.slow), rate=rate)
        return spacetime.Objective.least_change(basis, calm=min(_CALM * self.spacing, _MOST_CALM * frames))

    def _least_change(self, take: ConstrainedTake, *handles: Position) -> Change:
        constraints = (*take.constraints, *handles)
        if not constraints:
            return take.changed(take.motion)
        (after,) = self.problem([take.motion], constraints).solve().motions
        return take.changed(after, keep_contacts=self.keep_contacts)


class SolveConstraints(SpacetimeTool):
    """Change the motion as little as possible to meet all constraints"""

    verb: ClassVar[str] = "Solved"

    spacing: int = _SPACING
    objective: str = _OBJECTIVE
    slow: float = _SLOW
    hold_root: bool = _HOLD_ROOT
    keep_contacts: bool = switch(False, KEEP_CONTACTS_TEXT)

    def apply(self, take: ConstrainedTake) -> Change:
        """The least change that meets the constraints of the take."""
        return self._least_change(take)


class DragJoint(SpacetimeTool):
    """Drag the active bone with the mouse; the whole motion follows"""

    verb: ClassVar[str] = "Dragged"

    bone: str = text("", "Name of the bone; the selected or active one if empty", is_remembered=False)
    frame: float = number(0.0, "Scene frame; the current one if not set", is_remembered=False)
    move: tuple[float, float, float] = numbers(
        (0.0, 0.0, 0.0),
        "Distance to move the bone's head, in the scene",
        unit=Unit.DISTANCE,
        precision=3,
        is_remembered=False,
    )
    add_constraint: bool = switch(False, "Add a constraint that holds the bone there")
    spacing: int = _SPACING
    objective: str = _OBJECTIVE
    slow: float = _SLOW
    hold_root: bool = _HOLD_ROOT
    keep_contacts: bool = switch(True, KEEP_CONTACTS_TEXT)

    def apply(self, take: ConstrainedTake) -> Change:
        """The bone carried to another place at the moment that people look at, all constraints held."""
        row = int(abs(take.motion.times - take.time).argmin())
        return self._least_change(take, self.handle(take.motion, [row]))

    def handle(self, motion: Motion, rows: Indices | list[int]) -> Position:
        """The bone's head held so much further on than it is at a row."""
        joint = motion.skeleton.index[self.bone]
        place = motion.part(rows[0], rows[0] + 1).poses.positions[0, joint]
        return spacetime.Position(frames=rows, joint=joint, target=place + tuple(self.move), name=f"Drag {self.bone}")
