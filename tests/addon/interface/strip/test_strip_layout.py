"""Where lanes lie, what has no room, which are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import bpy
import pytest
from motion_editing.motion_editing_addon.interface import strip
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip import Lane, Mark, Row, chrome, hover, layout, status
from motion_editing.motion_editing_addon.interface.strip.hover import Hovered


class PlainLane(Lane):
    """A lane of a given height."""

    def __init__(self, name: str, height: float = 40.0, least_share: float = 1.0, order: int = 0) -> None:
        self.name, self.least_share, self.order = name, least_share, order
        self._height = height

    @property
    def height(self) -> float:
        return self._height

    def rows(self) -> tuple[Row, ...]:
        return (Row("Upper", (1, 0, 0, 1), 20.0, 20.0), Row("Lower", (0, 1, 0, 1), 0.0, 20.0))


@pytest.fixture(autouse=True)
def no_lanes() -> Iterator[None]:
    """Leave no lane of a test behind."""
    before = {lane.name for lane in strip.all_lanes()}
    yield
    for lane in strip.all_lanes():
        if lane.name not in before:
            strip.remove_lane(lane.name)


def test_lanes_lie_above_each_other_without_overlap():
    placed = layout.stack([PlainLane("a"), PlainLane("b", 30.0)], 400.0, 1.0)
    first, second = placed.lanes
    assert first.bottom == layout.SCROLL_BAR
    assert second.bottom >= first.bottom + first.height(1.0)
    assert placed.top >= second.bottom + second.height(1.0)
    assert placed.missing == 0


@pytest.mark.parametrize("pixel", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("height", [33, 80, 120, 150, 400])
@pytest.mark.parametrize("markers", [False, True])
def test_the_ruler_and_the_markers_stay_free(pixel, height, markers):
    lanes = [PlainLane("a", 60.0, 0.5), PlainLane("b", 40.0, 0.8), PlainLane("c", 30.0)]
    placed = layout.stack(lanes, height, pixel, markers=markers)
    assert placed.bottom == (layout.MARKERS if markers else layout.SCROLL_BAR) * pixel
    if placed.lanes:
        assert placed.top <= height - layout.RULER * pixel + 1e-9
    for each in placed.lanes:
        assert each.squeeze >= each.lane.least_share
    assert (len(placed.lanes) == 3) == (placed.missing == 0)


@pytest.mark.parametrize("pixel", [1.0, 1.5])
@pytest.mark.parametrize("height", [80, 200, 400])
def test_keys_keep_their_rows(pixel, height):
    lanes = [PlainLane("a", 90.0, 0.5), PlainLane("b", 90.0, 0.5)]
    placed = layout.stack(lanes, height, pixel, kept=layout.KEY_ROWS)
    if placed.lanes:
        assert placed.top <= height - (layout.RULER + layout.KEY_ROWS) * pixel + 1e-9
    enough = layout.stack(lanes, height + placed.missing + 1, pixel, kept=layout.KEY_ROWS)
    assert (len(enough.lanes), enough.missing) == (2, 0)


def test_lanes_are_squeezed_before_they_are_left_out():
    lane = PlainLane("a", 100.0, 0.5)
    room = 100.0 * 0.7 + layout.PADDING + layout.SCROLL_BAR + layout.RULER
    placed = layout.stack([lane], room, 1.0)
    assert placed.lanes[0].squeeze == pytest.approx(0.7)
    assert placed.missing == 0


def test_a_lane_that_has_no_room_leaves_it_to_a_lower_one_above():
    lanes = [PlainLane("times", 105.0, 0.7), PlainLane("poses", 180.0, 0.6), PlainLane("icons", 103.0, 0.6)]
    placed = layout.stack(lanes, 214.0, 1.0)
    assert [each.lane.name for each in placed.lanes] == ["times", "icons"]
    assert placed.missing > 0
    assert 214.0 - layout.RULER - placed.top < 2.0, "the room is used"


@pytest.mark.parametrize("height", range(40, 420, 20))
def test_no_lane_that_is_left_out_would_have_room(height):
    lanes = [PlainLane("times", 105.0, 0.7), PlainLane("poses", 180.0, 0.6), PlainLane("icons", 103.0, 0.6)]
    shown = [each.lane for each in layout.stack(lanes, height, 1.0).lanes]
    for lane in lanes:
        if lane not in shown:
            wanted = [each for each in lanes if each in (*shown, lane)]
            assert layout.stack(wanted, height, 1.0).missing > 0


def test_a_note_is_said_with_lanes_and_without_before_any_other_hint():
    note = "Editing pose 3: pose the rig, then Apply Pose"
    for lanes in ([], [PlainLane("a", 100.0)], [PlainLane("a", 900.0)]):
        noted = layout.stack(lanes, 300.0, 1.0, note=note)
        assert chrome.hint_text(noted, 1300.0, 1.0) == note
        assert chrome.hint_text(noted, 150.0, 1.0) == "Editing pose 3", "a narrow editor has room for few words"


def test_what_is_missing_makes_room_for_all():
    lanes = [PlainLane("a", 100.0, 0.5), PlainLane("b", 80.0)]
    short = layout.stack(lanes, 90.0, 1.5)
    assert short.missing > 0
    assert layout.stack(lanes, 90.0 + short.missing + 1, 1.5).missing == 0


def test_heights_grow_with_the_ui_scale():
    low, high = (layout.stack([PlainLane("a")], 800.0, pixel) for pixel in (1.0, 2.0))
    assert high.top == pytest.approx(2.0 * low.top)
    assert high.lanes[0].height(2.0) == pytest.approx(80.0)


def test_the_lane_under_the_mouse_is_found():
    placed = layout.stack([PlainLane("a"), PlainLane("b")], 400.0, 1.0)
    for each in placed.lanes:
        assert placed.lane_at(each.bottom + 1.0, 1.0) is each
    assert placed.lane_at(placed.bottom - 1.0, 1.0) is None
    assert placed.lane_at(placed.top + 1.0, 1.0) is None


def test_the_ground_covers_the_strip_and_nothing_else():
    placed = layout.stack([PlainLane("a")], 400.0, 1.5)
    picture = chrome.ground(placed, 500.0, 1.5, palette(bpy.context))
    box = picture.shapes[0].places
    assert box.min(axis=0).tolist() == [0.0, placed.bottom]
    assert box.max(axis=0).tolist() == [500.0, placed.top]


def test_row_names_are_in_their_rows_unless_those_are_too_low():
    colours = palette(bpy.context)
    placed = layout.stack([PlainLane("a")], 400.0, 1.0)
    names = chrome.row_names(placed, 500.0, 1.0, colours)
    assert [label.text for label in names.labels] == ["Upper", "Lower"]
    assert [label.place[1] for label in names.labels] == [placed.bottom + 30.0, placed.bottom + 10.0]
    squeezed = replace(placed, lanes=(replace(placed.lanes[0], squeeze=0.3),))
    assert chrome.row_names(squeezed, 500.0, 1.0, colours).labels == ()


class ScaledLane(PlainLane):
    """A lane with a scale, its middle the most important."""

    def marks(self) -> tuple[Mark, ...]:
        return (Mark("1/2", 8.0, -1), Mark("1", 20.0, 0), Mark("2", 32.0, -1))


def test_marks_stand_beside_the_scale_as_long_as_they_fit():
    colours = palette(bpy.context)
    placed = layout.stack([ScaledLane("a")], 400.0, 1.0)
    labels = {label.text: label for label in chrome.row_names(placed, 500.0, 1.0, colours).labels}
    assert labels["1/2"].place[1] == placed.bottom + 8.0
    assert labels["2"].align == 1.0, "numbers end at the same place"
    squeezed = replace(placed, lanes=(replace(placed.lanes[0], squeeze=0.7),))
    texts = [label.text for label in chrome.row_names(squeezed, 500.0, 1.0, colours).labels]
    assert texts == ["1", "Upper", "Lower"]


def test_the_hint_in_the_status_bar_is_ours_to_take_away_only_while_it_is_there():
    status.show("Drag: Move Keytime")
    assert status.shown() == "Drag: Move Keytime"
    status.forget()
    assert status.shown() == "", "another tool's text has taken its place"
    status.show("Click: Select")
    status.clear()
    assert status.shown() == ""


def test_a_lane_leaves_double_clicks_and_delete_to_blender_unless_it_says_otherwise():
    lane = PlainLane("a")
    assert not lane.double_clicked(bpy.context, 5.0)
    assert not lane.deletes
    assert not lane.is_ground("item")


def test_the_hint_says_how_much_is_missing():
    low = layout.stack([PlainLane("a", 100.0)], 33.0, 1.0)
    assert f"{low.missing} pixels" in chrome.hint_text(low, 1300.0, 1.0)
    assert "see the motion strip" in chrome.hint_text(low, 1300.0, 1.0)
    cut = layout.stack([PlainLane("a", 100.0), PlainLane("b", 100.0)], 180.0, 1.0)
    assert "see all of the motion strip" in chrome.hint_text(cut, 1300.0, 1.0)
    assert "pixels" not in chrome.hint_text(low, 250.0, 1.0), "a narrow editor has room for few words"
    assert chrome.hint_text(layout.stack([PlainLane("a")], 400.0, 1.0), 1300.0, 1.0) == ""


def test_the_hint_stands_on_the_lanes_and_without_any_above_the_scroll_bar_where_that_has_room():
    shown = layout.stack([PlainLane("a", 100.0)], 300.0, 1.0)
    assert chrome.hint_bottom(shown, 300.0, 1.0) == shown.top
    empty = layout.stack([], 300.0, 1.5)
    assert chrome.hint_bottom(empty, 300.0, 1.5) == layout.SCROLL_BAR * 1.5
    assert chrome.hint_bottom(layout.stack([], 33.0, 1.0), 33.0, 1.0) == 0.0


@pytest.mark.parametrize("x", [-50.0, 10.0, 300.0, 590.0, 900.0])
def test_the_tooltip_stays_inside_the_region(x):
    middle = chrome.tooltip_left(x, 120.0, 1.5, 600.0)
    assert middle - 60.0 * 1.5 > 0.0
    assert middle + 60.0 * 1.5 < 600.0


def test_lanes_are_in_order_and_replaced_by_name():
    strip.add_lane(PlainLane("upper", order=5))
    strip.add_lane(PlainLane("lower", order=-5))
    newer = PlainLane("upper", order=7)
    strip.add_lane(newer)
    names = [lane.name for lane in strip.all_lanes()]
    assert names.index("lower") < names.index("upper")
    assert names.count("upper") == 1
    assert newer in strip.all_lanes()


def test_removing_a_lane_forgets_what_the_mouse_was_over_in_it():
    strip.add_lane(PlainLane("gone"))
    hover.enter(Hovered("gone", 1, region=5))
    strip.remove_lane("gone")
    strip.remove_lane("gone")
    assert hover.current() is None


def test_a_lane_is_switched_off_and_on():
    settings = bpy.context.scene.motion_editing_strip
    assert settings.show
    assert settings.is_shown("stagger")
    for expected in (False, True, False):
        assert bpy.ops.motion_editing.strip_lane(lane="stagger") == {"FINISHED"}
        assert settings.is_shown("stagger") is expected
        assert settings.is_shown("icons")


def test_switches_are_saved_with_the_scene(tmp_path):
    bpy.ops.motion_editing.strip_lane(lane="stagger")
    bpy.context.scene.motion_editing_strip.show = False
    path = str(tmp_path / "strip.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.context.scene.motion_editing_strip.show
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not bpy.context.scene.motion_editing_strip.show
    assert not bpy.context.scene.motion_editing_strip.is_shown("stagger")
