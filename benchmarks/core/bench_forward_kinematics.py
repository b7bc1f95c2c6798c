"""Forward kinematics of 60 joints against pymotion's, in one run: `python benchmarks/core/bench_forward_kinematics.py`.

Prints a table in Markdown. The ratio says how many times faster ours is; both sides get
the same skeleton, rotations and root path, and their positions are compared first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# One thread on both sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from stopwatch import seconds_within

from core.motion import Skeleton, forward_kinematics
from core.numerics import quaternion

JOINTS = 60
FRAMES = (1, 100, 1000, 10_000)
# Each measurement repeats for about this long and takes the fastest turn.
SECONDS = 1.0
fastest = partial(seconds_within, patience=SECONDS)


def made_motion(frames: int) -> tuple[Skeleton, np.ndarray, np.ndarray]:
    """A branching skeleton of five limbs, random rotations and a root path."""
    random = np.random.default_rng(0)
    parents = np.array([-1, *(max(joint - 5, 0) for joint in range(1, JOINTS))])
    offsets = random.normal(size=(JOINTS, 3))
    offsets[0] = 0.0
    positions = np.zeros((JOINTS, 3))
    for joint in range(1, JOINTS):
        positions[joint] = positions[parents[joint]] + offsets[joint]
    skeleton = Skeleton.build([f"joint {joint}" for joint in range(JOINTS)], parents, positions)
    rotations = quaternion.normalize(random.normal(size=(frames, JOINTS, 4)))
    locations = np.zeros((3, JOINTS, frames)).T
    locations[:, 0] = random.normal(size=(frames, 3))
    return skeleton, rotations, locations


def pymotion_kinematics() -> Callable[..., Any] | None:
    """Pymotion's forward kinematics, or nothing where it is not installed."""
    try:
        from pymotion.ops.skeleton import fk
    except ImportError:
        return None
    return fk


def measure(frames: int, peer: Callable[..., Any] | None) -> tuple[float, float | None]:
    """Seconds of ours and of the peer."""
    skeleton, rotations, locations = made_motion(frames)
    ours = fastest(lambda: forward_kinematics(skeleton, rotations, locations))
    if peer is None:
        return ours, None
    # The peer reads one joint after the other in each frame; give it that order in memory.
    packed = np.ascontiguousarray(rotations)
    root = np.ascontiguousarray(locations[:, 0])
    _, offsets = skeleton.rest_offsets
    # The peer's root is marked by being its own parent, 0.
    parents = np.maximum(skeleton.parents, 0)
    positions = peer(packed, root, offsets, parents)[0]
    # The peer adds a small number when it normalizes, which costs it half of its digits.
    np.testing.assert_allclose(positions, forward_kinematics(skeleton, rotations, locations).positions, atol=1e-4)
    return ours, fastest(lambda: peer(packed, root, offsets, parents))


def main() -> None:
    """Print the table."""
    peer = pymotion_kinematics()
    if peer is None:
        print("pymotion is not installed (pip install upc-pymotion): ours is measured alone.\n")
    print(f"Forward kinematics, {JOINTS} joints, float64, one thread\n")
    print("| frames | ours (ms) | pymotion (ms) | ratio |")
    print("|---:|---:|---:|---:|")
    for frames in FRAMES:
        ours, theirs = measure(frames, peer)
        comparison = "- | -" if theirs is None else f"{1e3 * theirs:.3f} | {theirs / ours:.1f} x"
        print(f"| {frames} | {1e3 * ours:.3f} | {comparison} |")


if __name__ == "__main__":
    main()
