"""Captured walks on other captured skeletons, smaller ones and ones with very short legs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from marked_slides import slides_of
from resized_skeletons import LEG_BONES, resized

from core.analysis.contacts import ContactSpans, detect_contacts, estimate_floor
from core.body import Body, find_body
from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics import runs
from core.retarget import HeldDistance, Retargeted, RetargetOptions, name_mapping, retarget
from core.solve.contact_lock import foot_slide
from core.solve.contact_lock.windows import contact_frames

WALKS = (
    "cmu_07_01_walk",
    "cmu_09_01_run",
    "cmu_120_08_sneaky_walk",
    "cmu_127_04_walk_to_run",
    "cmu_133_03_walk_jump",
    "cmu_138_01_march",
    "cmu_139_02_idle_shift_weight",
    "cmu_18_01_handshake_A",
    "cmu_19_01_handshake_B",
    "cmu_69_69_pickup_carry",
)
OTHERS = (
    "dev/fair1_jumping_zup",
    "dev/rokoko_jesse_dance_fingers",
    "dev/m2m_human_fixing_kneeling_fingers",
    "dev/freemocap_gestures_long",
    "odd/pymo_av_8walk_root_offset",
    "odd/makehuman_zombieWalk1_zup_fingers",
    "odd/cmumax_jumping_jacks_30fps",
    "dev/cmu_18_01_handshake_A",
)
# Its rest pose is folded up: its first frame shows how it stands.
FOLDED = "dev/rokoko_jesse_dance_fingers"
# Frames of a clip that are looked at: several steps.
MOST = 480


@cache
def _other(folder: Path, name: str) -> tuple[Motion, Body]:
    motion = read_bvh(folder / f"{name}.bvh").to_motion()
    return motion, find_body(motion.skeleton, motion=motion)


def _clip(folder: Path, name: str) -> AnnotatedClip:
    return next(clip for clip in annotated_clips(folder) if clip.name == name)


def _retargeted(clip: AnnotatedClip, motion: Motion, skeleton: Skeleton, body: Body, **more) -> Retargeted:
    mapping = name_mapping(motion.skeleton, skeleton, clip.body, body)
    return retarget(motion, skeleton, mapping, source_body=clip.body, target_body=body, **more)


def _slide_of_tip(
    clip: AnnotatedClip, toe: str, target_of: dict[str, str], contacts: ContactSpans, motion: Motion
) -> float:
    """How far the tip of a foot without toes gets from its place while the source's toe stands."""
    number = clip.motion.skeleton.index[toe]
    ankle = next(limb.end for limb in clip.body.legs if number in limb.digits[0])
    foot = motion.skeleton.index[target_of[clip.motion.skeleton.names[ankle]]]
    tips = motion.poses.tips[:, foot]
    spans = runs(contact_frames(contacts, toe, motion.times))
    return max((float(np.linalg.norm(tips[run] - tips[run.start], axis=1).max()) for run in spans), default=0.0)


def _check_standing(clip: AnnotatedClip, motion: Motion, skeleton: Skeleton, body: Body, result: Retargeted) -> None:
    """Feet stay in place and above the floor, and everything that does not hold is reported."""
    target_of = name_mapping(motion.skeleton, skeleton, clip.body, body).target_of
    contacts = detect_contacts(motion, clip.body)
    leg = result.report.leg_length
    for name in contacts.joints:
        joint = target_of.get(name)
        if joint is None:
            if name not in result.report.lost_contacts:
                assert _slide_of_tip(clip, name, target_of, contacts, result.motion) < 0.01 * leg
            continue
        moved = type(contacts)({joint: contacts.of(name)})
        assert max(foot_slide(result.motion, moved)[joint], default=0.0) < 0.01 * leg
    assert result.report.slide < 0.01 * leg
    assert result.report.below_floor < 1e-4 * body.height
    assert result.report.remaining_error < 1e-4 * body.height


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(("factor", "only"), [(0.6, ()), (0.45, LEG_BONES)], ids=["60 % size", "very short legs"])
def test_walks_on_other_proportions_do_not_skate(clips_folder, walk, factor, only):
    clip = _clip(clips_folder, walk)
    motion = clip.motion.part(0, MOST)
    skeleton = resized(motion.skeleton, factor, only=only)
    body = find_body(skeleton)
    result = _retargeted(clip, motion, skeleton, body)
    assert result.report.slide_carried > 0.005 * result.report.leg_length
    _check_standing(clip, motion, skeleton, body, result)


