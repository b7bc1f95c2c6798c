"""Counts, angles and frames as people read them."""

from math import radians

import pytest

from core.wording import angle_text, counted, frame_text, number_text


def test_one_is_singular_and_all_else_plural():
    assert [counted(count, "bone") for count in (0, 1, 2, 21)] == ["0 bones", "1 bone", "2 bones", "21 bones"]
    assert counted(1, "foot", "feet") == "1 foot"
    assert counted(2, "foot", "feet") == "2 feet"
    assert counted(1, "bone shakes", "bones shake") == "1 bone shakes"


def test_numbers_may_be_formatted_or_texts():
    assert counted(-1.0, "frame", form="+.0f") == "-1 frame"
    assert counted(1.4, "frame", form="+.0f") == "+1 frame"
    assert counted(2.6, "frame", form="+.0f") == "+3 frames"
    assert counted("1", "frame") == "1 frame"
    assert counted("1.5", "frame") == "1.5 frames"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0"),
        (131.4, 2, "131"),
        (131.4, 3, "131"),
        (5.43, 2, "5.4"),
        (5.0, 3, "5"),
        (0.0168, 2, "0.017"),
        (-0.5, 3, "-0.5"),
        (1234567.0, 3, "1234567"),
        (1e-5, 1, "0.00001"),
        (9.996, 3, "10"),
    ],
)
def test_numbers_have_no_exponents(value, digits, text):
    assert number_text(value, digits) == text


def test_angles_are_degrees():
    assert angle_text(radians(130.2), 2) == "130°"
    assert angle_text(radians(0.4321)) == "0.432°"
    assert angle_text(radians(1e-5)) == "0°"
    assert angle_text(-radians(90.0)) == "-90°"


def test_frames_are_whole_where_they_are():
    texts = [frame_text(frame) for frame in (40, 40.25, 40.2501, 120000.5, -3.0)]
    assert texts == ["40", "40.25", "40.25", "120000.5", "-3"]
