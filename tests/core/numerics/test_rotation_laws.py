"""Laws of quaternions and of the channels that hold rotations, with SciPy as the second opinion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_motion import random_rotations, smooth_rotations
from scipy.spatial.transform import Rotation

from core.numerics import quaternion, rotation_channels

ORDERS = rotation_channels.EULER_ORDERS
A, B, C = (random_rotations(200, seed=seed) for seed in range(3))


def scipy_rotation(rotations):
    return Rotation.from_quat(np.roll(np.asarray(rotations).reshape(-1, 4), -1, axis=-1))


def assert_same_rotations(actual, expected, tolerance=1e-12):
    assert quaternion.angle_between(actual, expected).max() <= tolerance


# --- quaternions


def test_inverse_undoes_a_rotation():
    np.testing.assert_allclose(quaternion.multiply(A, quaternion.conjugate(A)), quaternion.identity(200), atol=1e-15)


def test_product_is_associative_and_stays_unit():
    left = quaternion.multiply(quaternion.multiply(A, B), C)
    np.testing.assert_allclose(left, quaternion.multiply(A, quaternion.multiply(B, C)), atol=1e-15)
    np.testing.assert_allclose(quaternion.dot(left, left), 1.0, atol=1e-14)


def test_product_agrees_with_scipy_and_with_matrices():
    product = quaternion.multiply(A, B)
    assert_same_rotations(np.roll((scipy_rotation(A) * scipy_rotation(B)).as_quat(), 1, axis=-1), product)
    np.testing.assert_allclose(
        quaternion.to_matrix(product), quaternion.to_matrix(A) @ quaternion.to_matrix(B), atol=1e-14
    )


def test_rotating_agrees_with_scipy_and_with_the_matrix():
    vectors = np.random.default_rng(3).normal(size=(200, 3))
    turned = quaternion.rotate(A, vectors)
    np.testing.assert_allclose(turned, scipy_rotation(A).apply(vectors), atol=1e-13)
    np.testing.assert_allclose(turned, (quaternion.to_matrix(A) @ vectors[..., None])[..., 0], atol=1e-13)


def test_matrix_round_trip_keeps_every_pivot():
    half_turns = np.eye(4)
    rotations = np.concatenate([A, half_turns, quaternion.normalize(half_turns + 1e-9 * A[:4])])
    assert_same_rotations(quaternion.from_matrix(quaternion.to_matrix(rotations)), rotations, 1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-12, 1e-8, 1.01e-8, 1e-4, 1.0, np.pi - 1e-9, np.pi])
def test_log_undoes_exp_at_every_size_of_angle(angle):
    axes = quaternion.rotate(A, [0.0, 0.0, 1.0])
    vectors = angle * axes
    back = quaternion.log(quaternion.exp(vectors))
    if angle > np.pi - 1e-12:  # Half a turn is the same both ways round.
        back = back * np.sign((back * vectors).sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(back, vectors, rtol=1e-12, atol=1e-14 * min(angle, 1.0))


def test_log_and_exp_agree_with_scipy():
    np.testing.assert_allclose(quaternion.log(A), scipy_rotation(A).as_rotvec(), atol=1e-13)
    vectors = 3.0 * np.random.default_rng(5).normal(size=(200, 3))
    expected = np.roll(Rotation.from_rotvec(vectors).as_quat(), 1, axis=-1)
    assert_same_rotations(quaternion.exp(vectors), expected)


def test_log_is_the_shorter_way_for_both_signs():
    np.testing.assert_array_equal(quaternion.log(A), quaternion.log(-A))
    assert np.linalg.norm(quaternion.log(A), axis=-1).max() <= np.pi


@pytest.mark.parametrize("angle", [0.0, 1e-15, 1e-9, 1e-5, 0.3, np.pi - 1e-9, np.pi])
def test_angle_between_keeps_its_digits(angle):
    turned = quaternion.multiply(A, quaternion.exp([0.0, angle, 0.0]))
    # Each quaternion is rounded to 1e-16, so no angle is known better than a few of those.
    np.testing.assert_allclose(quaternion.angle_between(A, turned), angle, rtol=1e-13, atol=2e-15)


def test_slerp_meets_its_ends_bit_for_bit():
    near = quaternion.aligned(B, A)
    np.testing.assert_array_equal(quaternion.slerp(A, B, 0.0), A)
    np.testing.assert_array_equal(quaternion.slerp(A, B, 1.0), near)
    np.testing.assert_array_equal(quaternion.slerp(A, A, np.linspace(0, 1, 200))[[0, -1]], A[[0, -1]])


@pytest.mark.parametrize("step", [0.0, 1e-9, 1e-8, 1e-6, 0.5, 3.0, np.pi - 1e-7])
def test_slerp_turns_at_constant_speed(step):
    end = quaternion.multiply(A, quaternion.exp([step, 0.0, 0.0]))
    for weight in (0.25, 0.5, 0.9):
        part = quaternion.slerp(A, end, weight)
        np.testing.assert_allclose(quaternion.angle_between(A, part), weight * step, rtol=1e-7, atol=1e-14)
        np.testing.assert_allclose(quaternion.dot(part, part), 1.0, atol=1e-14)


def test_slerp_takes_the_shorter_way():
    whole = quaternion.angle_between(A, B)
    np.testing.assert_allclose(quaternion.angle_between(A, quaternion.slerp(A, -B, 0.5)), whole / 2, atol=1e-13)


def test_signs_become_continuous_and_rotations_stay():
    smooth = smooth_rotations(100, 3, reach=4.0)
    flips = np.random.default_rng(0).choice([-1.0, 1.0], size=(100, 3, 1))
    repaired = quaternion.sign_continuous(smooth * flips)
    np.testing.assert_array_equal(repaired, smooth * flips[:1])
    assert quaternion.dot(repaired[1:], repaired[:-1]).min() > 0.0


def test_zero_quaternion_and_zero_axis_follow_blender():
    np.testing.assert_array_equal(quaternion.normalize(np.zeros(4)), quaternion.IDENTITY)
    np.testing.assert_allclose(
        quaternion.from_axis_angle(np.zeros(3), 1.0), quaternion.exp([0.0, 1.0, 0.0]), atol=1e-16
    )


def test_leading_axes_broadcast():
    table = quaternion.multiply(A[:, None], B[None, :5])
    assert table.shape == (200, 5, 4)
    np.testing.assert_array_equal(table[7, 3], quaternion.multiply(A[7], B[3]))


def test_inputs_are_left_alone():
    before = A.copy()
    for function in (quaternion.normalize, quaternion.sign_continuous, quaternion.log, quaternion.conjugate):
        function(A)
    quaternion.slerp(A, B, 0.5)
    rotation_channels.to_euler(A, "XYZ")
    rotation_channels.to_axis_angle(A)
    np.testing.assert_array_equal(A, before)


# --- Euler angles


def scipy_euler(angles, order):
    """Angles listed x, y, z; SciPy's small letters turn about fixed axes, as Blender's orders do."""
    listed = np.asarray(angles)[..., ["XYZ".index(letter) for letter in order]]
    return Rotation.from_euler(order.lower(), listed.reshape(-1, 3))


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_agree_with_scipy(order):
    angles = np.random.default_rng(1).uniform(-4.0, 4.0, size=(300, 3))
    expected = np.roll(scipy_euler(angles, order).as_quat(), 1, axis=-1)
    assert_same_rotations(rotation_channels.from_euler(angles, order), expected)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_round_trip_of_any_rotation(order):
    angles = rotation_channels.to_euler(A[None], order)[0]
    assert_same_rotations(rotation_channels.from_euler(angles, order), A)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_channels_are_continuous_over_several_turns(order):
    sweep = np.linspace(0.0, 7 * np.pi, 400)[:, None] * [1.0, 0.0, 0.0] + [0.1, 0.2, 0.3]
    original = sweep[:, np.argsort(["XYZ".index(letter) for letter in order])]
    back = rotation_channels.to_euler(rotation_channels.from_euler(original, order), order)
    np.testing.assert_allclose(back, original, atol=1e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("frames", [180, 181])  # 181 has frames exactly at 90 degrees.
def test_euler_channels_pass_through_gimbal_lock(order, frames):
    original = np.full((frames, 3), 0.4)
    original[:, "XYZ".index(order[1])] = np.linspace(0.0, 2 * np.pi, frames)
    back = rotation_channels.to_euler(rotation_channels.from_euler(original, order), order, original[0])
    np.testing.assert_allclose(back, original, atol=1e-6)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_channels_resting_in_gimbal_lock_do_not_jitter(order):
    original = np.full((50, 3), 0.4)
    original[:, "XYZ".index(order[1])] = np.pi / 2
    rotations = rotation_channels.from_euler(original, order)
    back = rotation_channels.to_euler(rotations, order, original[0])
    assert_same_rotations(rotation_channels.from_euler(back, order), rotations, 1e-7)
    assert np.abs(np.diff(back, axis=0)).max() < 1e-6


def test_euler_channels_start_near_the_given_angles():
    start = np.array([2 * np.pi + 0.1, -4 * np.pi + 0.2, np.pi])
    rotations = rotation_channels.from_euler(np.array([[0.1, 0.2, 3.0]]), "XYZ")
    np.testing.assert_allclose(
        rotation_channels.to_euler(rotations, "XYZ", start)[0], [2 * np.pi + 0.1, -4 * np.pi + 0.2, 3.0]
    )


@settings(deadline=None)
@given(st.sampled_from(ORDERS), st.integers(0, 2**32 - 1))
def test_euler_path_is_the_nearest_frame_by_frame(order, seed):
    rotations = smooth_rotations(40, 2, seed % 1000, reach=3.0)
    channels = rotation_channels.to_euler(rotations, order)
    assert_same_rotations(rotation_channels.from_euler(channels, order), rotations, 1e-7)
    first, second, third = ("XYZ".index(letter) for letter in order)
    other = channels.copy()
    other[..., first] += np.pi
    other[..., second] = np.pi - channels[..., second]
    other[..., third] += np.pi
    step = np.abs(channels[1:] - channels[:-1]).sum(axis=-1)
    swapped = other[1:] - channels[:-1]
    swapped -= 2 * np.pi * np.round(swapped / (2 * np.pi))
    assert (step <= np.abs(swapped).sum(axis=-1) + 1e-9).all()


# --- axis and angle


def test_axis_angle_round_trip():
    channels = rotation_channels.to_axis_angle(A[None])[0]
    assert_same_rotations(rotation_channels.from_axis_angle(channels), A)
    np.testing.assert_allclose(np.linalg.norm(channels[:, 1:], axis=-1), 1.0, atol=1e-14)


@pytest.mark.parametrize("frames", [200, 201])  # 201 has a frame exactly at rest.
def test_axis_angle_channels_are_continuous_through_rest_and_several_turns(frames):
    axis = np.array([0.6, 0.0, 0.8])
    angle = np.linspace(-5 * np.pi, 5 * np.pi, frames)
    rotations = quaternion.from_axis_angle(axis, angle)
    channels = rotation_channels.to_axis_angle(rotations, [angle[0], *axis])
    np.testing.assert_allclose(channels[:, 0], angle, atol=1e-9)
    np.testing.assert_allclose(channels[:, 1:], np.tile(axis, (frames, 1)), atol=1e-6)


def test_axis_of_a_joint_at_rest_is_held_from_the_start():
    channels = rotation_channels.to_axis_angle(quaternion.identity(5, 1), [[0.0, 1.0, 0.0, 0.0]])
    np.testing.assert_array_equal(channels, np.tile([0.0, 1.0, 0.0, 0.0], (5, 1, 1)))


def test_start_without_an_axis_keeps_its_turns():
    rotations = quaternion.from_axis_angle([0.0, 1.0, 0.0], np.array([4 * np.pi + 0.1, 4 * np.pi + 0.2]))
    channels = rotation_channels.to_axis_angle(rotations, [4 * np.pi, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(channels[:, 0], [4 * np.pi + 0.1, 4 * np.pi + 0.2])
