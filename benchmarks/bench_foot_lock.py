"""Foot lock beside forward kinematics, and what it reaches on the clips: `python benchmarks/bench_foot_lock.py`.

Times are in passes of forward kinematics over the same motion, so that machines can be compared.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

import numpy as np
import places
from annotated_clips import annotated_clips
from stopwatch import milliseconds

from core import quaternion
from core.body import find_body
from core.contact_lock import lock_feet
from core.contacts import detect_contacts
from core.forward_kinematics import forward_kinematics
from core.motion import Motion
from core.sample_motion import sample_motion

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


def added_turning(before: Motion, after: Motion) -> float:
    """Degrees a second that some joint turns faster than before."""
    steps = [quaternion.angle_between(motion.rotations[1:], motion.rotations[:-1]) for motion in (before, after)]
    return float(np.degrees((steps[1] - steps[0]).max() * before.rate))


def clips(folder: Path) -> None:
    """What locking reaches on every annotated clip, contacts found."""
    print("\nCaptured clips, contacts found: slides and lowering in hundredths of the body's height\n")
    print("| clip | contacts | slide before | after | lowered | missed | turning added (degrees/s) | a second time |")
    print("|---|---:|---:|---:|---:|---:|---:|---|")
    for clip in annotated_clips(folder):
        height, contacts = float(clip.body.require("height")), detect_contacts(clip.motion, clip.body)
        locked, report = lock_feet(clip.motion, clip.body, contacts)
        again, _ = lock_feet(locked, clip.body, contacts)
        same = np.array_equal(again.rotations, locked.rotations) and np.array_equal(again.locations, locked.locations)
        print(
            f"| {clip.name} | {report.contacts} | {100 * report.slide_before / height:.2f} "
            f"| {100 * report.slide_after / height:.4f} | {100 * report.root_lowered / height:.2f} "
            f"| {len(report.missed)} | {added_turning(clip.motion, locked):.0f} | {'the same' if same else 'other'} |"
        )


def main() -> None:
    """Speed, and the clips where they are at hand."""
    speed()
    if places.clips_folder().is_dir():
        clips(places.clips_folder())


if __name__ == "__main__":
    main()
