"""What was used last is kept."""

from __future__ import annotations

from core.numerics import Recent


def test_what_was_not_used_for_longest_is_forgotten():
    recent: Recent[str, int] = Recent(2)
    assert recent.keep("one", 1) == 1
    recent.keep("two", 2)
    assert recent.get("one") == 1
    recent.keep("three", 3)
    assert [key in recent for key in ("one", "two", "three")] == [True, False, True]
    assert recent.get("two") is None


def test_a_value_kept_anew_takes_the_place_of_the_old():
    recent: Recent[str, int] = Recent(2)
    recent.keep("one", 1)
    recent.keep("two", 2)
    recent.keep("one", 10)
    recent.keep("three", 3)
    assert (recent.get("one"), recent.get("two"), recent.get("three")) == (10, None, 3)
    recent.clear()
    assert "one" not in recent
