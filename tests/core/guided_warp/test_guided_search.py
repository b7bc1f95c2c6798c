"""The search: scores and shortest paths against plain loops and against trying everything."""

import numpy as np
import pytest
import slow_guided
from made_motion import smooth_curves
from scipy.spatial import cKDTree

from core.guided_warp.free_path import free_path
from core.guided_warp.objective import score_triples
from core.guided_warp.shortest_path import Reach, shortest_path


def made(count, references, seed, dimensions=6):
    return smooth_curves(count, dimensions, seed), smooth_curves(references, dimensions, seed + 50)


def best_of_all(samples, reference, length, steps, pins=None):
    features = slow_guided.reference_features(reference)
    paths = slow_guided.all_paths(len(samples), length, steps, pins or {})
    return min(slow_guided.cost(samples, path, features) for path in paths)


def reach(places, samples, steps):
    return Reach.between(np.array(places), np.array(samples), steps)


@pytest.mark.parametrize("references", [3, 4, 5, 40])
def test_scores_are_the_mean_distance_to_the_nearest_three(references):
    samples, reference = made(30, references, 3)
    features = slow_guided.reference_features(reference)
    fast, slow = score_triples(samples, reference, 4), slow_guided.table(samples, features, 4)
    for (i, j, k), expected in slow.items():
        assert fast[j - i - 1, k - j - 1, j] == pytest.approx(expected, abs=1e-7)
    assert np.isfinite(fast).sum() == len(slow)  # Everything else is closed.


def test_scores_agree_with_a_search_tree_across_blocks():
    samples, reference = made(300, 90, 5, dimensions=12)
    fast = score_triples(samples, reference, 3)
    tree = cKDTree(slow_guided.reference_features(reference))
    for j in range(3, 297, 7):
        gaps = [(b, c) for b in (1, 2, 3) for c in (1, 2, 3)]
        queries = [slow_guided.feature(samples[j - b], samples[j], samples[j + c]) for b, c in gaps]
        expected = tree.query(np.array(queries), k=3)[0].mean(axis=1)
        assert fast[:, :, j].ravel() == pytest.approx(expected, abs=1e-7)


def test_a_motion_far_from_the_origin_scores_as_near_it():
    samples, reference = made(40, 20, 8)
    near, far = score_triples(samples, reference, 3), score_triples(samples + 500.0, reference + 500.0, 3)
    assert far[np.isfinite(far)] == pytest.approx(near[np.isfinite(near)], abs=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_cheaper_than_the_shortest_path(seed):
    random = np.random.default_rng(seed)
    steps, count = int(random.integers(2, 5)), int(random.integers(8, 13))
    length = int(random.integers((count - 2) // steps + 3, count))
    samples, reference = made(count, 7, seed)
    path, cost = shortest_path(score_triples(samples, reference, steps), reach([0, length - 1], [0, count - 1], steps))
    assert cost == pytest.approx(best_of_all(samples, reference, length, steps), abs=1e-7)
    assert slow_guided.cost(samples, path, slow_guided.reference_features(reference)) == pytest.approx(cost, abs=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_that_meets_the_keytimes_is_cheaper(seed):
    samples, reference = made(13, 8, seed)
    pinned = reach([0, 4, 8], [0, 5, 12], 3)
    path, cost = shortest_path(score_triples(samples, reference, 3), pinned)
    assert path[4] == 5
    assert cost == pytest.approx(best_of_all(samples, reference, 9, 3, {4: 5}), abs=1e-7)


def test_agrees_with_the_plain_recurrence():
    samples, reference = made(70, 30, 2)
    scores = slow_guided.table(samples, slow_guided.reference_features(reference), 5)
    path, cost = shortest_path(score_triples(samples, reference, 5), reach([0, 33], [0, 69], 5))
    assert len(path) == 34
    assert cost == pytest.approx(slow_guided.shortest(scores, 70, 34, 5), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_a_free_length_is_the_cheapest_of_all_lengths(seed):
    samples, reference = made(11, 6, seed)
    path, cost = free_path(score_triples(samples, reference, 3), reach([0, 10], [0, 10], 3).part(1))
    everything = [best_of_all(samples, reference, length, 3) for length in range(5, 12)]
    assert cost == pytest.approx(min(everything), abs=1e-7)
    assert slow_guided.cost(samples, path, slow_guided.reference_features(reference)) == pytest.approx(cost, abs=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_a_free_end_after_a_keytime_is_the_cheapest_of_all_ends(seed):
    samples, reference = made(12, 6, seed)
    pinned = reach([0, 3, 9], [0, 5, 11], 3).part(4)
    path, cost = free_path(score_triples(samples, reference, 3), pinned)
    everything = [best_of_all(samples, reference, length, 3, {3: 5}) for length in range(6, 11)]
    assert path[3] == 5
    assert cost == pytest.approx(min(everything), abs=1e-7)
    assert slow_guided.cost(samples, path, slow_guided.reference_features(reference)) == pytest.approx(cost, abs=1e-7)


def test_a_single_way_through_is_taken():
    samples, reference = made(10, 6, 1)
    identity, _ = shortest_path(score_triples(samples, reference, 3), reach([0, 9], [0, 9], 3))
    fastest, _ = shortest_path(score_triples(samples, reference, 3), reach([0, 3], [0, 9], 3))
    assert list(identity) == list(range(10))
    assert list(fastest) == [0, 3, 6, 9]


def test_two_output_samples_cost_nothing():
    samples, reference = made(4, 6, 1)
    path, cost = shortest_path(score_triples(samples, reference, 3), reach([0, 1], [0, 3], 3))
    assert list(path) == [0, 3]
    assert cost == 0.0


@pytest.mark.parametrize("alike", [0.0, 1e-3, 1.0])
def test_scores_of_a_motion_that_guides_itself_are_those_of_plain_differences(alike):
    """Upsampled and guided by itself, where distances are zero or nearly so; also where nothing moves."""
    reference = alike * smooth_curves(40, 12, 4) + 3.0
    samples = np.stack([np.interp(np.arange(157) / 4.0, np.arange(40), curve) for curve in reference.T], axis=1)
    features, fast = slow_guided.reference_features(reference), score_triples(samples, reference, 5)
    triples = [(b, c, j) for b in (1, 4, 5) for c in (2, 4) for j in range(5, 150)]
    for b, c, j in triples:
        expected = slow_guided.score(samples[j - b], samples[j], samples[j + c], features)
        assert fast[b - 1, c - 1, j] == pytest.approx(expected, rel=1e-9, abs=1e-12)
