"""Motions: read-only, sampled exactly at their own times, refusing what is not a number."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from made_motion import chain, smooth_curves, smooth_rotations, swinging_chain

from core.errors import NotFiniteError
from core.motion.kinematics.forward_kinematics import forward_kinematics
from core.motion.motion import Carriers, Motion
from core.numerics import quaternion


def with_scalars(frames=20):
    return Motion.build(
        chain(2),
        smooth_rotations(frames, 2),
        rate=24.0,
        times=np.cumsum(np.random.default_rng(0).uniform(0.01, 0.1, frames)),
        scalars=smooth_curves(frames, 2, 3),
        scalar_names=("smile", "blink"),
    )


def test_everything_is_read_only():
    motion = swinging_chain()
    for name in ("times", "rotations", "locations", "scales", "scalars"):
        array = getattr(motion, name)
        assert not array.flags.writeable, name
    with pytest.raises(FrozenInstanceError):
        motion.rate = 12.0


def test_input_arrays_stay_writable_and_unchanged():
    rotations, locations = smooth_rotations(5, 2), np.zeros((5, 2, 3))
    Motion.build(chain(2), rotations, rate=24.0, locations=locations)
    assert rotations.flags.writeable
    assert locations.flags.writeable


def test_defaults_are_the_rest_pose_at_even_times():
    motion = Motion.build(chain(2), quaternion.identity(4, 2), rate=25.0)
    np.testing.assert_allclose(motion.times, [0.0, 0.04, 0.08, 0.12])
    assert not motion.locations.any()
    assert (motion.scales == 1.0).all()
    assert motion.scalars.shape == (4, 0)


def test_signs_are_made_continuous_on_the_way_in():
    smooth = smooth_rotations(30, 2)
    signs = np.random.default_rng(1).choice([-1.0, 1.0], size=(30, 2, 1))
    for motion in (
        Motion.build(chain(2), smooth * signs, rate=30.0),
        Motion.build(chain(2), smooth, rate=30.0).with_rotations(smooth * signs),
    ):
        assert quaternion.dot(motion.rotations[1:], motion.rotations[:-1]).min() > 0.0


def test_sampling_at_its_own_times_is_bit_exact():
    motion = with_scalars()
    again = motion.at(motion.times)
    for name in ("times", "rotations", "locations", "scales", "scalars"):
        np.testing.assert_array_equal(getattr(again, name), getattr(motion, name))


def test_sampling_between_turns_at_constant_speed_and_mixes_the_rest():
    motion = with_scalars()
    weight = 0.3
    times = motion.times[:-1] + weight * np.diff(motion.times)
    between = motion.at(times)
    step = quaternion.angle_between(motion.rotations[:-1], motion.rotations[1:])
    np.testing.assert_allclose(
        quaternion.angle_between(motion.rotations[:-1], between.rotations), weight * step, atol=1e-12
    )
    for name in ("locations", "scales", "scalars"):
        values = getattr(motion, name)
        np.testing.assert_allclose(getattr(between, name), (1 - weight) * values[:-1] + weight * values[1:], atol=1e-14)


def test_sampling_outside_holds_the_ends():
    motion = with_scalars()
    outside = motion.at([motion.times[0] - 5.0, motion.times[-1] + 5.0])
    np.testing.assert_array_equal(outside.scalars, motion.scalars[[0, -1]])
    np.testing.assert_array_equal(outside.rotations, quaternion.aligned(motion.rotations[[0, -1]], outside.rotations))


def test_one_frame_can_be_sampled_anywhere():
    motion = swinging_chain(frames=1)
    np.testing.assert_array_equal(motion.at([-1.0, 0.0, 3.0]).rotations, motion.rotations[[0, 0, 0]])


def test_part_keeps_frames_and_their_times():
    motion = with_scalars()
    part = motion.part(3, 8)
    assert len(part) == 5
    np.testing.assert_array_equal(part.times, motion.times[3:8])
    np.testing.assert_array_equal(part.scalars, motion.scalars[3:8])


def test_edits_leave_the_original_alone():
    motion = swinging_chain()
    before = {name: np.array(getattr(motion, name)) for name in ("rotations", "locations", "scales")}
    moved = motion.with_locations(motion.locations + 1.0)
    grown = motion.with_scales(2.0 * motion.scales)
    turned = motion.with_rotations(quaternion.multiply(motion.rotations, quaternion.exp([1.0, 0.0, 0.0])))
    np.testing.assert_allclose(moved.locations - motion.locations, 1.0)
    assert grown.scales.min() == 2.0
    assert quaternion.angle_between(turned.rotations, motion.rotations).min() > 0.9
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(motion, name), value)


def test_poses_belong_to_the_motion_and_follow_its_edits():
    motion = swinging_chain()
    expected = forward_kinematics(motion.skeleton, motion.rotations, motion.locations, motion.scales)
    np.testing.assert_array_equal(motion.poses.positions, expected.positions)
    assert motion.poses is motion.poses
    moved = motion.with_locations(motion.locations + 1.0)
    assert not np.array_equal(moved.poses.positions, motion.poses.positions)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["rotations", "locations", "scales"])
def test_not_finite_is_refused_with_joint_and_frame(name, bad):
    motion = swinging_chain(joints=3, frames=10)
    values = np.array(getattr(motion, name))
    values[4, 2, 1] = bad
    with pytest.raises(NotFiniteError, match=f"'joint 2' has a NaN or infinite {name[:-1]} at frame 4"):
        getattr(motion, f"with_{name}")(values)


def test_not_finite_scalar_is_refused_by_name():
    scalars = np.zeros((5, 2))
    scalars[3, 1] = np.nan
    with pytest.raises(NotFiniteError, match="'blink' is NaN or infinite at frame 3"):
        Motion.build(chain(1), quaternion.identity(5, 1), rate=24.0, scalars=scalars, scalar_names=("smile", "blink"))


def test_wrong_shapes_and_rates_are_refused():
    with pytest.raises(ValueError, match=r"rotations must have shape \(4, 3, 4\), not \(4, 2, 4\)"):
        Motion.build(chain(3), quaternion.identity(4, 2), rate=24.0)
    with pytest.raises(ValueError, match=r"locations must have shape"):
        Motion.build(chain(2), quaternion.identity(4, 2), rate=24.0, locations=np.zeros((4, 2)))
    for rate in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="rate must be above zero"):
            Motion.build(chain(2), quaternion.identity(4, 2), rate=rate, times=np.arange(4))


def test_all_of_it_is_itself():
    motion = with_scalars()
    assert motion.part(0, len(motion)) is motion
    assert motion.at(motion.times) is motion
    assert len(motion.part(1, len(motion))) == len(motion) - 1


def test_other_carriers_leave_joints_where_they_are():
    motion = swinging_chain()
    carriers = Carriers((1,), (1,))
    assert "poses" not in vars(motion.with_carriers(carriers)), "nothing was asked for"
    places = motion.poses
    carried = motion.with_carriers(carriers)
    assert carried.poses is places
    assert carried.carriers is carriers
    assert motion.carriers is None
