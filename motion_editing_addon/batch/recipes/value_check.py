"""Whether a value of a recipe fits its parameter, and in words what would."""

from __future__ import annotations

from math import isfinite
from typing import Any

from .catalog import Parameter

_WORDS = {
    "yes or no": "true or false",
    "whole number": "a whole number",
    "number": "a number",
    "text": "a text",
    "choice": "a name",
}


def is_right(parameter: Parameter, value: Any) -> bool:
    """Whether type, number of values, choice and range are right."""
    if not (parameter.count or parameter.several):
        return _is_one(parameter, value)
    if not isinstance(value, list) or (parameter.count and len(value) != parameter.count):
        return False
    return all(_is_one(parameter, each) for each in value)


def _is_one(parameter: Parameter, value: Any) -> bool:
    if parameter.kind == "yes or no":
        return isinstance(value, bool)
    if parameter.kind in ("text", "choice"):
        return isinstance(value, str) and (not parameter.choices or value in parameter.choices)
    # True and false are numbers to Python, not to people.
    types = (int,) if parameter.kind == "whole number" else (int, float)
    return type(value) in types and isfinite(value) and _is_within(parameter, value)


def _is_within(parameter: Parameter, value: float) -> bool:
    low, high = parameter.low, parameter.high
    return (low is None or value >= low) and (high is None or value <= high)


def expected(parameter: Parameter) -> str:
    """What a value must be, for a message."""
    if parameter.choices:
        text = ("a list of " if parameter.several else "one of ") + ", ".join(parameter.choices)
    else:
        text = _WORDS[parameter.kind] + range_text(parameter) + (f" in {parameter.unit}" if parameter.unit else "")
    return f"a list of {parameter.count}, each {text}" if parameter.count else text


def range_text(parameter: Parameter) -> str:
    """The range of a number, for a message; empty without limits."""
    low, high = parameter.low, parameter.high
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    if low is not None:
        return f" of at least {low:g}"
    return "" if high is None else f" of at most {high:g}"
