"""Spikes of captured motion: found with place and size, filled in, and nothing else touched."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips
from made_flaws import JOINTS, RATE, SPANS, clean, marked, places, with_spikes
from made_motion import Motion, chain

from core.analysis.flaws import FlawKind, find_spikes
from core.editing import repaired
from core.numerics import quaternion


def test_spikes_are_found_with_place_and_size():
    found = find_spikes(with_spikes(clean(), SPANS, 0.5))
    assert sorted(places(found)) == sorted((f"joint {j}", "rotation", first, last) for j, first, last in SPANS)
    for flaw in found:
        assert flaw.kind is FlawKind.SPIKE
        assert flaw.size == pytest.approx(0.5, abs=0.1)


def test_a_clean_motion_has_no_spikes():
    assert find_spikes(clean()) == ()


def test_spikes_of_locations_are_found():
    motion = clean()
    locations = np.array(motion.locations)
    locations[77:79, 0] += [0.5, 0.0, -0.3]
    found = find_spikes(motion.with_locations(locations))
    assert places(found) == [("joint 0", "location", 77, 78)]
    fixed = repaired(motion.with_locations(locations), found)
    np.testing.assert_allclose(fixed.locations, motion.locations, atol=0.01)


def test_a_quick_movement_that_stays_is_no_spike():
    angles = np.repeat([0.0, 1.0], 150)[:, None, None] * np.array([0.0, 0.6, 0.8])
    assert find_spikes(Motion.build(chain(1), quaternion.exp(angles), rate=RATE)) == ()


def test_what_lasts_longer_is_no_spike():
    spiked = with_spikes(clean(), [(1, 100, 105)], 0.5)
    assert find_spikes(spiked, longest=3) == ()
    assert places(find_spikes(spiked, longest=6)) == [("joint 1", "rotation", 100, 105)]


def test_only_chosen_joints_are_searched():
    found = find_spikes(with_spikes(clean(), SPANS, 0.5), joints=np.arange(JOINTS) == 1)
    assert places(found) == [("joint 1", "rotation", 100, 101)]


def test_spikes_are_the_same_however_the_character_is_turned():
    spiked, turn = with_spikes(clean(), SPANS, 0.5), quaternion.normalize([0.3, -0.5, 0.2, 0.7])
    turned = spiked.with_rotations(quaternion.multiply(turn, spiked.rotations))
    assert places(find_spikes(turned)) == places(find_spikes(spiked))


def test_repair_fills_in_spikes_and_touches_nothing_else():
    motion = clean()
    spiked = with_spikes(motion, SPANS, 0.5)
    found = find_spikes(spiked)
    fixed = repaired(spiked, found)
    good = ~marked(motion, found)
    np.testing.assert_array_equal(fixed.rotations[good], spiked.rotations[good])
    np.testing.assert_array_equal(fixed.locations, spiked.locations)
    assert quaternion.angle_between(fixed.rotations, motion.rotations).max() < 0.02


def test_spikes_put_into_real_clips_are_found(clips_folder: Path) -> None:
    """Of spikes of 20 degrees and more, nearly all are found; next to nothing is that the clip did not have."""
    put, hits, listed = 0, 0, 0
    for clip in annotated_clips(clips_folder):
        motion = clip.motion
        if len(motion) > 1300:
            continue
        random = np.random.default_rng(len(motion))
        joints = np.flatnonzero((motion.rotations != motion.rotations[:1]).any(axis=(0, 2)))
        spans = [(int(joint), int(frame), int(frame + random.integers(0, 3))) for joint in joints
                 for frame in random.integers(5, len(motion) - 8, size=1)]  # fmt: skip
        truth = np.zeros(motion.rotations.shape[:2], dtype=bool)
        for joint, first, last in spans:
            truth[first : last + 1, joint] = True
        had = marked(motion, find_spikes(motion))
        found = marked(motion, find_spikes(with_spikes(motion, spans, float(random.uniform(0.35, 1.5)))))
        put, hits, listed = put + truth.sum(), hits + (truth & found).sum(), listed + (found & ~had).sum()
    assert hits / put > 0.95
    assert hits / listed > 0.95
