"""Foot lock beside forward kinematics, and what it reaches on the clips: `python benchmarks/core/bench_foot_lock.py`.

Times are in passes of forward kinematics over the same motion, so that machines can be compared.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from annotated_clips import annotated_clips
from stopwatch import milliseconds
from workshop import places

from core.analysis.contacts import detect_contacts
from core.body import find_body
from core.motion import Motion, forward_kinematics
from core.numerics import Array, quaternion
from core.sample_motion import sample_motion
from core.solve.contact_lock import lock_feet

RATE = 30.0
LENGTHS = (1000, 10_000)  # frames
fastest = partial(milliseconds, turns=5)


def repeated(motion: Motion, frames: int) -> Motion:
    """The motion over and over, cut at a number of frames."""
    order = np.arange(frames) % len(motion)
    return Motion.build(motion.skeleton, motion.rotations[order], rate=motion.rate, locations=motion.locations[order])


def swaying(motion: Motion, joint: int, way: float) -> Motion:
    """The figure swayed as a whole, so that its feet slide."""
    locations = np.array(motion.locations)
    locations[:, joint, 0] += way * np.sin(2.0 * motion.times)
    return motion.with_locations(locations)


def speed() -> None:
    """Time of locking the feet of the sample motion, contacts given."""
    print("Sample motion whose feet slide, contacts given\n")
    print("| joints | frames | contacts | forward kinematics (ms) | foot lock (ms) | passes |")
    print("|---:|---:|---:|---:|---:|---:|")
    for frames in LENGTHS:
        still = repeated(sample_motion(RATE), frames)
        body = find_body(still.skeleton, motion=still)
        contacts, motion = detect_contacts(still, body), swaying(still, int(body.require("root")), 0.03)
        count = sum(len(contacts.of(joint)) for joint in contacts.joints)
        one = fastest(partial(forward_kinematics, motion.skeleton, motion.rotations, motion.locations, motion.scales))
        # A copy each time: poses that were computed before would save a pass.
        whole = fastest(lambda motion=motion, body=body, contacts=contacts: lock_feet(replace(motion), body, contacts))
        print(f"| {len(motion.skeleton)} | {len(motion)} | {count} | {one:.1f} | {whole:.0f} | {whole / one:.0f} |")


@dataclass(frozen=True)
class Calmness:
    """What locking adds to a motion's unrest.

    Attributes:
        turning: Degrees a second that some joint turns faster than before: worst, and 99th percentile of what changed.
        acceleration: Body heights a second squared by which some joint's acceleration grows: likewise.
    """

    turning: tuple[float, float]
    acceleration: tuple[float, float]


def calmness(before: Motion, after: Motion, height: float) -> Calmness:
    """Compare a motion with its locked one, frame by frame."""
    steps = [quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1]) for motion in (before, after)]
    pulls = [np.linalg.norm(np.diff(motion.poses.positions, 2, axis=0), axis=-1) for motion in (before, after)]
    return Calmness(
        _worst(np.degrees(steps[1] - steps[0]) * before.rate), _worst((pulls[1] - pulls[0]) * before.rate**2 / height)
    )


def _worst(added: Array) -> tuple[float, float]:
    """The largest value, and the 99th percentile of those that are not nothing."""
    changed = added[np.abs(added) > 1e-9]
    return float(added.max()), float(np.percentile(changed, 99.0)) if changed.size else 0.0


def clips(folder: Path) -> None:
    """What locking reaches on every annotated clip, contacts found."""
    print("\nCaptured clips, contacts found: slides and lowering in hundredths of the body's height;")
    print("turning in degrees a second, acceleration in body heights a second squared, both worst / 99th percentile\n")
    print("| clip | contacts | slide before | after | lowered | missed | turning added | acceleration added | again |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    unrest = []
    for clip in annotated_clips(folder):
        height, contacts = float(clip.body.require("height")), detect_contacts(clip.motion, clip.body)
        locked, report = lock_feet(clip.motion, clip.body, contacts)
        again, _ = lock_feet(locked, clip.body, contacts)
        same = np.array_equal(again.rotations, locked.rotations) and np.array_equal(again.locations, locked.locations)
        calm = calmness(clip.motion, locked, height)
        unrest.append((*calm.turning, *calm.acceleration, 100.0 * report.root_lowered / height))
        print(
            f"| {clip.name} | {report.contacts} | {100 * report.slide_before / height:.2f} "
            f"| {100 * report.slide_after / height:.4f} | {100 * report.root_lowered / height:.2f} "
            f"| {len(report.missed)} | {calm.turning[0]:.0f} / {calm.turning[1]:.0f} "
            f"| {calm.acceleration[0]:.1f} / {calm.acceleration[1]:.1f} | {'the same' if same else 'other'} |"
        )
    for name, of in (("Mean", np.mean), ("Worst", np.max)):
        turning, usual_turning, pull, usual_pull, lowered = of(unrest, axis=0)
        print(
            f"\n{name} of all clips: turning {turning:.0f} / {usual_turning:.0f}, "
            f"acceleration {pull:.1f} / {usual_pull:.1f}, root lowered {lowered:.2f}."
        )


def main() -> None:
    """Speed, and the clips where they are at hand."""
    speed()
    if places.clips_folder().is_dir():
        clips(places.clips_folder())


if __name__ == "__main__":
    main()
