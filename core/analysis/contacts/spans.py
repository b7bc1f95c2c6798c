"""Contact spans: when each joint is in contact, as a thing that can be edited and saved."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import TimeMap
from ...numerics import Array

Span = tuple[float, float]


@dataclass(frozen=True)
class ContactSpans:
    """Times of contact of every joint. Every edit makes new spans.

    Attributes:
        spans: By joint name, (start, end) in seconds, in order and apart from each other. A
            joint may be listed without spans: it was looked at and touches nothing.
    """

    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = {joint: _in_order(joint, spans) for joint, spans in self.spans.items()}
        object.__setattr__(self, "spans", MappingProxyType(checked))

    def __reduce__(self) -> tuple[Any, ...]:
        return ContactSpans.from_data, (self.to_data(),)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that were looked at."""
        return tuple(self.spans)

    def of(self, joint: str) -> tuple[Span, ...]:
        """Spans of a joint; none if it is not listed."""
        return self.spans.get(joint, ())

    def at(self, joint: str, time: float) -> int | None:
        """Number of the joint's span that holds a time, ends included."""
        holding = (number for number, (start, end) in enumerate(self.of(joint)) if start <= time <= end)
        return next(holding, None)

    def active(self, joint: str, times: Any) -> NDArray[np.bool_]:
        """Whether a joint is in contact at each of the times (F,), ends included."""
        times = np.asarray(times, dtype=np.float64)
        active = np.zeros(times.shape, dtype=np.bool_)
        for start, end in self.of(joint):
            active |= (times >= start) & (times <= end)
        return active

    def changes(self) -> Array:
        """Times (N,) in order at which a contact starts or ends."""
        return np.array(sorted(time for spans in self.spans.values() for span in spans for time in span))

    def with_spans(self, joint: str, spans: Iterable[Span]) -> "ContactSpans":
        """The same contacts with a joint's spans replaced; those that touch are joined."""
        return replace(self, spans={**self.spans, joint: _joined(spans)})

    def add(self, joint: str, start: float, end: float) -> "ContactSpans":
        """The same contacts with one more; it is joined with those that it touches."""
        _refuse_empty(joint, start, end)
        return self.with_spans(joint, (*self.of(joint), (start, end)))

    def with_more(self, more: Iterable[tuple[str, float, float]]) -> "ContactSpans":
        """The same contacts with several more, each given by joint, start and end; those that touch are joined."""
        spans = {joint: list(own) for joint, own in self.spans.items()}
        for joint, start, end in more:
            _refuse_empty(joint, start, end)
            spans.setdefault(joint, []).append((start, end))
        return ContactSpans({joint: _joined(own) for joint, own in spans.items()})

    def remove(self, joint: str, number: int) -> "ContactSpans":
        """The same contacts without one span of a joint."""
        self._span(joint, number)
        kept = (span for place, span in enumerate(self.of(joint)) if place != number)
        return self.with_spans(joint, kept)

    def move(self, joint: str, number: int, *, start: float | None = None, end: float | None = None) -> "ContactSpans":
        """The same contacts with one or both ends of a span moved; spans that then touch are joined."""
        old_start, old_end = self._span(joint, number)
        start, end = old_start if start is None else start, old_end if end is None else end
        _refuse_empty(joint, start, end)
        return self.remove(joint, number).add(joint, start, end)

    def split(self, joint: str, time: float, *, gap: float = 0.1) -> "ContactSpans":
        """The same contacts with the span at a time cut in two.

        Args:
            joint: Name of the joint.
            time: Middle of the cut, in seconds.
            gap: Seconds without contact between the two parts.

        Raises:
            ValueError: No span reaches beyond the gap on both sides.
        """
        before, after = time - 0.5 * gap, time + 0.5 * gap
        number = self.at(joint, time)
        start, end = (0.0, 0.0) if number is None else self.of(joint)[number]
        if number is None or not (gap > 0.0 and start < before and after < end):
            raise ValueError(f"'{joint}' has no contact around {time:g} s that can be split")
        return self.remove(joint, number).add(joint, start, before).add(joint, after, end)

    def between(self, start: float, end: float) -> "ContactSpans":
        """What of the contacts lies between two times, in seconds; joints without any there are not listed."""
        cut = {
            joint: tuple((max(a, start), min(b, end)) for a, b in spans if min(b, end) > max(a, start))
            for joint, spans in self.spans.items()
        }
        return ContactSpans({joint: spans for joint, spans in cut.items() if spans})

    def retimed(self, time_map: TimeMap) -> "ContactSpans":
        """The same contacts at the times at which they are seen with a new timing.

        A contact that is seen twice is there twice, one that is never seen is gone; of a timing
        that cycles the first round counts.

        Args:
            time_map: New to old time.
        """
        parts = time_map.one_way_parts()
        return ContactSpans(
            {
                joint: _joined(seen for span in spans for seen in _seen(span, parts))
                for joint, spans in self.spans.items()
            }
        )

    def to_data(self) -> dict[str, list[list[float]]]:
        """Plain lists and numbers, to be saved."""
        return {joint: [list(span) for span in spans] for joint, spans in self.spans.items()}

    @classmethod
    def from_data(cls, data: Mapping[str, Iterable[Iterable[float]]]) -> "ContactSpans":
        """Spans from what `to_data` gave."""
        return cls({joint: tuple(_as_span(joint, span) for span in spans) for joint, spans in data.items()})

    def _span(self, joint: str, number: int) -> Span:
        spans = self.of(joint)
        if not 0 <= number < len(spans):
            raise ValueError(f"'{joint}' has {len(spans)} contacts, there is no number {number}")
        return spans[number]


def _seen(span: Span, parts: Iterable[TimeMap]) -> Iterator[Span]:
    """New times at which each part shows a span, if it does."""
    for part in parts:
        start, end = part.covering(*span)
        if start < end and span[0] <= part(0.5 * (start + end)) <= span[1]:
            yield start, end


def _as_span(joint: str, values: Iterable[float]) -> Span:
    numbers = tuple(float(value) for value in values)
    if len(numbers) != 2:
        raise ValueError(f"A contact of '{joint}' needs a start and an end, not {len(numbers)} numbers")
    return numbers


def _refuse_empty(joint: str, start: float, end: float) -> None:
    if not start < end:
        raise ValueError(f"A contact of '{joint}' must end after it starts, not from {start:g} to {end:g} s")


def _in_order(joint: str, spans: Iterable[Iterable[float]]) -> tuple[Span, ...]:
    ordered = tuple(sorted(_as_span(joint, span) for span in spans))
    for start, end in ordered:
        _refuse_empty(joint, start, end)
    if any(after[0] <= before[1] for before, after in pairwise(ordered)):
        raise ValueError(f"Contacts of '{joint}' overlap; join them first")
    return ordered


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((float(start), float(end)))
    return tuple(joined)
