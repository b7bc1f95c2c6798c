"""Shapes in the scene and free places on the screen."""

from __future__ import annotations

import numpy as np
from motion_editing.motion_editing_addon.interface.drawing.scene_shapes import cube_edges, cubes, dashed, dimmed
from motion_editing.motion_editing_addon.interface.drawing.screen_places import ScreenView, free_boxes
from motion_editing.motion_editing_addon.interface.drawing.shapes import Picture
from seen_tree import SIZE, view_at


def test_cubes_are_lit_from_outside_and_keep_their_winding_when_mirrored():
    matrix, mirrored = np.eye(4), np.diag([-1.0, 1.0, 1.0, 1.0])
    for each in (matrix, mirrored):
        shape = cubes([each], (1.0, 1.0, 1.0, 0.5))
        triangles = shape.places.reshape(-1, 3, 3)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        assert ((normals * triangles.mean(axis=1)).sum(axis=1) > 0.0).all(), "every face looks outwards"
        assert len(triangles) == 12
        top = shape.colours.reshape(-1, 3, 4)[normals[:, 2] > 0.1, 0, 0]
        assert (top == shape.colours[:, 0].max()).all()


def test_a_cube_has_twelve_edges_of_its_side():
    matrix = np.diag([0.5, 0.5, 0.5, 1.0])
    ends = cube_edges([matrix, matrix], (1.0, 1.0, 1.0, 1.0)).places.reshape(-1, 2, 3)
    np.testing.assert_allclose(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), np.ones(24))


def test_dashes_begin_and_end_the_line():
    shape = dashed([(0, 0, 0), (0, 1, 0)], [(10, 0, 0), (0, 1, 0.1)], (1.0, 1.0, 1.0, 1.0), dash=0.5)
    ends = shape.places.reshape(-1, 2, 3)
    assert ends[0, 0].tolist() == [0, 0, 0]
    np.testing.assert_allclose(ends[9, 1], [10, 0, 0])
    np.testing.assert_allclose(ends[10], [(0, 1, 0), (0, 1, 0.1)])
    assert len(ends) == 11
    drawn = np.linalg.norm(ends[:10, 1] - ends[:10, 0], axis=1).sum()
    np.testing.assert_allclose(drawn, 10 * 10 / 19)


def test_dimmed_shapes_are_the_same_with_less_alpha():
    picture = Picture((cubes([np.eye(4)], (1.0, 0.5, 0.0, 0.8)),))
    faint = dimmed(picture, 0.25)
    np.testing.assert_array_equal(faint.shapes[0].places, picture.shapes[0].places)
    np.testing.assert_array_equal(faint.shapes[0].colours[:, :3], picture.shapes[0].colours[:, :3])
    np.testing.assert_allclose(faint.shapes[0].colours[:, 3], 0.2)


def test_pixels_and_lengths_agree_with_each_other():
    view = ScreenView.of(view_at(0, 0, 0.6), SIZE)
    pixels = view.pixels([(0, 0, 0), (1, 0, 0), (0, 5, 1)])
    np.testing.assert_allclose(pixels[:, :2], [(400, 240), (500, 240), (400, 340)])
    np.testing.assert_allclose(view.lengths([(0, 5, 1)], [1.0]), [100.0])
    assert pixels[2, 2] > pixels[0, 2], "farther away"
    behind = ScreenView.of([(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0), (0, 1, 0, 0)], SIZE)
    assert not np.isfinite(behind.pixels([(0, -1, 0)])).any()


def test_the_first_ones_get_the_best_free_place():
    box, beside, far = (0, 0, 10, 10), (11, 0, 21, 10), (50, 0, 60, 10)
    assert free_boxes([[box, beside], [box, beside], [box, beside], [far]]) == [0, 1, None, 0]
    assert free_boxes([[box]], [(5, 5, 6, 6)]) == [None]
    assert free_boxes([[box], [beside]], gap=2.0) == [0, None]
