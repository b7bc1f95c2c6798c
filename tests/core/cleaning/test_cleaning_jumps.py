"""Signs and Euler angles that jump: found, and put right."""

from __future__ import annotations

import numpy as np
import pytest
from made_flaws import FRAMES, JOINTS, clean, places
from made_motion import random_rotations, smooth_rotations
from scipy.spatial.transform import Rotation

from core.cleaning import find_jumps, without_jumps
from core.numerics import quaternion
from core.numerics.rotation_channels import from_euler, to_euler


def test_signs_that_turn_round_are_found_and_put_right():
    rotations = np.array(clean().rotations)
    rotations[50:80, 1] *= -1.0
    found = find_jumps(rotations, clean().skeleton.names)
    assert places(found) == [("joint 1", "rotation", 50, 50), ("joint 1", "rotation", 80, 80)]
    assert [flaw.size for flaw in found] == pytest.approx([2.0, 2.0])
    np.testing.assert_array_equal(without_jumps(rotations), clean().rotations)


@pytest.mark.parametrize("order", ["XYZ", "ZXY"])
def test_euler_angles_that_jump_are_found_and_put_right(order):
    angles = to_euler(smooth_rotations(FRAMES, JOINTS, 2, reach=0.5), order)
    first, second, third = ("XYZ".index(letter) for letter in order)
    broken = angles.copy()
    broken[100:, 0, 1] -= 2.0 * np.pi
    flipped = broken[150:180, 2]
    broken[150:180, 2, [first, third]] = flipped[:, [first, third]] + np.pi
    broken[150:180, 2, second] = np.pi - flipped[:, second]
    names = clean().skeleton.names
    assert [(flaw.joint, flaw.first) for flaw in find_jumps(broken, names, order=order)] == [
        ("joint 0", 100),
        ("joint 2", 150),
        ("joint 2", 180),
    ]
    fixed = without_jumps(broken, order=order)
    np.testing.assert_allclose(fixed, angles, atol=1e-9)
    np.testing.assert_array_equal(fixed[:, 1], angles[:, 1])
    assert find_jumps(fixed, names, order=order) == ()


def test_angles_without_jumps_keep_their_rotations():
    wild = np.random.default_rng(0).uniform(-4.0, 4.0, size=(40, 2, 3))
    fixed = without_jumps(wild, order="YXZ")
    matrices = [Rotation.from_euler("yxz", each.reshape(-1, 3)[:, [1, 0, 2]]).as_matrix() for each in (wild, fixed)]
    np.testing.assert_allclose(matrices[1], matrices[0], atol=1e-9)
    assert quaternion.angle_between(from_euler(wild, "YXZ"), from_euler(fixed, "YXZ")).max() < 1e-7


def test_channels_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"shape \(F, J, 3\)"):
        without_jumps(random_rotations(5, 2), order="XYZ")
