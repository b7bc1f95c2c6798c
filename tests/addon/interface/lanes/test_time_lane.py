"""The time lane: hits, pictures, words, calls; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from made_time_lane import keytimes, picture_of
from motion_editing.motion_editing_addon.guided_warp.lane.time_data import (
    KeyTime,
    LaneSpan,
    Part,
    TimeItem,
    TimeLaneData,
)
from motion_editing.motion_editing_addon.guided_warp.lane.time_geometry import item_at, places_of
from motion_editing.motion_editing_addon.guided_warp.lane.time_lane import TimeLane
from motion_editing.motion_editing_addon.interface.drawing import painter
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip.pick import Picked

PLACES = places_of(keytimes())


def view(pixel: float = 1.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (6.0, 0.8 * pixel), pixel)


def hit(frame: float, height: float, pixel: float = 1.0, *, beside: float = 0.0) -> TimeItem | None:
    placement = view(pixel)
    return item_at(keytimes(), placement.across(frame) + beside, placement.up(height), placement)


@pytest.mark.parametrize("pixel", [1.0, 1.5])
def test_every_keytime_is_hit_at_its_new_and_at_its_old_frame(pixel):
    for number, keytime in enumerate(keytimes().keytimes):
        assert hit(keytime.new_frame, PLACES.new_middle, pixel) == TimeItem(number, Part.NEW)
        assert hit(keytime.new_frame, PLACES.plot_middle, pixel) == TimeItem(number, Part.NEW)
        assert hit(keytime.old_frame, PLACES.old[0] + 5.0, pixel) == TimeItem(number, Part.OLD)


def test_the_flag_is_easier_to_hit_than_its_line_through_the_plot():
    assert hit(20.0, PLACES.new_middle, beside=7.0) == TimeItem(1)
    assert hit(20.0, PLACES.plot_middle, beside=7.0) == TimeItem(21, Part.PLOT)


def test_reach_grows_with_the_ui_scale():
    assert hit(20.0, PLACES.new_middle, 1.0, beside=11.0) == TimeItem(1, Part.SPAN)
    assert hit(20.0, PLACES.new_middle, 1.5, beside=11.0) == TimeItem(1)


@pytest.mark.parametrize(("frame", "span"), [(10.0, 0), (35.0, 1), (70.0, 2)])
def test_spans_are_hit_between_their_keytimes(frame, span):
    assert hit(frame, PLACES.new_middle) == TimeItem(span, Part.SPAN)
    assert hit(frame, PLACES.plot_bottom + 1.0) == TimeItem(round(frame), Part.PLOT)


@pytest.mark.parametrize(("frame", "height"), [(-9.0, 30.0), (99.0, 30.0), (10.0, 100.0), (10.0, 110.0)])
def test_outside_the_motion_and_between_old_times_nothing_is_hit(frame, height):
    assert hit(frame, height) is None


def test_of_two_close_keytimes_the_nearer_is_hit():
    data = replace(keytimes(), keytimes=(KeyTime(0.0, 0.0), KeyTime(5.0, 1.0), KeyTime(9.0, 9.0)))
    placement = view()
    found = [item_at(data, placement.across(frame), placement.up(PLACES.new_middle), placement) for frame in (0.3, 0.7)]
    assert found == [TimeItem(0), TimeItem(1)]


# A jump that keeps its frames within a rhythm, and idle time.
EVENTS = (
    LaneSpan(0.0, 60.0, 0.0, 40.0, "RHYTHMIC", "Repetition", (10.0, 20.0, 30.0)),
    LaneSpan(60.0, 80.0, 50.0, 70.0, "ELASTIC", "Idle"),
    LaneSpan(20.0, 32.0, 12.0, 24.0, "PROTECTED", "Flight"),
)


def event_at(frame: float) -> TimeItem | None:
    placement, data = view(), replace(keytimes(), spans=EVENTS)
    return item_at(data, placement.across(frame), placement.up(sum(PLACES.events) / 2.0), placement)


def test_of_events_the_shortest_under_the_mouse_is_hit():
    assert event_at(18.0) == TimeItem(2, Part.EVENT)
    assert event_at(35.0) == TimeItem(0, Part.EVENT)
    assert event_at(60.0) == TimeItem(1, Part.EVENT)
    assert event_at(45.0) is None


def test_events_are_drawn_where_they_will_be_and_named():
    content = picture_of(replace(keytimes(), spans=EVENTS)).content
    assert {"Flight", "Idle", "Repetition"} <= {label.text for label in content.labels}
    high = PLACES.events[1]
    boxes = [shape for shape in content.shapes if len(shape.places) and shape.places[:, 1].max() == high]
    assert any((shape.places[:, 0] == 12.0).any() and (shape.places[:, 0] == 24.0).any() for shape in boxes)


def test_events_say_how_they_are_handled_and_what_becomes_of_them():
    lane = shown(replace(keytimes(), spans=EVENTS))
    assert lane.tooltip(TimeItem(2, Part.EVENT)) == "Flight, protected: 12 frames, 12 after the warp"
    assert lane.tooltip(TimeItem(1, Part.EVENT)) == "Idle, elastic: 20 frames, 20 after the warp"
    assert lane.hint(TimeItem(1, Part.EVENT)) == "Click: Protect or Release"


def test_the_plot_tells_frames_and_speed_under_the_mouse():
    lane = shown(keytimes())
    assert lane.tooltip(TimeItem(10, Part.PLOT)) == "Frame 20 becomes 10, speed 200 %"
    assert lane.tooltip(TimeItem(70, Part.PLOT)) == "Frame 80 becomes 70, speed 50 %"
    assert "Drag: Move This Moment" in lane.hint(TimeItem(10, Part.PLOT))


def test_a_click_on_an_event_and_a_drag_of_the_plot_reach_the_provider():
    provider = Recorder(replace(keytimes(), spans=EVENTS))
    lane = TimeLane(provider)
    lane.update(bpy.context, palette(bpy.context))
    assert lane.clicked(bpy.context, TimeItem(2, Part.EVENT))
    lane.dragged(bpy.context, TimeItem(33, Part.PLOT), 36.0)
    lane.dropped(bpy.context, TimeItem(33, Part.PLOT), 37.0)
    lane.clicked(bpy.context, TimeItem(33, Part.PLOT))
    lane.deleted(bpy.context, TimeItem(2, Part.EVENT))
    assert provider.calls == [("toggle", 2), ("grab", 33, 36.0, False), ("grab", 33, 37.0, True), ("pick", 1)]


def test_a_higher_plot_makes_a_higher_lane():
    assert shown(replace(keytimes(), plot_height=100.0)).height == PLACES.height + 44.0


def test_everything_lies_in_the_lane():
    for shape in picture_of(keytimes()).content.shapes:
        assert shape.places[:, 1].min() >= 0.0
        assert shape.places[:, 1].max() <= PLACES.height


def test_links_lead_from_old_to_new_frames():
    data, found = keytimes(), set()
    for shape in picture_of(data).content.shapes:
        if shape.kind == "LINES":
            found |= {
                (tuple(low), tuple(high)) for low, high in zip(shape.places[::2], shape.places[1::2], strict=True)
            }
    for keytime in data.keytimes:
        assert ((keytime.new_frame, PLACES.new_middle), (keytime.old_frame, PLACES.old[0])) in found


def test_spans_say_how_long_they_have_become_and_keytimes_their_names():
    labels = {label.text: label for label in picture_of(keytimes()).content.labels}
    assert list(labels) == ["50 %", "locked", "200 %", "Jump"]
    assert (labels["50 %"].place[0], labels["50 %"].room) == (10.0, 20.0)
    assert labels["Jump"].place[0] == 40.0


def test_a_label_is_left_out_where_it_has_no_room():
    label = picture_of(keytimes()).content.labels[0]
    assert painter.has_room(label, 100.0, Placement((0.0, 0.0), (6.0, 1.0)))
    assert not painter.has_room(label, 100.0, Placement((0.0, 0.0), (5.0, 1.0)))
    assert not painter.has_room(label, 100.0, Placement((0.0, 0.0), (6.0, 1.0), 2.0))
    assert painter.has_room(replace(label, room=None), 1e6, view())


def test_the_picked_keytime_has_the_colour_of_selected_keys():
    ink = palette(bpy.context).key_selected

    def has_ink(data: TimeLaneData, frame: float) -> bool:
        shapes = [shape for shape in picture_of(data).content.shapes if shape.offsets is not None]
        return any((shape.places[(shape.colours == ink).all(axis=1), 0] == frame).any() for shape in shapes)

    assert has_ink(replace(keytimes(), selected=1), 20.0)
    assert has_ink(replace(keytimes(), selected=3), 90.0)
    assert not has_ink(keytimes(), 20.0)


def test_a_number_that_is_gone_is_not_picked():
    assert len(picture_of(replace(keytimes(), selected=9)).content.shapes) > 0


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (TimeItem(2), "Keytime: frame 70 becomes 50"),
        (TimeItem(2, Part.OLD), "Keytime: frame 70 becomes 50"),
        (TimeItem(1), "Jump: frame 40 becomes 20"),
        (TimeItem(0), "Start: frame 0 stays"),
        (TimeItem(3), "End: frame 90 stays"),
        (TimeItem(0, Part.SPAN), "Span: 40 frames become 20 (50 %)"),
        (TimeItem(1, Part.SPAN), "Locked span: 30 frames stay"),
        (TimeItem(3, Part.SPAN), ""),
        (TimeItem(7), ""),
    ],
)
def test_tooltips_say_what_becomes_of_frames_and_durations(item, text):
    assert shown(keytimes()).tooltip(item) == text


def test_hints_offer_only_what_is_possible():
    lane = shown(keytimes())
    assert lane.hint(TimeItem(1)) == "Drag: Move Keytime    Click: Select    X or Delete: Remove Keytime"
    assert lane.hint(TimeItem(3)) == "Drag: Change Length    Click: Select"
    assert "Drag" not in lane.hint(TimeItem(1, Part.OLD))
    assert lane.hint(TimeItem(1, Part.SPAN)) == "Click: Select    Double Click: Add Keytime"


class Recorder:
    """Keeps what the lane asks for."""

    def __init__(self, data: TimeLaneData | None) -> None:
        self.given, self.calls = data, []

    def data(self, _context):
        return self.given

    def drag(self, _context, keytime, frame, *, final):
        self.calls.append(("drag", keytime, frame, final))

    def add(self, _context, frame):
        self.calls.append(("add", frame))

    def remove(self, _context, keytime):
        self.calls.append(("remove", keytime))

    def pick(self, _context, keytime):
        self.calls.append(("pick", keytime))

    def grab(self, _context, frame, to, *, final):
        self.calls.append(("grab", frame, to, final))

    def toggle(self, _context, span):
        self.calls.append(("toggle", span))

    def cancel(self, _context):
        self.calls.append(("cancel",))


def shown(data: TimeLaneData) -> TimeLane:
    lane = TimeLane(Recorder(data))
    assert lane.update(bpy.context, palette(bpy.context))
    return lane


def test_drags_clicks_and_keys_reach_the_provider():
    provider = Recorder(keytimes())
    lane = TimeLane(provider)
    lane.dragged(bpy.context, TimeItem(1), 21.5)
    lane.dropped(bpy.context, TimeItem(1), 22.0)
    lane.clicked(bpy.context, TimeItem(2, Part.SPAN))
    assert lane.double_clicked(bpy.context, 33.0)
    lane.deleted(bpy.context, TimeItem(1, Part.OLD))
    lane.cancelled(bpy.context)
    assert provider.calls == [
        ("drag", 1, 21.5, False),
        ("drag", 1, 22.0, True),
        ("pick", 2),
        ("add", 33.0),
        ("remove", 1),
        ("cancel",),
    ]


def test_only_new_times_can_be_dragged_and_spans_are_ground():
    lane = shown(keytimes())
    assert [part for part in Part if lane.can_drag(TimeItem(1, part))] == [Part.NEW, Part.PLOT]
    assert [part for part in Part if Picked(lane, TimeItem(1, part), view()).is_empty] == [Part.SPAN, Part.PLOT]
    assert Picked(lane, None, view()).is_empty


def test_items_are_grabbed_where_they_are():
    lane = shown(replace(keytimes(), spans=EVENTS))
    assert [lane.frame_of(TimeItem(1, part)) for part in Part] == [20.0, 40.0, 35.0, 60.0, 1.0]


def test_equal_data_keeps_the_picture_and_any_change_makes_a_new_one():
    provider, colours = Recorder(keytimes()), palette(bpy.context)
    lane = TimeLane(provider)
    lane.update(bpy.context, colours)
    first, rows, marks = lane.content(), lane.rows(), lane.marks()
    provider.given = keytimes()
    lane.update(bpy.context, colours)
    assert lane.content() is first
    assert (lane.rows(), lane.marks()) == (rows, marks)
    flags = list(keytimes().keytimes)
    flags[1] = flags[1]._replace(locked=False)
    for change in (
        {"selected": 1},
        {"keytimes": tuple(flags)},
        {"plot_speed": np.ones(91)},
        {"map_old_frames": np.zeros(91)},
        {"speed_limit": 4.0},
        {"spans": EVENTS},
        {"plot_height": 90.0},
    ):
        provider.given = replace(keytimes(), **change)
        lane.update(bpy.context, colours)
        assert lane.content() is not first, change


def test_nothing_to_show_shows_nothing():
    colours = palette(bpy.context)
    assert not TimeLane(Recorder(None)).update(bpy.context, colours)
    assert not TimeLane(Recorder(TimeLaneData((KeyTime(0.0, 0.0),)))).update(bpy.context, colours)


def test_rows_touch_and_fill_the_lane():
    before, after, events, speed = shown(keytimes()).rows()
    assert [row.name for row in (before, after, events, speed)] == ["Before", "After", "Events", "Speed"]
    for lower, upper in ((speed, events), (events, after), (after, before)):
        assert 0.0 <= upper.bottom - lower.bottom - lower.height <= 2.0
    assert before.bottom + before.height == PLACES.height


def test_items_that_are_gone_are_not_highlighted():
    lane = shown(keytimes())
    assert lane.highlight(TimeItem(3, Part.SPAN)) is None
    assert lane.highlight(TimeItem(9)) is None
    assert lane.highlight(TimeItem(1)) is lane.highlight(TimeItem(1))
    covered = lane.highlight(TimeItem(1, Part.SPAN)).shapes[-1].places[:, 0]
    assert (covered.min(), covered.max()) == (20.0, 50.0)
