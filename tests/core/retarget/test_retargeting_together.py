"""Two characters adapted together, and characters of another structure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, CONTACTS, HEIGHT, INDEX, UP, WALK
from resized_skeletons import resized, with_joint_split

from core.analysis.contacts import ContactSpans
from core.body import Axis, Body, find_body
from core.errors import TimeOrderError
from core.motion.motion import Motion
from core.motion.rest_axes import turned
from core.motion.skeleton import Skeleton
from core.numerics import quaternion
from core.retarget import (
    JointMapping,
    JointPair,
    Meeting,
    Partner,
    follow_paths,
    name_mapping,
    retarget_together,
    with_proportions,
)

SKELETON = WALK.skeleton
PART = WALK.part(0, 60)


def _beside(motion: Motion, way: tuple[float, float, float]) -> Motion:
    """The motion of a partner who stands opposite and does the same."""
    facing = turned(motion, quaternion.from_axis_angle(UP, np.pi))
    locations = np.array(facing.locations)
    root = facing.skeleton.rest_rotations[BODY.root]
    locations[:, BODY.root] += quaternion.rotate(quaternion.conjugate(root), np.array(way))
    return facing.with_locations(locations)


def _partner(motion: Motion, factor: float) -> Partner:
    body, skeleton = find_body(motion.skeleton, motion=motion), resized(motion.skeleton, factor)
    small = find_body(skeleton)
    mapping = name_mapping(motion.skeleton, skeleton, body, small)
    return Partner(motion, skeleton, mapping, body, small, contacts=CONTACTS)


def _distance(one: Motion, other: Motion, joint: str) -> np.ndarray:
    index = one.skeleton.index[joint]
    return np.linalg.norm(one.poses.positions[:, index] - other.poses.positions[:, index], axis=1)


def test_hands_of_partners_meet_again():
    partners = [_partner(PART, 0.8), _partner(_beside(PART, (0.0, -1.2 * HEIGHT, 0.0)), 1.0)]
    gap = _distance(partners[0].motion, partners[1].motion, "hand.R")
    first = int(np.argmin(gap))
    span = float(PART.times[max(first - 3, 0)]), float(PART.times[min(first + 3, len(PART) - 1)])
    results = retarget_together(partners, [Meeting("hand.R", "hand.R", *span)])
    inside = (PART.times >= span[0]) & (PART.times <= span[1])
    now = _distance(results[0].motion, results[1].motion, "hand.R")
    assert np.abs(now - gap)[inside].max() < 1e-4 * HEIGHT
    for result in results:
        assert result.report.missed_distances == ()
        assert result.report.slide < 0.01 * result.report.leg_length
        assert result.report.below_floor < 1e-4 * HEIGHT


def test_partners_that_cannot_reach_each_other_are_reported_to_both():
    partners = [_partner(PART, 0.5), _partner(_beside(PART, (0.0, 0.0, 0.0)), 0.5)]
    meeting = Meeting("hand.R", "hand.R", 0.5, 0.6, scale=0.0)
    near = retarget_together(partners, [meeting])
    far = retarget_together(partners, [replace(meeting, scale=1e3)])
    assert all(result.report.missed_distances for result in far)
    assert all(result.report.remaining_error > HEIGHT for result in far)
    assert max(result.report.remaining_error for result in near) < far[0].report.remaining_error


def test_partners_with_other_times_are_refused():
    partners = [_partner(PART, 0.8), _partner(WALK.part(0, 50), 1.0)]
    with pytest.raises(TimeOrderError, match="same times; resample"):
        retarget_together(partners, [])


@pytest.mark.clips
@pytest.mark.parametrize("sizes", [(0.7, 1.0), (0.5, 1.3)], ids=["one small", "small and tall"])
def test_a_captured_handshake_holds_with_partners_of_other_sizes(clips_folder, sizes):
    clips = {clip.name: clip for clip in annotated_clips(clips_folder)}
    pair = [clips["cmu_18_01_handshake_A"], clips["cmu_19_01_handshake_B"]]
    frames = min(len(clip.motion) for clip in pair)
    partners = []
    for clip, factor in zip(pair, sizes, strict=True):
        skeleton = resized(clip.motion.skeleton, factor)
        body = find_body(skeleton)
        mapping = name_mapping(skeleton, skeleton, body, body)
        partners.append(Partner(clip.motion.part(0, frames), skeleton, mapping, clip.body, body))
    rows = [row - pair[0].lead for row in pair[0].notes["pair"]["handshake_rows"]]
    times = partners[0].motion.times
    results = retarget_together(partners, [Meeting("RightHand", "RightHand", times[rows[0]], times[rows[1]])])
    before = _distance(partners[0].motion, partners[1].motion, "RightHand")
    after = _distance(results[0].motion, results[1].motion, "RightHand")
    assert np.abs(after - before)[rows[0] : rows[1] + 1].max() < 1e-4 * pair[1].body.height
    for result in results:
        assert result.report.slide < 0.01 * result.report.leg_length
        assert result.report.remaining_error == 0.0


def test_proportions_are_taken_between_corresponding_joints():
    longer = resized(SKELETON, 1.7, only=("forearm.L", "shin.R"))
    every = {joint: joint for joint in range(len(SKELETON))}
    places = with_proportions(SKELETON, longer, every).rest_positions
    wanted = longer.rest_positions
    np.testing.assert_allclose(places - places[BODY.root], wanted - wanted[BODY.root], atol=1e-12)
    some = {joint: joint for joint in range(len(SKELETON)) if SKELETON.names[joint] != "forearm.L"}
    between = with_proportions(SKELETON, resized(SKELETON, 0.5), some)
    np.testing.assert_allclose(between.rest_positions, 0.5 * SKELETON.rest_positions, atol=1e-12)


def test_a_can_follows_hips_and_head():
    hips, head = SKELETON.names[BODY.root], SKELETON.names[BODY.head]
    can = Skeleton.build(["can", "lid"], [-1, 0], [(0, 0, 1.0), (0, 0, 1.8)])
    body = Body(can, root=0, up=Axis.PLUS_Z, height=1.8)
    mapping = JointMapping.of_pairs([JointPair(hips, "can"), JointPair(head, "lid")], SKELETON, can)
    result = follow_paths(WALK, can, mapping, source_body=BODY, target_body=body, contacts=CONTACTS)
    adapted = result.adapted.motion
    np.testing.assert_allclose(result.motion.poses.positions[:, 0], adapted.poses.positions[:, BODY.root], atol=1e-9)
    lean, wanted = (
        motion.poses.positions[:, end] - motion.poses.positions[:, start]
        for motion, start, end in ((result.motion, 0, 1), (adapted, BODY.root, BODY.head))
    )
    cosines = (lean * wanted).sum(axis=1) / np.linalg.norm(lean, axis=1) / np.linalg.norm(wanted, axis=1)
    assert cosines.min() > 1.0 - 1e-9
    assert result.errors["can"] < 1e-9
    # The can does not bend as a back does: what is left is that difference in length, and told.
    assert result.errors["lid"] == pytest.approx(
        np.abs(np.linalg.norm(lean, axis=1) - np.linalg.norm(wanted, axis=1)).max(), abs=1e-6
    )


def test_a_tentacle_follows_an_arm():
    arm = [joint for limb in BODY.limbs if limb.role == "left arm" for joint in limb.chain]
    names = [SKELETON.names[joint] for joint in arm]
    tentacle = with_joint_split(with_joint_split(SKELETON, names[1], 3), names[2], 3)
    body = find_body(tentacle)
    chosen = [SKELETON.names[BODY.root], names[0], names[-1]]
    mapping = JointMapping.of_pairs([JointPair(name, name) for name in chosen], SKELETON, tentacle)
    result = follow_paths(PART, tentacle, mapping, source_body=BODY, target_body=body, contacts=ContactSpans())
    hand = result.adapted.motion.poses.positions[:, INDEX[names[-1]]]
    np.testing.assert_allclose(result.motion.poses.positions[:, tentacle.index[names[-1]]], hand, atol=1e-9 * HEIGHT)
    assert max(result.errors.values()) < 1e-9 * HEIGHT
