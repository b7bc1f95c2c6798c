"""What happens in a motion, by slow and obvious rules of the judge's own: floor, contacts, flights, stillness.

The rules use the whole motion before the edit and nothing of the extension. Lengths are shares of the
figure's height, times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .recording import Recording

# A foot stands while its ball is this near to its lowest and this slow; its heel while the ball stands too.
_NEAR, _SLOW, _SHORTEST = 0.03, 0.08, 0.1
# The first and last moments of a contact belong to landing and leaving.
_MARGIN = 0.025
# Flight: all feet this high above the floor, and the body falls with at least this share of gravity.
_OFF_FLOOR, _FALL, _SHORTEST_FLIGHT = 0.02, 0.5, 0.12
# Stillness: no joint faster than this.
_STILL, _SHORTEST_STILL = 0.12, 0.2
# A strike: a hand or a foot that is this fast against the pelvis.
_STRIKE = 2.2
# How tall people are; gravity is the same for all, heights are not known.
_TALL = 1.75
# Seconds that a repetition takes, and how much more like it must be than half a period away.
_PERIOD, _LIKE = (0.4, 2.0), 0.45
_GRAVITY = 9.81


@dataclass(frozen=True)
class Contact:
    """A point of a foot that stands.

    Attributes:
        leg: Number of the leg.
        point: "ball" or "heel".
        first: Index of the first frame.
        last: Index of the last frame.
    """

    leg: int
    point: str
    first: int
    last: int

    @property
    def frames(self) -> np.ndarray:
        """Indices of all frames."""
        return np.arange(self.first, self.last + 1)


@dataclass(frozen=True)
class Span:
    """Something that takes a while: first and last index."""

    kind: str
    first: int
    last: int


def foot_points(recording: Recording) -> dict[tuple[int, str], np.ndarray]:
    """(F, 3) ways of the points that a foot can stand on: the head of its toe (or its end) and of the foot."""
    points = {}
    for number, leg in enumerate(recording.figure.legs):
        ball = recording.of(leg[3]) if len(leg) > 3 else recording.tip_of(leg[2])
        points[number, "ball"], points[number, "heel"] = ball, recording.of(leg[2])
    return points


def floor(recording: Recording) -> float:
    """Height of the ground: what the lowest joints come down to, again and again."""
    lowest = recording.places[..., 2].min(axis=1)
    return float(np.quantile(lowest, 0.1))


def contacts(recording: Recording) -> list[Contact]:
    """All times at which a point of a foot stands."""
    found = []
    shortest = max(3, int(np.ceil(_SHORTEST * recording.rate)))
    margin = int(np.ceil(_MARGIN * recording.rate))
    standing = {place: _stands(way, recording) for place, way in foot_points(recording).items()}
    for (leg, point), flags in standing.items():
        both = flags & standing[leg, "ball"]
        for first, last in runs(both, shortest + 2 * margin):
            found.append(Contact(leg, point, first + margin, last - margin))
    return found


def _stands(way: np.ndarray, recording: Recording) -> np.ndarray:
    low = way[:, 2] < np.quantile(way[:, 2], 0.05) + _NEAR * recording.height
    return low & (_speeds(way, recording.rate) < _SLOW * recording.height)


def flights(recording: Recording) -> list[Span]:
    """Times in the air: no joint near the floor, and the whole figure falls freely."""
    if not recording.figure.legs:
        return []
    # As a body of equal parts; exact masses do not matter for how it falls.
    centre = _smooth(recording.places[..., 2].mean(axis=1), recording.rate, 0.04)
    fall = -np.gradient(np.gradient(centre, 1 / recording.rate), 1 / recording.rate) * _TALL / recording.height
    lowest = np.min([way[:, 2] for way in foot_points(recording).values()], axis=0)
    ground = np.quantile(lowest, 0.05)
    aloft = (lowest > ground + _OFF_FLOOR * recording.height) & (fall > _FALL * _GRAVITY)
    shortest = max(3, int(np.ceil(_SHORTEST_FLIGHT * recording.rate)))
    return [Span("flight", first, last) for first, last in runs(aloft, shortest)]


def strikes(recording: Recording) -> list[Span]:
    """Moments at which a hand or foot is fastest, against the pelvis, each as a span of one frame."""
    found = []
    pelvis = recording.of(recording.figure.pelvis)
    for limb in (*recording.figure.arms, *recording.figure.legs):
        way = recording.of(limb[2] if len(limb) > 2 else limb[-1]) - pelvis
        speed = _smooth(_speeds(way, recording.rate), recording.rate, 0.03)
        for first, last in runs(speed > _STRIKE * recording.height, 2):
            peak = first + int(speed[first : last + 1].argmax())
            found.append(Span("strike", peak, peak))
    return sorted(found, key=lambda span: span.first)


def stillness(recording: Recording) -> list[Span]:
    """Times at which nothing moves."""
    fastest = np.max([_speeds(way, recording.rate) for way in recording.places.swapaxes(0, 1)], axis=0)
    still = _smooth(fastest, recording.rate, 0.05) < _STILL * recording.height
    return [Span("still", *ends) for ends in runs(still, max(2, int(_SHORTEST_STILL * recording.rate)))]


def footfalls(recording: Recording) -> list[np.ndarray]:
    """For every leg the indices at which it begins to stand, those closer than 0.2 s taken as one."""
    falls, margin = [], int(np.ceil(_MARGIN * recording.rate))
    for leg in range(len(recording.figure.legs)):
        first = sorted(
            contact.first for contact in contacts(recording) if contact.leg == leg and contact.first > margin
        )
        kept: list[int] = []
        for index in first:
            if not kept or index - kept[-1] > 0.2 * recording.rate:
                kept.append(index)
        falls.append(np.array(kept))
    return falls


def repetition(recording: Recording) -> tuple[int, int] | None:
    """First and last index of one of several like repetitions, None if nothing is repeated.

    The period is the shift at which the poses are most like themselves; they must be clearly more like than
    poses that are half a period apart.
    """
    inner = [joint for joint, parent in enumerate(recording.figure.parents) if parent >= 0]
    poses = recording.turns[:, inner].reshape(len(recording.frames), -1)
    shortest, longest = int(_PERIOD[0] * recording.rate), int(_PERIOD[1] * recording.rate)
    shifts = range(shortest, min(longest, len(poses) // 2) + 1)
    apart = {shift: float(np.linalg.norm(poses[shift:] - poses[:-shift], axis=1).mean()) for shift in shifts}
    if not apart:
        return None
    period = min(apart, key=lambda shift: apart[shift])
    half = max(period // 2, 1)
    across = float(np.linalg.norm(poses[half:] - poses[:-half], axis=1).mean())
    return (period // 2, period // 2 + period) if apart[period] < _LIKE * across else None


def runs(flags: np.ndarray, shortest: int) -> list[tuple[int, int]]:
    """First and last index of every stretch of true values that is long enough."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
    pairs = zip(edges[::2], edges[1::2] - 1, strict=True)
    return [(int(first), int(last)) for first, last in pairs if last - first + 1 >= shortest]


def _speeds(way: np.ndarray, rate: float) -> np.ndarray:
    """Length travelled in a second around every frame."""
    if len(way) < 2:
        return np.zeros(len(way))
    return np.linalg.norm(np.gradient(way, 1 / rate, axis=0), axis=-1)


def _smooth(values: np.ndarray, rate: float, seconds: float) -> np.ndarray:
    """Mean over a time around every frame."""
    radius = round(seconds * rate)
    if not radius:
        return values
    padded = np.pad(values, radius, mode="edge")
    return np.convolve(padded, np.full(2 * radius + 1, 1.0 / (2 * radius + 1)), mode="valid")
