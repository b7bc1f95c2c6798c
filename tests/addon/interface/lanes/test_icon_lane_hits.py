"""What of the lane of pose icons is under the mouse; all without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_icon_lane import CHEST, LEFT_HAND, POINTS, ROW, icon, lane_data, shown, view, windows
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.strip.pick import Picked
from motion_editing.motion_editing_addon.timeline.lane import icon_geometry as places
from motion_editing.motion_editing_addon.timeline.lane.icon_data import IconItem, IconPart, IconWindow
from motion_editing.motion_editing_addon.timeline.lane.icon_hits import zoom_of
from motion_editing.motion_editing_addon.timeline.lane.icon_lane import IconLane


def at(lane: IconLane, placement: Placement, icon_number: int, point: np.ndarray) -> IconItem:
    """What is at a point of an icon."""
    geometry = lane._picture.geometry
    given = geometry.data.icons[icon_number]
    x = placement.across(given.frame) + point[0] * places.FIGURE * placement.scale[1]
    y = placement.up(geometry.ground(given) + point[1] * places.FIGURE)
    return lane.hit(float(x), float(y), placement)


@pytest.mark.parametrize("placement", [view(12.0), view(12.0, 1.5), view(12.0, squeeze=0.7), view(30.0, 2.0, 0.6)])
def test_joints_bones_and_icons_are_hit_at_every_scale(placement):
    lane = shown(lane_data(windows=()))
    for number in range(8):
        for joint, point in enumerate(POINTS):
            assert at(lane, placement, number, point) == IconItem(IconPart.JOINT, 100 + number, joint)
        upper_arm = 0.5 * (POINTS[CHEST] + POINTS[LEFT_HAND])
        assert at(lane, placement, number, upper_arm) == IconItem(IconPart.JOINT, 100 + number, CHEST)
        beside = np.array([-0.2, 0.2])
        assert at(lane, placement, number, beside) == IconItem(IconPart.ICON, 100 + number)


def test_icons_that_are_not_shown_are_not_hit():
    close = (icon(1, 10.0, rank=0), icon(2, 12.0, rank=1))
    lane = shown(lane_data(icons=close, windows=()))
    assert at(lane, view(2.0), 1, POINTS[CHEST]).number == 1
    assert at(lane, view(40.0), 1, POINTS[CHEST]).number == 2


def test_of_two_rows_each_has_its_own_icons():
    lane = shown(lane_data(icons=(icon(1, 10.0), icon(2, 10.0, row=1)), rows=(ROW, ROW), windows=()))
    for number in (0, 1):
        assert at(lane, view(12.0), number, POINTS[CHEST]) == IconItem(IconPart.JOINT, number + 1, CHEST)


def spot(frame: float, height: float, beside: float = 0.0, **changes: object) -> IconItem:
    lane, placement = shown(lane_data(icons=(), **changes)), view()
    return lane.hit(placement.across(frame) + beside, placement.up(height), placement)


def test_windows_are_hit_by_their_parts():
    header = places.ROW + 0.5 * places.HEADER
    assert spot(60.0, header, places.TICK_MIDDLE) == IconItem(IconPart.TICK_BOX, 1)
    assert spot(60.0, 20.0, places.TICK_MIDDLE) == IconItem(IconPart.WINDOW, 1)
    assert spot(20.0, header, places.TICK_MIDDLE) == IconItem(IconPart.WINDOW, 0), "it has no tick box"
    assert spot(40.0, 30.0, 3.0) == IconItem(IconPart.WINDOW_END, 0)
    assert spot(82.0, 30.0, -1.0) == IconItem(IconPart.WINDOW, 1), "only the operation window's end moves"
    assert spot(50.0, 30.0) == IconItem(IconPart.GROUND)


def test_a_window_without_room_for_a_tick_box_has_none():
    narrow = (IconWindow(60.0, 62.0),)
    header = places.ROW + 0.5 * places.HEADER
    assert spot(60.0, header, places.TICK_MIDDLE, windows=narrow).part is IconPart.WINDOW
    lane = shown(lane_data(icons=(), windows=narrow))
    assert [len(lane.pictures(view(across))[1].figures) for across in (6.0, 12.0)] == [0, 1]


def test_a_right_click_is_about_the_window_even_over_an_icon():
    lane, placement = shown(lane_data()), view()
    assert lane.target(placement.across(70.0), placement) == IconItem(IconPart.WINDOW, 1)
    assert lane.target(placement.across(50.0), placement) is None
    inside = replace(lane_data(), windows=(*windows(), IconWindow(25.0, 30.0)))
    assert shown(inside).target(placement.across(27.0), placement).number == 0, "the operation window comes first"


def test_what_is_gone_is_not_highlighted_and_windows_are_ground():
    lane = shown(lane_data())
    for gone in (IconItem(IconPart.ICON, 999), IconItem(IconPart.WINDOW, 9), IconItem(IconPart.GROUND)):
        assert lane.highlight(gone) is None
    joint = IconItem(IconPart.JOINT, 101, CHEST)
    assert lane.highlight(joint) is lane.highlight(joint)
    assert lane.highlight(joint).figures[0].place[0] == 25.0
    grounds = [Picked(lane, IconItem(part, 1), view()).is_empty for part in (IconPart.WINDOW, IconPart.TICK_BOX)]
    assert grounds == [True, False]


def test_zoom_is_the_width_of_a_frame_in_heights():
    assert zoom_of(view(6.0, 1.5, 0.8)) == pytest.approx(5.0)
