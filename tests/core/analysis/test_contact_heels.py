"""Heels that rise over standing toes: the ankle's contact ends when the foot begins to roll."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_clips import annotated_clips

from core.analysis.contacts import ContactSpans, detect_contacts
from core.analysis.contacts.heels import without_raised_heels
from core.body import find_body
from core.sample_motion import sample_motion

RATE, FRAMES = 60.0, 60
TIMES = np.arange(FRAMES) / RATE
RISES = 40  # frame from which the heel rises


@pytest.fixture
def rolling():
    """A body, the names of its left ankle and toes, and places in which that heel rises by a degree a frame."""
    motion = sample_motion(rate=30.0)
    body = find_body(motion.skeleton, motion=motion)
    limb = next(limb for limb in body.legs if limb.digits)
    toe = limb.digits[0][0]
    places = np.repeat(motion.skeleton.rest_positions[None], FRAMES, axis=0)
    way = places[0, limb.end] - places[0, toe]
    level = np.array([*way[:2], 0.0]) / np.linalg.norm(way[:2])
    angles = np.arctan2(way[2], way @ level) + np.radians(np.clip(np.arange(FRAMES) - RISES, 0, None))
    turned = np.cos(angles)[:, None] * level + np.sin(angles)[:, None] * [0.0, 0.0, 1.0]
    places[:, limb.end] = places[:, toe] + np.linalg.norm(way) * turned
    return body, motion.skeleton.names[limb.end], motion.skeleton.names[toe], places


def test_an_ankle_stands_until_the_heel_rises(rolling):
    body, ankle, toe, places = rolling
    contacts = ContactSpans({ankle: [(0.0, 0.9)], toe: [(0.0, 0.95)]})
    found = without_raised_heels(contacts, body, places, TIMES)
    ((start, end),) = found.of(ankle)
    assert start == 0.0
    assert RISES / RATE <= end < (RISES + 6) / RATE
    assert found.of(toe) == contacts.of(toe)


def test_an_ankle_whose_toes_do_not_stand_keeps_its_contact(rolling):
    body, ankle, toe, places = rolling
    for toes in ([], [(0.0, 0.5)]):
        contacts = ContactSpans({ankle: [(0.0, 0.9)], toe: toes})
        assert without_raised_heels(contacts, body, places, TIMES).of(ankle) == contacts.of(ankle)


@pytest.mark.clips
def test_no_foot_of_a_walk_is_held_flat_while_it_rolls(clips_folder):
    clip = next(clip for clip in annotated_clips(clips_folder) if clip.name == "cmu_07_01_walk")
    contacts, places = detect_contacts(clip.motion, clip.body), clip.motion.poses.positions
    for limb in clip.body.legs:
        ways = places[:, limb.digits[0][0]] - places[:, limb.end]
        tilts = np.arcsin(ways @ clip.body.up.vector / np.linalg.norm(ways, axis=1))
        ankle, toes = (clip.motion.skeleton.names[joint] for joint in (limb.end, limb.digits[0][0]))
        assert contacts.of(ankle)
        for span in contacts.of(ankle):
            inside = (clip.motion.times >= span[0]) & (clip.motion.times <= span[1])
            lying = tilts[inside & contacts.active(toes, clip.motion.times)]
            assert np.median(lying) - lying.min() < np.radians(6.0)
