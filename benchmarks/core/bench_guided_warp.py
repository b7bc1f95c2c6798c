"""Guided warping at the paper's own sizes, in one run: `python benchmarks/core/bench_guided_warp.py`.

Prints tables in Markdown. The plain loops and SciPy's search tree get a sample of each problem,
scaled up to the whole of it; all times are processor times of one thread. The paper's figures were measured in
2007 on another machine and stand there for the reader only.
"""

from __future__ import annotations

import os
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core" / "guided_warp"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
import slow_guided
from made_motion import smooth_curves
from scipy.spatial import cKDTree
from stopwatch import PROCESSOR, milliseconds

from core.analysis import torso_positions
from core.body import find_body
from core.files import read_bvh
from core.guided_warp import GuidedWarpOptions, guided_warp
from core.guided_warp.features import Features
from core.guided_warp.free_path import free_path
from core.guided_warp.grid import plan_grid
from core.guided_warp.objective import score_triples
from core.guided_warp.search import search
from core.guided_warp.shortest_path import Reach, shortest_path
from core.motion import Motion
from core.sample_motion import sample_motion

ROOT = Path(__file__).resolve().parents[2]
CLIPS = Path(os.environ.get("MOTION_EDITING_CLIPS", ROOT.parent / "shared" / "data")) / "dev"
DIMENSIONS = 93  # 31 joints
# Triples that the plain loops score and that the search tree looks up, and steps of the plain recurrence.
LOOP_TRIPLES, TREE_QUERIES, LOOP_STEPS = 300, 4000, 3
# Promises: times faster than plain loops and than the search tree (and its goal), memory in MB,
# seconds of a preview, cost of the coarse search over the exact one.
LOOPS, TREE, TREE_GOAL, MEMORY, PREVIEW, COARSE = 25.0, 10.0, 25.0, 200.0, 0.15, 1.05
fastest = partial(milliseconds, turns=9, clock=PROCESSOR)


@dataclass(frozen=True)
class Row:
    """A row of the paper's Table 1; times in seconds as printed there."""

    name: str
    count: int
    length: int
    references: int
    steps: int
    paper_objective: float
    paper_search: float
    free: bool = False


ROWS = (
    Row("V1", 493, 280, 493, 8, 1.3, 2.7),
    Row("V2", 316, 180, 316, 10, 1.7, 1.4),
    Row("V3", 378, 180, 378, 8, 1.9, 1.4),
    Row("V4", 486, 320, 486, 8, 1.0, 2.6),
    Row("V5", 401, 150, 101, 4, 0.3, 0.7),
    Row("V6", 601, 301, 301, 8, 1.3, 3.8),
    Row("V7", 573, 143, 45, 8, 0.9, 1.8),
    Row("V8", 1524, 590, 91, 8, 2.5, 0.1, free=True),
)

# For each row: input samples for each thirtieth of a second, clip and first second of input and reference.
DANCE, BOXING, WEAK, JUMPS = (
    "cmu_94_05_dance_long", "cmu_13_18_boxing_aggressive", "cmu_02_05_punches_weak", "cmu_49_02_jumps_hops",
)  # fmt: skip
SOURCES = {
    "V1": (1, JUMPS, 0.5, JUMPS, 0.5),
    "V2": (1, DANCE, 2.0, DANCE, 2.0),
    "V3": (1, DANCE, 20.0, DANCE, 20.0),
    "V4": (1, JUMPS, 1.0, JUMPS, 1.0),
    "V5": (4, JUMPS, 4.0, JUMPS, 4.0),
    "V6": (2, WEAK, 1.0, BOXING, 3.0),
    "V7": (4, DANCE, 10.0, DANCE, 10.0),
    "V8": (4, JUMPS, 3.0, JUMPS, 5.0),
}


@cache
def captured(name: str) -> Features:
    """All 31 joints of a clip in the torso frame, or made curves where the clips are absent."""
    path = CLIPS / f"{name}.bvh"
    if not path.is_file():
        return Features(np.arange(1500) / 30.0, smooth_curves(1500, DIMENSIONS, len(name), waves=100)[..., None])
    motion = read_bvh(path).to_motion()
    motion = motion.part(1, len(motion))
    body = find_body(motion.skeleton, motion=motion)
    return Features(motion.times, torso_positions(motion.poses.positions, body, joints=range(len(motion.skeleton))))


