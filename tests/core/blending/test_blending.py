"""Blends of motions of equal length: laws, the plain loop, means of rotations, refusals."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from made_motion import Motion, random_rotations
from made_walkers import FRAMES, assert_same, unscaled, walker
from scipy.spatial.transform import Rotation

from core.blending import BlendError, blend
from core.blending.rotation_mean import weighted_mean
from core.errors import SkeletonMismatchError
from core.motion.match import matched
from core.motion.rest_axes import with_rest_rotations
from core.motion.skeleton import Skeleton
from core.numerics import quaternion


class TestBlend:
    @pytest.mark.parametrize("count", [2, 3, 5])
    def test_all_the_weight_gives_that_motion_bit_for_bit(self, count):
        motions = [walker(seed) for seed in range(count)]
        for number, motion in enumerate(motions):
            assert_same(blend(motions, np.eye(count)[number]), motion)

    def test_weights_over_time_meet_both_ends_exactly(self):
        one, other = walker(1), walker(2)
        share = np.clip(np.linspace(-0.5, 1.5, FRAMES), 0.0, 1.0)
        mean = blend([one, other], np.stack([1.0 - share, share], axis=1))
        for motion, frames in ((one, share == 0.0), (other, share == 1.0)):
            assert np.array_equal(mean.locations[frames], motion.locations[frames])
            assert np.array_equal(np.abs(mean.rotations[frames]), np.abs(motion.rotations[frames]))
        assert (quaternion.dot(mean.rotations[1:], mean.rotations[:-1]) >= 0.0).all()

    @pytest.mark.parametrize("count", [2, 3])
    def test_of_a_motion_with_itself_is_that_motion_bit_for_bit(self, count):
        motion = walker()
        assert_same(blend([motion] * count, np.linspace(0.2, 0.7, count)), motion)

    def test_of_two_agrees_with_the_plain_loop(self):
        one, other = walker(1, reach=1.5), walker(2, reach=1.5)
        weights = np.random.default_rng(3).uniform(0.1, 1.0, (FRAMES, 2))
        mean = blend([one, other], weights)
        for frame in range(0, FRAMES, 7):
            share = weights[frame, 1] / weights[frame].sum()
            for joint in range(0, len(one.skeleton), 4):
                start, end = (
                    Rotation.from_quat(each.rotations[frame, joint], scalar_first=True) for each in (one, other)
                )
                wanted = start * Rotation.from_rotvec(share * (start.inv() * end).as_rotvec())
                got = Rotation.from_quat(mean.rotations[frame, joint], scalar_first=True)
                assert (wanted.inv() * got).magnitude() < 1e-9
            wanted = (1.0 - share) * one.locations[frame] + share * other.locations[frame]
            assert np.abs(mean.locations[frame] - wanted).max() < 1e-12

    def test_of_many_does_not_depend_on_their_order(self):
        motions, weights = [walker(seed, reach=1.0) for seed in range(3)], np.array([0.2, 0.5, 0.3])
        means = [blend([motions[n] for n in order], weights[list(order)]) for order in permutations(range(3))]
        for other in means[1:]:
            assert quaternion.angle_between(other.rotations, means[0].rotations).max() < 1e-9
            assert np.abs(other.locations - means[0].locations).max() < 1e-12

    def test_of_three_where_one_counts_nothing_is_that_of_two(self):
        one, two, three = (walker(seed) for seed in range(3))
        many, few = blend([one, two, three], [0.3, 0.7, 0.0]), blend([one, two], [0.3, 0.7])
        assert quaternion.angle_between(many.rotations, few.rotations).max() < 1e-9

    def test_signs_of_quaternions_do_not_matter(self):
        one, other = walker(1), walker(2)
        flipped = replace(other, rotations=-other.rotations)
        for others in ([one, other], [one, other, walker(3)]):
            exchanged = [flipped if motion is other else motion for motion in others]
            means = [blend(each, np.ones(len(each))) for each in (others, exchanged)]
            assert quaternion.angle_between(means[0].rotations, means[1].rotations).max() < 1e-9

    def test_joints_are_found_by_name(self):
        one, other = unscaled(walker(1)), unscaled(walker(2))
        wanted = blend([one, other], [0.4, 0.6])
        shuffled = blend([one, listed_otherwise(other)], [0.4, 0.6])
        assert quaternion.angle_between(shuffled.rotations, wanted.rotations).max() < 1e-9
        assert np.abs(shuffled.locations - wanted.locations).max() < 1e-9

    def test_inputs_are_left_alone(self):
        motions = [walker(1), walker(2)]
        before = [np.array(motion.rotations) for motion in motions]
        blend(motions, [0.5, 0.5])
        assert all(np.array_equal(motion.rotations, kept) for motion, kept in zip(motions, before, strict=True))

    @pytest.mark.parametrize(
        ("weights", "reason"),
        [
            ([1.0], "Give 2 weights"),
            ([1.0, -0.1], "not below 0"),
            ([np.nan, 1.0], "not below 0"),
            (np.tile([[0.0, 0.0]], (FRAMES, 1)), "All weights are 0 at frame 0"),
        ],
    )
    def test_weights_that_do_not_fit_are_refused(self, weights, reason):
        with pytest.raises(BlendError, match=reason):
            blend([walker(1), walker(2)], weights)

    def test_other_frames_are_refused(self):
        with pytest.raises(BlendError, match="align them in time first"):
            blend([walker(1), walker(2).part(0, 20)], [0.5, 0.5])
        late = replace(walker(2), times=2.0 * walker(2).times)
        with pytest.raises(BlendError, match="different times"):
            blend([walker(1), late], [0.5, 0.5])

    def test_other_joints_are_refused_by_name(self):
        other = walker(2)
        renamed = replace(other, skeleton=replace(other.skeleton, names=("nobody", *other.skeleton.names[1:])))
        with pytest.raises(SkeletonMismatchError, match="mixamorig:Hips"):
            blend([walker(1), renamed], [0.5, 0.5])


def listed_otherwise(motion: Motion) -> Motion:
    """The same motion with its joints in another order and in other axes."""
    motion = with_rest_rotations(motion, random_rotations(len(motion.skeleton), seed=4))
    skeleton = motion.skeleton
    order = np.random.default_rng(1).permutation(len(skeleton))
    place = np.argsort(order)
    other = Skeleton.build(
        [skeleton.names[joint] for joint in order],
        [-1 if skeleton.parents[joint] < 0 else place[skeleton.parents[joint]] for joint in order],
        skeleton.rest_positions[order],
        rest_rotations=skeleton.rest_rotations[order],
    )
    arrays = {name: getattr(motion, name)[:, order] for name in ("rotations", "locations", "scales")}
    return replace(motion, skeleton=other, **arrays)


def test_matching_names_gives_back_the_motion():
    motion = unscaled(walker())
    back = matched(listed_otherwise(motion), motion)
    assert quaternion.angle_between(back.rotations, motion.rotations).max() < 1e-9
    assert np.abs(back.poses.positions - motion.poses.positions).max() < 1e-9


def test_the_mean_of_rotations_agrees_with_scipy_where_they_are_near():
    # SciPy's mean is that of chords, which is the same only in the limit of small angles.
    vectors = 1e-4 * np.random.default_rng(5).normal(size=(4, 10, 3))
    weights = np.random.default_rng(6).dirichlet(np.ones(4), 10).T
    mean = weighted_mean(quaternion.exp(vectors), weights)
    for row in range(10):
        wanted = Rotation.from_rotvec(vectors[:, row]).mean(weights[:, row])
        assert (wanted.inv() * Rotation.from_quat(mean[row], scalar_first=True)).magnitude() < 1e-11


@pytest.mark.parametrize("reach", [0.8, 1.8])
def test_the_mean_of_rotations_balances_the_ways_to_all(reach):
    rotations = quaternion.exp(np.random.default_rng(7).uniform(-reach, reach, (5, 30, 3)))
    weights = np.random.default_rng(8).dirichlet(np.ones(5), 30).T
    mean = weighted_mean(rotations, weights)
    ways = quaternion.log(quaternion.multiply(quaternion.conjugate(mean), rotations))
    assert np.abs(np.einsum("mn,mnc->nc", weights, ways)).max() < 1e-10


def test_signs_of_quaternions_do_not_move_the_mean():
    rotations = quaternion.exp(np.random.default_rng(7).uniform(-0.8, 0.8, (3, 30, 3)))
    weights = np.random.default_rng(8).dirichlet(np.ones(3), 30).T
    signs = np.random.default_rng(9).choice([-1.0, 1.0], (3, 30, 1))
    turned = quaternion.angle_between(weighted_mean(rotations, weights), weighted_mean(signs * rotations, weights))
    assert turned.max() < 1e-10
