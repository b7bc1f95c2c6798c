"""How unlike two parts of a motion are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import slow_timeline

from core.timeline import MatchWeb
from core.timeline.similarity.likeness import unlikeness

UP = np.array([0.0, 0.0, 1.0])
LENGTH = 31


def web_of(*parts: Any) -> MatchWeb:
    """A web without paths of parts of (31, J, 3) after each other."""
    positions = np.concatenate(parts)
    return MatchWeb((), len(positions), positions, 1, UP)


def unlike(*parts: Any) -> Any:
    """How unlike all further parts are to the first."""
    frames = np.arange(LENGTH, dtype=float)
    others = frames + LENGTH * np.arange(1, len(parts))[:, None]
    return unlikeness(web_of(*parts), frames, others)


def person(*, swing: float = 0.2, hand: float = 0.5, lifted: tuple[int, ...] = ()) -> Any:
    """Two feet, hips and a hand that swings; feet can be lifted for the middle half of the time."""
    turn = np.linspace(0.0, 2.0 * np.pi, LENGTH)
    points = np.zeros((LENGTH, 4, 3))
    points[:, 0, 0], points[:, 1, 0] = -0.1, 0.1
    points[:, 2, 2], points[:, 3, 2] = 0.5, hand
    points[:, 3, 1] = 0.3 + swing * np.sin(turn)
    points[LENGTH // 4 : -LENGTH // 4, list(lifted), 2] = 0.2
    return points


def test_place_and_heading_do_not_matter() -> None:
    turned = slow_timeline.rodrigues(person().reshape(-1, 3), UP, 1.2).reshape(-1, 4, 3) + np.array([5.0, -3.0, 0.0])
    assert unlike(person(), turned) == pytest.approx(0.0, abs=1e-6)


def test_the_same_motion_held_elsewhere_is_nearer_than_no_motion() -> None:
    elsewhere, still = unlike(person(), person(hand=0.7), person(swing=0.0))
    assert elsewhere < 0.6 * still
    plain = [slow_timeline.window_distance(person(), other, UP) for other in (person(hand=0.7), person(swing=0.0))]
    assert plain[0] > 0.6 * plain[1]


def test_small_motions_are_told_apart_like_large_ones() -> None:
    small, large = (unlike(person(swing=size), person(swing=-size))[0] for size in (0.06, 0.24))
    assert small == pytest.approx(large, rel=0.3)


def test_support_that_is_not_shared_counts() -> None:
    same, opposite = unlike(person(lifted=(0,)), person(lifted=(0,), hand=0.55), person(lifted=(1,)))
    assert opposite > 3.0 * same
    assert unlike(person(lifted=(0, 1)), person(lifted=(0, 1)))[0] == pytest.approx(0.0, abs=1e-6)


def test_limbs_at_the_same_places_that_move_otherwise_are_unlike() -> None:
    """A punch goes out and back; raising a hand to about there does not."""
    share = np.linspace(0.0, 1.0, LENGTH)
    punch, again, raised = (person(swing=0.0) for _ in range(3))
    punch[:, 3, 1] += 0.2 * np.sin(np.pi * share) ** 2
    again[:, 3, 1] += 0.17 * np.sin(np.pi * share) ** 2
    raised[:, 3, 1] += 0.15 * np.minimum(2.0 * share, 1.0)
    repetition, chance = unlike(punch, again, raised)
    assert repetition < 0.02
    assert chance > 0.09


def test_both_ways_are_equally_unlike() -> None:
    one, other = person(lifted=(0,)), person(lifted=(1,), hand=0.8, swing=0.1)
    assert unlike(one, other) == pytest.approx(unlike(other, one))


def test_pauses_are_compared_without_dividing_by_nothing() -> None:
    assert np.isfinite(unlike(person(swing=0.0), person(swing=0.0), person(swing=0.0, hand=0.9))).all()


def test_where_the_face_counts_another_expression_is_another_part() -> None:
    frames = np.arange(LENGTH, dtype=float)
    others = frames + LENGTH * np.arange(1, 3)[:, None]
    web = web_of(person(), person(), person())
    face = np.zeros((3 * LENGTH, 2))
    face[2 * LENGTH :, 1] = 0.5
    assert unlikeness(web, frames, others) == pytest.approx([0.0, 0.0], abs=1e-6)
    assert unlikeness(replace(web, face=face), frames, others) == pytest.approx([0.0, 0.15], abs=1e-6)
    assert unlikeness(replace(web, face=face[:, :0]), frames, others) == pytest.approx([0.0, 0.0], abs=1e-6)