@pytest.mark.parametrize("walk", WALKS)
def test_contacts_that_people_marked_slide_less_than_in_the_capture(clips_folder, walk):
    # Found contacts are held exactly. These are others: about a tenth of their frames was not found.
    clip = _clip(clips_folder, walk)
    motion = clip.motion.part(0, MOST)
    skeleton = resized(motion.skeleton, 0.6)
    result = _retargeted(clip, motion, skeleton, find_body(skeleton)).motion
    before, after = 0.6 * slides_of(clip, motion), slides_of(clip, result)
    assert np.median(after) < 0.5 * np.median(before)
    assert after.max() < before.max()


@pytest.mark.parametrize("walk", WALKS)
def test_walks_on_other_captured_skeletons_do_not_skate(clips_folder, walk):
    clip = _clip(clips_folder, walk)
    motion = clip.motion.part(0, MOST)
    # A clip's own skeleton gets the clip as it is, with the slide of the capture.
    for name in (name for name in OTHERS if not name.endswith(walk)):
        pose, body = _other(clips_folder, name)
        options = RetargetOptions(target_pose=pose) if name == FOLDED else None
        result = _retargeted(clip, motion, pose.skeleton, body, options=options)
        _check_standing(clip, motion, pose.skeleton, body, result)


def test_limbs_point_the_same_way_on_a_skeleton_with_another_axis_up(clips_folder):
    clip = _clip(clips_folder, "cmu_138_01_march")
    pose, body = _other(clips_folder, "dev/fair1_jumping_zup")
    result = _retargeted(clip, clip.motion.part(0, 200), pose.skeleton, body).motion
    for upper, lower in (("LeftArm", "LeftForeArm"), ("RightForeArm", "RightHand")):
        ways = [
            motion.poses.positions[:200, motion.skeleton.index[lower]]
            - motion.poses.positions[:200, motion.skeleton.index[upper]]
            for motion in (clip.motion, result)
        ]
        source, target = (way / np.linalg.norm(way, axis=1)[:, None] for way in ways)
        np.testing.assert_allclose(np.stack([source[:, 0], -source[:, 2], source[:, 1]], axis=1), target, atol=1e-6)


def test_the_folded_skeleton_walks_upright(clips_folder):
    clip = _clip(clips_folder, "cmu_138_01_march")
    pose, body = _other(clips_folder, FOLDED)
    options = RetargetOptions(target_pose=pose)
    result = _retargeted(clip, clip.motion.part(0, 200), pose.skeleton, body, options=options).motion
    heights = result.poses.positions[:, [body.feet[0], body.root, body.head]] @ body.up.vector
    assert (np.diff(heights, axis=1) > 0.25 * body.height).all()


def test_hands_that_carry_keep_their_distance(clips_folder):
    clip = _clip(clips_folder, "cmu_69_69_pickup_carry")
    motion = clip.motion.part(0, MOST)
    small = resized(motion.skeleton, 0.9)
    held = HeldDistance("LeftHand", "RightHand", 1.0, 3.0)
    result = _retargeted(clip, motion, small, find_body(small), held=[held])
    hands = [small.index["LeftHand"], small.index["RightHand"]]
    apart, wanted = (
        np.linalg.norm(np.subtract(*np.moveaxis(each.poses.positions[:, hands], 1, 0)), axis=1)
        for each in (result.motion, motion)
    )
    inside = held.active(motion.times)
    missing = np.abs(apart - wanted)[inside].max()
    assert missing < 1e-4 * clip.body.height or result.report.missed_distances
    assert result.report.slide < 0.01 * result.report.leg_length


def test_long_arms_of_a_cartwheel_do_not_go_through_the_floor(clips_folder):
    clip = _clip(clips_folder, "cmu_49_06_cartwheel")
    skeleton = resized(clip.motion.skeleton, 1.6, only=("LeftForeArm", "RightForeArm", "LeftHand", "RightHand"))
    body = find_body(skeleton)
    result = _retargeted(clip, clip.motion, skeleton, body)
    up, floor = body.up.vector, estimate_floor(clip.motion.poses.positions, body.up.vector)
    for name in ("LeftHand", "RightHand"):
        hand = [skeleton.index[name], *skeleton.descendants(skeleton.index[name])]
        points = np.concatenate([result.motion.poses.positions[:, hand], result.motion.poses.tips[:, hand]], axis=1)
        assert (points @ up).min() > floor - 0.01 * clip.body.height
