"""Lanes of spans: where bars lie, what is under the mouse, where drags lead; all without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_span_lane import GREEN, three_bones, view
from motion_editing.motion_editing_addon.interface.strip.spans.span_data import Span, SpanItem, SpanLaneData, SpanPart
from motion_editing.motion_editing_addon.interface.strip.spans.span_geometry import geometry_of, item_at


def middle_of(data: SpanLaneData, number: int) -> float:
    """Height of a span's bar."""
    place = [span.number for span in data.spans].index(number)
    return float(geometry_of(data).heights[place].mean())


def hit(number: int, frame: float, *, beside: float = 0.0, pixel: float = 1.0) -> SpanItem | None:
    """What is at the height of a span, so many pixels beside a frame."""
    data, placement = three_bones(), view(pixel)
    across, up = placement.across(frame) + beside, placement.up(middle_of(data, number))
    return item_at(geometry_of(data), across, up, placement)


# Places


def test_rows_lie_from_the_top_down_without_gaps():
    edges = geometry_of(three_bones()).row_edges
    np.testing.assert_allclose(edges[:-1, 0], edges[1:, 1])
    assert np.all(edges[:, 1] > edges[:, 0])
    assert edges[0, 1] == geometry_of(three_bones()).height


def test_spans_lie_in_their_rows_and_only_those_that_overlap_above_each_other():
    data = three_bones()
    geometry = geometry_of(data)
    for span, (low, high) in zip(data.spans, geometry.heights, strict=True):
        bottom, top = geometry.row_edges[data.rows.index(span.row)]
        assert bottom <= low < high <= top
    assert geometry.heights[0].tolist() == geometry.heights[1].tolist()
    assert geometry.heights[2, 0] >= geometry.heights[3, 1]


def test_no_two_bars_cover_each_other():
    random = np.random.default_rng(3)
    starts = random.integers(0, 300, 200)
    spans = tuple(
        Span(number, f"bone{number % 9}", float(start), float(start + random.integers(0, 40)), GREEN)
        for number, start in enumerate(starts)
    )
    geometry = geometry_of(SpanLaneData(tuple(f"bone{number}" for number in range(9)), spans))
    for one in range(200):
        for other in range(one):
            apart_in_time = geometry.frames[one, 0] > geometry.frames[other, 1]
            apart_in_time |= geometry.frames[other, 0] > geometry.frames[one, 1]
            apart = geometry.heights[one, 0] >= geometry.heights[other, 1] - 1e-9
            apart |= geometry.heights[other, 0] >= geometry.heights[one, 1] - 1e-9
            assert apart_in_time or apart


def test_many_rows_are_lower_but_can_still_be_hit():
    def lane_of(count: int) -> SpanLaneData:
        names = tuple(f"bone{number}" for number in range(count))
        return SpanLaneData(names, tuple(Span(number, name, 1.0, 9.0, GREEN) for number, name in enumerate(names)))

    heights = {count: geometry_of(lane_of(count)) for count in (3, 12, 40)}
    assert heights[3].level > heights[12].level > heights[40].level >= 6.0
    assert heights[12].height < 150.0


# Hits


@pytest.mark.parametrize("pixel", [1.0, 1.5])
@pytest.mark.parametrize(
    ("number", "frame", "part"),
    [
        (0, 10.0, SpanPart.START),
        (0, 20.0, SpanPart.WHOLE),
        (0, 30.0, SpanPart.END),
        (2, 50.0, SpanPart.WHOLE),
        (3, 50.0, SpanPart.WHOLE),
        (3, 80.0, SpanPart.END),
        (7, 45.0, SpanPart.WHOLE),
    ],
)
def test_bars_and_their_ends_are_hit(number, frame, part, pixel):
    found = hit(number, frame, pixel=pixel)
    assert (found.part, found.number) == (part, number)


def test_a_single_frame_has_both_ends_beside_it():
    parts = [hit(7, 45.0, beside=beside).part for beside in (-7.0, -2.0, 2.0, 7.0)]
    assert parts == [SpanPart.START, SpanPart.WHOLE, SpanPart.WHOLE, SpanPart.END]


def test_ends_are_caught_a_little_outside_and_further_away_is_ground():
    assert hit(0, 30.0, beside=4.0).part is SpanPart.END
    assert hit(0, 30.0, beside=7.0) == SpanItem(SpanPart.GROUND, row="foot")
    assert hit(0, 30.0, beside=7.0, pixel=1.5).part is SpanPart.END


def test_of_two_close_spans_the_nearer_is_hit():
    data = SpanLaneData(("foot",), (Span(0, "foot", 10.0, 20.0, GREEN), Span(1, "foot", 20.8, 30.0, GREEN)))
    placement = view()
    up = placement.up(middle_of(data, 0))
    found = [item_at(geometry_of(data), placement.across(frame), up, placement) for frame in (20.2, 20.7)]
    assert [(item.number, item.part) for item in found] == [(0, SpanPart.END), (1, SpanPart.START)]


def test_above_and_below_the_rows_nothing_is_hit():
    geometry, placement = geometry_of(three_bones()), view()
    for height in (-5.0, geometry.height + 5.0):
        assert item_at(geometry, placement.across(20.0), placement.up(height), placement) is None


# Drags


@pytest.mark.parametrize(
    ("part", "frame", "span"),
    [
        (SpanPart.START, 12.4, (12.0, 30.0)),
        (SpanPart.START, 44.0, (30.0, 30.0)),
        (SpanPart.END, 25.6, (10.0, 26.0)),
        (SpanPart.END, 2.0, (10.0, 10.0)),
        (SpanPart.WHOLE, 17.7, (18.0, 38.0)),
        (SpanPart.WHOLE, -3.0, (-3.0, 17.0)),
    ],
)
def test_ends_and_spans_go_to_whole_frames_and_ends_do_not_pass(part, frame, span):
    assert three_bones().moved(SpanItem(part, 0), frame) == span


def test_a_span_keeps_its_least_length():
    data = replace(three_bones(), least=1.0)
    assert data.moved(SpanItem(SpanPart.START, 0), 44.0) == (29.0, 30.0)
    assert data.moved(SpanItem(SpanPart.END, 0), 2.0) == (10.0, 11.0)


def test_a_span_between_frames_keeps_its_length():
    assert three_bones().moved(SpanItem(SpanPart.WHOLE, 1), 52.2) == (52.0, 62.5)
