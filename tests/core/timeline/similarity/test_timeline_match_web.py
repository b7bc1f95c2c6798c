"""The match web: distances of all moments, chains, paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import slow_timeline
from made_motion import smooth_curves

from core.analysis.window_grid import WindowGrid, diagonal_sums
from core.body import find_body
from core.errors import NotFiniteError, TooFewFramesError
from core.sample_motion import sample_motion
from core.timeline import match_web, weave_match_web
from core.timeline.similarity import chains
from core.timeline.similarity.chains import Minima, chains_of, find_minima
from core.timeline.similarity.match_web import cheapest_path

UPS = [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)]


def wandering(frames: int, joints: int, seed: int = 0) -> Any:
    """Joints that swing around a middle that goes far."""
    swing = smooth_curves(frames, 3 * joints, seed).reshape(frames, joints, 3)
    return swing + 5.0 * smooth_curves(frames, 3, seed + 1)[:, None]


def finished(generator: Any) -> tuple[list[float], Any]:
    """What a generator yields and what it returns."""
    shares = []
    while True:
        try:
            shares.append(next(generator))
        except StopIteration as done:
            return shares, done.value


@pytest.mark.parametrize("up", UPS)
@pytest.mark.parametrize("window", [1, 4, 11])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_distances_agree_with_the_alignment_of_each_pair(up: Any, window: int, offset: float) -> None:
    positions = wandering(30, 5)
    grid = WindowGrid.build(positions + offset, up, window=window)
    wanted = slow_timeline.window_distances(positions, np.array(up), window)
    every = slice(0, len(grid))
    assert np.abs(grid.squared(every, every) - wanted**2).max() < 1e-4 * wanted.max() ** 2
    part = grid.squared(slice(3, 9), slice(5, 17))
    assert part == pytest.approx(grid.squared(every, every)[3:9, 5:17], abs=1e-5)


def test_weights_tell_what_joints_count() -> None:
    positions, weights = wandering(14, 4), [0.0, 1.0, 2.0, 0.5]
    grid = WindowGrid.build(positions, UPS[0], window=3, weights=weights)
    wanted = slow_timeline.window_distance(positions[2:5], positions[9:12], np.array(UPS[0]), weights)
    assert grid.distances(slice(2, 3), slice(9, 10))[0, 0] == pytest.approx(wanted, abs=1e-4)


def test_place_and_heading_do_not_matter_but_height_does() -> None:
    part = wandering(20, 5)
    turned = slow_timeline.rodrigues(part.reshape(-1, 3), np.array(UPS[0]), 2.0).reshape(part.shape)
    turned += np.array([40.0, -7.0, 0.0])
    for lift, wanted in ((0.0, 0.0), (0.5, 0.5)):
        both = np.concatenate([part, turned + np.array([0.0, 0.0, lift])])
        grid = WindowGrid.build(both, UPS[0], window=20)
        assert grid.distances(slice(0, 1), slice(20, 21))[0, 0] == pytest.approx(wanted, abs=5e-3)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 11])
def test_sums_down_the_diagonal(count: int) -> None:
    table = np.random.default_rng(0).normal(size=(15, 18)).astype(np.float32)
    wanted = sum(table[step : 16 - count + step, step : 19 - count + step] for step in range(count))
    assert diagonal_sums(table, count) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("blocks", [(7, 11), (256, 512)])
def test_minima_are_those_of_the_whole_grid(monkeypatch: pytest.MonkeyPatch, blocks: tuple[int, int]) -> None:
    monkeypatch.setattr(chains, "_ROWS", blocks[0])
    monkeypatch.setattr(chains, "_COLUMNS", blocks[1])
    grid = WindowGrid.build(wandering(60, 4), UPS[0], window=5)
    every = slice(0, len(grid))
    threshold = float(np.quantile(grid.distances(every, every), 0.5))
    shares, found = finished(find_minima(grid, threshold=threshold, gap=6))
    # Distances within rounding of each other may be taken either way.
    wanted = slow_timeline.minima(grid.squared(every, every), threshold**2, 6)
    assert len(wanted) > 30
    assert len(wanted ^ set(map(tuple, found.cells.tolist()))) <= 0.05 * len(wanted)
    assert found.values.max() <= threshold
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert (np.diff(found.cells[:, 0]) >= 0).all()


def test_a_long_pause_keeps_the_most_alike_and_bounds_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "_ROWS", 20)
    monkeypatch.setattr(chains, "_COLUMNS", 20)
    noise = 0.01 * np.random.default_rng(3).normal(size=(150, 4, 3))
    grid = WindowGrid.build(noise, UPS[0], window=3)
    every = finished(find_minima(grid, threshold=1.0, gap=5))[1]
    monkeypatch.setattr(chains, "_MOST", 900)
    few = finished(find_minima(grid, threshold=1.0, gap=5))[1]
    assert 0 < len(few.values) <= 900 < len(every.values)
    assert set(map(tuple, few.cells.tolist())) <= set(map(tuple, every.cells.tolist()))
    assert np.median(few.values) < np.median(every.values)
    still = WindowGrid.build(np.zeros((150, 4, 3)), UPS[0], window=3)
    assert len(finished(find_minima(still, threshold=1.0, gap=5))[1].values) <= 150


def test_of_many_exact_repetitions_the_nearest_in_time_are_kept_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "_ROWS", 20)
    monkeypatch.setattr(chains, "_COLUMNS", 20)
    monkeypatch.setattr(chains, "_MOST", 900)
    grid = WindowGrid.build(np.tile(wandering(20, 4), (20, 1, 1)), UPS[0], window=3)
    found = finished(find_minima(grid, threshold=0.02, gap=5))[1]
    apart = found.cells[:, 1] - found.cells[:, 0]
    assert 0 < len(apart) <= 900
    # Every moment still has its like in the next repetition.
    assert (apart == 20).sum() == len(grid) - 20


def test_a_motion_shorter_than_the_gap_has_no_minima() -> None:
    grid = WindowGrid.build(wandering(12, 4), UPS[0], window=5)
    assert len(finished(find_minima(grid, threshold=9.0, gap=20))[1].cells) == 0


def made_minima(*lines: list[tuple[int, int]]) -> Minima:
    cells = np.array(sorted(cell for line in lines for cell in line))
    return Minima(cells, np.full(len(cells), 0.1, dtype=np.float32))


def test_cells_that_follow_each_other_make_a_chain() -> None:
    one = [(row, 40 + row) for row in range(10)]
    other = [(row, 70 + 2 * row) for row in range(3, 12)]
    found = chains_of(made_minima(one, other), width=200, longest_gap=3, slope_limit=2)
    assert sorted(map(len, found)) == [9, 10]
    assert {tuple(map(tuple, chain.tolist())) for chain in found} == {tuple(one), tuple(other)}


@pytest.mark.parametrize(("gap", "count"), [(4, 1), (5, 2)])
def test_short_gaps_are_bridged(gap: int, count: int) -> None:
    one = [(row, 40 + row) for row in range(10)]
    other = [(row, 40 + row) for row in range(9 + gap, 30)]
    assert len(chains_of(made_minima(one, other), width=200, longest_gap=4, slope_limit=2)) == count


def test_a_chain_that_begins_beside_another_goes_on_from_it() -> None:
    one = [(row, 41 + row) for row in range(12)]
    other = [(row, 38 + row) for row in range(10, 30)]
    (found,) = chains_of(made_minima(one, other), width=200, longest_gap=9, slope_limit=2)
    assert found[0].tolist() == [0, 41]
    assert found[-1].tolist() == [29, 67]
    assert (np.diff(found, axis=0) > 0).all()


def test_of_too_many_chains_the_longest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [[(row, 30 * number + row) for row in range(3 + number)] for number in range(1, 6)]
    monkeypatch.setattr(chains, "_MOST_CHAINS", 2)
    found = chains_of(made_minima(*lines), width=500, longest_gap=2, slope_limit=2)
    assert sorted(map(len, found)) == [7, 8]


def test_single_cells_are_no_chain_and_nothing_gives_nothing() -> None:
    assert chains_of(made_minima([(3, 50)]), width=200, longest_gap=3, slope_limit=2) == []
    nothing = Minima(np.empty((0, 2), dtype=np.intp), np.empty(0, dtype=np.float32))
    assert chains_of(nothing, width=200, longest_gap=3, slope_limit=2) == []


@pytest.mark.parametrize("piece", [8, 128])
def test_paths_keep_their_ends_and_their_slope(piece: int) -> None:
    grid = WindowGrid.build(wandering(90, 4), UPS[0], window=5)
    chain = np.array([(row, 40 + row) for row in range(0, 30, 2)])
    path = cheapest_path(grid, chain, 2, piece=piece)
    assert path[0].tolist() == [0, 40]
    assert path[-1].tolist() == [28, 68]
    assert set(map(tuple, np.diff(path, axis=0).tolist())) <= set(slow_timeline.steps_of(2))


def test_progress_ends_with_the_same_web() -> None:
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    shares, web = finished(weave_match_web(motion, body))
    assert shares[-1] == 1.0
    plain = match_web(motion, body)
    assert len(web.paths) == len(plain.paths) > 3
    assert all((one == other).all() for one, other in zip(web.paths, plain.paths, strict=True))
    for path in web.paths:
        assert (np.diff(path, axis=0) > 0).all()
        assert (path[:, 1] > path[:, 0]).all()
        assert path.max() <= len(motion) - 1


def test_refusals_give_their_reason() -> None:
    with pytest.raises(TooFewFramesError, match="needs 11 frames, the motion has 5"):
        WindowGrid.build(np.zeros((5, 3, 3)), UPS[0], window=11)
    with pytest.raises(NotFiniteError, match="NaN or infinite"):
        WindowGrid.build(np.full((15, 3, 3), np.nan), UPS[0], window=11)
