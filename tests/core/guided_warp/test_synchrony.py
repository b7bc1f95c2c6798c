"""Two motions in step: what was warped by hand finds back."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis.alignment import UnalignableError
from core.body import find_body
from core.editing import Take
from core.errors import MotionEditError
from core.guided_warp import Synchronize, aligned_keytimes
from core.motion import TimeMap
from core.sample_motion import sample_motion

MOTION = sample_motion(30.0)
BODY = find_body(MOTION.skeleton, motion=MOTION)
END = float(MOTION.times[-1])
# Slower at first, quicker later.
UNEVEN = TimeMap.through([0.0, 5.0, 11.0], [0.0, 4.0, END])
OTHER = UNEVEN.apply(MOTION, np.arange(0.0, 11.0, 1.0 / 30.0))


class PairedTake(Take):
    """A motion and another one that it follows."""

    figure, is_cyclic, key_times, picked_joints = BODY, False, np.empty(0), ()

    def other_action(self, _name):
        return OTHER, BODY, None


def test_a_motion_finds_back_to_a_timing_that_it_was_given():
    old, new = np.array(aligned_keytimes(MOTION, BODY, OTHER, BODY)).T
    assert (np.diff(old) > 0.0).all()
    assert (np.diff(new) > 0.0).all()
    # Where nothing moves any moment will do.
    moving = (old > 0.6) & (old < 10.5)
    assert np.abs(UNEVEN(new) - old)[moving].max() < 0.15


@pytest.mark.parametrize("match", ["WHOLE", "CONTACTS"])
def test_in_step_poses_are_alike(match):
    time_map = Synchronize(match=match).apply(PairedTake(MOTION)).time_map
    times = np.arange(1.0, 9.0, 0.1)
    off = np.abs(time_map(times) - UNEVEN(times))
    assert np.median(off) < 0.1
    assert np.median(np.abs(times - UNEVEN(times))) > 0.3


def test_half_of_the_influence_goes_half_of_the_way():
    whole, half = (Synchronize(influence=share).apply(PairedTake(MOTION)).time_map for share in (1.0, 0.5))
    assert half.new_times[-1] == pytest.approx(0.5 * (END + whole.new_times[-1]), abs=1e-6)


def test_bones_must_be_selected_to_be_compared():
    with pytest.raises(MotionEditError, match="Select the bones"):
        Synchronize(match="JOINTS").apply(PairedTake(MOTION))
    take = PairedTake(MOTION)
    take.picked_joints = [MOTION.skeleton.index[name] for name in ("hand.L", "hand.R", "foot.L", "foot.R")]
    time_map = Synchronize(match="JOINTS").apply(take).time_map
    assert np.median(np.abs(time_map(np.arange(1.0, 9.0, 0.1)) - UNEVEN(np.arange(1.0, 9.0, 0.1)))) < 0.1


def test_motions_of_too_different_length_are_refused():
    with pytest.raises(UnalignableError, match="choose parts of more similar length"):
        aligned_keytimes(MOTION, BODY, MOTION.part(0, 40), BODY, speed_limit=2.0)
