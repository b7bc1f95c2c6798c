"""Limbs and chains brought to targets, beside forward kinematics in one run: `python benchmarks/core/bench_limb_ik.py`.

Prints tables in Markdown; all times are processor times of one thread, the fastest of several turns. A pass is one
forward kinematics of all joints and frames. The poses that a motion already has are worked out before; what it costs
to work them out anew is in the last column but one.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from stopwatch import PROCESSOR, milliseconds

from core.motion import Motion, Skeleton, forward_kinematics
from core.numerics import quaternion
from core.solve import BendRange, Chain, Limb, reach_targets, reach_with_chain

JOINTS, FRAMES, MOST_PASSES = 60, 10_000, 5.0
LIMB, CHAIN = (4, 5, 6), (0, 1, 2, 3, 4, 5, 6)


def figure() -> Skeleton:
    """A spine of four joints, a limb of three at its end, and many bones beside."""
    parents = [-1, 0, 1, 2, 3, 4, 5, *(number % 7 for number in range(JOINTS - 7))]
    places = np.zeros((JOINTS, 3))
    directions = np.random.default_rng(1).normal(size=(JOINTS, 3))
    for joint in range(1, JOINTS):
        places[joint] = places[parents[joint]] + 0.2 * directions[joint] / np.linalg.norm(directions[joint])
    return Skeleton.build([f"joint {number}" for number in range(JOINTS)], parents, places)


def moving() -> Motion:
    """All joints swing slowly."""
    random = np.random.default_rng(2)
    waves = np.sin(np.arange(FRAMES)[:, None] * random.uniform(0.01, 0.1, size=3 * JOINTS))
    return Motion.build(figure(), quaternion.exp(0.3 * waves.reshape(FRAMES, JOINTS, 3)), rate=60.0)


def main() -> None:
    """Print the table."""
    motion = moving()
    near = 0.02 * np.sin(0.01 * np.arange(FRAMES))[:, None]
    targets = motion.poses.positions[:, LIMB[2]] + near
    one_pass = milliseconds(
        lambda: forward_kinematics(motion.skeleton, motion.rotations, motion.locations, motion.scales),
        5,
        clock=PROCESSOR,
    )
    limb, limited = Limb(*LIMB), Limb(*LIMB, bend=BendRange(smallest=0.0, largest=2.5))
    ways = {
        "limb": lambda given: reach_targets(given, limb, targets),
        "limb with a range of its bend": lambda given: reach_targets(given, limited, targets),
        "chain of seven, damped least squares": lambda given: reach_with_chain(given, Chain(CHAIN), targets),
    }
    print(f"{JOINTS} joints, {FRAMES} frames; one pass takes {one_pass:.0f} ms\n")
    print("| | time (ms) | passes | with its own poses (ms) | passes |")
    print("|---|---:|---:|---:|---:|")
    passes = []
    for name, way in ways.items():
        known = milliseconds(lambda way=way: way(motion), clock=PROCESSOR)
        anew = milliseconds(lambda way=way: way(replace(motion)), clock=PROCESSOR)
        print(f"| {name} | {known:.0f} | {known / one_pass:.1f} | {anew:.0f} | {anew / one_pass:.1f} |", flush=True)
        passes.append(anew / one_pass)
    kept = "kept" if max(passes[:2]) <= MOST_PASSES else "MISSED"
    print(f"\nA limb in at most {MOST_PASSES:.0f} passes, its own poses included: {kept}.")


if __name__ == "__main__":
    main()
