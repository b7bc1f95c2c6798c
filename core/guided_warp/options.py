"""What can be chosen about a guided warp, and what comes out of it."""

from dataclasses import dataclass

from ..motion import TimeMap
from .keytimes import Speeds as Speeds
from .spans import SpanKind, TimeSpan


@dataclass(frozen=True)
class GuidedWarpOptions:
    """How strongly, how smoothly and within which limits the reference guides the timing.

    Attributes:
        influence: 0 is the smooth warp through the keytimes alone, 1 follows the guide, between is the mean of both
            timings.
        smoothness: Seconds over which the speed of time fades from one value to another. 0 changes it abruptly; half
            a second flattens single steps.
        speed_limit: Time runs at most so many times faster, and nothing gets more than so many times longer. Raise it
            where a pause is to be passed over quickly.
        free_length: The last keytime's new time is free: the length that the guide asks for.
        speeds: Seconds of old time in a second of new time at each keytime, None where it does
            not matter; nothing leaves all of them open.
    """

    influence: float = 1.0
    smoothness: float = 0.1
    speed_limit: float = 4.0
    free_length: bool = False
    speeds: Speeds = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.influence <= 1.0:
            raise ValueError("influence must lie between 0 and 1")
        if not self.smoothness >= 0.0:
            raise ValueError("smoothness must not be below zero")
        if not self.speed_limit >= 1.0:
            raise ValueError("speed_limit must be 1 or more")


@dataclass(frozen=True)
class SpanFate:
    """What became of a span.

    Attributes:
        span: As it was.
        length: New seconds.
    """

    span: TimeSpan
    length: float

    @property
    def share(self) -> float:
        """New seconds for every second that it had."""
        return self.length / self.span.length

    def lost(self, seconds: float) -> bool:
        """Whether something that was to be protected is off by more than some seconds."""
        return self.span.kind is SpanKind.PROTECTED and abs(self.length - self.span.length) > seconds


@dataclass(frozen=True, eq=False)
class WarpResult:
    """A timing and what became of what happens in the motion.

    Attributes:
        time_map: New to old time, in seconds.
        fates: Of all spans.
    """

    time_map: TimeMap
    fates: tuple[SpanFate, ...] = ()
