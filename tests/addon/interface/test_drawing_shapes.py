"""Shapes as plain arrays: what reaches the GPU, what zooming changes, what gives way."""

from __future__ import annotations

import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface.drawing import shapes
from motion_editing.motion_editing_addon.interface.drawing.shapes import Picture, Placement, Shape

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def test_vertices_of_a_strided_array_are_contiguous_and_the_same():
    places = np.arange(60.0).reshape(10, 6)[::2, ::3]
    assert not places.flags.c_contiguous
    placed = shapes.vertices(Shape(shapes.LINES, places, RED))
    assert placed.flags.c_contiguous
    assert placed.dtype == np.float32
    np.testing.assert_array_equal(placed[:, :2], places)
    np.testing.assert_array_equal(placed[:, 2], 0.0)


def test_colours_of_a_strided_array_are_contiguous():
    colours = np.random.default_rng(3).random((8, 4)).T.copy().T
    given = shapes.vertex_colours(Shape(shapes.LINES, np.zeros((8, 3)), colours))
    assert given.flags.c_contiguous
    np.testing.assert_allclose(given, colours, rtol=1e-6)


def test_zooming_moves_places_but_not_offsets():
    disc = shapes.discs([(100.0, 20.0)], 3.0, RED)[0]
    near, far = (Placement((0.0, 0.0), (scale, 1.0), 1.0) for scale in (10.0, 0.5))
    for placement in (near, far):
        across = shapes.vertices(disc, placement, origin=100.0)[:, 0]
        assert across.max() == pytest.approx(3.0, abs=1e-5)
        assert across.min() == pytest.approx(-3.0, abs=1e-5)


def test_offsets_grow_with_the_ui_scale():
    disc = shapes.discs([(0.0, 0.0)], 3.0, RED)[0]
    large = shapes.vertices(disc, Placement((0.0, 0.0), (1.0, 1.0), 1.5))
    assert np.abs(large).max() == pytest.approx(4.5, abs=1e-5)


def test_far_frames_keep_their_precision():
    frames = 1_000_000.0 + np.array([0.0, 0.01])
    picture = Picture((shapes.polyline(np.column_stack([frames, [0, 0]]), RED),))
    placed = shapes.vertices(picture.shapes[0], Placement((0.0, 0.0), (20.0, 1.0)), picture.origin)
    assert placed[1, 0] - placed[0, 0] == pytest.approx(0.2, abs=1e-5)


def test_placement_goes_there_and_back():
    placement = Placement((-30.0, 5.0), (2.5, 1.5))
    assert placement.place_across(placement.across(17.25)) == pytest.approx(17.25)
    assert placement.up(4.0) == pytest.approx(11.0)


def test_a_gap_in_a_line_stays_a_gap():
    line = shapes.polyline([(0, 0), (1, 0), (np.nan, 0), (3, 0), (4, 0)], RED)
    assert line.places[:, 0].tolist() == [0, 1, 3, 4]


def test_a_closed_line_comes_back_to_its_start():
    line = shapes.polyline([(0, 0), (1, 0), (1, 1)], RED, closed=True)
    assert line.places[-1].tolist() == [0, 0]
    assert len(line) == 6


def test_colours_along_a_line_meet_at_its_points():
    line = shapes.polyline([(0, 0), (1, 0), (2, 0)], [RED, BLUE, RED])
    assert line.colours.tolist() == [list(RED), list(BLUE), list(BLUE), list(RED)]


def test_boxes_cover_their_area_once():
    corners = np.array([(0, 0, 4, 2), (10, 1, 11, 5)])
    triangles = shapes.boxes(corners, RED).places.reshape(-1, 3, 2)
    first, second = (triangles[:, 1] - triangles[:, 0]).T, (triangles[:, 2] - triangles[:, 0]).T
    area = 0.5 * np.abs(first[0] * second[1] - first[1] * second[0]).sum()
    assert area == pytest.approx(4 * 2 + 1 * 4)


def test_rounded_boxes_keep_inside_their_size_and_cut_the_corners():
    outline = shapes.rounded_outline((20.0, 10.0), 3.0)
    assert np.abs(outline).max(axis=0).tolist() == pytest.approx([10.0, 5.0])
    assert not np.any(np.all(np.isclose(np.abs(outline), (10.0, 5.0)), axis=1))


def test_joining_refuses_other_kinds_with_a_reason():
    with pytest.raises(ValueError, match="same kind and size"):
        shapes.joined([shapes.polyline([(0, 0), (1, 1)], RED, 1.0), shapes.polyline([(0, 0), (1, 1)], RED, 2.0)])


def test_merging_keeps_every_vertex_in_its_order():
    given = [
        shapes.polyline([(0, 0), (1, 1)], RED, 1.0),
        shapes.polyline([(2, 0), (3, 1)], BLUE, 1.0),
        shapes.boxes([(0, 0, 1, 1)], RED),
        shapes.polyline([(4, 0), (5, 1)], BLUE, 1.0),
        *shapes.discs([(7, 7)], 2.0, RED),
    ]
    merged = shapes.merged(given)
    assert [shape.kind for shape in merged] == ["LINES", "TRIS", "LINES", "TRIS", "LINES"]
    for name in ("places", "colours"):
        before, after = (np.vstack([getattr(shape, name) for shape in some]) for some in (given, merged))
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("seed", range(5))
def test_crowded_labels_give_way_to_higher_ranks(seed):
    random = np.random.default_rng(seed)
    left = random.uniform(0, 200, 30)
    spans = [(x, x + random.uniform(5, 20), int(random.integers(3))) for x in left]
    kept = shapes.uncrowded(spans, 4.0)

    def overlap(one: int, other: int) -> bool:
        return spans[one][0] < spans[other][1] + 4.0 and spans[other][0] < spans[one][1] + 4.0

    assert not any(overlap(one, other) for one in kept for other in kept if one < other)
    for dropped in set(range(30)) - set(kept):
        assert any(overlap(dropped, other) and spans[other][2] >= spans[dropped][2] for other in kept)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="places must be"):
        Shape(shapes.LINES, np.zeros((4, 5)), RED)
    with pytest.raises(ValueError, match="offsets must be"):
        Shape(shapes.LINES, np.zeros((4, 2)), RED, offsets=np.zeros((3, 2)))
