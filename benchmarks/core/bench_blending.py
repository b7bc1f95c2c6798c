"""Blends, layers, mirrors, root paths and loops beside forward kinematics: `python benchmarks/core/bench_blending.py`.

Each is measured in passes of forward kinematics over the same motion, so that machines can be compared.
With the captured clips at hand, transitions, loops and foot slide are measured on them as well.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from annotated_clips import AnnotatedClip, annotated_clips
from made_motion import Motion, random_skeleton, smooth_curves, smooth_rotations
from stopwatch import milliseconds
from workshop import places

from core.analysis import ground_path
from core.analysis.contacts import detect_contacts
from core.blending import Travel, blend, blend_along_one_path, loop, transition
from core.body import Axis, Body
from core.editing import MirrorAbout, in_place, mirrored
from core.layers import Layer, LayerStack
from core.motion import forward_kinematics
from core.root_motion import along_curve, heading_change, moved_with_contacts

BONES, FRAMES = 60, 10_000
SKELETON = random_skeleton(BONES)


def made(seed: int) -> Motion:
    """A long motion of many bones whose root travels."""
    locations = np.zeros((3, BONES, FRAMES)).T
    root = int(np.flatnonzero(SKELETON.parents < 0)[0])
    locations[:, root] = smooth_curves(FRAMES, 3, seed)
    locations[:, root, 1] += np.linspace(0.0, 100.0, FRAMES)
    return Motion.build(SKELETON, smooth_rotations(FRAMES, BONES, seed, reach=0.5), rate=120.0, locations=locations)


SKELETON = random_skeleton(BONES)


def made_body() -> Body:
    """Pairs are enough for a mirror; the root is the joint without parent."""
    root = int(np.flatnonzero(SKELETON.parents < 0)[0])
    others = [joint for joint in range(BONES) if joint != root]
    pairs = tuple(zip(others[:28:2], others[1:28:2], strict=True))
    return Body(SKELETON, root=root, pairs=pairs, up=Axis.PLUS_Z, height=2.0)


def sparse_layer(number: int, motion: Motion) -> Layer:
    """Ten keys of twenty joints."""
    random = np.random.default_rng(number)
    offsets = 0.2 * random.normal(size=(3, 10, 20, 3))
    keys = np.linspace(5.0, 70.0, 10)
    return Layer(
        f"layer {number}", motion.skeleton.names[number : number + 20], keys, *offsets, start=0.0, end=80.0, ease_in=5.0
    )


def made_motions() -> None:
    """The table of all tools on a made motion."""
    one, two, three = (made(seed) for seed in range(3))
    body = made_body()
    pass_time = milliseconds(lambda: forward_kinematics(one.skeleton, one.rotations, one.locations))
    over_time = np.linspace([0.9, 0.1], [0.2, 0.8], FRAMES)
    stack = LayerStack(one, tuple(sparse_layer(number, one) for number in range(3)))
    merged = stack.merged("layer 0", "layer 1")
    tasks = {
        "blend of two": lambda: blend([one, two], [0.4, 0.6]),
        "blend of two, weights over time": lambda: blend([one, two], over_time),
        "blend of three": lambda: blend([one, two, three], [0.2, 0.3, 0.5]),
        "blend of two along one way": lambda: blend_along_one_path([one, two], over_time, body),
        "three layers": stack.evaluate,
        "merging two layers": lambda: stack.merged("layer 0", "layer 1"),
        "a merged layer and another": merged.evaluate,
        "mirror": lambda: mirrored(one, body, about=MirrorAbout.REST),
        "in place": lambda: in_place(one, body).applied(one),
        "along a curve": lambda: along_curve(one, body, [[0, 0, 0], [30, 40, 0], [80, 0, 0]]).applied(one),
        "loop found and closed": lambda: loop(one, body, travel=Travel.CLOSE),
        "transition found and faded": lambda: transition(one, two, body),
    }
    print(f"{BONES} bones x {FRAMES} frames; one pass of forward kinematics takes {pass_time:.0f} ms\n")
    print("| tool | ms | passes |")
    print("|---|---:|---:|")
    for name, task in tasks.items():
        taken = milliseconds(task)
        print(f"| {name} | {taken:.0f} | {taken / pass_time:.1f} |")


def clip_transitions(clips: dict[str, AnnotatedClip]) -> None:
    """How unlike the best moments are, and the quickest change of velocity there."""
    print("\nTransitions: distance in body heights; acceleration of the quickest joint, in heights per s²\n")
    print("| from | to | distance | own | in the cross-fade |")
    print("|---|---|---:|---:|---:|")
    for first, second in (
        ("cmu_07_01_walk", "cmu_09_01_run"),
        ("cmu_138_01_march", "cmu_07_01_walk"),
        ("cmu_13_18_boxing_aggressive", "cmu_02_05_punches_weak"),
        ("cmu_75_19_sit_stand", "cmu_118_01_jump"),
    ):
        one, two = clips[first], clips[second]
        led = transition(one.motion, two.motion, one.body)
        own = max(np.quantile(accelerations(clip.motion), 0.99) for clip in (one, two))
        seam = accelerations(led.motion)[led.start : led.end].max()
        height = one.body.height or 1.0
        row = f"{led.moments.distance:.3f} | {own / height:.0f} | {seam / height:.0f}"
        print(f"| {first} | {second} | {row} |")


def accelerations(motion: Motion) -> Any:
    """(F - 2,) of the quickest joint, in units per s²."""
    return np.linalg.norm(np.diff(motion.poses.positions, n=2, axis=0), axis=-1).max(axis=1) * motion.rate**2


def clip_loops(clips: dict[str, AnnotatedClip]) -> None:
    """What closing took on every clip."""
    print("\nLoops: what closing pose, velocity and drift took\n")
    print("| clip | seconds | distance (heights) | largest turn (degrees) | largest move (heights) |")
    print("|---|---:|---:|---:|---:|")
    for name, clip in clips.items():
        found = loop(clip.motion, clip.body)
        seconds = (found.end - found.start) / clip.motion.rate
        move = found.largest_move / (clip.body.height or 1.0)
        print(f"| {name} | {seconds:.2f} | {found.distance:.3f} | {np.degrees(found.largest_turn):.1f} | {move:.3f} |")


def clip_slides(clips: dict[str, AnnotatedClip]) -> None:
    """Largest slide of a foot when a walk is bent by 90 degrees, or stretched to 115 % of its way."""
    print("\nFoot slide on other ways, in hundredths of the body height: captured, edited, contacts kept\n")
    print("| clip | way | captured | edited | kept |")
    print("|---|---|---:|---:|---:|")
    for name in ("cmu_07_01_walk", "cmu_09_01_run", "cmu_120_08_sneaky_walk", "cmu_127_04_walk_to_run"):
        clip = clips[name]
        contacts = detect_contacts(clip.motion, clip.body)
        start, end = ground_path(clip.motion, clip.body).places[[0, -1]]
        longer = [start, start + 1.15 * (end - start)]
        ways = {
            "bent by 90°": heading_change(clip.motion, clip.body, np.linspace(0.0, 0.5 * np.pi, len(clip.motion))),
            "115 % as long": along_curve(clip.motion, clip.body, longer, fit_length=True),
        }
        for way, move in ways.items():
            _, report = moved_with_contacts(clip.motion, move, clip.body, contacts=contacts)
            slides = (report.slide_original, report.slide_edited, report.slide_held)
            print(f"| {name} | {way} | " + " | ".join(f"{100 * s / clip.body.height:.1f}" for s in slides) + " |")


def main() -> None:
    """Print the tables."""
    made_motions()
    if places.clips_folder().is_dir():
        clips = {clip.name: clip for clip in annotated_clips(places.clips_folder())}
        clip_transitions(clips)
        clip_loops(clips)
        clip_slides(clips)


if __name__ == "__main__":
    main()
