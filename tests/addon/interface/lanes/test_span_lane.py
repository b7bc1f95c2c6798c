"""Lanes of spans: pictures, words, calls; all without a window."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import bpy
import numpy as np
import pytest
from made_span_lane import GREEN, Recorder, lane_of, three_bones, view
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip import SpanLane, chrome, layout
from motion_editing.motion_editing_addon.interface.strip.pick import Picked
from motion_editing.motion_editing_addon.interface.strip.spans.span_data import Span, SpanItem, SpanLaneData, SpanPart
from motion_editing.motion_editing_addon.interface.strip.spans.span_picture import SpanPicture

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


@pytest.mark.parametrize("pixel", [1.0, 1.04, 1.5])
@pytest.mark.parametrize("count", [2, 5, 11, 13, 40])
def test_names_of_rows_do_not_overlap_however_low_the_editor_is(pixel, count):
    names = tuple(f"bone{number}" for number in range(count))
    data = SpanLaneData(names, tuple(Span(number, name, 1.0, 9.0, GREEN) for number, name in enumerate(names)))
    lane = lane_of(Recorder(data))
    least = lane.height * lane.least_share + layout.PADDING + layout.SCROLL_BAR + layout.RULER
    stack = layout.stack([lane], (least + 0.1) * pixel, pixel)
    assert len(stack.lanes) == 1
    texts = chrome.row_names(stack, 500.0, pixel, palette(bpy.context), text_width=lambda text, _size: 6.0 * len(text))
    heights = [label.place[1] for label in texts.labels]
    assert len(heights) == (count if count <= 11 else 0), "rows that are too low have no names"
    assert all(upper - lower >= chrome.NAME_SIZE * pixel for upper, lower in pairwise(heights))
    plates = [shape.places[:, 1] + pixel * shape.offsets[:, 1] for shape in texts.shapes[:-1:2]]
    assert all(upper.min() >= lower.max() for upper, lower in pairwise(plates))
