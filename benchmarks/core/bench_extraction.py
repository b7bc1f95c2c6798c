"""Finding staggered poses and contacts: time in forward-kinematics passes, and how right they are.

`python benchmarks/core/bench_extraction.py` prints tables in Markdown. Times are of one run and include
contacts, but not the forward kinematics itself; right means near the annotated events of the clips.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

# One thread on both sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core" / "analysis" / "extremes"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from stopwatch import seconds_within
from workshop import places

from core.analysis import extract_poses
from core.body import Axis, Body, Limb, LimbKind, Side
from core.motion import Motion, Skeleton, forward_kinematics
from core.numerics import quaternion

JOINTS, RATE = 60, 120.0
FRAMES = (1000, 5000, 10_000, 20_000)
# Each measurement repeats for about this long and takes the fastest turn.
SECONDS = 1.0
fastest = partial(seconds_within, patience=SECONDS)


def made_motion(frames: int) -> Motion:
    """A branching skeleton of five limbs whose joints swing at speeds of their own."""
    random = np.random.default_rng(0)
    parents = np.array([-1, *(max(joint - 5, 0) for joint in range(1, JOINTS))])
    positions = random.normal(size=(JOINTS, 3))
    for joint in range(1, JOINTS):
        positions[joint] += positions[parents[joint]]
    skeleton = Skeleton.build([f"joint {joint}" for joint in range(JOINTS)], parents, positions)
    speed, phase = random.uniform(2.0, 12.0, size=(JOINTS, 3)), random.uniform(0.0, 6.0, size=(JOINTS, 3))
    seconds = np.arange(frames)[:, None, None] / RATE
    locations = np.zeros((3, JOINTS, frames)).T
    locations[:, 0] = np.sin(seconds[:, 0] * [1.0, 2.0, 3.0])
    rotations = quaternion.exp(1.2 * np.sin(seconds * speed + phase))
    return Motion.build(skeleton, rotations, rate=RATE, locations=locations)


def made_body(motion: Motion) -> Body:
    """Two of the limbs are legs."""
    legs = tuple(Limb(LimbKind.LEG, side, (foot - 5, foot), foot) for foot, side in ((56, Side.LEFT), (57, Side.RIGHT)))
    return Body(motion.skeleton, root=0, limbs=legs, up=Axis.PLUS_Z, height=10.0)


def print_times() -> None:
    """How long extraction takes against one pass of forward kinematics."""
    print(f"Pose extraction, {JOINTS} joints, contacts of two feet included, one thread\n")
    print("| frames | forward kinematics (ms) | extraction (ms) | passes | µs per frame | poses |")
    print("|---:|---:|---:|---:|---:|---:|")
    for frames in FRAMES:
        motion = made_motion(frames)
        body, poses = made_body(motion), len(extract_poses(motion, made_body(motion)))
        kinematics = fastest(lambda m=motion: forward_kinematics(m.skeleton, m.rotations, m.locations, m.scales))
        ours = fastest(lambda m=motion, b=body: extract_poses(m, b))
        numbers = f"{1e3 * kinematics:.1f} | {1e3 * ours:.1f} | {ours / kinematics:.1f}"
        print(f"| {frames} | {numbers} | {1e6 * ours / frames:.2f} | {poses} |")


def print_extraction_quality(folder: Path) -> None:
    """Recall and precision of poses, against as many evenly spaced ones."""
    from test_staggered_extraction import extraction_scores, total

    print("\nPoses within 0.05 s of annotated contact changes and extremes; in brackets evenly spaced poses\n")
    print("| clip | events | poses | recall | precision |")
    print("|---|---:|---:|---:|---:|")
    for title, share in (("all clips", 1.0), ("all clips, culled to half", 0.5)):
        scores = extraction_scores(folder, share=share)
        rows = scores if share == 1.0 else {}
        together = tuple(total(column) for column in zip(*scores.values(), strict=True))
        for name, (ours, even) in {**rows, title: together}.items():
            recall = f"{ours.recall:.2f} ({even.recall:.2f})"
            print(f"| {name} | {ours.wanted} | {ours.found} | {recall} | {ours.precision:.2f} ({even.precision:.2f}) |")


def print_extremes(folder: Path) -> None:
    """Recall and precision on clips that nothing was tuned on, against peaks of acceleration."""
    from annotated_extremes import extreme_scores

    scores = extreme_scores(folder)
    print("\nExtremes of twenty clips that nothing was tuned on: poses within 0.05 s\n")
    print("| | events | found | recall | precision |")
    print("|---|---:|---:|---:|---:|")
    for title, score in (("poses", scores.poses), ("peaks of acceleration", scores.peaks)):
        print(f"| {title} | {score.wanted} | {score.found} | {score.recall:.2f} | {score.precision:.2f} |")
    print("\n| event | annotated | recall |")
    print("|---|---:|---:|")
    for kind, score in {**scores.kinds, "reversals of single joints, within 33 ms": scores.reversals}.items():
        print(f"| {kind} | {score.wanted} | {score.recall:.2f} |")
    print(f"\n{scores.no_pose} of {scores.all_poses} extreme poses have a joint more than 0.15 h away from any pose.")


def print_contact_quality(folder: Path) -> None:
    """Recall and precision of foot contacts."""
    from test_contacts import contact_scores

    frames, changes = contact_scores(folder)
    print("\nContacts of annotated feet\n")
    print("| | annotated | found | recall | precision |")
    print("|---|---:|---:|---:|---:|")
    for title, score in (("frames in contact", frames), ("starts and ends within 0.1 s", changes)):
        print(f"| {title} | {score.wanted} | {score.found} | {score.recall:.3f} | {score.precision:.3f} |")


def main() -> None:
    """Print the tables."""
    print_times()
    folder = places.clips_folder()
    if not folder.is_dir():
        print("\nThe annotated clips are absent (set MOTION_EDITING_CLIPS): quality is not measured.")
        return
    try:
        import pytest  # noqa: F401
        import scipy  # noqa: F401
    except ImportError:
        print("\npytest or SciPy is not installed: quality is not measured.")
        return
    print_extraction_quality(folder)
    print_extremes(folder)
    print_contact_quality(folder)


if __name__ == "__main__":
    main()
