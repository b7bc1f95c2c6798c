"""Retargeting beside forward kinematics, and foot slide on the clips: `python benchmarks/core/bench_retargeting.py`.

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
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "core" / "retarget"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np
from annotated_clips import AnnotatedClip, annotated_clips
from marked_slides import added_turning, marked_contacts, slides_of
from resized_skeletons import LEG_BONES, resized
from stopwatch import milliseconds
from workshop import places

from core.analysis.contacts import ContactSpans, detect_contacts
from core.body import Body, find_body
from core.files import read_bvh
from core.motion import Motion, Skeleton, forward_kinematics
from core.numerics import quaternion
from core.retarget import (
    Meeting,
    Partner,
    Retargeted,
    RetargetOptions,
    chain_length,
    name_mapping,
    retarget,
    retarget_together,
    rolling_contacts,
)
from core.sample_motion import sample_motion

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


def fresh(motion: Motion) -> Motion:
    """The motion without poses that were computed before."""
    return replace(motion)


def speed() -> None:
    """Time of retargeting the sample motion at several lengths, and with 60 joints over 1,000 frames."""
    print("Sample motion on a skeleton of 60 % size, contacts given\n")
    print("| joints | frames | forward kinematics (ms) | retargeting (ms) | passes |")
    print("|---:|---:|---:|---:|---:|")
    for motion in (*(sample_motion(rate) for rate in (30.0, 120.0, 480.0)), with_twigs(sample_motion(100.0), 60, 1000)):
        one, whole = milliseconds(partial(kinematics, motion)), milliseconds(sample_retargeting(motion))
        print(f"| {len(motion.skeleton)} | {len(motion)} | {one:.1f} | {whole:.0f} | {whole / one:.0f} |")


def with_twigs(motion: Motion, joints: int, frames: int) -> Motion:
    """The first frames of a motion, its head with a chain of joints that makes up their number."""
    old = motion.skeleton
    extra, head = joints - len(old), old.index["head"]
    skeleton = Skeleton.build(
        [*old.names, *(f"twig {number}" for number in range(extra))],
        [*old.parents, head, *range(len(old), joints - 1)],
        [*old.rest_positions, *(old.rest_positions[head] + [0.0, 0.01 * (each + 1), 0.0] for each in range(extra))],
        rest_rotations=[*old.rest_rotations, *(old.rest_rotations[head] for _ in range(extra))],
        tips=[*old.tips, *np.zeros((extra, 3))],
    )
    part = motion.part(0, frames)
    rotations = np.concatenate([part.rotations, quaternion.identity(len(part), extra)], axis=1)
    locations = np.concatenate([part.locations, np.zeros((len(part), extra, 3))], axis=1)
    return Motion.build(skeleton, rotations, rate=motion.rate, locations=locations)


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
    for name, factor, only in (("60 % size", 0.6, ()), ("short legs", 0.4, LEG_BONES)):
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
    print("| clip | found | captured: median, worst | found, 60 % size | found, short legs | given, both | turning |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    above = []
    for clip in annotated_clips(folder):
        if "foot_contacts" not in clip.notes:
            continue
        found, marked = detect_contacts(clip.motion, clip.body), marked_contacts(clip, clip.motion)
        given = rolling_contacts(clip.motion, clip.body, marked)
        cells, turning = [slides_of(clip, clip.motion) / measured_leg(clip.motion, clip.body)], []
        for contacts, (name, target) in itertools.product((found, given), itertools.islice(targets(folder, clip), 2)):
            result = _on(clip, target, contacts)
            cells.append(slides_of(clip, result.motion) / result.report.leg_length)
            turning.append(added_turning(clip, clip.motion, result.motion))
            if contacts is found:
                above += list(_above(clip, name, found, cells[-1]))
        cells[3:] = [np.concatenate(cells[3:])]
        row = " | ".join(f"{100 * np.median(cell):.2f}, {100 * cell.max():.2f}" for cell in cells)
        print(f"| {clip.name} | {share_found(clip):.2f} | {row} | {max(turning):.0f} |")
    print("\nTurning: degrees a second that a joint of the legs turns faster than in the capture, at most.")
    print("\nContacts above one hundredth where contacts were found: feet that people see standing while they creep\n")
    print("| clip | skeleton | contact | captured, where not found to stand | retargeted |")
    print("|---|---|---:|---:|---:|")
    print("\n".join(above))


def _above(clip: AnnotatedClip, name: str, found: ContactSpans, slides: Any) -> Iterator[str]:
    """Rows of contacts that slide by more than a hundredth of the leg, beside what the source does there."""
    own = slides_of(clip, clip.motion, besides=found) / measured_leg(clip.motion, clip.body)
    for number in np.flatnonzero(slides > 0.01):
        yield f"| {clip.name} | {name} | {number + 1} | {100 * own[number]:.2f} | {100 * slides[number]:.2f} |"


def _on(clip: AnnotatedClip, target: Target, contacts: ContactSpans) -> Retargeted:
    skeleton, body, options = target
    mapping = name_mapping(clip.motion.skeleton, skeleton, clip.body, body)
    return retarget(
        clip.motion,
        skeleton,
        mapping,
        source_body=clip.body,
        target_body=body,
        contacts=contacts,
        options=options,
    )


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
