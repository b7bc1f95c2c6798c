"""Options that tools of the timeline share."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ... import timeline
from ...editing import Tool, Unit, choice, number, text, whole_number

if TYPE_CHECKING:
    from ...editing import PropagationWindow
    from ..reference import Reference
    from .windowed_take import WindowedTake

# No frame of any scene.
NOT_SET = -1.0e6
AMOUNT = "Strength of the change; 0 changes nothing, 1 is all of it"
EASE = number(
    0.25,
    "Part of the window at each end over which the edit eases in and out",
    limits=(0.0, 0.5),
    unit=Unit.FACTOR,
)
_OF_OTHERS = frozenset({"reference_action", "reference_object", "reference_start", "reference_end"})


class ReferenceTool(Tool):
    """What takes something from a window, another action or another character."""

    is_measured: ClassVar[bool] = False
    needs_positions: ClassVar[bool] = True

    reference: str = choice(
        "WINDOW",
        "Motion to use as the reference",
        ("WINDOW", "Operation Window", "Take features from the operation window"),
        ("ACTION", "Another Action", "Take features from frames of another action"),
        ("OBJECT", "Another Character", "Take features from frames of another armature's action"),
    )
    source_window: int = whole_number(-1, "Window to take it from; -1 is the operation window", limits=(-1, None))
    reference_action: str = text("", "Action to use as the reference", label="Action")
    reference_object: str = text("", "Armature to use as the reference", label="Character")
    reference_start: float = number(1.0, "First frame of the reference action", label="From")
    reference_end: float = number(50.0, "Last frame of the reference action", label="To")
    target: int = whole_number(
        -2, "Window to change; -1 is the operation window, -2 all enabled ones", limits=(-2, None)
    )
    amount: float = number(1.0, AMOUNT, limits=(0.0, 1.0), unit=Unit.FACTOR)

    @property
    def unused(self) -> frozenset[str]:
        """What is about another kind of reference."""
        if self.reference == "WINDOW":
            return _OF_OTHERS
        return frozenset({"source_window", "reference_object" if self.reference == "ACTION" else "reference_action"})

    def targets(self, take: WindowedTake) -> list[PropagationWindow]:
        """The windows to change."""
        return take.windows.targets(self.target, self.source_window if self.reference == "WINDOW" else None)

    def found(self, take: WindowedTake) -> Reference:
        """The part that it is taken from."""
        if self.reference == "WINDOW":
            window = take.windows.numbered(self.source_window)
            segment = timeline.Segment(take.motion, window.start, window.end)
            return timeline.Reference(segment, take.body, take.positions)
        name = self.reference_action if self.reference == "ACTION" else self.reference_object
        return take.other_reference(self.reference, name, self.reference_start, self.reference_end)
