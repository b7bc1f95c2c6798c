"""Retiming a layer as a tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..editing import Tool, Unit, number, text, whole_number

if TYPE_CHECKING:
    from .stack import LayerStack


@dataclass(frozen=True, eq=False)
class LayeredTake:
    """Layers over a motion.

    Attributes:
        stack: All of them.
        active: Name of the layer that is meant where a tool names none.
        rate: Frames in a second.
    """

    stack: LayerStack
    active: str
    rate: float


class RetimeLayer(Tool):
    """Offset and stretch the layer in time"""

    verb: ClassVar[str] = "Retimed"
    sliders: ClassVar[tuple[str, ...]] = ("offset", "stretch")

    layer: str = text("", "Name of the layer; the active one if empty", is_remembered=False)
    offset: int = whole_number(
        0, "Time offset in frames; positive is later", soft_limits=(-500, 500), unit=Unit.FRAMES, drag=(1, 5)
    )
    stretch: float = number(
        1.0,
        "New duration as a factor of the old one; the start stays",
        limits=(0.01, None),
        soft_limits=(0.1, 5.0),
        unit=Unit.FACTOR,
        drag=(1, 10),
    )

    def apply(self, take: LayeredTake) -> LayerStack:
        """The layer so many times as long from its start on, and then later."""
        seconds = self.offset / take.rate
        return take.stack.changed(self.layer or take.active, lambda layer: layer.stretched(self.stretch).moved(seconds))
