"""The sample motion: what its events promise holds, and a body could do it."""

from itertools import pairwise

import numpy as np
import pytest

from core.numerics import quaternion
from core.sample_motion import center_of_mass, sample_events, sample_motion, sample_skeleton
from core.sample_motion.curves import Curve, Key, ease, glide

EVENTS = sample_events()


@pytest.fixture(scope="module")
def motion():
    return sample_motion(120)


def joint(motion, name):
    return motion.poses.positions[:, motion.skeleton.index[name]]


def within(motion, span):
    return (motion.times >= span[0]) & (motion.times <= span[1])


def signed_bend(motion, upper, lower, end):
    """Degrees by which a hinge is bent about the lower bone's own x axis."""
    first, second = joint(motion, lower) - joint(motion, upper), joint(motion, end) - joint(motion, lower)
    rotations = motion.poses.rotations[:, motion.skeleton.index[lower]]
    axis = quaternion.rotate(rotations, np.array([1.0, 0.0, 0.0]))
    sine = (np.cross(first, second) * axis).sum(axis=1)
    return np.degrees(np.arctan2(sine, (first * second).sum(axis=1)))


@pytest.mark.parametrize("rate", [24, 30, 120])
def test_feet_do_not_slide_in_contact(rate):
    motion = sample_motion(rate)
    assert set(EVENTS.contacts) == {"foot.L", "foot.R", "toe.L", "toe.R"}
    for name, spans in EVENTS.contacts.items():
        for span in spans:
            places = joint(motion, name)[within(motion, span)]
            assert len(places) > 2
            assert np.linalg.norm(places - places[0], axis=1).max() < 1e-4


def test_feet_move_outside_their_contacts(motion):
    for name, spans in EVENTS.contacts.items():
        for (_, end), (start, _) in pairwise(spans):
            places = joint(motion, name)[within(motion, (end, start))]
            if len(places) > 2:
                assert np.linalg.norm(places - places[0], axis=1).max() > 0.01


def test_a_foot_is_on_the_ground_except_in_flight(motion):
    grounded = np.zeros(len(motion), dtype=bool)
    for side in "LR":
        for span in EVENTS.contacts[f"toe.{side}"]:
            grounded |= within(motion, span)
    # Between the strike of the leading heel and its flat sole the other foot has already left.
    rolling = np.zeros(len(motion), dtype=bool)
    for _, land in EVENTS.steps:
        rolling |= within(motion, (land, land + 0.1))
    landing = within(motion, (EVENTS.flight[0], EVENTS.flight[1] + 0.1))
    assert (grounded | rolling | landing).all()
    assert not grounded[within(motion, (EVENTS.flight[0] + 0.01, EVENTS.flight[1]))].any()


def test_flight_is_free_fall(motion):
    inside = within(motion, (EVENTS.flight[0] + 0.02, EVENTS.flight[1] - 0.02))
    times = motion.times[inside]
    for axis, expected in ((0, 0.0), (1, 0.0), (2, -9.81)):
        fit = np.polyfit(times, center_of_mass(motion)[inside, axis], 2)
        assert 2.0 * fit[0] == pytest.approx(expected, abs=0.02)
        assert np.abs(np.polyval(fit, times) - center_of_mass(motion)[inside, axis]).max() < 1e-4
    lowest = motion.poses.positions[inside, :, 2].min(axis=1)
    assert lowest.max() > 0.3


def test_nothing_goes_through_the_floor(motion):
    assert min(motion.poses.positions[..., 2].min(), motion.poses.tips[..., 2].min()) > 0.005


def test_velocities_are_continuous():
    """Twice the rate halves the largest change of velocity between frames; a kink would keep it."""
    jumps = []
    for rate in (240, 480):
        positions = sample_motion(rate).poses.positions
        jumps.append(np.abs(np.diff(positions, 2, axis=0)).max(axis=(0, 2)) * rate)
    assert (jumps[1] < 0.62 * jumps[0]).all()


def test_accelerations_are_a_body_s(motion):
    acceleration = np.diff(motion.poses.positions, 2, axis=0) * motion.rate**2
    size = np.linalg.norm(acceleration, axis=2)
    core = [motion.skeleton.index[name] for name in ("hips", "spine", "chest", "head")]
    assert size[:, core].max() < 60.0
    assert size.max() < 400.0


def test_knees_and_elbows_bend_one_way(motion):
    for side in "LR":
        knee = signed_bend(motion, f"thigh.{side}", f"shin.{side}", f"foot.{side}")
        elbow = -signed_bend(motion, f"upper_arm.{side}", f"forearm.{side}", f"hand.{side}")
        assert 1.0 < knee.min() < 12.0
        assert 90.0 < knee.max() < 150.0
        assert 1.0 < elbow.min() < 10.0
        assert 110.0 < elbow.max() < 150.0


def test_head_stays_steady(motion):
    head = motion.skeleton.index["head"]
    rest = quaternion.conjugate(motion.skeleton.rest_rotations[head])
    facing = quaternion.multiply(motion.poses.rotations[:, head], rest)
    assert np.degrees(quaternion.angle_between(facing, quaternion.IDENTITY)).max() < 15.0


def test_arms_swing_against_the_legs(motion):
    walking = within(motion, (1.0, 2.7))
    for side, other in (("L", "R"), ("R", "L")):
        hips = joint(motion, "hips")[walking, 1]
        arm = joint(motion, f"hand.{side}")[walking, 1] - hips
        assert np.corrcoef(arm, joint(motion, f"foot.{side}")[walking, 1] - hips)[0, 1] < -0.6
        assert np.corrcoef(arm, joint(motion, f"foot.{other}")[walking, 1] - hips)[0, 1] > 0.6


