"""The time lane: places, hits, pictures, words, calls; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.drawing import painter
from motion_editing.motion_editing_addon.drawing.level_areas import areas_from_level
from motion_editing.motion_editing_addon.drawing.shapes import Placement
from motion_editing.motion_editing_addon.drawing.theme import palette
from motion_editing.motion_editing_addon.strip import KeyTime, TimeLane, TimeLaneData
from motion_editing.motion_editing_addon.strip import time_geometry as places
from motion_editing.motion_editing_addon.strip.picking import Picked
from motion_editing.motion_editing_addon.strip.time_data import Part, TimeItem
from motion_editing.motion_editing_addon.strip.time_picture import TimePicture
from motion_editing.motion_editing_addon.strip.time_plot import plot_marks, plot_shapes

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def keytimes() -> TimeLaneData:
    """Twice as fast, locked, half as fast; the old frames 0, 40, 70 and 90."""
    flags = (
        KeyTime(0.0, 0.0, is_end=True),
        KeyTime(40.0, 20.0, locked=True, label="Jump"),
        KeyTime(70.0, 50.0),
        KeyTime(90.0, 90.0, is_end=True),
    )
    frames = np.arange(91.0)
    speed = np.where(frames < 20.0, 2.0, np.where(frames < 50.0, 1.0, 0.5))
    old_frames = np.interp(frames, [0.0, 20.0, 50.0, 90.0], [0.0, 40.0, 70.0, 90.0])
    return TimeLaneData(flags, frames, speed, old_frames, speed_limit=3.0)


def picture_of(data: TimeLaneData) -> TimePicture:
    return TimePicture(data, palette(bpy.context))


def view(pixel: float = 1.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (6.0, 0.8 * pixel), pixel)


def hit(frame: float, height: float, pixel: float = 1.0, *, beside: float = 0.0) -> TimeItem | None:
    placement = view(pixel)
    return places.item_at(keytimes(), placement.across(frame) + beside, placement.up(height), placement)


@pytest.mark.parametrize("pixel", [1.0, 1.5])
def test_every_keytime_is_hit_at_its_new_and_at_its_old_frame(pixel):
    for number, keytime in enumerate(keytimes().keytimes):
        assert hit(keytime.new_frame, places.NEW_MIDDLE, pixel) == TimeItem(number, Part.NEW)
        assert hit(keytime.new_frame, places.PLOT_MIDDLE, pixel) == TimeItem(number, Part.NEW)
        assert hit(keytime.old_frame, places.OLD_BOTTOM + 5.0, pixel) == TimeItem(number, Part.OLD)


def test_the_flag_is_easier_to_hit_than_its_line_through_the_plot():
    assert hit(20.0, places.NEW_MIDDLE, beside=7.0) == TimeItem(1)
    assert hit(20.0, places.PLOT_MIDDLE, beside=7.0) == TimeItem(1, Part.SPAN)


def test_reach_grows_with_the_ui_scale():
    assert hit(20.0, places.NEW_MIDDLE, 1.0, beside=11.0) == TimeItem(1, Part.SPAN)
    assert hit(20.0, places.NEW_MIDDLE, 1.5, beside=11.0) == TimeItem(1)


@pytest.mark.parametrize(("frame", "span"), [(10.0, 0), (35.0, 1), (70.0, 2)])
def test_spans_are_hit_between_their_keytimes(frame, span):
    assert hit(frame, places.NEW_MIDDLE) == TimeItem(span, Part.SPAN)
    assert hit(frame, places.PLOT_BOTTOM + 1.0) == TimeItem(span, Part.SPAN)


@pytest.mark.parametrize(("frame", "height"), [(-9.0, 30.0), (99.0, 30.0), (10.0, 84.0), (10.0, 95.0)])
def test_outside_the_motion_and_between_old_times_nothing_is_hit(frame, height):
    assert hit(frame, height) is None


def test_of_two_close_keytimes_the_nearer_is_hit():
    data = replace(keytimes(), keytimes=(KeyTime(0.0, 0.0), KeyTime(5.0, 1.0), KeyTime(9.0, 9.0)))
    placement = view()
    found = [
        places.item_at(data, placement.across(frame), placement.up(places.NEW_MIDDLE), placement)
        for frame in (0.3, 0.7)
    ]
    assert found == [TimeItem(0), TimeItem(1)]


def test_equal_factors_are_equal_distances_in_the_plot():
    half, one, two = places.heights_of_speed([0.5, 1.0, 2.0], 2)
    assert one == places.PLOT_MIDDLE
    assert two - one == pytest.approx(one - half)
    assert places.heights_of_speed([4.0], 2)[0] - one == pytest.approx(2.0 * (two - one))


def test_speeds_beyond_the_plot_standing_still_and_backward_stay_in_it():
    heights = places.heights_of_speed([1000.0, 0.0, -2.0, 2.0], 1)
    assert np.all((heights > places.PLOT_BOTTOM) & (heights < places.PLOT_TOP))
    assert heights[2] == heights[3]


@pytest.mark.parametrize(("fastest", "octaves"), [(1.0, 1), (1.9, 1), (2.5, 2), (7.9, 3), (500.0, 4)])
def test_the_plot_reaches_to_whole_doublings(fastest, octaves):
    data = replace(keytimes(), plot_speed=np.full(91, fastest))
    assert places.octaves_of(data) == octaves
    texts = [mark.text for mark in plot_marks(data)]
    assert texts[octaves - 1 : octaves + 2] == ["1/2", "1", "2"]


def test_one_frame_of_a_jump_does_not_flatten_the_plot():
    data = keytimes()
    data.plot_speed[40] = 16.0
    assert places.octaves_of(data) == 1


def test_areas_are_cut_where_the_curve_crosses_the_level():
    shape = areas_from_level([(0.0, 3.0), (4.0, -1.0), (5.0, -1.0)], 0.0, RED, BLUE)
    reds = shape.places[(shape.colours == RED).all(axis=1)]
    blues = shape.places[(shape.colours == BLUE).all(axis=1)]
    assert (reds[:, 0].min(), reds[:, 0].max(), reds[:, 1].min()) == (0.0, 3.0, 0.0)
    assert (blues[:, 0].min(), blues[:, 0].max(), blues[:, 1].max()) == (3.0, 5.0, 0.0)
    assert _area(reds) == pytest.approx(0.5 * 3.0 * 3.0)
    assert _area(blues) == pytest.approx(0.5 + 1.0)


def test_areas_have_gaps_where_nothing_is_known():
    assert len(areas_from_level([(0.0, 1.0), (1.0, np.nan), (2.0, 1.0)], 0.0, RED, BLUE)) == 0


def _area(triangles: np.ndarray) -> float:
    first, second, third = triangles.reshape(-1, 3, 2).transpose(1, 0, 2)
    across, along = second - first, third - first
    return float(np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]).sum() / 2.0)


def test_the_plot_is_warm_where_time_runs_faster_and_cold_where_slower():
    colours = palette(bpy.context)
    areas = plot_shapes(keytimes(), colours)[0]
    warm = np.isclose(areas.colours[:, :3], colours.key_extreme[:3]).all(axis=1)
    assert areas.places[warm][:, 0].max() <= 20.0
    assert areas.places[warm][:, 1].min() == places.PLOT_MIDDLE
    filled = areas.places[~warm][areas.places[~warm][:, 1] < places.PLOT_MIDDLE]
    assert filled[:, 0].min() >= 49.0


def test_the_time_map_goes_from_corner_to_corner():
    lines = [shape.places for shape in plot_shapes(keytimes(), palette(bpy.context))]
    curve = next(each for each in lines if np.ptp(each[:, 1]) == places.PLOT_TOP - places.PLOT_BOTTOM)
    assert curve[0].tolist() == [0.0, places.PLOT_BOTTOM]
    assert curve[-1].tolist() == [90.0, places.PLOT_TOP]
    assert np.all(np.diff(curve[:, 1]) >= 0.0)


def test_the_speed_limit_is_drawn_where_the_plot_reaches_it():
    colours = palette(bpy.context)
    without = plot_shapes(replace(keytimes(), speed_limit=np.inf), colours)
    assert len(plot_shapes(keytimes(), colours)) == len(without), "a limit of 3 is beyond the plot"
    limited = plot_shapes(replace(keytimes(), speed_limit=1.5), colours)
    assert len(limited) == len(without) + 1


def test_keytimes_without_a_map_have_a_scale_but_no_curve():
    data = replace(keytimes(), plot_frames=(), plot_speed=(), map_old_frames=())
    shapes = picture_of(data).content.shapes
    assert len(shapes) == len(picture_of(keytimes()).content.shapes) - 3
    assert [mark.text for mark in plot_marks(data)] == ["1/2", "1", "2"]


def test_everything_lies_in_the_lane():
    for shape in picture_of(keytimes()).content.shapes:
        assert shape.places[:, 1].min() >= 0.0
        assert shape.places[:, 1].max() <= places.HEIGHT


def test_links_lead_from_old_to_new_frames():
    data, found = keytimes(), set()
    for shape in picture_of(data).content.shapes:
        if shape.kind == "LINES":
            found |= {
                (tuple(low), tuple(high)) for low, high in zip(shape.places[::2], shape.places[1::2], strict=True)
            }
    for keytime in data.keytimes:
        assert ((keytime.new_frame, places.NEW_MIDDLE), (keytime.old_frame, places.OLD_BOTTOM)) in found


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
    assert [lane.can_drag(TimeItem(1, part)) for part in Part] == [True, False, False]
    assert [Picked(lane, TimeItem(1, part), view()).is_empty for part in Part] == [False, False, True]
    assert Picked(lane, None, view()).is_empty


def test_items_are_grabbed_where_they_are():
    lane = shown(keytimes())
    assert [lane.frame_of(TimeItem(1, part)) for part in Part] == [20.0, 40.0, 35.0]


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
    ):
        provider.given = replace(keytimes(), **change)
        lane.update(bpy.context, colours)
        assert lane.content() is not first, change


def test_nothing_to_show_shows_nothing():
    colours = palette(bpy.context)
    assert not TimeLane(Recorder(None)).update(bpy.context, colours)
    assert not TimeLane(Recorder(TimeLaneData((KeyTime(0.0, 0.0),)))).update(bpy.context, colours)


def test_rows_touch_and_fill_the_lane():
    before, after, speed = shown(keytimes()).rows()
    assert [row.name for row in (before, after, speed)] == ["Before", "After", "Speed"]
    assert speed.bottom + speed.height == after.bottom
    assert after.bottom + after.height == before.bottom
    assert before.bottom + before.height == places.HEIGHT


def test_items_that_are_gone_are_not_highlighted():
    lane = shown(keytimes())
    assert lane.highlight(TimeItem(3, Part.SPAN)) is None
    assert lane.highlight(TimeItem(9)) is None
    assert lane.highlight(TimeItem(1)) is lane.highlight(TimeItem(1))
    covered = lane.highlight(TimeItem(1, Part.SPAN)).shapes[-1].places[:, 0]
    assert (covered.min(), covered.max()) == (20.0, 50.0)
