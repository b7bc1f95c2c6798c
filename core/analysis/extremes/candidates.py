"""Poses that were found, and choosing the most telling of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ...motion import Indices
from ...numerics import Array


@dataclass(frozen=True, eq=False)
class PoseCandidates:
    """Poses that a motion may be edited with, in order of time; the first and last frame are among them.

    Attributes:
        times: (K,) in seconds.
        frames: (K,) the same as frame numbers.
        priorities: (K,) how much each tells: high where the evidence is strong and no stronger one is near.
        refinements: (K, J) seconds from each pose to the extreme of each joint's rotation that belongs to it.
        root_refinements: (K,) the same for the root's place.
        probability: (F,) pose probability of every frame.
        channels: N names of scalar channels that have extremes of their own; none if the face was not looked at.
        channel_refinements: (K, N) seconds from each pose to their extremes.
    """

    times: Array
    frames: Indices
    priorities: Array
    refinements: Array
    root_refinements: Array
    probability: Array
    channels: tuple[str, ...] = ()
    channel_refinements: Array = field(default_factory=lambda: np.empty((0, 0)))

    def __len__(self) -> int:
        return len(self.times)


def cull(
    candidates: PoseCandidates,
    *,
    share: float = 0.3,
    count: int | None = None,
    interval: tuple[float, float] | None = None,
    pinned: Iterable[int] = (),
    removed: Iterable[int] = (),
) -> Indices:
    """Choose the candidates with the highest priorities.

    Args:
        share: Part of the candidates, 0 to 1, that is kept.
        count: Number of poses that are kept, instead of a share.
        interval: Start and end in seconds: only poses between them are chosen from.
        pinned: Numbers of candidates that are kept in any case.
        removed: Numbers of candidates that are left out in any case but for the first and last.

    Returns:
        Candidate numbers in order of time; the first and last candidate are always among them.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError("share must lie between 0 and 1")
    ends = {0, len(candidates) - 1}
    start, end = (-np.inf, np.inf) if interval is None else interval
    inside = np.flatnonzero((candidates.times >= start) & (candidates.times <= end))
    # Any share shows more than both ends, which of a loop are but one pose.
    least = len(ends.intersection(inside.tolist())) + (share > 0.0)
    wanted = max(round(share * len(inside)), least) if count is None else count
    kept = ends | (_numbers(candidates, pinned) - _numbers(candidates, removed))
    by_priority = inside[np.argsort(-candidates.priorities[inside], kind="stable")]
    free = [int(number) for number in by_priority if int(number) not in kept | _numbers(candidates, removed)]
    missing = wanted - len(kept.intersection(inside.tolist()))
    return np.array(sorted([*kept, *free[: max(0, missing)]]), dtype=np.intp)


def _numbers(candidates: PoseCandidates, numbers: Iterable[int]) -> set[int]:
    chosen = {int(number) for number in numbers}
    unknown = sorted(number for number in chosen if not 0 <= number < len(candidates))
    if unknown:
        raise ValueError(f"There are {len(candidates)} candidates, none with number {unknown[0]}")
    return chosen
