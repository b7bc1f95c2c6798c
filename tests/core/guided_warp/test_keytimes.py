"""Keytimes: added, moved, locked, removed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import MotionEditError
from core.guided_warp.keytimes import Keytimes, OutsideMotionError


def three() -> Keytimes:
    return Keytimes.ends(0.0, 10.0).add(4.0).add(7.0)


def test_adding_changes_no_timing():
    assert three().old.tolist() == three().new.tolist() == [0.0, 4.0, 7.0, 10.0]


def test_a_fixed_move_leaves_the_others():
    moved = three().move(1, 3.0)
    assert moved.new.tolist() == [0.0, 3.0, 7.0, 10.0]
    assert moved.old.tolist() == three().old.tolist()


def test_a_ripple_takes_everything_after_along():
    assert three().move(1, 3.0, ripple=True).new.tolist() == [0.0, 3.0, 6.0, 9.0]


def test_the_last_keytime_is_the_length():
    assert three().move(3, 8.0).new[-1] == 8.0


def test_keytimes_do_not_cross():
    assert three().move(1, 20.0).new[1] < 7.0
    assert three().move(2, -5.0).new[2] > 4.0


def test_a_moment_added_after_a_move_stays_where_it_is_seen():
    moved = three().move(3, 7.0 + 1.5).add(8.0)
    assert moved.old[3] == pytest.approx(7.0 + 3.0 * (1.0 / 1.5))
    assert moved.new[3] == 8.0


def test_locked_spans_keep_their_length():
    locked = three().lock(1)
    moved = locked.move(1, 2.0)
    assert moved.new[2] - moved.new[1] == pytest.approx(3.0)
    shorter = locked.with_length(7.0)
    assert shorter.new[2] - shorter.new[1] == pytest.approx(3.0)
    assert shorter.new[-1] == pytest.approx(7.0)
    with pytest.raises(MotionEditError, match=r"locked spans alone take 3\.00 s"):
        locked.with_length(2.5)


@pytest.mark.parametrize("time", [-1.0, 0.0, 8.0, 11.0])
def test_a_moment_outside_is_refused_with_the_times_between_which_it_may_lie(time):
    with pytest.raises(OutsideMotionError, match=r"between 0\.00 s and 8\.00 s") as refused:
        three().move(3, 8.0).add(time)
    assert refused.value.ends == (0.0, 8.0)


def test_the_ends_cannot_be_removed():
    with pytest.raises(MotionEditError, match="ends of the motion stay"):
        three().remove(0)
    assert len(three().remove(2)) == 3


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-20, 20), st.booleans()), max_size=8))
def test_any_moves_keep_the_order(moves):
    keytimes = three()
    for number, time, ripple in moves:
        keytimes = keytimes.move(number, time, ripple=ripple)
        assert (np.diff(keytimes.new) > 0.0).all()


def test_a_single_frame_has_no_timing():
    with pytest.raises(MotionEditError, match="needs keys at two frames or more"):
        Keytimes.ends(1.0, 1.0)


def test_a_motion_that_has_got_longer_keeps_the_length_of_what_it_has_got():
    fitted = three().move(1, 3.0).fitted(-1.0, 12.0)
    assert fitted.pairs() == [(-1.0, -1.0), (4.0, 3.0), (7.0, 7.0), (12.0, 12.0)]
    shorter = Keytimes.ends(0.0, 10.0).with_length(8.0).fitted(0.0, 15.0)
    assert shorter.pairs() == [(0.0, 0.0), (15.0, 13.0)]


def test_moments_of_a_motion_that_are_gone_are_let_go():
    fitted = three().move(1, 3.0).fitted(2.0, 6.0)
    np.testing.assert_allclose(fitted.pairs(), [(2.0, 1.5), (4.0, 3.0), (6.0, 3.0 + 4.0 * 2.0 / 3.0)])
    assert three().lock(0).fitted(0.0, 3.0).locked.tolist() == [True]


def test_keytimes_that_fit_stay_as_they_are():
    keytimes = three().move(2, 8.0)
    assert keytimes.fitted(0.0, 10.0).pairs() == keytimes.pairs()
    assert keytimes.fitted(3.0, 3.0) is keytimes
