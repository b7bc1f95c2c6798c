"""Formulas of drivers."""

import math

import numpy as np
import pytest

from core.rig.values import Channel, Driven, Expression, UnknownExpressionError

FORMULAS = [
    "var == 1",
    "(1-sy)*pi",
    "a if b > 0.5 else -a",
    "min(a, b, 0.3) + max(a, 2 * b)",
    "clamp(a * 3, 0, 1)",
    "not a or b and a >= b",
    "0.2 < a < 0.8",
    "sqrt(abs(a)) ** 2 - b % 0.7 + floor(b * 5)",
    "smoothstep(0, 1, a) + lerp(a, b, 0.25)",
]


def plain(text, **named):
    """What Python itself makes of a formula, number by number."""
    own = {
        "clamp": lambda v, low=0.0, high=1.0: min(max(v, low), high),
        "lerp": lambda a, b, t: a + t * (b - a),
        "smoothstep": lambda low, high, v: (lambda t: t * t * (3 - 2 * t))(
            min(max((v - low) / (high - low), 0.0), 1.0)
        ),
        "pi": math.pi,
        "sqrt": math.sqrt,
        "floor": math.floor,
    }
    return float(eval(text, own, named))


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_give_what_python_gives_for_every_frame(text):
    rng = np.random.default_rng(0)
    formula = Expression.parse(text)
    named = {name: rng.uniform(0.0, 1.0, 20) for name in formula.names}
    if text == "var == 1":
        named["var"] = np.arange(20) % 3
    found = np.broadcast_to(formula.value(named), 20)
    wanted = [plain(text, **{name: values[frame] for name, values in named.items()}) for frame in range(20)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("text", ["__import__('os')", "frame.x", "[1, 2]", "a +", "bpy.data", "'text'", "lambda: 1"])
def test_what_is_no_plain_formula_is_refused(text):
    with pytest.raises(UnknownExpressionError):
        Expression.parse(text)


def test_numbers_are_combined_and_bent():
    inputs = (("a", Channel(held=0.25)), ("b", Channel(held=0.75)))
    read = lambda channel: channel.held  # noqa: E731
    assert Driven("SUM", inputs).value(read) == 1.0
    assert Driven("AVERAGE", inputs).value(read) == 0.5
    assert Driven("MIN", inputs, polynomial=(1.0, -1.0)).value(read) == 0.75
    assert Driven("MAX", inputs).value(read) == 0.75
