"""Fit and evaluation of staggered poses, in one run: `python benchmarks/core/bench_staggered.py`.

Prints tables in Markdown; all times are processor times of one thread, the fastest of several
turns on both sides, ours taken before and after the other's so that both see the same machine. The
fit of rotations is measured against SciPy's Nelder-Mead on the paper's objective, both on captured
intervals, costs compared. Evaluation is timed after an edit of one pose and while one frame is asked for, as a
slider does.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

# One thread on both sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from stopwatch import PROCESSOR, milliseconds

from core.files import read_bvh
from core.motion import Motion, Skeleton
from core.numerics import quaternion
from core.staggered import (
    StaggeredMotion,
    evaluate,
    fit,
    insert_pose,
    non_staggered_pose,
    retime,
    succession,
    with_extreme_pose,
)

ROOT = Path(__file__).resolve().parents[2]
CLIPS = Path(os.environ.get("MOTION_EDITING_CLIPS", ROOT.parent / "shared" / "data")) / "dev"
CLIP_NAMES = ("cmu_13_18_boxing_aggressive", "cmu_94_05_dance_long", "cmu_120_08_sneaky_walk")
JOINTS, FRAMES, POSES = 60, 1000, 20
# Intervals that Nelder-Mead gets; it takes a quarter of a second for each.
SAMPLE = 20
# Turns of which the fastest counts, for the solver and for Nelder-Mead.
TURNS = 3
# The promise for an edit of one pose, in milliseconds.
LIMIT = 15.0
fastest = partial(milliseconds, turns=7, clock=PROCESSOR)


def made_motion() -> Motion:
    """A branching skeleton that swings, with fine noise."""
    random = np.random.default_rng(0)
    parents = np.array([-1, *(max(joint - 5, 0) for joint in range(1, JOINTS))])
    skeleton = Skeleton.build([f"joint {joint}" for joint in range(JOINTS)], parents, random.normal(size=(JOINTS, 3)))
    wave = np.arange(FRAMES)[:, None, None] / 60.0 * random.uniform(1.0, 4.0, size=(JOINTS, 3))
    vectors = 0.6 * np.sin(wave + random.uniform(0.0, 6.0, size=(JOINTS, 3)))
    vectors += 0.01 * random.normal(size=vectors.shape)
    locations = np.zeros((FRAMES, JOINTS, 3))
    locations[:, 0] = np.cumsum(random.normal(size=(FRAMES, 3)), axis=0) / 100.0
    return Motion.build(skeleton, quaternion.exp(vectors), rate=60.0, locations=locations)


def made_model(motion: Motion) -> StaggeredMotion:
    """Staggered by up to a tenth of a second."""
    spread = np.random.default_rng(1).uniform(-0.1, 0.1, size=(POSES, JOINTS))
    spread[[0, -1]] = 0.0
    return fit(motion, np.linspace(motion.times[0], motion.times[-1], POSES), spread)


def measure_edits() -> None:
    """Times of fitting and of what a slider does."""
    motion = made_motion()
    model = made_model(motion)
    pose = non_staggered_pose(model, 9)
    turned = pose.with_rotations(quaternion.multiply(quaternion.exp([0.2, 0.1, 0.0]), pose.rotations))
    edited = with_extreme_pose(model, 9, turned)
    retimed = retime(model, 9, model.pose_times[9] + 0.1)
    late = succession(model, 0, 0.01)
    rows = {
        "fit": fastest(lambda: made_model(motion), turns=3),
        "edit one pose and evaluate": fastest(lambda: evaluate(with_extreme_pose(model, 9, turned))),
        "evaluate after an edit of one pose": fastest(lambda: evaluate(edited)),
        "evaluate after retiming one pose": fastest(lambda: evaluate(retimed)),
        "evaluate after staggering all poses": fastest(lambda: evaluate(late)),
        "one frame of that": fastest(lambda: evaluate(late, [8.0])),
        "insert a pose": fastest(lambda: insert_pose(model, 8.1), turns=3),
    }
    print(f"\n{JOINTS} joints, {FRAMES} frames, {POSES} poses, staggered\n")
    print("| step | ms | ms for each frame of the motion |")
    print("|---|---:|---:|")
    for name, taken in rows.items():
        print(f"| {name} | {taken:.2f} | {taken / FRAMES:.5f} |")
    kept = rows["edit one pose and evaluate"] <= LIMIT
    print(f"\nAn edit of one pose takes {'at most' if kept else 'MORE THAN'} {LIMIT:.0f} ms.")


def measure_solver() -> None:
    """Our solver against Nelder-Mead on captured intervals."""
    from slow_staggered import fitting_cost, nelder_mead
    from test_staggered_fit import of_extracted_poses

    from core.staggered import fit_rotations

    def our_time(given: tuple[Any, ...]) -> float:
        return fastest(lambda: fit_rotations(*given), turns=TURNS)

    print("Rotation splines of captured intervals, one thread\n")
    print("| clip | intervals | ours (ms each) | Nelder-Mead (ms each) | ratio | worst cost | sum of costs |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name in CLIP_NAMES:
        motion = read_bvh(CLIPS / f"{name}.bvh").to_motion()
        intervals = of_extracted_poses(motion.part(1, len(motion)))
        given = intervals.first, intervals.last, intervals.samples, intervals.values
        count, controls = len(intervals.first), fit_rotations(*given)
        ours, costs, theirs = our_time(given), [], 0.0
        for number in np.random.default_rng(0).choice(count, SAMPLE, replace=False):
            first, last, times, values = intervals.one(number)
            found = nelder_mead(first, last, times, values)
            theirs += fastest(lambda one=(first, last, times, values): nelder_mead(*one), turns=TURNS) / SAMPLE
            inner = controls[0][number], controls[1][number]
            costs.append([fitting_cost([first, *pair, last], times, values) for pair in (inner, found)])
        ours = min(ours, our_time(given)) / count
        mine, other = np.array(costs).T
        print(
            f"| {name} | {count} | {ours:.3f} | {theirs:.0f} | {theirs / ours:.0f} x "
            f"| {(mine / other).max():.3f} | {mine.sum() / other.sum():.3f} |"
        )


def main() -> None:
    """Print the tables."""
    if CLIPS.is_dir():
        measure_solver()
    else:
        print("The clips are absent (set MOTION_EDITING_CLIPS): the solver is not measured.")
    measure_edits()


if __name__ == "__main__":
    main()
