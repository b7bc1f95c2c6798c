"""Repairs that would be worse than the flaw are left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_flaws import SPANS, clean, with_spikes
from made_motion import Motion, chain

from core.analysis.flaws import Flaw, FlawKind, find_spikes
from core.cleaning import find_held, repaired_where_better
from core.editing import repaired
from core.files.bvh import read_bvh
from core.numerics import quaternion


def trembling(turn: float) -> tuple[Motion, list[Flaw]]:
    """A pelvis that is off for two frames while what hangs on it turns back, and both as flaws."""
    angles = np.zeros((60, 3, 3))
    angles[30:32, 0, 0], angles[30:32, 1, 0] = turn, -turn
    motion = Motion.build(chain(3), quaternion.exp(angles), rate=60.0)
    return motion, [Flaw(FlawKind.SPIKE, name, "rotation", 30, 31, turn) for name in motion.skeleton.names[:2]]


def largest_step(motion: Motion) -> float:
    return float(np.linalg.norm(np.diff(motion.poses.positions, axis=0), axis=2).max())


def test_spikes_are_filled_in_as_before():
    spiked = with_spikes(clean(), SPANS, 0.5)
    found = find_spikes(spiked)
    fixed, left = repaired_where_better(spiked, found)
    assert left == ()
    np.testing.assert_array_equal(fixed.rotations, repaired(spiked, found).rotations)


def test_what_hangs_together_is_repaired_together_or_not_at_all():
    motion, flaws = trembling(0.3)
    both, none = repaired_where_better(motion, flaws)
    assert none == ()
    assert largest_step(both) == pytest.approx(0.0, abs=1e-9)
    alone, left = repaired_where_better(motion, flaws[1:])
    assert left == tuple(flaws[1:])
    np.testing.assert_array_equal(alone.rotations, motion.rotations)
    assert largest_step(repaired(motion, flaws[1:])) > 1.5 * largest_step(motion)


def test_missing_samples_are_always_filled_in():
    motion, flaws = trembling(0.3)
    missing = [Flaw(FlawKind.MISSING, flaws[1].joint, "rotation", 30, 31, 0.0)]
    fixed, left = repaired_where_better(motion, missing)
    assert left == ()
    np.testing.assert_array_equal(fixed.rotations, repaired(motion, missing).rotations)


def test_captured_clips_never_get_worse(clips_folder: Path) -> None:
    """Over clips of many subjects no joint jumps or turns further in a frame than it ever did before."""
    changed = 0
    for name in ("07_05", "13_13", "140_04", "18_10", "49_03", "16_55", "02_09", "75_01"):
        motion = read_bvh(clips_folder / "corpus" / f"cmu_{name}.bvh").to_motion()
        motion = motion.part(1, min(len(motion), 1200))
        fixed, _ = repaired_where_better(motion, [*find_spikes(motion, longest=4), *find_held(motion)])
        assert largest_step(fixed) <= largest_step(motion) + 1e-9
        steps = [quaternion.angle_between(each.rotations[1:], each.rotations[:-1]) for each in (motion, fixed)]
        assert (steps[1].max(axis=0) <= 1.1 * steps[0].max(axis=0) + 0.01).all()
        changed += int((fixed.rotations != motion.rotations).any())
    assert changed >= 6
