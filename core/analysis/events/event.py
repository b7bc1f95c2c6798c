"""Something that happens in a motion, and when."""

from dataclasses import dataclass
from enum import Enum


class EventKind(Enum):
    """What happens."""

    FLIGHT = "Flight"
    STRIKE = "Strike"
    REPETITION = "Repetition"
    IDLE = "Idle"


@dataclass(frozen=True)
class Event:
    """A stretch of a motion in which one thing happens.

    Attributes:
        kind: What happens.
        start: Seconds.
        end: Seconds.
        beats: Of a repetition the seconds at which it begins again, and at which its last turn ends.
    """

    kind: EventKind
    start: float
    end: float
    beats: tuple[float, ...] = ()