def test_punches_extend_the_arm_at_their_times(motion):
    assert [side for side, _ in EVENTS.punches] == ["R", "L", "R", "L", "R"]
    for side, time in EVENTS.punches:
        reach = np.linalg.norm(joint(motion, f"hand.{side}") - joint(motion, f"upper_arm.{side}"), axis=1)
        near = within(motion, (time - 0.2, time + 0.2))
        assert motion.times[near][reach[near].argmax()] == pytest.approx(time, abs=0.02)
        assert reach[near].max() > 0.99 * 0.54
        frame = round(time * motion.rate)
        blow = joint(motion, f"hand.{side}")[frame] - joint(motion, f"upper_arm.{side}")[frame]
        assert -blow[1] > 0.95 * np.linalg.norm(blow)


def test_crouches_are_the_lowest_points_around_the_jump(motion):
    height = joint(motion, "hips")[:, 2]
    for time in EVENTS.crouches:
        near = within(motion, (time - 0.25, time + 0.2))
        assert motion.times[near][height[near].argmin()] == pytest.approx(time, abs=0.05)
        assert height[near].min() < 0.7 * height[0]


def test_heels_strike_at_the_step_times(motion):
    """The foot that steps is the lower one from then on, and still at the end of its roll."""
    for side, time in EVENTS.steps:
        before, after = within(motion, (time - 0.3, time - 0.2)), within(motion, (time + 0.12, time + 0.16))
        speed = np.linalg.norm(np.diff(joint(motion, f"foot.{side}"), axis=0), axis=1) * motion.rate
        assert speed[before[1:]].max() > 0.4
        assert speed[after[1:]].max() < 0.01


def test_rest_pose_mirrors_itself():
    skeleton = sample_skeleton()
    assert len(skeleton) == 24
    ends = skeleton.rest_positions + quaternion.rotate(skeleton.rest_rotations, skeleton.tips)
    assert 1.7 < ends[:, 2].max() < 1.8
    for name, left in skeleton.index.items():
        right = skeleton.index[name.replace(".L", ".R")] if name.endswith(".L") else left
        mirror = np.array([-1.0, 1.0, 1.0])
        if name.endswith(".L") or "." not in name:
            np.testing.assert_allclose(skeleton.rest_positions[right], skeleton.rest_positions[left] * mirror)
            np.testing.assert_allclose(ends[right], ends[left] * mirror, atol=1e-12)
            axes = quaternion.to_matrix(skeleton.rest_rotations[[left, right]])
            np.testing.assert_allclose(axes[1][:, 2], axes[0][:, 2] * mirror, atol=1e-12)


def test_bones_lie_along_their_y_axis():
    skeleton = sample_skeleton()
    assert (skeleton.tips[:, [0, 2]] == 0.0).all()
    assert (skeleton.tips[:, 1] > 0.05).all()
    ends = skeleton.rest_positions + quaternion.rotate(skeleton.rest_rotations, skeleton.tips)
    for child in np.flatnonzero(skeleton.connected):
        np.testing.assert_allclose(ends[skeleton.parents[child]], skeleton.rest_positions[child], atol=1e-12)
    assert skeleton.connected[skeleton.index["shin.L"]]
    assert not skeleton.connected[skeleton.index["thigh.L"]]


def test_the_motion_is_the_same_at_every_rate_and_time(motion):
    again = sample_motion(120)
    np.testing.assert_array_equal(again.rotations, motion.rotations)
    for rate, every in ((24, 5), (30, 4), (60, 2)):
        coarse = sample_motion(rate)
        assert coarse.rate == rate
        difference = coarse.poses.positions - motion.poses.positions[::every][: len(coarse)]
        assert np.abs(difference).max() < 1e-5
    odd = sample_motion(29.97)
    assert odd.times[-1] == pytest.approx(EVENTS.duration, abs=1 / 29)


def test_too_low_a_rate_is_refused():
    with pytest.raises(ValueError, match="at least 10 frames per second"):
        sample_motion(0)


def test_curves_meet_their_keys_and_stay_between_them():
    keys = [Key(0.0, 1.0), Key(0.5, 3.0), Key(1.0, 3.0), Key(1.2, -1.0), Key(2.0, 0.0, 2.0)]
    curve = Curve(keys)
    np.testing.assert_allclose(curve.at([key.time for key in keys]), [key.value for key in keys], atol=1e-12)
    assert (curve.at(np.linspace(0.5, 1.0, 50)) == 3.0).all()
    np.testing.assert_allclose(curve.at([-1.0, 9.0]), [1.0, 0.0], atol=1e-12)
    between = curve.at(np.linspace(0.0, 1.2, 500))
    assert between.min() >= -1.0 - 1e-12
    assert between.max() <= 3.0 + 1e-12
    step = 1e-5
    for time in (0.5, 1.0, 1.2):
        before, at, after = curve.at(np.array([time - step, time, time + step]))
        assert (after - at) / step == pytest.approx((at - before) / step, abs=0.05)
    with pytest.raises(ValueError, match="different times"):
        Curve([Key(1.0, 0.0), Key(1.0, 1.0)])


@pytest.mark.parametrize("step", [ease, glide])
def test_steps_rise_smoothly_from_0_to_1(step):
    times = np.linspace(-0.5, 1.5, 2001)
    values = step(times, 0.0, 1.0)
    assert values[0] == 0.0
    assert values[-1] == 1.0
    assert (np.diff(values) >= -1e-12).all()
    np.testing.assert_allclose(values + values[::-1], 1.0, atol=1e-12)
    # A jump of the acceleration would show as a difference of its own size.
    assert np.abs(np.diff(values, 3)).max() * 1000**2 < 0.2
