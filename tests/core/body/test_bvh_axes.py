"""BVH files lie as they should: any axis up and back, habits of a file taken over, both ways into a file the same."""

import numpy as np
import pytest

from core.body import Axis
from core.body.bvh_axes import euler_order_like, from_file_axes, to_file_axes, turn_to_z, up_axis_like
from core.files.bvh import read_bvh, write_bvh
from core.files.bvh_hierarchy import BvhJoint
from core.numerics.quaternion import rotate
from core.sample_motion import sample_motion


@pytest.fixture(scope="module")
def motion():
    return sample_motion(rate=12.0)


@pytest.mark.parametrize("up", list(Axis))
def test_the_axis_comes_to_z(up):
    np.testing.assert_allclose(rotate(turn_to_z(up), up.vector), [0.0, 0.0, 1.0], atol=1e-12)


@pytest.mark.parametrize("up", list(Axis))
def test_out_and_in_again_is_the_same_motion(motion, up):
    back = from_file_axes(to_file_axes(motion, up=up), up=up)
    np.testing.assert_allclose(back.poses.positions, motion.poses.positions, atol=1e-9)
    np.testing.assert_allclose(back.poses.tips, motion.poses.tips, atol=1e-9)


@pytest.mark.parametrize("up", list(Axis))
def test_in_the_file_the_head_is_along_the_chosen_axis(motion, up):
    laid, head = to_file_axes(motion, up=up), motion.skeleton.index["head"]
    heights = laid.poses.positions[:, head] @ up.vector
    np.testing.assert_allclose(heights, motion.poses.positions[:, head, 2], atol=1e-9)


@pytest.mark.parametrize("up", list(Axis))
@pytest.mark.parametrize("order", ["XYZ", "YXZ"])
def test_the_habits_of_a_file_are_found(motion, up, order, tmp_path):
    path = tmp_path / "as_it_was.bvh"
    write_bvh(path, to_file_axes(motion, up=up), euler_order=order)
    joints = read_bvh(path).joints
    assert up_axis_like(motion, joints) is up
    assert euler_order_like(joints) == order


def test_without_a_file_to_follow_y_is_up(motion):
    stranger = BvhJoint("stranger", -1, (0.0, 0.0, 0.0), ("Zrotation",), None)
    for joints in ((), (stranger,)):
        assert up_axis_like(motion, joints) is Axis.PLUS_Y
        assert euler_order_like(joints) == "XYZ"
