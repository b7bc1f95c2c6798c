"""Where features and timing are taken from: a window, another action or another character."""

from dataclasses import dataclass

from ..body import Body
from ..numerics import Array
from .segment import Segment


@dataclass(frozen=True)
class Reference:
    """A part of a motion, whose body it is, and where its joints (F, J, 3) are if the motion alone does not tell."""

    segment: Segment
    body: Body
    positions: Array | None = None
