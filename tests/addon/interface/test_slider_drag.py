"""A slider's values under mouse and keyboard; needs nothing of Blender."""

from math import radians

import pytest
from motion_editing.motion_editing_addon.interface.operators.slider_drag import (
    PIXELS_PER_STEP,
    Slider,
    SliderDrag,
)
from motion_editing.motion_editing_addon.interface.operators.value_drag import Outcome

OFFSET = Slider("offset", "Offset", "s", step=0.01, snap=0.05, limits=(-5.0, 5.0), soft_limits=(-1.0, 1.0))
POWER = Slider("power", "Power", step=0.1, snap=0.5, limits=(0.0, 10.0), soft_limits=(0.0, 3.0))
STRENGTH = Slider("strength", "Strength", "%", step=1, snap=10, limits=(0.0, 1.0), soft_limits=(0.0, 1.0))
ANGLE = Slider("angle", "Angle", "°", step=1, snap=15)
FRAMES = Slider("frames", "Shift", "frames", step=1, snap=5)


def drag_of(*sliders, values=None, **options):
    values = tuple(values or [0.0] * len(sliders))
    return SliderDrag("Tool", sliders, values, x=100.0, **options)


def steps(count):
    """The mouse's place after so many steps."""
    return 100.0 + count * PIXELS_PER_STEP


def typed(drag, text):
    for letter in text:
        drag.take("BACK_SPACE" if letter == "<" else "KEY", pressed=True, character=letter)
    return drag


# The mouse


def test_travel_changes_the_value_by_steps():
    drag = drag_of(OFFSET)
    assert drag.take("MOUSEMOVE", pressed=False, x=steps(7)) is Outcome.CHANGED
    assert drag.values == pytest.approx((0.07,))


def test_the_same_place_is_the_same_value_however_it_was_reached():
    straight, wandering = drag_of(OFFSET), drag_of(OFFSET)
    straight.moved_to(steps(20))
    for place in (3, 45, -30, 20):
        wandering.moved_to(steps(place))
    assert wandering.values == pytest.approx(straight.values)


def test_shift_is_ten_times_finer_and_goes_on_from_where_it_was():
    drag = drag_of(OFFSET)
    drag.moved_to(steps(10))
    drag.moved_to(steps(20), precise=True)
    assert drag.values == pytest.approx((0.11,))
    drag.moved_to(steps(30))
    assert drag.values == pytest.approx((0.21,))


def test_a_larger_interface_needs_more_travel():
    drag = drag_of(OFFSET, ui_scale=2.0)
    drag.moved_to(steps(10))
    assert drag.values == pytest.approx((0.05,))


@pytest.mark.parametrize(("place", "value"), [(2, 0.0), (3, 0.05), (12, 0.1), (-13, -0.15)])
def test_ctrl_snaps(place, value):
    drag = drag_of(OFFSET)
    drag.moved_to(steps(place), snap=True)
    assert drag.values == (value,)


def test_ctrl_and_shift_snap_to_tenths_of_the_snap():
    drag = drag_of(OFFSET)
    drag.moved_to(steps(18), snap=True, precise=True)
    assert drag.values == pytest.approx((0.02,))


def test_letting_ctrl_go_gives_back_the_unsnapped_value():
    drag = drag_of(OFFSET)
    drag.moved_to(steps(7), snap=True)
    assert drag.take("LEFT_CTRL", pressed=False, x=steps(7)) is Outcome.CHANGED
    assert drag.values == pytest.approx((0.07,))


def test_pressing_ctrl_snaps_without_a_movement():
    drag = drag_of(OFFSET)
    drag.moved_to(steps(7))
    drag.take("LEFT_CTRL", pressed=True, x=steps(7), ctrl=True)
    assert drag.values == (0.05,)


def test_the_mouse_stops_at_the_soft_limit_and_turns_back_at_once():
    drag = drag_of(OFFSET)
    drag.moved_to(steps(500))
    assert drag.values == (1.0,)
    drag.moved_to(steps(490))
    assert drag.values == pytest.approx((0.9,))


def test_a_start_beyond_the_soft_limit_does_not_jump():
    drag = drag_of(OFFSET, values=[2.0])
    drag.moved_to(steps(5))
    assert drag.values == (2.0,)
    drag.moved_to(steps(-5))
    assert drag.values == pytest.approx((1.9,))


def test_snapping_never_leaves_the_limits():
    slider = Slider("x", step=0.01, snap=0.3, soft_limits=(0.0, 1.0))
    drag = drag_of(slider)
    drag.moved_to(steps(1000), snap=True)
    assert drag.values[0] <= 1.0


# The keyboard


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ("0.25", 0.25),
        (",5", 0.5),
        ("2-", -2.0),
        ("-2-", 2.0),
        ("1.2.3", 1.23),
        ("12<", 1.0),
        ("99", 5.0),
        ("-99", -5.0),
        ("1x2", 5.0),
        ("-", 0.03),
        (".", 0.03),
        ("4<", 0.03),
        ("<", 0.03),
        ("²", 0.03),
    ],
)
def test_typed_numbers(keys, value):
    drag = drag_of(OFFSET, values=[0.03])
    assert typed(drag, keys).values == pytest.approx((value,))


