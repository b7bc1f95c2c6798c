"""What may become of a stretch of a motion when time is saved or spent: kept, given up first, or kept even."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from ..analysis.events import Event, EventKind

# Seconds before and after a flight that are kept with it as long as the rest need not race.
RUN_OUT = 0.25
# Seconds below which what is left of a span is none.
_SHORTEST = 0.05
# Name of what somebody wanted to be protected.
KEPT = "Kept"


class SpanKind(Enum):
    """How a span takes a new length."""

    PROTECTED = "Protected"
    ELASTIC = "Elastic"
    RHYTHMIC = "Rhythmic"


@dataclass(frozen=True)
class TimeSpan:
    """A stretch of the motion as it was.

    Attributes:
        start: Seconds.
        end: Seconds.
        kind: Protected spans keep their time as long as there is elastic time left; turns of a rhythmic span get
            their new timing alike.
        name: What happens in it.
        beats: Of a rhythmic span the seconds at which its turns begin, and at which the last one ends.
        run_out: Seconds on each side that are kept too, as long as the rest need not race.
        is_firm: Whether it gives way last of all; otherwise as soon as the rest would have to race.
    """

    start: float
    end: float
    kind: SpanKind
    name: str = ""
    beats: tuple[float, ...] = ()
    run_out: float = 0.0
    is_firm: bool = True

    @property
    def is_kept(self) -> bool:
        """Whether somebody wanted it to be protected."""
        return self.kind is SpanKind.PROTECTED and self.name == KEPT

    @property
    def length(self) -> float:
        """Seconds."""
        return self.end - self.start


def spans_of(events: Iterable[Event]) -> tuple[TimeSpan, ...]:
    """What becomes of events unless somebody wants it otherwise, in order of time."""
    events = tuple(events)
    flights = [
        TimeSpan(event.start, event.end, SpanKind.PROTECTED, event.kind.value, run_out=RUN_OUT)
        for event in events
        if event.kind is EventKind.FLIGHT
    ]
    idle = [
        TimeSpan(event.start, event.end, SpanKind.ELASTIC, event.kind.value)
        for event in events
        if event.kind is EventKind.IDLE
    ]
    rhythms = [
        TimeSpan(event.start, event.end, SpanKind.RHYTHMIC, event.kind.value, event.beats)
        for event in events
        if event.kind is EventKind.REPETITION
    ]
    # What strikes again and again is a step or a stroke: it goes with its rhythm.
    alone = [event for event in events if event.kind is EventKind.STRIKE and not _is_within(event, rhythms)]
    strikes = [part for span in _joined(alone) for part in _without(span, flights)]
    return tuple(sorted([*flights, *strikes, *rhythms, *idle], key=lambda span: (span.start, span.end)))


def _without(span: TimeSpan, others: Iterable[TimeSpan]) -> list[TimeSpan]:
    """What is left of a span between others: arms that swing in a jump belong to the jump."""
    parts = [span]
    for other in others:
        parts = [
            replace(part, start=start, end=end)
            for part in parts
            for start, end in ((part.start, min(part.end, other.start)), (max(part.start, other.end), part.end))
            if end - start > _SHORTEST
        ]
    return parts


def _is_within(event: Event, spans: Iterable[TimeSpan]) -> bool:
    middle = 0.5 * (event.start + event.end)
    return any(span.start <= middle <= span.end for span in spans)


def _joined(strikes: Iterable[Event]) -> list[TimeSpan]:
    """Strikes that overlap as one span."""
    ends: list[list[float]] = []
    for event in sorted(strikes, key=lambda each: each.start):
        if ends and event.start <= ends[-1][1]:
            ends[-1][1] = max(ends[-1][1], event.end)
        else:
            ends.append([event.start, event.end])
    return [TimeSpan(start, end, SpanKind.PROTECTED, EventKind.STRIKE.value, is_firm=False) for start, end in ends]
