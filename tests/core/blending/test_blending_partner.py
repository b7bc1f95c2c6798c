"""Another motion laid beside this one, and weights that come and go."""

from __future__ import annotations

import numpy as np
import pytest
from contact_edits import BODY, WALK

from core.blending import Partner, beside, weights_over
from core.errors import MotionEditError

OWN, OTHER = WALK.part(0, 60), WALK.part(40, 120)
PROFILES = ("CONSTANT", "IN", "OUT", "IN_OUT")


def laid(timing: str, *, offset: int = 0) -> object:
    return beside(OWN, OTHER, BODY, name="other", timing=timing, offset=offset)


@pytest.mark.parametrize("timing", ["RECORDED", "STRETCHED", "IN_STEP"])
def test_the_other_has_the_frames_of_this_one(timing):
    found = laid(timing)
    np.testing.assert_array_equal(found.times, OWN.times)
    assert found.rate == OWN.rate


def test_recorded_shows_frame_for_frame_bit_for_bit_and_holds_the_last():
    np.testing.assert_array_equal(laid("RECORDED").rotations, OTHER.rotations[:60])
    late = laid("RECORDED", offset=50).rotations
    np.testing.assert_array_equal(late[:30], OTHER.rotations[50:])
    np.testing.assert_array_equal(late[30:], np.broadcast_to(OTHER.rotations[-1], late[30:].shape))


@pytest.mark.parametrize("timing", ["STRETCHED", "IN_STEP"])
def test_both_begin_and_end_together(timing):
    found = laid(timing)
    np.testing.assert_allclose(found.rotations[[0, -1]], OTHER.rotations[[0, -1]], atol=1e-9)


def test_an_offset_beyond_the_end_is_refused():
    with pytest.raises(MotionEditError, match="Offset 79 leaves nothing of 'other', which has 80 frames"):
        laid("RECORDED", offset=79)


@pytest.mark.parametrize("ground", ["PLACES", "START", "PATH"])
def test_without_weight_it_is_the_motion_itself_and_with_all_of_it_the_other(ground):
    partner = Partner.of(OWN, laid("RECORDED"), BODY, ground=ground)
    assert partner.blended(np.zeros(60)) is OWN
    whole = partner.blended(np.ones(60))
    posed = [joint for joint in range(len(OWN.skeleton)) if joint != BODY.root]
    np.testing.assert_allclose(whole.rotations[:, posed], partner.other.rotations[:, posed], atol=1e-9)
    if ground == "START":
        way = whole.poses.positions[0, BODY.root] - OWN.poses.positions[0, BODY.root]
        assert np.linalg.norm(way) < 0.1 * float(BODY.height)


@pytest.mark.parametrize("profile", PROFILES)
def test_weights_stay_between_nothing_and_the_largest(profile):
    weights = weights_over(OWN.times, 0.8, profile=profile, fade=0.4)
    assert weights.min() >= 0.0
    assert weights.max() == pytest.approx(0.8)
    ends = {"CONSTANT": (0.8, 0.8), "IN": (0.0, 0.8), "OUT": (0.8, 0.0), "IN_OUT": (0.0, 0.0)}[profile]
    assert (weights[0], weights[-1]) == pytest.approx(ends)
