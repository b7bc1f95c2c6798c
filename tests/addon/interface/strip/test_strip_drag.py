"""The drag along the frames: a plain class, no Blender in it."""

from __future__ import annotations

import pytest
from motion_editing.motion_editing_addon.guided_warp.lane.time_data import Part, TimeItem
from motion_editing.motion_editing_addon.guided_warp.lane.time_lane import TimeLane
from motion_editing.motion_editing_addon.interface.strip import Lane, hover
from motion_editing.motion_editing_addon.interface.strip.gestures.drag import Drag
from motion_editing.motion_editing_addon.interface.strip.hover import Hovered


def drag(**options) -> Drag:
    """Grabbed at pixel 100 where the item is at frame 20, 4 pixels to a frame."""
    return Drag(start_frame=20.0, start_x=100.0, pixels_per_frame=4.0, **options)


def test_a_trembling_click_stays_a_click():
    state = drag()
    assert not state.moved_to(102.0)
    assert not state.moved_to(98.0)
    assert state.is_click
    assert state.frame == 20.0


def test_the_item_keeps_its_distance_to_the_mouse():
    state = drag()
    assert state.moved_to(110.0)
    assert state.frame == pytest.approx(22.5)
    assert not state.is_click
    assert state.distance == pytest.approx(2.5)


def test_back_at_the_start_is_no_click_but_no_distance_either():
    state = drag()
    state.moved_to(120.0)
    assert state.moved_to(100.0)
    assert state.distance == 0.0
    assert not state.is_click


def test_shift_moves_a_tenth_as_far_from_where_it_is_pressed():
    state = drag()
    state.moved_to(120.0)
    state.moved_to(140.0, precise=True)
    assert state.frame == pytest.approx(20.0 + 5.0 + 0.5)
    state.moved_to(144.0)
    assert state.frame == pytest.approx(26.5)


def test_ctrl_stops_at_whole_frames_and_loses_nothing():
    state = drag()
    state.moved_to(111.0, snap=True)
    assert state.frame == 23.0
    state.moved_to(111.0)
    assert state.frame == pytest.approx(22.75)


def test_a_move_within_a_whole_frame_changes_nothing():
    state = drag()
    assert state.moved_to(108.0, snap=True)
    assert not state.moved_to(109.0, snap=True)


def test_typed_frames_count_more_than_the_mouse():
    state = drag()
    state.moved_to(160.0)
    for letter in "2.5":
        state.type_letter(letter)
    assert state.frame == pytest.approx(22.5)
    assert not state.moved_to(200.0)
    state.type_letter("-")
    assert state.frame == pytest.approx(17.5)
    assert state.typed == "-2.5"
    state.type_letter("-")
    assert state.typed == "2.5"


def test_erasing_all_letters_gives_the_mouse_back():
    state = drag()
    state.moved_to(120.0)
    state.type_letter("7")
    assert state.erase()
    assert state.frame == pytest.approx(25.0)


@pytest.mark.parametrize("letters", ["-", ".", "-.", "1-", "..", "x"])
def test_unfinished_numbers_do_no_harm(letters):
    state = drag()
    for letter in letters:
        state.type_letter(letter)
    assert state.frame in (20.0, 19.0)


def test_what_cannot_move_is_always_clicked():
    state = drag(can_move=False)
    assert not state.moved_to(400.0)
    assert not state.type_letter("5")
    assert state.is_click


def test_hovering_tells_when_something_changes():
    knot = Hovered("stagger", (3, 4), region=1)
    assert hover.enter(knot)
    assert not hover.enter(Hovered("stagger", (3, 4), region=1))
    assert hover.enter(Hovered("stagger", (3, 5), region=1))
    assert hover.lane_name() == "stagger"
    assert hover.leave()
    assert not hover.leave()
    assert hover.lane_name() is None


class Picker:
    """Keeps what was picked."""

    def __init__(self) -> None:
        self.picked = []

    def pick(self, _context, keytime):
        self.picked.append(keytime)


def test_a_click_that_may_begin_a_double_click_picks_without_an_undo_step():
    provider = Picker()
    lane = TimeLane(provider)
    parts = (Part.NEW, Part.OLD, Part.SPAN)
    assert [lane.clicked(None, TimeItem(2, part)) for part in parts] == [True, True, False]
    assert provider.picked == [2, 2, 2]


def test_a_plain_lane_leaves_brush_and_menu_to_blender():
    lane = Lane()
    assert not lane.brush("item")
    assert lane.menu(None, "item") == ()
    assert lane.target(10.0, None) is None
    assert lane.grabbed("item", 12.0) == "item"