def made(row: Row) -> tuple[Any, Any]:
    """Input, upsampled as in the paper, and reference: the input itself or another part or clip."""
    upsampling, input_clip, start, reference_clip, reference_start = SOURCES[row.name]
    times = start + np.arange(row.count) / (30.0 * upsampling)
    reference_times = reference_start + np.arange(row.references) / 30.0
    return captured(input_clip).at(times), captured(reference_clip).at(reference_times)


def reach_of(row: Row) -> Reach:
    """All output samples, or only the first where the length is free."""
    whole = Reach.between(np.array([0, row.length - 1]), np.array([0, row.count - 1]), row.steps)
    return whole.part(1) if row.free else whole


def triples(row: Row, count: int) -> Any:
    """Some of the triples that are scored, as (b, c, j)."""
    random = np.random.default_rng(0)
    gaps = random.integers(1, row.steps + 1, size=(count, 2))
    middles = random.integers(row.steps, row.count - row.steps, size=count)
    return np.column_stack([gaps, middles])


def loop_milliseconds(row: Row, samples: Any, reference: Any) -> tuple[float, float]:
    """Objective and search of the plain loops, from a sample of both."""
    features = slow_guided.reference_features(reference)
    chosen = triples(row, LOOP_TRIPLES)
    start = time.process_time()
    for b, c, j in chosen:
        slow_guided.score(samples[j - b], samples[j], samples[j + c], features)
    objective = (time.process_time() - start) / LOOP_TRIPLES * row.count * row.steps**2
    return 1e3 * objective, 1e3 * _loop_search(row)


def _loop_search(row: Row) -> float:
    """Seconds of the recurrence: one step over all pairs, taken as often as there are steps.

    Without a given length the pairs are gone through once.
    """
    scores = score_triples(smooth_curves(row.count, 3, 0), smooth_curves(9, 3, 1), row.steps).tolist()
    costs = {(i, j): 0.0 for j in range(1, row.count) for i in range(max(0, j - row.steps), j)}
    start = time.process_time()
    for _ in range(LOOP_STEPS):
        further: dict[tuple[int, int], float] = {}
        for (i, j), so_far in costs.items():
            for k in range(j + 1, min(row.count, j + row.steps + 1)):
                total = so_far + scores[j - i - 1][k - j - 1][j]
                if total < further.get((j, k), np.inf):
                    further[j, k] = total
    one = (time.process_time() - start) / LOOP_STEPS
    # Only the pairs that can be part of a complete warp count, as in our search.
    share = 1.0 if row.free else float(np.mean(reach_of(row).high - reach_of(row).low + 1)) / row.count
    return one * (1 if row.free else (row.length - 2) * share)


def tree_milliseconds(row: Row, samples: Any, reference: Any) -> float:
    """SciPy's exact search tree on the same queries, from a sample of them."""
    tree = cKDTree(slow_guided.reference_features(reference))
    queries = np.array(
        [slow_guided.feature(samples[j - b], samples[j], samples[j + c]) for b, c, j in triples(row, TREE_QUERIES)]
    )
    return fastest(lambda: tree.query(queries, k=3), turns=3) / TREE_QUERIES * row.count * row.steps**2


