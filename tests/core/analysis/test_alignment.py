"""Slope-limited dynamic time warping."""

from __future__ import annotations

import numpy as np
import pytest
import slow_timeline
from made_motion import noisy_curves, smooth_curves

from core.analysis.alignment import UnalignableError, align, align_table
from core.errors import NotFiniteError, TooFewFramesError

SIZES = [(1, 1), (2, 2), (2, 3), (3, 2), (9, 5), (13, 13), (17, 24), (70, 90), (140, 71)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("limit", [2, 3])
def test_agrees_with_the_plain_recursion(rows: int, columns: int, limit: int) -> None:
    first, second = noisy_curves(rows, 4, 1), noisy_curves(columns, 4, 2)
    found = align(first, second, slope_limit=limit)
    assert found.cost == pytest.approx(slow_timeline.align_cost(first, second, limit), abs=1e-9)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("limit", [2, 3])
def test_path_is_complete_monotone_and_slope_limited(rows: int, columns: int, limit: int) -> None:
    path = align(noisy_curves(rows, 4, 3), noisy_curves(columns, 4, 4), slope_limit=limit).path
    assert path[0].tolist() == [0, 0]
    assert path[-1].tolist() == [rows - 1, columns - 1]
    assert set(map(tuple, np.diff(path, axis=0).tolist())) <= set(slow_timeline.steps_of(limit))


@pytest.mark.parametrize("limit", [2, 3])
def test_cost_is_the_sum_over_visited_pairs(limit: int) -> None:
    first, second = noisy_curves(40, 4, 5), noisy_curves(60, 4, 6)
    found = align(first, second, slope_limit=limit)
    table = slow_timeline.distances(first, second)
    total = table[0, 0]
    for (row, column), step in zip(found.path[1:], np.diff(found.path, axis=0), strict=True):
        total += slow_timeline.step_cost(table, row, column, tuple(step))
    assert found.cost == pytest.approx(total)
    assert found.cost == pytest.approx(table[tuple(found.visited.T)].sum())


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("limit", [2, 3])
def test_a_table_of_distances_gives_the_same_path(rows: int, columns: int, limit: int) -> None:
    first, second = noisy_curves(rows, 4, 1), noisy_curves(columns, 4, 2)
    table = slow_timeline.distances(first, second)
    found, wanted = align_table(table, slope_limit=limit), align(first, second, slope_limit=limit)
    assert (found.path == wanted.path).all()
    assert found.cost == pytest.approx(wanted.cost)


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_a_sequence_lies_on_itself(offset: float) -> None:
    curves = smooth_curves(150, 93, 7) + offset
    # A pause, in which all frames are alike, must not bend the path either.
    curves[40:80] = curves[40]
    found = align(curves, curves.copy())
    assert found.cost == 0.0
    assert (found.path == np.arange(150)[:, None]).all()


def test_both_orders_give_the_same() -> None:
    first, second = noisy_curves(60, 5, 8), noisy_curves(85, 5, 9)
    forth, back = align(first, second), align(second, first)
    assert forth.cost == pytest.approx(back.cost)
    assert (forth.path == back.path[:, ::-1]).all()


def test_a_limit_of_one_compares_frame_by_frame() -> None:
    first, second = noisy_curves(30, 5, 1), noisy_curves(30, 5, 2)
    found = align(first, second, slope_limit=1)
    assert (found.path == np.arange(30)[:, None]).all()
    assert found.cost == pytest.approx(np.linalg.norm(first - second, axis=1).sum())


def test_a_known_warp_is_found_and_taken_back() -> None:
    times = np.linspace(0.0, 1.0, 161)
    warped = times + 0.06 * np.sin(2 * np.pi * times)
    curves = np.stack([np.sin(7.0 * times), np.cos(5.0 * times), times], axis=1)
    other = np.stack([np.interp(warped, times, curve) for curve in curves.T], axis=1)
    found = align(other, curves)
    assert np.abs(np.interp(np.arange(161), *found.path.T) / 160 - warped).max() < 1.5 / 160


def test_time_map_shows_the_second_in_step_with_the_first() -> None:
    first, second = noisy_curves(30, 5, 1), noisy_curves(45, 5, 2)
    found = align(first, second)
    timing = found.time_map(np.arange(30) / 30.0 + 2.0, np.arange(45) / 60.0 - 1.0)
    frames = np.linspace(0, 29, 50)
    assert timing(frames / 30.0 + 2.0) == pytest.approx(np.interp(frames, *found.path.T) / 60.0 - 1.0)
    assert timing.direction == 1


def test_input_is_left_alone() -> None:
    first, second = noisy_curves(30, 5, 1), noisy_curves(35, 5, 2)
    kept = first.copy(), second.copy()
    align(first, second)
    assert (first == kept[0]).all()
    assert (second == kept[1]).all()


def test_refusals_give_their_reason() -> None:
    curves = np.zeros((10, 2))
    with pytest.raises(UnalignableError, match=r"10 and 50 frames .* more than 2 times as fast"):
        align(curves, np.zeros((50, 2)))
    with pytest.raises(UnalignableError, match="20 and 10 frames"):
        align(np.zeros((20, 2)), curves)
    assert len(align(np.zeros((19, 2)), curves).path) == 10
    with pytest.raises(TooFewFramesError, match="at least 1 frame"):
        align(curves, np.zeros((0, 2)))
    with pytest.raises(UnalignableError, match="3 and 9 frames"):
        align_table(np.zeros((3, 9)))
    with pytest.raises(NotFiniteError, match="NaN or infinite"):
        align(curves, np.full((10, 2), np.nan))
    with pytest.raises(ValueError, match=r"\(N, D\)"):
        align(curves, np.zeros((10, 3)))
    with pytest.raises(ValueError, match="slope_limit"):
        align(curves, curves, slope_limit=0)
    with pytest.raises(TooFewFramesError, match="aligned parts have 1"):
        align(curves[:1], curves[:1]).time_map([0.0], [0.0])
