"""Guided warping while a mouse drags: `python benchmarks/core/bench_guided_warp.py`.

An update is what a drag of a keytime waits for: new keytimes in, a time map out. What does not depend on new times is
found once, at the beginning of a gesture, and told apart. Beside it stand the sizes of the guided warp paper's
Table 1, and a general solver on the same problem.
"""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core" / "guided_warp"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from slow_pace import slow_pace
from stopwatch import PROCESSOR, milliseconds

from core.body import find_body
from core.guided_warp import Guide, GuidedWarpOptions, SpanKind, TimeSpan, guide_by, guide_itself, warp
from core.guided_warp.solver.pace import PaceProblem, solve_pace
from core.motion import Motion, Skeleton
from core.sample_motion import sample_motion

JOINTS, RATE = 60, 30.0
# Promises: milliseconds of an update by frames, memory in MB at the longest, cost over that of another solver.
UPDATE, MEMORY, COST = {1000: 33.0, 5000: 100.0, 20000: 330.0}, 300.0, 1.01
# Name, input and output samples of the paper's table, and the seconds that it took in 2007.
PAPER = (
    ("V1", 493, 280, 4.0), ("V2", 316, 180, 3.1), ("V3", 378, 180, 3.3), ("V4", 486, 320, 3.6),
    ("V5", 401, 150, 1.0), ("V6", 601, 301, 5.1), ("V7", 573, 143, 2.7), ("V8", 1524, 590, 2.6),
)  # fmt: skip
fastest = partial(milliseconds, turns=5, clock=PROCESSOR)


@cache
def long_motion(frames: int) -> Motion:
    """The sample motion again and again, with fingers: 60 joints, 30 frames a second."""
    sample = sample_motion(RATE)
    rows = np.arange(frames) % len(sample)
    old = sample.skeleton
    spare = JOINTS - len(old)
    names = [*old.names, *(f"finger {number}" for number in range(spare))]
    hand = old.index["hand.L"]
    rest = np.concatenate([old.rest_positions, np.tile(old.rest_positions[hand], (spare, 1))])
    turned = np.concatenate([old.rest_rotations, np.tile([1.0, 0.0, 0.0, 0.0], (spare, 1))])
    skeleton = Skeleton.build(names, [*old.parents, *([hand] * spare)], rest, rest_rotations=turned)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (frames, spare, 1))
    rotations = np.concatenate([sample.rotations[rows], still], axis=1)
    places = np.concatenate([sample.locations[rows], np.zeros((frames, spare, 3))], axis=1)
    return Motion.build(skeleton, rotations, rate=RATE, locations=places)


def megabytes(action: Callable[[], Any]) -> float:
    """Largest memory that an action holds."""
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def dragged(guide: Guide, share: float, keytimes: int) -> Any:
    """The update for a drag: so many keytimes, the last of them moved."""
    start, end = float(guide.times[0]), float(guide.times[-1])
    old = np.linspace(start, end, keytimes)
    new = start + share * (old - start)
    return warp(guide, list(zip(old.tolist(), new.tolist(), strict=True)), GuidedWarpOptions(speed_limit=8.0))


def measure_updates() -> None:
    """Updates by length, with two keytimes and with ten."""
    print(f"Updates while a keytime is dragged, {JOINTS} joints, {RATE:.0f} frames a second, milliseconds\n")
    print("| frames | guide, once | by another clip, once | update | update, 10 keytimes | promised | MB |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    good = True
    for frames, promised in UPDATE.items():
        motion = long_motion(frames)
        body = find_body(motion.skeleton, motion=motion)
        once = milliseconds(lambda m=motion, b=body: guide_itself(m, b), turns=1)
        guide = guide_itself(motion, body)
        other = milliseconds(lambda m=motion, b=body: guide_by(long_motion(1000), m, b), turns=1)
        update = fastest(lambda g=guide: dragged(g, 0.8, 2))
        keyed = fastest(lambda g=guide: dragged(g, 0.8, 10))
        memory = megabytes(lambda g=guide: dragged(g, 0.8, 10))
        good = good and max(update, keyed) <= promised and memory <= MEMORY
        print(f"| {frames} | {once:.0f} | {other:.0f} | {update:.1f} | {keyed:.1f} | {promised:.0f} | {memory:.0f} |")
    print(f"\nUpdates and memory are {'as promised' if good else 'NOT as promised'}.")


def measure_paper() -> None:
    """Motions as long as in the paper's table."""
    print("\nLengths of the paper's Table 1: everything, from the guide to the time map, milliseconds\n")
    print("| row | n, m | ours | paper 2007 | paper / ours |\n|---|---|---:|---:|---:|")
    for name, count, length, seconds in PAPER:
        motion = long_motion(count)
        body = find_body(motion.skeleton, motion=motion)

        def everything(motion: Motion = motion, body: Any = body, share: float = length / count) -> None:
            fresh = Motion.build(motion.skeleton, motion.rotations, rate=RATE, locations=motion.locations)
            dragged(guide_itself(fresh, body), share, 2)

        taken = fastest(everything)
        print(f"| {name} | {count}, {length} | {taken:.0f} | {1e3 * seconds:.0f} | {1e3 * seconds / taken:.0f} x |")


def measure_solver() -> None:
    """The same problem for a general solver; what it finds costs as much."""
    print("\nThe solver alone, beside SciPy's SLSQP on the same problem\n")
    print("| intervals | ours (ms) | SLSQP (ms) | ratio | our cost over theirs |\n|---:|---:|---:|---:|---:|")
    worst = 0.0
    for count in (30, 100, 200):
        problem = made_problem(count)
        ours, theirs = solve_pace(problem), slow_pace(problem)
        cost = problem.cost(ours) / problem.cost(theirs)
        worst = max(worst, cost)
        taken, slow = fastest(lambda p=problem: solve_pace(p)), milliseconds(lambda p=problem: slow_pace(p), turns=1)
        print(f"| {count} | {taken:.2f} | {slow:.0f} | {slow / taken:.0f} x | {cost:.9f} |")
    print(f"\nThe cost is {'at most' if worst <= COST else 'MORE THAN'} {COST:.2f} times that of the other solver.")


def made_problem(count: int) -> PaceProblem:
    """Moments that differ much in stiffness, some of them protected, four fifths of the length."""
    random = np.random.default_rng(count)
    ones, stiffness = np.ones(count), 10.0 ** random.uniform(-3.0, 0.0, count)
    held = random.random(count) < 0.2
    low, high = np.where(held, 1.0, 0.25), np.where(held, 1.0, 4.0)
    return PaceProblem(
        ones / 30.0, ones, stiffness, 9.0 * stiffness[1:] / 30.0, low, high, np.arange(count),
        np.zeros(count, dtype=np.intp), np.array([0.8 * count / 30.0]),
    )  # fmt: skip


def measure_rhythm() -> None:
    """Steps that are tied for all of a long motion."""
    motion = long_motion(20000)
    body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
    beats = tuple(np.arange(1.0, end - 1.0, 1.1).tolist())
    guide = guide_itself(motion, body, spans=[TimeSpan(beats[0], beats[-1], SpanKind.RHYTHMIC, beats=beats)])
    print(f"\n{len(beats) - 1} tied turns in 20000 frames: {fastest(lambda: dragged(guide, 0.8, 2)):.1f} ms an update.")


def main() -> None:
    """Print the tables."""
    measure_updates()
    measure_paper()
    measure_solver()
    measure_rhythm()


if __name__ == "__main__":
    main()
