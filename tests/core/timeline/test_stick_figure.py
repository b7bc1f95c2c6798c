"""Stick figures: points that move with their joints, and lines between them."""

from __future__ import annotations

import numpy as np
from contact_edits import BODY, INDEX, WALK

from core.timeline.pose_picture import figure_of_body, figure_of_motion


def joined(bones, count: int) -> set[int]:
    """Points that can be reached from the first along the lines."""
    reached = {bones[0][0]}
    for _ in range(count):
        reached |= {point for bone in bones if reached & set(bone) for point in bone}
    return reached


def test_the_figure_of_a_motion_is_one_piece_that_knows_its_joints():
    figure = figure_of_motion(WALK, BODY)
    count = figure.points.shape[1]
    assert figure.points.shape == (len(WALK), count, 3)
    assert len(figure.joints) == count
    assert figure.follows_channels
    assert figure.joints[figure.head] == INDEX["head"]
    lines = {point for bone in figure.bones for point in bone}
    assert joined(figure.bones, count) == lines
    heads = [number for number in sorted(lines) if number != figure.head]
    at_joint = np.linalg.norm(figure.points[:, heads] - WALK.poses.positions[:, figure.joints[heads]], axis=-1)
    assert (np.ptp(at_joint, axis=0) < 1e-9).all(), "points keep their distance from their joints"


def test_one_frame_gives_the_points_of_that_frame():
    whole, alone = figure_of_motion(WALK, BODY), figure_of_motion(WALK.part(40, 41), BODY)
    np.testing.assert_allclose(alone.points[0], whole.points[40], atol=1e-12)


def test_the_figure_of_a_body_stands_where_it_was_sampled():
    places = WALK.poses.positions + 1.0
    figure = figure_of_body(places, BODY)
    assert not figure.follows_channels
    np.testing.assert_array_equal(figure.points, places[:, figure.joints])
    assert joined(figure.bones, len(figure.joints)) == set(range(len(figure.joints)))
    assert figure.joints[figure.head] == BODY.head
