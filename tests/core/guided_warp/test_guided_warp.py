"""Guided warps: keytimes, limits, influence, smoothness, speeds, references."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retimed_parts import retimed_part

from core.body import find_body
from core.errors import MotionEditError, SkeletonMismatchError, TimeOrderError, TooFewFramesError
from core.guided_warp import (
    GuidedWarpOptions,
    ImpossibleTimingError,
    SpanKind,
    TimeSpan,
    guided_warp,
)
from core.motion.motion import Motion
from core.motion.time_maps.time_map import TimeMap
from core.sample_motion import sample_events, sample_motion, sample_skeleton

MOTION = sample_motion(30.0)
BODY = find_body(MOTION.skeleton, motion=MOTION)
END = float(MOTION.times[-1])


def ends(share):
    return [(0.0, 0.0), (END, share * END)]


def warp(keytimes, reference=None, **options):
    return guided_warp(MOTION, BODY, keytimes, options=GuidedWarpOptions(**options), reference=reference)


def assert_complete_and_monotone(time_map, keytimes, limit):
    old, new = np.array(keytimes).T
    times = np.arange(round((new[-1] - new[0]) * 30.0) + 1) / 30.0 + new[0]
    steps = np.diff(time_map(times)) * np.sign(old[-1] - old[0])
    assert (time_map(new) == old).all()
    assert (steps >= 0.0).all()
    # Samples between keytimes are not exactly a thirtieth of a second apart.
    assert steps.max() <= limit / 30.0 * 1.1


@st.composite
def possible_keytimes(draw):
    old = [0.0, *sorted(draw(st.lists(st.floats(1.0, END - 1.0), max_size=3, unique=True))), END]
    old = [old[0], *(b for a, b in pairwise(old) if b - a > 0.4)]
    old[-1] = END
    new = np.cumsum([draw(st.floats(-1.0, 1.0)), *(gap / draw(st.floats(0.5, 3.0)) for gap in np.diff(old))])
    return list(zip(old, new.tolist(), strict=True))


@given(possible_keytimes(), st.booleans(), st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([0.0, 0.3, 1.0]))
@settings(deadline=None, max_examples=15)
def test_every_warp_is_complete_monotone_and_exact_at_keytimes(keytimes, backward, smoothness, influence):
    if backward:
        keytimes = [(END - old, new) for old, new in keytimes]
    result = warp(keytimes, smoothness=smoothness, influence=influence)
    # The spline through uneven keytimes is not held to the limit.
    assert_complete_and_monotone(result.time_map, keytimes, 4.0 if influence == 1.0 else 40.0)


def test_the_same_length_is_left_as_it_is():
    times = np.linspace(0.0, END, 500)
    assert warp(ends(1.0)).time_map(times) == pytest.approx(times, abs=1e-9)


def test_a_locked_part_keeps_its_timing():
    keytimes = [(0.0, 0.0), (3.5, 2.5), (5.0, 4.0), (END, 9.0)]
    time_map = guided_warp(MOTION, BODY, keytimes, spans=[TimeSpan(3.5, 5.0, SpanKind.PROTECTED)]).time_map
    assert time_map(np.linspace(2.5, 4.0, 40)) == pytest.approx(np.linspace(3.5, 5.0, 40), abs=1e-9)


def test_a_part_that_gets_shorter_gets_nowhere_slower_nor_the_other_faster():
    """Also where other parts go the other way: standing is not drawn out to save time in the walk."""
    time_map = warp([(0.0, 0.0), (7.5, 7.0), (END, END)], smoothness=0.0).time_map
    shorter, longer = (time_map(np.arange(start, end, 1 / 30.0)) for start, end in ((0.0, 7.0), (7.0, END)))
    assert np.diff(shorter).min() > 0.95 / 30.0
    assert np.diff(longer).max() < 1.05 / 30.0


def test_playing_backward_is_the_warp_of_the_reversed_motion():
    reversed_motion = TimeMap.reverse(0.0, END).apply(MOTION)
    backward = guided_warp(MOTION, BODY, [(END, 0.0), (0.0, 0.8 * END)], spans=())
    forward = guided_warp(reversed_motion, BODY, ends(0.8), spans=())
    times = np.linspace(0.0, 0.8 * END, 200)
    assert backward.time_map(times) == pytest.approx(END - forward.time_map(times), abs=1e-3)


@pytest.mark.parametrize("rate", [24.0, 60.0, 120.0])
def test_the_rate_of_the_clip_hardly_matters(rate):
    other = sample_motion(rate)
    end = float(other.times[-1])
    mine, theirs = warp(ends(0.8)).time_map, guided_warp(other, BODY, [(0.0, 0.0), (end, 0.8 * end)]).time_map
    times = np.linspace(0.0, 0.8 * min(end, END), 300)
    assert np.median(np.abs(mine(times) - theirs(times))) < 1.5 / 30.0


def test_a_length_beyond_the_limit_is_refused_with_what_is_possible():
    with pytest.raises(ImpossibleTimingError, match=r"can last 2\.95 s to 47\.2 s \(89 to 1416 frames\)"):
        warp(ends(0.2))
    with pytest.raises(ImpossibleTimingError, match="raise the limit"):
        warp(ends(4.2))
    assert warp(ends(0.25)).time_map(0.25 * END) == END
    assert issubclass(ImpossibleTimingError, MotionEditError)


def test_the_longest_and_shortest_lengths_can_be_made():
    short = Motion.build(MOTION.skeleton, MOTION.rotations[:61], rate=30.0, locations=MOTION.locations[:61])
    for length in (1.0, 4.0):
        keytimes = [(0.0, 0.0), (2.0, length)]
        time_map = guided_warp(short, BODY, keytimes, options=GuidedWarpOptions(speed_limit=2.0)).time_map
        assert_complete_and_monotone(time_map, keytimes, 2.0)


def test_a_keytime_beyond_the_limit_is_refused_with_its_part():
    keytimes = [(0.0, 0.0), (6.0, 1.0), (END, 8.0)]
    with pytest.raises(ImpossibleTimingError, match=r"from 0 s to 6 s cannot last 1 s.*1\.5 s to 24 s"):
        warp(keytimes)
    warp([keytimes[0], (6.0, 1.5), keytimes[2]])


def test_disorder_is_refused():
    with pytest.raises(TimeOrderError, match="must lie after"):
        warp([(0.0, 0.0), (3.0, 5.0), (END, 4.0)])
    with pytest.raises(TimeOrderError, match="turn round"):
        warp([(0.0, 0.0), (6.0, 3.0), (4.0, 5.0), (END, 10.0)])
    with pytest.raises(ImpossibleTimingError, match="move it into the motion"):
        warp([(0.0, 0.0), (END + 1.0, 10.0)])
    with pytest.raises(ValueError, match="both ends"):
        warp([(0.0, 0.0)])
    with pytest.raises(TooFewFramesError, match="has 1"):
        guided_warp(MOTION.part(0, 1), BODY, ends(1.0))


@pytest.mark.parametrize("wrong", [{"influence": 1.5}, {"smoothness": -0.1}, {"speed_limit": 0.5}])
def test_options_out_of_range_are_a_mistake(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        GuidedWarpOptions(**wrong)


def test_influence_leads_from_the_spline_to_the_guided_warp():
    keytimes = [(0.0, 0.0), (4.0, 3.6), (END, 9.0)]
    times = np.linspace(0.0, 9.0, 400)
    none, half, full = (warp(keytimes, influence=share).time_map(times) for share in (0.0, 0.5, 1.0))
    straight = TimeMap.from_samples([0.0, 3.6, 9.0], [0.0, 4.0, END])(times)
    assert none == pytest.approx(straight, abs=0.1)
    assert np.abs(full - none).max() > 0.2
    assert (np.abs(half - none) <= np.abs(full - none) + 1e-3).all()
    assert np.abs(half - full).max() < 0.7 * np.abs(none - full).max()


def test_without_influence_the_length_is_shared_evenly():
    assert warp(ends(0.8), influence=0.0).time_map(1.0) == pytest.approx(1.25, abs=1e-9)


def test_speeds_change_softly_at_keytimes():
    """Twice as fast before a keytime within the walk, as fast as before after it: the change takes its time."""
    time_map = warp([(0.0, 0.0), (2.5, 1.0), (END, END - 1.5)]).time_map
    speeds = time_map.speed(np.arange(0.5, 1.5, 0.01))
    assert speeds.max() > 1.8
    assert speeds.min() < 1.05
    assert np.abs(speeds[10:] - speeds[:-10]).max() < 0.5


def test_smoothness_evens_out_the_speed():
    times = np.linspace(0.0, 0.8 * END, 2000)
    changes = [
        np.abs(np.diff(warp(ends(0.8), smoothness=radius).time_map.speed(times))).max() for radius in (0.0, 0.1, 0.4)
    ]
    assert changes[0] > 2.0 * changes[1] > 3.0 * changes[2]


@pytest.mark.parametrize("influence", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("speed", [0.2, 1.0, 1.8])
def test_the_speed_at_a_keytime_can_be_set(speed, influence):
    keytimes = [(0.0, 0.0), (5.0, 4.0), (END, 9.0)]
    time_map = warp(keytimes, speeds=(None, speed, None), influence=influence).time_map
    around = np.array([4.0 - 1e-6, 4.0, 4.0 + 1e-6])
    assert time_map.speed(around) == pytest.approx(np.full(3, speed), abs=1e-3)
    assert time_map(4.0) == pytest.approx(5.0, abs=1e-12)
    assert time_map.direction == 1


def test_speeds_that_leave_no_room_are_refused():
    with pytest.raises(ImpossibleTimingError, match="speeds set at keytimes leave no room"):
        warp([(0.0, 0.0), (0.1, 0.1), (END, 9.0)], speeds=(0.3, 0.3, None))
    with pytest.raises(ValueError, match="one speed"):
        warp(ends(0.8), speeds=(1.0,))


def test_a_free_length_finds_back_to_the_old_one():
    """Played twice as fast and given its old self as reference, the motion gets its old length."""
    quick = retimed_part(MOTION, TimeMap.scale(2.0), start=0.0, end=0.5 * END)
    found = guided_warp(
        quick, BODY, [(0.0, 0.0), (0.5 * END, 1.0)], options=GuidedWarpOptions(free_length=True), reference=MOTION
    ).time_map
    assert found.new_times[-1] == pytest.approx(END, rel=0.1)
    assert found.old_times[-1] == 0.5 * END
    assert found.direction == 1


def test_a_free_length_meets_the_keytimes_before_it():
    time_map = warp([(0.0, 1.0), (4.0, 4.5), (END, 99.0)], free_length=True).time_map
    assert list(time_map([1.0, 4.5])) == [0.0, 4.0]
    assert time_map.old_times[-1] == END


def test_positions_stand_in_for_the_motion():
    still = Motion.build(MOTION.skeleton, np.tile(MOTION.rotations[:1], (len(MOTION), 1, 1)), rate=30.0)
    given_places = guided_warp(still, BODY, ends(0.8), positions=MOTION.poses.positions)
    times = np.linspace(0.0, 0.8 * END, 100)
    assert given_places.time_map(times) == pytest.approx(warp(ends(0.8)).time_map(times))


def renamed(rename):
    old = sample_skeleton()
    fields = {name: getattr(old, name) for name in ("parents", "rest_positions", "rest_rotations", "tips")}
    parents, positions = fields.pop("parents"), fields.pop("rest_positions")
    skeleton = type(old).build([rename(name) for name in old.names], parents, positions, **fields)
    return Motion.build(skeleton, MOTION.rotations, rate=30.0, locations=MOTION.locations)


def test_a_reference_with_the_same_joint_names_is_accepted():
    other = renamed(lambda name: f"rig:{name.upper()}")
    result = guided_warp(
        MOTION, BODY, ends(0.8), reference=other, reference_body=find_body(other.skeleton, motion=other)
    )
    times = np.linspace(0.0, 0.8 * END, 100)
    assert result.time_map(times) == pytest.approx(warp(ends(0.8), reference=MOTION).time_map(times), abs=1e-6)


def test_a_reference_without_the_joints_is_refused_with_their_names():
    other = renamed(lambda name: name.replace("shin", "lower leg"))
    body = find_body(other.skeleton, motion=other)
    with pytest.raises(SkeletonMismatchError, match=r"shin\.L, shin\.R"):
        guided_warp(MOTION, BODY, ends(0.8), reference=other, reference_body=body)


def test_a_reference_that_is_too_short_is_refused():
    with pytest.raises(TooFewFramesError, match="reference must last"):
        warp(ends(0.8), reference=MOTION.part(0, 2))


def test_a_very_short_motion_is_warped_all_the_same():
    short = MOTION.part(0, 4)
    time_map = guided_warp(short, BODY, [(0.0, 0.0), (0.1, 0.06)]).time_map
    assert list(time_map([0.0, 0.06])) == [0.0, 0.1]


@pytest.mark.parametrize("free", [True, False])
def test_a_timing_made_by_hand_is_propagated(free):
    """One right punch is slowed down to a third; all right punches follow, left ones do not."""
    by_hand = TimeMap.through([0.0, 7.3, 8.5, 12.6], [0.0, 7.3, 7.7, 11.8], smooth=False)
    reference = retimed_part(MOTION, by_hand, start=5.5, end=9.0)
    time_map = warp(ends(1.0), reference=reference, free_length=free).time_map

    def lasts(*part):
        start, end = time_map.map_key_times(part)
        return (end - start) / (part[1] - part[0])

    right = [lasts(time - 0.25, time + 0.05) for side, time in sample_events().punches if side == "R"]
    left = [lasts(time - 0.25, time + 0.05) for side, time in sample_events().punches if side == "L"]
    assert min(right) > 1.3
    assert np.mean(right) > 1.4 * np.mean(left)


def test_the_motion_is_left_alone():
    before = MOTION.rotations.copy(), MOTION.times.copy()
    keytimes = ends(0.8)
    warp(keytimes)
    assert (MOTION.rotations == before[0]).all()
    assert (MOTION.times == before[1]).all()
    assert keytimes == ends(0.8)
