"""Retargeting beside forward kinematics, and foot slide on the clips: `python benchmarks/bench_retargeting.py`.

Times are in passes of forward kinematics over the same motion, so that machines can be compared. With the
captured clips at hand, every annotated walk is put on the other clips' skeletons, on one of 60 % size and on
one with very short legs.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

# One thread on all sides; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

import numpy as np
import places
from annotated_clips import AnnotatedClip, annotated_clips
from marked_slides import slides_of
from resized_skeletons import LEG_BONES, resized

from core.body import Body, find_body
from core.bvh import read_bvh
from core.contacts import detect_contacts
from core.forward_kinematics import forward_kinematics
from core.motion import Motion
from core.retargeting import Meeting, Partner, RetargetOptions, name_mapping, retarget, retarget_together
from core.retargeting.measures import chain_length
from core.sample_motion import sample_motion
from core.skeleton import Skeleton

OTHERS = {
    "fair1": "dev/fair1_jumping_zup",
    "rokoko": "dev/rokoko_jesse_dance_fingers",
    "m2m": "dev/m2m_human_fixing_kneeling_fingers",
    "freemocap": "dev/freemocap_gestures_long",
    "pymo": "odd/pymo_av_8walk_root_offset",
    "makehuman": "odd/makehuman_zombieWalk1_zup_fingers",
    "cmumax": "odd/cmumax_jumping_jacks_30fps",
    "cmu 18_01": "dev/cmu_18_01_handshake_A",
    "cmu 138_01": "dev/cmu_138_01_march",
}
# Its rest pose is folded up: its first frame shows how it stands.
FOLDED = "rokoko"
Target = tuple[Skeleton, Body, RetargetOptions]


def fastest(task: Callable[[], Any], turns: int = 3) -> float:
    """Milliseconds, the fastest of some turns."""
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        task()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def fresh(motion: Motion) -> Motion:
    """The motion without poses that were computed before."""
    return replace(motion)


def speed() -> None:
    """Time of retargeting the sample motion at several lengths."""
    print("Sample motion on a skeleton of 60 % size, contacts given\n")
    print("| frames | forward kinematics (ms) | retargeting (ms) | passes |")
    print("|---:|---:|---:|---:|")
    for rate in (30.0, 120.0, 480.0):
        motion = sample_motion(rate)
        one, whole = fastest(partial(kinematics, motion)), fastest(sample_retargeting(motion))
        print(f"| {len(motion)} | {one:.1f} | {whole:.0f} | {whole / one:.0f} |")


def kinematics(motion: Motion) -> Any:
    """One pass."""
    return forward_kinematics(motion.skeleton, motion.rotations, motion.locations, motion.scales).tips


def sample_retargeting(motion: Motion) -> Callable[[], Any]:
    """Retargeting to 60 % size, everything known but the result."""
    body, skeleton = find_body(motion.skeleton, motion=motion), resized(motion.skeleton, 0.6)
    small, contacts = find_body(skeleton), detect_contacts(motion, body)
    mapping = name_mapping(motion.skeleton, skeleton, body, small)
    return lambda: retarget(fresh(motion), skeleton, mapping, source_body=body, target_body=small, contacts=contacts)


def targets(folder: Path, clip: AnnotatedClip) -> Iterator[tuple[str, Target]]:
    """Skeletons for a clip."""
    for name, factor, only in (("60 % size", 0.6, ()), ("short legs", 0.45, LEG_BONES)):
        skeleton = resized(clip.motion.skeleton, factor, only=only)
        yield name, (skeleton, find_body(skeleton), RetargetOptions())
    # A clip's own skeleton gets the clip as it is, with the slide of the capture.
    for name, path in ((name, path) for name, path in OTHERS.items() if not path.endswith(clip.name)):
        motion = read_bvh(folder / f"{path}.bvh").to_motion()
        options = RetargetOptions(target_pose=motion if name == FOLDED else None)
        yield name, (motion.skeleton, find_body(motion.skeleton, motion=motion), options)


def clip_slides(folder: Path) -> None:
    """Worst foot slide, depth, lowering and miss of every walk on every skeleton."""
    print("\nWalks on other skeletons: the worst of all skeletons, in hundredths of the leg or of the height\n")
    print(
        "| clip | skeletons | slide carried (leg) | slide held (leg) | lowered | below floor | missed | ms per frame |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for clip in annotated_clips(folder):
        if "foot_contacts" not in clip.notes:
            continue
        rows, start = [], time.perf_counter()
        for _, (skeleton, body, options) in targets(folder, clip):
            mapping = name_mapping(clip.motion.skeleton, skeleton, clip.body, body)
            report = retarget(
                clip.motion, skeleton, mapping, source_body=clip.body, target_body=body, options=options
            ).report
            leg, height = report.leg_length or 1.0, body.height or 1.0
            rows.append(
                [
                    report.slide_carried / leg,
                    report.slide / leg,
                    report.root_lowered / height,
                    report.below_floor / height,
                    report.remaining_error / height,
                ]
            )
        spent = 1e3 * (time.perf_counter() - start) / len(rows) / len(clip.motion)
        worst = " | ".join(f"{100 * value:.3f}" for value in np.max(rows, axis=0))
        print(f"| {clip.name} | {len(rows)} | {worst} | {spent:.2f} |")


def annotated_slides(folder: Path) -> None:
    """Slide over contacts that people marked: these do not depend on the contacts that were found and held."""
    print("\nSlide over annotated contacts, in hundredths of the leg: the way of the slower of ankle and toe\n")
    print("| clip | share found | captured: median, worst | 60 % size: median, worst | short legs: median, worst |")
    print("|---|---:|---:|---:|---:|")
    for clip in annotated_clips(folder):
        if "foot_contacts" not in clip.notes:
            continue
        cells = [slides_of(clip, clip.motion) / measured_leg(clip.motion, clip.body)]
        for _, (skeleton, body, _) in itertools.islice(targets(folder, clip), 2):
            mapping = name_mapping(clip.motion.skeleton, skeleton, clip.body, body)
            result = retarget(clip.motion, skeleton, mapping, source_body=clip.body, target_body=body)
            cells.append(slides_of(clip, result.motion) / result.report.leg_length)
        row = " | ".join(f"{100 * np.median(cell):.2f}, {100 * cell.max():.2f}" for cell in cells)
        print(f"| {clip.name} | {share_found(clip):.2f} | {row} |")


def share_found(clip: AnnotatedClip) -> float:
    """Share of the annotated frames in which ankle or toe is found in contact."""
    found, shares = detect_contacts(clip.motion, clip.body), []
    for limb in clip.body.legs:
        names = [clip.motion.skeleton.names[joint] for joint in (limb.end, limb.digits[0][0])]
        down = clip.foot_contacts(limb.side.value)
        active = np.any([found.active(name, clip.motion.times) for name in names], axis=0)
        shares.append((active & down).sum() / max(down.sum(), 1))
    return float(np.mean(shares))


def measured_leg(motion: Motion, body: Body) -> float:
    """Mean length of the legs."""
    return float(np.mean([chain_length(motion.poses.positions, limb.chain) for limb in body.legs]))


def handshake(folder: Path) -> None:
    """Two captured partners, one at several sizes."""
    clips = {clip.name: clip for clip in annotated_clips(folder)}
    pair = [clips["cmu_18_01_handshake_A"], clips["cmu_19_01_handshake_B"]]
    frames = min(len(clip.motion) for clip in pair)
    rows = [row - pair[0].lead for row in pair[0].notes["pair"]["handshake_rows"]]
    meeting = Meeting("RightHand", "RightHand", *(float(pair[0].motion.times[row]) for row in rows))
    print("\nHandshake with one partner of another size\n")
    print("| size | missed (hundredths of the height) | slide (hundredths of the leg) | ms |")
    print("|---:|---:|---:|---:|")
    for size in (1.0, 0.8, 0.6, 0.4):
        partners = [_partner(clip, factor, frames) for clip, factor in zip(pair, (size, 1.0), strict=True)]
        start = time.perf_counter()
        results = retarget_together(partners, [meeting])
        spent = 1e3 * (time.perf_counter() - start)
        missed = max(result.report.remaining_error for result in results) / (pair[1].body.height or 1.0)
        slide = max(result.report.slide / result.report.leg_length for result in results)
        print(f"| {size} | {100 * missed:.3f} | {100 * slide:.3f} | {spent:.0f} |")


def _partner(clip: AnnotatedClip, factor: float, frames: int) -> Partner:
    skeleton = resized(clip.motion.skeleton, factor)
    body = find_body(skeleton)
    mapping = name_mapping(clip.motion.skeleton, skeleton, clip.body, body)
    return Partner(clip.motion.part(0, frames), skeleton, mapping, clip.body, body)


def main() -> None:
    """Print the tables."""
    speed()
    folder = places.clips_folder()
    if folder.is_dir():
        clip_slides(folder)
        annotated_slides(folder)
        handshake(folder)


if __name__ == "__main__":
    main()
