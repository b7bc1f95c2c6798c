"""Counts, angles and frames as people read them. Imports nothing heavy: operators need it early."""

from math import degrees, floor, log10


def counted(count: float | str, one: str, many: str = "", *, form: str = "") -> str:
    """A number and its noun: "1 bone", "2 bones".

    Args:
        count: A number, or one that is a text already.
        one: The noun for one of them.
        many: For others, if not with an s.
        form: How to format the number, such as "+.0f".
    """
    text = format(count, form)
    return f"{text} {one if text.lstrip('+-') == '1' else many or one + 's'}"


def number_text(value: float, digits: int = 3) -> str:
    """About as many digits as count, never with an exponent: "130", "5.4", "0.017"."""
    if not value:
        return "0"
    decimals = max(digits - 1 - floor(log10(abs(value))), 0)
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def angle_text(radians: float, digits: int = 3) -> str:
    """An angle in degrees: "130°", "5.4°"."""
    # Smaller ones than a thousandth of a degree are none.
    return f"{number_text(round(degrees(radians), 3), digits)}°"


def frame_text(frame: float) -> str:
    """A frame: "40", "40.25"; between frames to a hundredth."""
    return number_text(round(float(frame), 2), 9)
