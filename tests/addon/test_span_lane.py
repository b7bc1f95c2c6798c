"""Lanes of spans: places, hits, pictures, words, calls; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.drawing.shapes import Placement
from motion_editing.motion_editing_addon.drawing.theme import palette
from motion_editing.motion_editing_addon.strip import SpanLane
from motion_editing.motion_editing_addon.strip.picking import Picked
from motion_editing.motion_editing_addon.strip.span_data import Span, SpanItem, SpanLaneData, SpanPart
from motion_editing.motion_editing_addon.strip.span_geometry import geometry_of, item_at
from motion_editing.motion_editing_addon.strip.span_picture import SpanPicture

GREEN, BLUE = (0.1, 0.8, 0.2, 1.0), (0.1, 0.2, 0.8, 1.0)


def three_bones() -> SpanLaneData:
    """Two spans of a foot one after the other, two of a hand that overlap, a single frame of the head."""
    spans = (
        Span(0, "foot", 10.0, 30.0, GREEN, "Keep"),
        Span(1, "foot", 50.0, 60.5, GREEN, "Keep"),
        Span(2, "hand", 20.0, 60.0, BLUE, "Position", "Position Ball", True, True),
        Span(3, "hand", 40.0, 80.0, BLUE, "Orientation", enabled=False),
        Span(7, "head", 45.0, 45.0, BLUE, "Position"),
    )
    return SpanLaneData(("head", "hand", "foot"), spans, active=2)


def view(pixel: float = 1.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (6.0, 0.8 * pixel), pixel)


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


# Pictures


def picture_of(data: SpanLaneData) -> SpanPicture:
    return SpanPicture(data, palette(bpy.context))


def test_bars_reach_from_the_first_to_the_last_frame_in_their_colour():
    data = three_bones()
    bars = picture_of(data).content.shapes[0]
    corners = bars.places.reshape(-1, 6, 2)
    np.testing.assert_allclose(corners[:, :, 0].min(axis=1), [span.start for span in data.spans])
    np.testing.assert_allclose(corners[:, :, 0].max(axis=1), [span.end for span in data.spans])
    np.testing.assert_allclose(bars.colours.reshape(-1, 6, 4)[:, 0, :3], [span.colour[:3] for span in data.spans])


def test_disabled_spans_are_paler_than_others():
    alphas = picture_of(three_bones()).content.shapes[0].colours.reshape(-1, 6, 4)[:, 0, 3]
    assert alphas[3] < 0.5 * alphas[2]
    assert alphas[0] == alphas[2]


def warnings(data: SpanLaneData) -> set[float]:
    """Frames at which something has the colour of warnings."""
    ink, shapes = palette(bpy.context).warning, picture_of(data).content.shapes
    return {float(frame) for shape in shapes for frame in shape.places[(shape.colours == ink).all(axis=1), 0]}


def test_missed_spans_have_a_sign_unless_they_are_off():
    data = three_bones()
    assert warnings(data) == {20.0}
    off = tuple(span._replace(enabled=False) for span in data.spans)
    assert warnings(replace(data, spans=off)) == set()


def test_the_active_span_has_a_rim():
    ink = palette(bpy.context).text_strong

    def rimmed(active: int | None) -> set[float]:
        shapes = picture_of(replace(three_bones(), active=active)).content.shapes
        return {float(frame) for shape in shapes for frame in shape.places[(shape.colours == ink).all(axis=1), 0]}

    assert rimmed(2) == {20.0, 60.0}
    assert rimmed(7) == {45.0}
    assert rimmed(None) == rimmed(99) == set()


def test_names_stand_on_bars_where_there_is_room():
    labels = picture_of(three_bones()).content.labels
    assert [(label.text, label.place[0], label.room) for label in labels[:2]] == [
        ("Keep", 20.0, 20.0),
        ("Keep", 55.25, 10.5),
    ]
    assert len(labels) == 4, "a single frame has no room for a name"


def test_everything_lies_in_the_lane():
    picture = picture_of(three_bones())
    for shape in picture.content.shapes:
        assert shape.places[:, 1].min() >= 0.0
        assert shape.places[:, 1].max() <= picture.geometry.height


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "foot   frame 10 to 30   Keep"),
        (1, "foot   frame 50 to 60.5   Keep"),
        (2, "hand   frame 20 to 60   Position Ball   missed"),
        (3, "hand   frame 40 to 80   Orientation   off"),
        (7, "head   frame 45   Position"),
        (99, ""),
    ],
)
def test_tooltips_say_bone_frames_and_what_holds(number, text):
    assert shown(three_bones()).tooltip(SpanItem(SpanPart.WHOLE, number)) == text


def test_the_end_that_would_be_dragged_lights_up():
    picture = picture_of(three_bones())
    lit = {part: picture.highlight(SpanItem(part, 0)) for part in (SpanPart.START, SpanPart.WHOLE, SpanPart.END)}
    assert len(lit[SpanPart.WHOLE].shapes) < len(lit[SpanPart.START].shapes)
    assert lit[SpanPart.START].shapes[-1].places[0, 0] == 10.0
    assert lit[SpanPart.END].shapes[-1].places[0, 0] == 30.0
    assert picture.highlight(SpanItem(SpanPart.GROUND, row="foot")) is None


# Calls


class Recorder:
    """Keeps what the lane asks for."""

    def __init__(self, data: SpanLaneData | None, changed: bool = True) -> None:
        self.given, self.calls, self.changed = data, [], changed

    def data(self, _context):
        return self.given

    def drag(self, _context, number, span, *, final):
        self.calls.append(("drag", number, span, final))
        return self.changed

    def add(self, _context, row, frame):
        self.calls.append(("add", row, frame))

    def remove(self, _context, number):
        self.calls.append(("remove", number))

    def pick(self, _context, number):
        self.calls.append(("pick", number))

    def cancel(self, _context):
        self.calls.append(("cancel",))

    def menu(self, _context, number):
        return (("GO", f"Go to {number}"),)

    def choose(self, _context, identifier, number):
        self.calls.append((identifier, number))


def lane_of(provider: Recorder) -> SpanLane:
    lane = SpanLane("spans", "Spans", "Span", provider, order=1)
    assert lane.update(bpy.context, palette(bpy.context))
    return lane


def shown(data: SpanLaneData) -> SpanLane:
    return lane_of(Recorder(data))


def test_drags_clicks_keys_and_menus_reach_the_provider():
    provider = Recorder(three_bones())
    lane, ground = lane_of(provider), SpanItem(SpanPart.GROUND, row="hand")
    lane.dragged(bpy.context, SpanItem(SpanPart.END, 0), 33.2)
    assert not lane.dropped(bpy.context, SpanItem(SpanPart.END, 0), 35.0)
    assert lane.clicked(bpy.context, SpanItem(SpanPart.WHOLE, 3))
    assert not lane.clicked(bpy.context, ground)
    assert lane.double_clicked(bpy.context, 33.4, ground)
    lane.deleted(bpy.context, SpanItem(SpanPart.START, 1))
    lane.cancelled(bpy.context)
    source = lane.menu_source(SpanItem(SpanPart.WHOLE, 7), 0.0, view())
    assert lane.menu(bpy.context, source) == (("GO", "Go to 7"),)
    lane.chosen(bpy.context, "GO", source, None)
    assert provider.calls == [
        ("drag", 0, (10.0, 33.0), False),
        ("drag", 0, (10.0, 35.0), True),
        ("pick", 3),
        ("add", "hand", 33.0),
        ("remove", 1),
        ("cancel",),
        ("GO", 7),
    ]


def test_a_span_that_is_as_before_is_no_step_to_undo():
    assert lane_of(Recorder(three_bones(), changed=False)).dropped(bpy.context, SpanItem(SpanPart.END, 0), 30.2)


def test_the_ground_of_a_row_is_empty_cannot_be_dragged_and_has_no_menu():
    lane, ground = shown(three_bones()), SpanItem(SpanPart.GROUND, row="hand")
    assert Picked(lane, ground, view()).is_empty
    assert not Picked(lane, SpanItem(SpanPart.START, 0), view()).is_empty
    assert not lane.can_drag(ground)
    assert lane.menu_source(ground, 0.0, view()) is lane.menu_source(None, 0.0, view()) is None
    assert lane.hint(ground) == "Double Click: Add Span of 'hand'"


def test_what_is_linked_is_shown_but_cannot_be_changed():
    lane = shown(replace(three_bones(), editable=False))
    assert not lane.can_drag(SpanItem(SpanPart.WHOLE, 0))
    assert "Drag" not in lane.hint(SpanItem(SpanPart.WHOLE, 0))
    assert not lane.double_clicked(bpy.context, 5.0, SpanItem(SpanPart.GROUND, row="foot"))


def test_items_are_grabbed_where_they_are():
    lane = shown(three_bones())
    assert [lane.frame_of(SpanItem(part, 0)) for part in (SpanPart.START, SpanPart.WHOLE, SpanPart.END)] == [10, 10, 30]


def test_without_spans_there_is_no_lane():
    for data in (None, SpanLaneData((), ())):
        assert not SpanLane("spans", "Spans", "Span", Recorder(data), order=1).update(bpy.context, palette(bpy.context))


def test_equal_data_keeps_the_picture_and_any_change_makes_a_new_one():
    provider, colours = Recorder(three_bones()), palette(bpy.context)
    lane = lane_of(provider)
    first = lane.content()
    provider.given = three_bones()
    lane.update(bpy.context, colours)
    assert lane.content() is first
    provider.given = replace(three_bones(), active=0)
    lane.update(bpy.context, colours)
    assert lane.content() is not first