def megabytes(action: Callable[[], Any]) -> float:
    """Largest memory that an action holds."""
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def measure_table() -> None:
    """All rows of the paper's Table 1."""
    print("The paper's Table 1, 31 joints, exact solution, milliseconds of one thread\n")
    print("| row | n, m, r, s | objective | search | loops: objective | loops: search | loops / ours "
          "| search tree / our objective | MB | paper 2007: objective, search |")  # fmt: skip
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---|")
    kept = []
    for row in ROWS:
        samples, reference = made(row)
        scores, reach = score_triples(samples, reference, row.steps), reach_of(row)
        solve = free_path if row.free else shortest_path
        objective = fastest(lambda row=row, s=samples, r=reference: score_triples(s, r, row.steps))
        search_time = fastest(lambda scores=scores, reach=reach, solve=solve: solve(scores, reach))
        loops = loop_milliseconds(row, samples, reference)
        faster = sum(loops) / (objective + search_time)
        tree = tree_milliseconds(row, samples, reference) / objective
        memory = megabytes(
            lambda row=row, s=samples, r=reference, reach=reach, solve=solve: solve(
                score_triples(s, r, row.steps), reach
            )
        )
        kept.append((faster >= LOOPS, tree >= TREE, tree >= TREE_GOAL, memory < MEMORY))
        print(
            f"| {row.name}{' (free length)' if row.free else ''} | {row.count}, {row.length}, {row.references}, "
            f"{row.steps} | {objective:.1f} | {search_time:.1f} | {loops[0]:.0f} | {loops[1]:.0f} | {faster:.0f} x "
            f"| {tree:.1f} x | {memory:.0f} | {1e3 * row.paper_objective:.0f}, {1e3 * row.paper_search:.0f} |"
        )
    for (words, limit), good in zip(
        (("times faster than plain loops", LOOPS), ("times faster than the search tree", TREE),
         ("times faster than the search tree (goal)", TREE_GOAL), ("MB at most", MEMORY)),
        np.array(kept).all(axis=0), strict=True,
    ):  # fmt: skip
        print(f"\n{limit:.0f} {words}: {'kept in all rows' if good else 'MISSED in some rows'}.")


def measure_preview() -> None:
    """What a drag of a keytime waits for: 600 frames, everything from the motion to the time map."""
    rate = 599 / 11.8
    print("\nA drag preview on 600 frames, exact, everything included\n")
    print("| motion | samples, reference | ms |\n|---|---|---:|")
    fine, worst = sample_motion(rate), 0.0
    slow = Motion.build(fine.skeleton, fine.rotations, rate=30.0, locations=fine.locations)
    for name, motion in {"600 frames at 51 a second": fine, "600 frames at 30 a second": slow}.items():
        body, end = find_body(motion.skeleton, motion=motion), float(motion.times[-1])
        for speed_limit in (4.0, 8.0):
            options = GuidedWarpOptions(speed_limit=speed_limit)
            keytimes = [(0.0, 0.0), (0.4 * end, 0.35 * end), (end, 0.8 * end)]
            report = guided_warp(motion, body, keytimes, options=options).report
            taken = fastest(lambda m=motion, b=body, k=keytimes, o=options: guided_warp(m, b, k, options=o))
            worst = max(worst, taken)
            print(
                f"| {name}, speed limit {speed_limit:.0f} | {report.input_samples}, {report.reference_samples} "
                f"| {taken:.0f} |"
            )
    print(f"\nA preview takes {'at most' if worst <= 1e3 * PREVIEW else 'MORE THAN'} {1e3 * PREVIEW:.0f} ms.")


def measure_coarse() -> None:
    """The coarse-to-fine search of long motions: cost and time beside the exact one."""
    print("\nCoarse to fine\n")
    print(
        "| input, reference | samples | exact (ms) | coarse to fine (ms) | cost over exact |\n|---|---:|---:|---:|---:|"
    )
    worst = 0.0
    for name, upsampling, other in ((DANCE, 1, DANCE), (DANCE, 4, JUMPS), (BOXING, 6, WEAK)):
        features = captured(name)
        ends = features.times[[0, -1]]
        grid = plan_grid(ends, 0.8 * ends, upsampling=upsampling, speed_limit=8.0)
        taken, costs = [], []
        for coarse in (False, True):
            start = time.process_time()
            costs.append(search(grid, features, captured(other), free=False, coarse=coarse)[1])
            taken.append(1e3 * (time.process_time() - start))
        worst = max(worst, costs[1] / costs[0])
        print(
            f"| {name}, {other} | {len(grid.old_times)} | {taken[0]:.0f} | {taken[1]:.0f} | {costs[1] / costs[0]:.4f} |"
        )
    print(f"\nThe cost is {'at most' if worst <= COARSE else 'MORE THAN'} {COARSE:.2f} times the exact one.")


def main() -> None:
    """Print the tables."""
    measure_table()
    measure_preview()
    measure_coarse()


if __name__ == "__main__":
    main()
