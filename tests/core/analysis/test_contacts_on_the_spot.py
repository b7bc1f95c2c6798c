"""Figures that walk on the spot: they stand on ground that moves along under them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from contact_edits import BODY, HEIGHT, INDEX, UP, WALK
from known_bodies import read_glb
from resized_skeletons import resized

from core.analysis.contacts import ContactSpans, detect_contacts
from core.body import find_body
from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.retarget import name_mapping, retarget
from core.retarget.on_the_spot import carried, ways_of
from core.solve.contact_lock import foot_slide, ground_under, largest_slide, lock_feet, on_ground_that_stands

# The sample walks steadily for these frames.
STEADY = WALK.part(25, 100)
TRAVEL = (STEADY.poses.positions[-1, BODY.root] - STEADY.poses.positions[0, BODY.root]) / (
    STEADY.times[-1] - STEADY.times[0]
)
VELOCITY = -(TRAVEL - (TRAVEL @ UP) * UP)


def on_the_spot(motion: Motion) -> Motion:
    """The walk with its travel taken away at one speed."""
    return carried(motion, BODY, ways_of(motion.times, VELOCITY))


def test_contacts_are_those_of_the_walk_that_travels():
    spot, travelling = (detect_contacts(each, BODY) for each in (on_the_spot(STEADY), STEADY))
    assert sum(len(spot.of(joint)) for joint in spot.joints) >= 6
    for joint in spot.joints:
        same = spot.active(joint, STEADY.times) == travelling.active(joint, STEADY.times)
        assert same.mean() > 0.8, joint


def test_the_ground_moves_as_the_walk_would_travel():
    contacts = detect_contacts(STEADY, BODY)
    np.testing.assert_allclose(ground_under(on_the_spot(STEADY), contacts, BODY), VELOCITY, atol=0.02)
    assert not ground_under(STEADY, contacts, BODY).any()
    assert on_ground_that_stands(STEADY, contacts, BODY) == contacts
    assert on_ground_that_stands(on_the_spot(STEADY), contacts, BODY) == ContactSpans()


def test_feet_slide_on_the_spot_as_they_do_in_the_walk_that_travels():
    contacts = detect_contacts(STEADY, BODY)
    walk, spot = (foot_slide(each, contacts, body=BODY) for each in (STEADY, on_the_spot(STEADY)))
    for joint in contacts.joints:
        np.testing.assert_allclose(spot[joint], walk[joint], atol=0.01 * HEIGHT)
    spans = (contacts.of("foot.L"), STEADY.poses.positions[:, INDEX["foot.L"]])
    assert spans[0]
    way = on_the_spot(STEADY).poses.positions[:, INDEX["foot.L"]]
    standing = contacts.active("foot.L", STEADY.times)
    assert np.ptp(way[standing], axis=0).max() > 0.2 * HEIGHT, "in the scene they go back"


def test_feet_that_go_back_unevenly_are_locked_to_the_ground():
    spot, contacts = on_the_spot(STEADY), detect_contacts(STEADY, BODY)
    uneven = carried(
        spot, BODY, 0.03 * HEIGHT * np.sin(9.0 * spot.times)[:, None] * VELOCITY / np.linalg.norm(VELOCITY)
    )
    locked, report = lock_feet(uneven, BODY, contacts)
    assert report.slide_before > 0.02 * HEIGHT
    assert report.slide_after < 1e-4 * HEIGHT
    assert largest_slide(locked, contacts, body=BODY) < 1e-4 * HEIGHT
    assert np.linalg.norm(ground_under(locked, contacts, BODY)) > 0.5 * np.linalg.norm(VELOCITY)
    again, _ = lock_feet(locked, BODY, contacts)
    np.testing.assert_array_equal(again.rotations, locked.rotations)


def test_retargeted_on_the_spot_the_target_stays_there_and_steps_as_if_it_travelled():
    target = resized(WALK.skeleton, 0.6)
    body, mapping = find_body(target), name_mapping(WALK.skeleton, target, BODY, find_body(target))
    contacts = detect_contacts(STEADY, BODY)
    bodies = {"source_body": BODY, "target_body": body, "contacts": contacts}
    spot, travelling = (retarget(each, target, mapping, **bodies) for each in (on_the_spot(STEADY), STEADY))
    root = spot.motion.poses.positions[:, body.root]
    assert np.linalg.norm(root[-1] - root[0]) < 0.15 * np.linalg.norm(
        STEADY.poses.positions[-1, BODY.root] - STEADY.poses.positions[0, BODY.root]
    )
    np.testing.assert_allclose(spot.motion.rotations, travelling.motion.rotations, atol=0.05)
    assert largest_slide(spot.motion, spot.report.contacts, body=body) < 2e-3 * HEIGHT


def test_captured_people_stand_on_ground_that_stands(clips_folder: Path) -> None:
    for clip in annotated_clips(clips_folder):
        if clip.body.height is None or not clip.body.legs or clip.name == "quad_horse_walk":
            continue
        contacts = detect_contacts(clip.motion, clip.body)
        assert not ground_under(clip.motion, contacts, clip.body).any(), clip.name


def test_a_captured_walk_put_on_the_spot_keeps_its_contacts(clips_folder: Path) -> None:
    motion = read_bvh(clips_folder / "dev" / "cmu_07_01_walk.bvh").to_motion()
    motion = motion.part(1, len(motion))
    body = find_body(motion.skeleton, motion=motion)
    root, up = motion.poses.positions[:, body.root], body.up.vector
    travel = (root[-1] - root[0]) / (motion.times[-1] - motion.times[0])
    spot = carried(motion, body, ways_of(motion.times, -(travel - (travel @ up) * up)))
    found, contacts = detect_contacts(spot, body), detect_contacts(motion, body)
    for joint in contacts.joints:
        assert len(found.of(joint)) == len(contacts.of(joint)), joint
        assert (found.active(joint, motion.times) == contacts.active(joint, motion.times)).mean() > 0.8, joint


def test_a_horse_that_walks_on_the_spot_has_contacts(clips_folder: Path) -> None:
    motion = read_bvh(clips_folder / "dev" / "quad_horse_walk.bvh").to_motion()
    body = find_body(motion.skeleton, motion=motion)
    contacts = detect_contacts(motion, body)
    standing = [leg for leg in body.legs if any(contacts.of(motion.skeleton.names[joint]) for joint in leg.joints)]
    assert len(standing) == 4
    ground = ground_under(motion, contacts, body)
    assert ground @ -body.forward.vector > 0.9 * np.linalg.norm(ground) > 0.0
    _, report = lock_feet(motion, body, contacts)
    assert report.slide_before > 0.05 * body.height
    # One hoof is out of reach for a moment.
    assert report.slide_after < 0.01 * body.height


def test_snakes_have_no_contacts_and_say_so(clips_folder: Path) -> None:
    skeleton = read_glb(clips_folder / "characters" / "snake-animations.glb")
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (20, len(skeleton), 1))
    motion = Motion.build(skeleton, rotations, rate=24.0)
    with pytest.raises(Exception, match="No feet are set"):
        detect_contacts(motion, find_body(skeleton))
