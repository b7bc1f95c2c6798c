"""The match web beside the plain closed-form loop, in one run: `python benchmarks/core/bench_match_web.py`.

Prints a table in Markdown. The plain loop aligns a sample of all pairs one by one, scaled up to the
whole. All times are processor times of one thread; memory is what is held on top of the motion.
"""

from __future__ import annotations

import os
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))

import numpy as np
import slow_timeline

from core.analysis import WindowGrid
from core.body import Axis, Body
from core.files import read_bvh
from core.motion import Motion
from core.timeline import MatchWeb, match_web, propagation_windows

ROOT = Path(__file__).resolve().parents[2]
CLIPS = Path(os.environ.get("MOTION_EDITING_CLIPS", ROOT.parent / "shared" / "data")) / "dev"
DANCE = "cmu_94_05_dance_long"
JOINTS, WINDOW, LOOP_PAIRS, LOOKUPS = 31, 11, 400, 20
# Seconds for a number of frames, times faster than the plain loop, MB, milliseconds of a lookup.
SECONDS = {3000: 0.3, 10000: 2.5}
FASTER, MEMORY, LOOKUP = 500.0, 256.0, 20.0


def made(frames: int) -> Any:
    """(F, 31, 3) the dance, repeated with noise to any length, or waves where the clips are absent."""
    path = CLIPS / f"{DANCE}.bvh"
    random = np.random.default_rng(0)
    if path.is_file():
        motion = read_bvh(path).to_motion()
        dance = motion.poses.positions[1:] / 27.0
    else:
        turn = np.arange(5000)[:, None, None] / 60.0
        dance = 0.2 * np.sin(turn * random.uniform(0.5, 4.0, (1, JOINTS, 3)) + random.uniform(0, 6, (1, JOINTS, 3)))
    dance = dance[np.arange(frames) % len(dance)]
    return dance + 0.002 * random.normal(size=dance.shape)


def woven(positions: Any) -> MatchWeb:
    """The web of all frames, none left out."""
    from core.motion import Skeleton

    skeleton = Skeleton.build([str(joint) for joint in range(JOINTS)], np.arange(-1, JOINTS - 1), positions[0])
    still = np.zeros((len(positions), JOINTS, 4))
    still[..., 0] = 1.0
    body = Body(skeleton, up=Axis("+Y"), height=1.0)
    motion = Motion.build(skeleton, still, rate=30.0)
    return match_web(motion, body, positions=positions)


def loop_seconds(positions: Any) -> float:
    """The plain loop over half of the grid, from a sample of its pairs."""
    random = np.random.default_rng(1)
    starts = random.integers(0, len(positions) - WINDOW, size=(LOOP_PAIRS, 2))
    up = np.array([0.0, 1.0, 0.0])
    begin = time.process_time()
    for one, other in starts:
        slow_timeline.window_distance(positions[one : one + WINDOW], positions[other : other + WINDOW], up)
    return (time.process_time() - begin) / LOOP_PAIRS * 0.5 * len(positions) ** 2


def measure(frames: int) -> tuple[float, float, float, float]:
    """Seconds of the web, times faster than the loop, MB, milliseconds of the slowest lookup."""
    positions = made(frames)
    taken = np.inf
    for _ in range(3 if frames < 5000 else 1):
        begin = time.process_time()
        web = woven(positions)
        taken = min(taken, time.process_time() - begin)
    grid = WindowGrid.build(positions, (0.0, 1.0, 0.0), window=WINDOW)
    begin = time.process_time()
    for row in range(0, len(grid), 256):
        for column in range(row, len(grid), 512):
            grid.squared(slice(row, min(row + 256, len(grid))), slice(column, min(column + 512, len(grid))))
    grid_taken = time.process_time() - begin
    tracemalloc.start()
    woven(positions)
    memory = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    slowest = 0.0
    for start in np.linspace(0, frames - 61, LOOKUPS):
        begin = time.process_time()
        propagation_windows(web, float(start), float(start) + 60.0)
        slowest = max(slowest, time.process_time() - begin)
    loop = loop_seconds(positions)
    print(
        f"| {frames} | {taken:.2f} | {grid_taken:.2f} | {len(web.paths)} | {loop:.0f} | {loop / taken:.0f} x | "
        f"{memory:.0f} | {1e3 * slowest:.1f} |",
        flush=True,
    )
    return float(taken), loop / taken, memory, 1e3 * slowest


def main() -> None:
    """Print the table and whether the promises are kept."""
    print("| frames | web (s) | grid alone (s) | paths | plain loop (s) | loop / ours | MB | slowest lookup (ms) |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|")
    results = {frames: measure(frames) for frames in (1000, *SECONDS)}
    print()
    for frames, limit in SECONDS.items():
        taken = results[frames][0]
        print(f"{frames} frames in about {limit} s: {'kept' if taken <= 1.2 * limit else 'MISSED'} ({taken:.2f} s).")
    faster, memory, lookup = (np.array(list(results.values()))[:, column] for column in (1, 2, 3))
    print(f"{FASTER:.0f} times faster than the loop: {'kept' if faster.min() >= FASTER else 'MISSED'}.")
    print(f"At most {MEMORY:.0f} MB: {'kept' if memory.max() <= MEMORY else 'MISSED'}.")
    print(f"A lookup in at most {LOOKUP:.0f} ms: {'kept' if lookup.max() <= LOOKUP else 'MISSED'}.")


if __name__ == "__main__":
    main()
