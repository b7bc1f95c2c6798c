"""The strip's own menu: clicked, dragged out, dropped, closed; without Blender."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip.menu.popup import ENTRY, PADDING, TITLE, Outcome, Popup
from motion_editing.motion_editing_addon.interface.strip.menu.popup_picture import (
    fitting_popup,
    ghost_picture,
    menu_picture,
)

ENTRIES = (("TIMING", "Timing"), ("MEAN", "Mean Rotation"), ("PATH", "Trajectory"))


def menu(pixel: float = 1.0) -> Popup:
    return Popup("Step", ENTRIES, left=100.0, top=300.0, width=140.0, pixel=pixel)


def middle_of(popup: Popup, number: int) -> tuple[float, float]:
    down = (PADDING + TITLE + ENTRY * (number + 0.5)) * popup.pixel
    return popup.left + 30.0 * popup.pixel, popup.top - down


@pytest.mark.parametrize("pixel", [1.0, 1.5])
def test_the_entry_under_the_mouse_is_lit(pixel):
    popup = menu(pixel)
    for number in range(3):
        popup.moved_to(*middle_of(popup, number))
        assert popup.hovered == number
    popup.moved_to(popup.left + 5.0, popup.top - 5.0 * pixel)
    assert popup.hovered is None, "the title is no entry"
    popup.moved_to(popup.left - 1.0, middle_of(popup, 1)[1])
    assert popup.hovered is None


def test_a_click_chooses_the_entry():
    popup = menu()
    popup.moved_to(*middle_of(popup, 1))
    assert popup.pressed()
    assert popup.released() is Outcome.CLICKED
    assert (popup.identifier, popup.label) == ENTRIES[1]


def test_sliding_inside_the_menu_chooses_where_the_button_comes_up():
    popup = menu()
    popup.moved_to(*middle_of(popup, 0))
    popup.pressed()
    popup.moved_to(*middle_of(popup, 2))
    assert not popup.dragging
    assert popup.released() is Outcome.CLICKED
    assert popup.identifier == "PATH"


def test_an_entry_is_dragged_out_of_the_menu_and_stays_held_when_it_comes_back():
    popup = menu()
    popup.moved_to(*middle_of(popup, 1))
    popup.pressed()
    popup.moved_to(400.0, 50.0)
    assert popup.dragging
    popup.moved_to(*middle_of(popup, 2))
    assert popup.released() is Outcome.DROPPED
    assert popup.identifier == "MEAN"


def test_a_press_beside_the_menu_closes_it_and_one_on_the_title_does_nothing():
    popup = menu()
    popup.moved_to(10.0, 10.0)
    assert not popup.pressed()
    popup.moved_to(popup.left + 20.0, popup.top - 8.0)
    assert popup.pressed()
    popup.moved_to(400.0, 50.0)
    assert not popup.dragging
    assert popup.released() is Outcome.OPEN


def test_the_release_that_follows_the_right_click_chooses_nothing():
    popup = menu()
    popup.moved_to(*middle_of(popup, 1))
    assert popup.released() is Outcome.OPEN


def test_arrow_keys_go_around_and_enter_chooses():
    popup = menu()
    assert popup.confirmed() is Outcome.OPEN
    popup.step(-1)
    assert popup.hovered == 2
    popup.step(1)
    assert popup.hovered == 0
    assert popup.confirmed() is Outcome.CLICKED
    assert popup.identifier == "TIMING"


@pytest.mark.parametrize("place", [(5.0, 5.0), (790.0, 5.0), (790.0, 395.0), (400.0, 200.0)])
@pytest.mark.parametrize("pixel", [1.0, 2.0])
def test_the_menu_is_inside_the_region_and_wide_enough(place, pixel):
    popup = fitting_popup("Step", ENTRIES, place, (800.0, 400.0), pixel, lambda text, size: 0.6 * size * len(text))
    assert 0.0 <= popup.left <= popup.left + popup.width * pixel <= 800.0
    assert 0.0 <= popup.top - popup.height * pixel <= popup.top <= 400.0
    assert popup.width >= 0.6 * 11.0 * len("Mean Rotation") + 10.0


def test_the_menu_goes_above_what_entries_are_dropped_on_if_there_is_room():
    popup = menu()
    popup.raised_above(290.0, region_height=290.0 + popup.height)
    assert popup.top - popup.height == 290.0
    low = menu()
    low.raised_above(290.0, region_height=289.0 + low.height)
    assert low.top == 300.0


def test_nothing_is_lit_when_the_menu_opens():
    popup = fitting_popup("Step", ENTRIES, (400.0, 300.0), (800.0, 400.0), 1.0, lambda text, _size: 7.0 * len(text))
    popup.moved_to(*popup.mouse)
    assert popup.hovered is None


def test_the_picture_has_all_labels_inside_the_menu_and_the_lit_one_stands_out():
    popup, colours = menu(), palette(bpy.context)
    popup.hovered = 1
    picture = menu_picture(popup, colours)
    assert [label.text for label in picture.labels] == ["Step", "Timing", "Mean Rotation", "Trajectory"]
    assert all(-popup.height < label.place[1] < 0.0 for label in picture.labels)
    assert [label.colour == colours.menu.chosen_text for label in picture.labels[1:]] == [False, True, False]
    bar = [shape for shape in picture.shapes if np.isclose(shape.colours, colours.menu.chosen_back).all()]
    heights = np.concatenate([shape.places[:, 1] + shape.offsets[:, 1] for shape in bar])
    label = picture.labels[2].place[1]
    assert heights.min() < label < heights.max()


def test_the_dragged_label_lies_beside_the_mouse():
    picture = ghost_picture("Timing", 40.0, palette(bpy.context))
    assert picture.labels[0].text == "Timing"
    assert picture.labels[0].place[0] > 0.0
