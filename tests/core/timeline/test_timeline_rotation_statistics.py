"""Mean and intensity of joint rotations carried from a reference to a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from made_motion import chain, random_rotations, smooth_curves, smooth_rotations, swinging_chain
from scipy.spatial.transform import Rotation

from core.errors import SkeletonMismatchError
from core.motion.motion import Motion
from core.motion.rest_axes import with_rest_rotations
from core.numerics import quaternion
from core.timeline import EmptyWindowError, Segment, transfer_mean_rotation, transfer_rotation_variance

JOINTS = [True, False, True]
WINDOW, ROWS = (20.0, 60.0), slice(20, 61)
TRANSFERS = [transfer_mean_rotation, transfer_rotation_variance]


def clip(seed: int = 0, reach: float = 1.0) -> Motion:
    return Motion.build(chain(3), smooth_rotations(90, 3, seed, reach=reach), rate=30.0)


def intensity(rotations: Any) -> Any:
    """Root mean square angle (K,) to the mean, by an independent route."""
    result = []
    for joint in np.moveaxis(rotations, 1, 0):
        all_of_it = Rotation.from_quat(joint, scalar_first=True)
        middle = Rotation.from_quat(quaternion.mean(joint), scalar_first=True)
        result.append(np.sqrt(((middle.inv() * all_of_it).magnitude() ** 2).mean()))
    return np.array(result)


def test_the_mean_is_where_squared_angles_are_least():
    rotations = quaternion.multiply(random_rotations(5), quaternion.exp(smooth_curves(40, 15).reshape(40, 5, 3)))
    mean = quaternion.mean(rotations)
    least = (quaternion.angle_between(mean, rotations) ** 2).sum(axis=0)
    for step in 1e-3 * np.concatenate([np.eye(3), -np.eye(3)]):
        beside = quaternion.multiply(mean, quaternion.exp(step))
        assert ((quaternion.angle_between(beside, rotations) ** 2).sum(axis=0) > least).all()


def test_the_mean_does_not_see_signs():
    rotations = smooth_rotations(40, 5)
    signs = np.where(np.random.default_rng(0).random((40, 5)) < 0.5, -1.0, 1.0)[..., None]
    angles = quaternion.angle_between(quaternion.mean(rotations * signs), quaternion.mean(rotations))
    assert angles.max() < 1e-13


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_a_part_given_to_itself_stays_bit_for_bit(transfer: Any):
    motion = clip()
    for ease in (0.0, 0.25):
        edited = transfer(motion, WINDOW, Segment(motion, *WINDOW), JOINTS, ease=ease)
        assert np.array_equal(edited.rotations, motion.rotations)


def test_the_mean_becomes_that_of_the_reference():
    motion, reference = clip(0), Segment(clip(1), 5, 50)
    edited = transfer_mean_rotation(motion, WINDOW, reference, JOINTS, ease=0.0)
    wanted = quaternion.mean(reference.motion.rotations[5:51])
    angles = quaternion.angle_between(quaternion.mean(edited.rotations[ROWS]), wanted)
    assert angles[[0, 2]].max() < 1e-12
    assert angles[1] > 0.01
    assert intensity(edited.rotations[ROWS]) == pytest.approx(intensity(motion.rotations[ROWS]), rel=1e-9)


def test_the_intensity_becomes_that_of_the_reference_about_the_old_mean():
    motion, reference = clip(0, reach=0.5), Segment(clip(1), 5, 50)
    edited = transfer_rotation_variance(motion, WINDOW, reference, JOINTS, ease=0.0)
    wanted = intensity(reference.motion.rotations[5:51])
    assert intensity(edited.rotations[ROWS])[[0, 2]] == pytest.approx(wanted[[0, 2]], rel=1e-9)
    means = [quaternion.mean(one.rotations[ROWS]) for one in (edited, motion)]
    assert quaternion.angle_between(*means).max() < 1e-9


def test_half_the_amount_goes_half_the_way():
    motion, reference = clip(0), Segment(clip(1), 5, 50)
    whole, half = (
        transfer_mean_rotation(motion, WINDOW, reference, JOINTS, ease=0.0, amount=amount).rotations[40, 0]
        for amount in (1.0, 0.5)
    )
    before = motion.rotations[40, 0]
    assert quaternion.angle_between(before, half) == pytest.approx(0.5 * quaternion.angle_between(before, whole))
    assert quaternion.angle_between(half, whole) == pytest.approx(0.5 * quaternion.angle_between(before, whole))


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_only_the_joints_and_frames_of_the_edit_change_and_nothing_pops(transfer: Any):
    motion, before = clip(0), clip(0).rotations.copy()
    edited = transfer(motion, (20.4, 60.6), Segment(clip(1), 5, 50), JOINTS)
    assert np.array_equal(motion.rotations, before)
    changed = (edited.rotations != before).any(axis=-1)
    assert not np.delete(changed, slice(21, 61), axis=0).any()
    assert not changed[:, 1].any()
    assert changed[25:56, [0, 2]].all()
    steps, old = (quaternion.angle_between(one[1:], one[:-1]).max() for one in (edited.rotations, before))
    assert steps < 3.0 * old
    assert (quaternion.dot(edited.rotations[1:], edited.rotations[:-1]) > 0.0).all()


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_turning_both_motions_turns_the_result(transfer: Any):
    motion, reference = clip(0), clip(1)
    left, right = random_rotations(2)

    def turned(one: Motion) -> Motion:
        return one.with_rotations(quaternion.multiply(left, quaternion.multiply(one.rotations, right)))

    edited = transfer(motion, WINDOW, Segment(reference, 5, 50), JOINTS)
    other = transfer(turned(motion), WINDOW, Segment(turned(reference), 5, 50), JOINTS)
    assert quaternion.angle_between(turned(edited).rotations, other.rotations).max() < 1e-9


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_quaternions_of_the_other_hemisphere_give_the_same_rotations(transfer: Any):
    motion, reference = clip(0), clip(1)
    edited = transfer(motion, WINDOW, Segment(reference, 5, 50), JOINTS)
    flipped = replace(reference, rotations=-reference.rotations)
    other = transfer(replace(motion, rotations=-motion.rotations), WINDOW, Segment(flipped, 5, 50), JOINTS)
    assert quaternion.angle_between(edited.rotations, other.rotations).max() < 1e-12
    assert (quaternion.dot(other.rotations, edited.rotations) < 0.0).all()


@pytest.mark.parametrize("transfer", TRANSFERS)
def test_a_reference_with_other_rest_axes_gives_the_same(transfer: Any):
    motion, reference = clip(0), clip(1)
    edited = transfer(motion, WINDOW, Segment(reference, 5, 50), JOINTS)
    other_axes = with_rest_rotations(reference, random_rotations(3, seed=4))
    other = transfer(motion, WINDOW, Segment(other_axes, 5, 50), JOINTS)
    assert quaternion.angle_between(edited.rotations, other.rotations).max() < 1e-9


def test_a_root_keeps_its_heading_where_the_up_direction_is_given():
    up = np.array([0.0, 1.0, 0.0])
    around = quaternion.from_axis_angle(up, 2.0)
    motion = clip(0, reach=0.3)
    spun = motion.with_rotations(
        np.concatenate([quaternion.multiply(around, motion.rotations[:, :1]), motion.rotations[:, 1:]], axis=1)
    )
    kept = transfer_mean_rotation(motion, WINDOW, Segment(spun, *WINDOW), [True, False, False], up=up)
    assert quaternion.angle_between(kept.rotations, motion.rotations).max() < 1e-9
    followed = transfer_mean_rotation(motion, WINDOW, Segment(spun, *WINDOW), [True, False, False])
    assert quaternion.angle_between(followed.rotations[40, 0], spun.rotations[40, 0]) < 1e-9


def test_noise_of_a_joint_at_rest_does_not_become_a_movement():
    motion = clip(0, reach=1e-3)
    edited = transfer_rotation_variance(motion, WINDOW, Segment(clip(1), 5, 50), JOINTS, ease=0.0, largest=3.0)
    before = intensity(motion.rotations[ROWS])
    assert intensity(edited.rotations[ROWS]) == pytest.approx(before * [3.0, 1.0, 3.0], rel=1e-6)


def test_a_joint_without_any_movement_stays():
    still = Motion.build(chain(3), quaternion.identity(90, 3), rate=30.0)
    edited = transfer_rotation_variance(still, WINDOW, Segment(clip(1), 5, 50), JOINTS)
    assert np.array_equal(edited.rotations, still.rotations)


def test_vibration_below_the_detail_keeps_its_size():
    shake = 0.02 * np.where(np.arange(90) % 2, 1.0, -1.0)[:, None, None] * np.array([1.0, 0.0, 0.0])
    motion = clip(0, reach=0.4)
    shaken = motion.with_rotations(quaternion.multiply(motion.rotations, quaternion.exp(shake)))
    reference = Segment(clip(1), 5, 50)

    def shake_after(detail: float) -> float:
        edited = transfer_rotation_variance(shaken, WINDOW, reference, JOINTS, ease=0.0, detail=detail)
        steps = quaternion.log(quaternion.multiply(quaternion.conjugate(edited.rotations[:-1]), edited.rotations[1:]))
        return float(np.abs(np.diff(steps[25:55, 0], axis=0)).max())

    assert shake_after(0.2) < 0.6 * shake_after(0.0)


def test_missing_joints_are_named():
    motion, other = swinging_chain(4, 90), swinging_chain(3, 90)
    with pytest.raises(SkeletonMismatchError, match="no 'joint 3'; rename"):
        transfer_mean_rotation(motion, WINDOW, Segment(other, 5, 50), [False, False, False, True])


@pytest.mark.parametrize(("start", "end", "reason"), [(50, 40, "no part"), (0, 200, "no part"), (3.2, 5.8, "longer")])
def test_windows_without_motion_are_refused(start: float, end: float, reason: str):
    with pytest.raises(EmptyWindowError, match=reason):
        Segment(clip(), start, end)