def test_typing_reaches_beyond_the_soft_limit():
    assert typed(drag_of(OFFSET), "3").values == (3.0,)


def test_the_mouse_waits_while_a_number_is_typed_and_does_not_jump_afterwards():
    drag = typed(drag_of(OFFSET), "0.5")
    assert drag.take("MOUSEMOVE", pressed=False, x=steps(40)) is Outcome.NOTHING
    typed(drag, "<<<")
    assert drag.values == (0.0,)
    drag.moved_to(steps(41))
    assert drag.values == pytest.approx((0.01,))


@pytest.mark.parametrize(("slider", "keys", "value"), [(STRENGTH, "45", 0.45), (ANGLE, "90", radians(90))])
def test_numbers_are_typed_in_the_unit_shown(slider, keys, value):
    assert typed(drag_of(slider), keys).values == pytest.approx((value,))


# Several values


def test_tab_and_arrows_go_round():
    drag = drag_of(OFFSET, POWER)
    assert drag.take("TAB", pressed=True) is Outcome.CHANGED
    assert drag.active == 1
    drag.take("DOWN_ARROW", pressed=True)
    assert drag.active == 0
    drag.take("UP_ARROW", pressed=True)
    assert drag.active == 1


def test_each_value_is_set_by_itself():
    drag = drag_of(OFFSET, POWER, values=[0.0, 1.0])
    drag.moved_to(steps(5))
    drag.switch()
    drag.moved_to(steps(10))
    assert drag.values == pytest.approx((0.05, 1.5))


def test_a_typed_number_stays_when_switching_away_and_back():
    drag = typed(drag_of(OFFSET, POWER), "3")
    drag.switch()
    drag.switch()
    assert drag.values[0] == 3.0
    drag.moved_to(steps(-10))
    assert drag.values[0] == pytest.approx(2.9)


def test_a_snapped_value_stays_when_switching_away_and_back():
    drag = drag_of(OFFSET, POWER)
    drag.moved_to(steps(7), snap=True)
    drag.switch()
    drag.switch()
    drag.moved_to(steps(7))
    assert drag.values[0] == 0.05


def test_one_value_has_nothing_to_switch_to():
    drag = typed(drag_of(OFFSET), "3")
    assert drag.take("TAB", pressed=True) is Outcome.NOTHING
    assert drag.values == (3.0,)


# Events and text


@pytest.mark.parametrize(
    ("kind", "pressed", "outcome"),
    [
        ("LEFTMOUSE", True, Outcome.CONFIRMED),
        ("LEFTMOUSE", False, Outcome.NOTHING),
        ("RET", True, Outcome.CONFIRMED),
        ("RET", False, Outcome.NOTHING),
        ("NUMPAD_ENTER", True, Outcome.CONFIRMED),
        ("ESC", True, Outcome.CANCELLED),
        ("RIGHTMOUSE", True, Outcome.CANCELLED),
        ("MIDDLEMOUSE", True, Outcome.PASSED_ON),
        ("TIMER", False, Outcome.PASSED_ON),
        ("SPACE", True, Outcome.PASSED_ON),
        ("Z", True, Outcome.NOTHING),
        ("INBETWEEN_MOUSEMOVE", False, Outcome.NOTHING),
    ],
)
def test_what_events_mean(kind, pressed, outcome):
    assert drag_of(OFFSET).take(kind, pressed=pressed, character=" " if kind == "SPACE" else "") is outcome


@pytest.mark.parametrize(
    ("slider", "value", "text"),
    [
        (OFFSET, 0.05, "Tool   Offset 0.05 s"),
        (OFFSET, -0.0001, "Tool   Offset 0.00 s"),
        (POWER, 1.0, "Tool   Power 1.0"),
        (STRENGTH, 0.5, "Tool   Strength 50 %"),
        (ANGLE, radians(-30), "Tool   Angle -30°"),
        (FRAMES, 12.0, "Tool   Shift 12 frames"),
    ],
)
def test_values_are_shown_with_their_unit(slider, value, text):
    assert drag_of(slider, values=[value]).values_text() == text


def test_the_value_that_the_mouse_changes_is_marked():
    drag = drag_of(OFFSET, POWER, values=[0.05, 1.0])
    assert drag.values_text() == "Tool   [Offset 0.05 s]   Power 1.0"
    drag.switch()
    assert drag.values_text() == "Tool   Offset 0.05 s   [Power 1.0]"


def test_what_is_typed_is_shown_as_typed():
    assert typed(drag_of(OFFSET), "-.5").values_text() == "Tool   Offset -.5| s"


def test_precise_values_show_one_digit_more():
    drag = drag_of(OFFSET)
    drag.moved_to(steps(5), precise=True)
    assert drag.values_text() == "Tool   Offset 0.005 s"


def test_the_keys_are_named():
    one, two = drag_of(OFFSET).keys_text(), drag_of(OFFSET, POWER).keys_text()
    for word in ("Shift", "Ctrl", "Enter", "Esc"):
        assert word in one
    assert "Tab" not in one
    assert "Tab" in two
