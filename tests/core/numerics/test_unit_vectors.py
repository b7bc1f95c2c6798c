"""Vectors of length 1."""

from __future__ import annotations

import numpy as np

from core.numerics import unit


def test_directions_stay_and_lengths_are_one():
    vectors = np.random.default_rng(2).normal(size=(5, 4, 3))
    found = unit(vectors)
    np.testing.assert_allclose(np.linalg.norm(found, axis=-1), 1.0, rtol=1e-15)
    np.testing.assert_allclose(np.cross(found, vectors), 0.0, atol=1e-15)
    assert ((found * vectors).sum(axis=-1) > 0.0).all()


def test_what_is_too_short_has_no_direction():
    vectors = np.array([[0.0, 0.0, 0.0], [1e-6, 0.0, 0.0], [2.0, 0.0, 0.0]])
    assert unit(vectors).tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    assert unit(vectors, shortest=1e-3).tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
