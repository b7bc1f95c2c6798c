"""Wave shaping: angles from a pose resized, axes and everything else left alone."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain, swinging_chain
from scipy.spatial.transform import Rotation

from core.errors import SkeletonMismatchError
from core.filters import mean_pose
from core.filters.wave_shape import compressed, exaggerated, soft_limited
from core.numerics import quaternion

AXIS = np.array([0.0, 0.6, 0.8])
MOTION = swinging_chain(joints=4, frames=80)
SHAPES = {
    "exaggerated": lambda motion, **options: exaggerated(motion, 1.4, **options),
    "calmed": lambda motion, **options: exaggerated(motion, 0.3, **options),
    "limited": lambda motion, **options: soft_limited(motion, [0.5, 0.8, np.inf, 0.2], **options),
    "compressed": lambda motion, **options: compressed(motion, threshold=0.3, ratio=3.0, **options),
}
UNCHANGED = {
    "amount 1": lambda motion: exaggerated(motion, 1.0),
    "no limit": lambda motion: soft_limited(motion, np.inf),
    "a limit far away": lambda motion: soft_limited(motion, 60.0),
    "ratio 1": lambda motion: compressed(motion, threshold=0.1, ratio=1.0),
    "no threshold": lambda motion: compressed(motion, threshold=np.inf, ratio=4.0),
}


def turning(angles: np.ndarray) -> Motion:
    """One joint that turns about one axis."""
    return Motion.build(chain(1), quaternion.exp(angles[:, None, None] * AXIS), rate=30.0)


REST = turning(np.zeros(1))


def angles_of(motion: Motion) -> np.ndarray:
    return quaternion.log(motion.rotations)[:, 0] @ AXIS


def slow_exaggerated(motion: Motion, amount: float, pose: Motion) -> np.ndarray:
    """Rotation by rotation with SciPy."""
    result = np.empty(motion.rotations.shape)
    for joint in range(len(motion.skeleton)):
        middle = Rotation.from_quat(pose.rotations[0, joint, [1, 2, 3, 0]])
        for frame in range(len(motion)):
            turn = middle.inv() * Rotation.from_quat(motion.rotations[frame, joint, [1, 2, 3, 0]])
            new = middle * Rotation.from_rotvec(amount * turn.as_rotvec())
            result[frame, joint] = new.as_quat()[[3, 0, 1, 2]]
    return result


@pytest.mark.parametrize("amount", [0.0, 0.5, 1.7, -1.0])
def test_exaggeration_agrees_with_scipy(amount):
    pose = mean_pose(MOTION)
    near = quaternion.angle_between(MOTION.rotations, pose.rotations) < 3.0
    assert near.mean() > 0.9
    got = exaggerated(MOTION, amount).rotations
    assert quaternion.angle_between(got, slow_exaggerated(MOTION, amount, pose))[near].max() < 1e-7


@pytest.mark.parametrize("unchanged", UNCHANGED.values(), ids=UNCHANGED)
def test_nothing_asked_changes_nothing(unchanged):
    for name in ("times", "rotations", "locations", "scales", "scalars"):
        np.testing.assert_array_equal(getattr(unchanged(MOTION), name), getattr(MOTION, name))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
class TestEveryShape:
    def test_commutes_with_turning_the_character(self, shape):
        turn = quaternion.normalize([0.3, -0.5, 0.2, 0.7])
        turned = MOTION.with_rotations(quaternion.multiply(turn, MOTION.rotations))
        expected = quaternion.multiply(turn, shape(MOTION).rotations)
        assert quaternion.angle_between(shape(turned).rotations, expected).max() < 1e-7

    def test_the_pose_stays_and_axes_stay(self, shape):
        pose = mean_pose(MOTION)
        before, after = (
            quaternion.log(quaternion.multiply(quaternion.conjugate(pose.rotations), each.rotations))
            for each in (MOTION, shape(MOTION, about=pose))
        )
        near = (np.linalg.norm(before, axis=-1) < 1.8) & (np.linalg.norm(before, axis=-1) > 1e-3)
        across = np.linalg.norm(np.cross(before, after), axis=-1)
        assert across[near].max() < 1e-7

    def test_only_chosen_joints_change(self, shape):
        joints = np.arange(4) == 1
        result = shape(MOTION, joints=joints)
        np.testing.assert_array_equal(result.rotations[:, ~joints], MOTION.rotations[:, ~joints])
        assert (result.rotations[:, joints] != MOTION.rotations[:, joints]).any()

    def test_everything_but_rotations_stays(self, shape):
        np.testing.assert_array_equal(shape(MOTION).locations, MOTION.locations)

    def test_another_characters_pose_is_refused(self, shape):
        with pytest.raises(SkeletonMismatchError, match="one frame of the same character"):
            shape(MOTION, about=REST)

    def test_what_is_continuous_stays_continuous_beyond_half_a_turn(self, shape):
        phase = np.linspace(0.0, 4 * np.pi, 400)[:, None]
        vectors = np.stack([3.6 * np.sin(phase), 0.5 * np.cos(phase), 0.0 * phase], axis=-1)
        spin = Motion.build(MOTION.skeleton, quaternion.exp(np.repeat(vectors, 4, axis=1)), rate=60.0)
        rest = Motion.build(MOTION.skeleton, quaternion.identity(1, 4), rate=60.0)
        steps = [
            quaternion.angle_between(each.rotations[1:], each.rotations[:-1]).max()
            for each in (spin, shape(spin, about=rest))
        ]
        assert steps[1] < 4.0 * steps[0]


ANGLES = np.linspace(0.0, 3.0, 400)


def limited(**options):
    return angles_of(soft_limited(turning(ANGLES), 1.0, about=REST, **options))


@pytest.mark.parametrize("softness", [0.0, 0.3, 1.0])
def test_soft_limits_are_monotone_and_never_exceeded(softness):
    got = limited(softness=softness)
    assert (np.diff(got) >= -1e-12).all()
    assert got.max() <= 1.0 + 1e-12
    assert got[-1] > 0.8


def test_soft_limits_begin_without_a_corner():
    slopes = np.gradient(limited(softness=0.5), ANGLES)
    assert np.abs(np.diff(slopes)).max() < 0.03
    np.testing.assert_allclose(slopes[ANGLES < 0.45], 1.0, atol=1e-9)


def test_both_directions_are_limited():
    got = angles_of(soft_limited(turning(-ANGLES), 1.0, about=REST))
    np.testing.assert_allclose(got, -limited(), atol=1e-12)


def test_what_lies_below_the_start_stays_bit_for_bit():
    motion = turning(ANGLES)
    below = ANGLES < 0.69
    for result in (
        soft_limited(motion, 1.0, about=REST),
        compressed(motion, threshold=0.7, ratio=2.0, about=REST),
    ):
        np.testing.assert_array_equal(result.rotations[below], motion.rotations[below])


@pytest.mark.parametrize(("ratio", "slope"), [(4.0, 0.25), (0.5, 2.0)])
def test_compression_ends_in_its_slope(ratio, slope):
    angles = np.linspace(0.0, 1.5, 300)
    got = angles_of(compressed(turning(angles), threshold=0.3, ratio=ratio, knee=0.05, about=REST))
    assert (np.diff(got) > 0.0).all()
    np.testing.assert_allclose(np.gradient(got, angles)[angles > 0.9], slope, atol=1e-3)


def test_a_joint_that_does_not_move_is_limited_too():
    still = turning(np.full(10, 2.0))
    assert angles_of(soft_limited(still, 1.0, about=REST)).max() <= 1.0


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (lambda: exaggerated(MOTION, np.nan), "finite"),
        (lambda: soft_limited(MOTION, -1.0), "limit must not be below zero"),
        (lambda: soft_limited(MOTION, 1.0, softness=2.0), "softness"),
        (lambda: compressed(MOTION, threshold=1.0, ratio=0.0), "ratio"),
    ],
)
def test_impossible_options_are_refused(act, reason):
    with pytest.raises(ValueError, match=reason):
        act()
