"""What a search for faults of the capture finds: where, when and how large."""

from dataclasses import dataclass
from enum import Enum

# Names of a motion's arrays by what flaws call them.
CHANNELS = {"rotation": "rotations", "location": "locations", "scale": "scales"}


class FlawKind(Enum):
    """What is wrong."""

    SPIKE = "spike"
    HELD = "held"
    MISSING = "missing"
    JUMP = "jump"
    BELOW_FLOOR = "below floor"


@dataclass(frozen=True)
class Flaw:
    """One fault in one channel of a joint.

    Attributes:
        kind: What is wrong.
        joint: Name of the joint.
        channel: 'rotation', 'location' or 'scale'.
        first: Number of the first frame that is wrong.
        last: Number of the last one.
        size: How far off it is at most: radians of rotations, units of everything else.
    """

    kind: FlawKind
    joint: str
    channel: str
    first: int
    last: int
    size: float
