"""What a spacetime edit may change: splines of limited frequency, and how points follow from them."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain, random_skeleton
from made_spacetime import FRAMES, JOINTS, basis, energy_above, made
from scipy.interpolate import BSpline

from core.solve.spacetime import (
    AbovePlane,
    ControlSpacingError,
    Distance,
    JointLimit,
    JointRange,
    NoSkid,
    Orientation,
    Position,
    SamePlace,
    SplineBasis,
)
from core.solve.spacetime.degrees import Degrees
from core.solve.spacetime.posed_character import Posed
from core.solve.spacetime.situation import Situation

# Basis


@pytest.mark.parametrize("spacing", [4, 9.5, np.array([0, 5, 9, 40, 60, 89])], ids=["even", "fraction", "uneven"])
def test_the_basis_is_the_oracles(spacing):
    ours = basis(spacing)
    knots = spacing if np.ndim(spacing) else np.linspace(0, FRAMES - 1, ours.controls - 2)
    padded = np.concatenate([[knots[0]] * 3, knots, [knots[-1]] * 3]).astype(float)
    oracle = BSpline.design_matrix(np.arange(FRAMES, dtype=float), padded, 3).toarray()
    np.testing.assert_allclose(ours.matrix(), oracle, atol=1e-12)


@pytest.mark.parametrize("window", [{}, {"start": 20, "end": 60}], ids=["all", "window"])
def test_products_of_controls_are_those_of_the_basis(window):
    spline = basis(4, **window)
    np.testing.assert_allclose(spline.gram(), spline.matrix().T @ spline.matrix(), atol=1e-13)


def test_a_window_is_at_rest_at_its_ends():
    matrix = basis(5, start=20, end=60).matrix()
    assert not matrix[:21].any()
    assert not matrix[60:].any()
    assert matrix[40].sum() == pytest.approx(1.0)


def test_a_window_that_is_too_short_says_so():
    with pytest.raises(ControlSpacingError, match="5 frames are too few"):
        basis(10, start=20, end=24)


# The frequency limit


@pytest.mark.parametrize("spacing", [3, 7.5, 20])
@pytest.mark.parametrize("seed", range(3))
def test_no_controls_are_quicker_than_the_spacing(spacing, seed):
    """Whatever the constraints ask for: controls at random, and the ones that swing to and fro as quickly as can be."""
    spline = SplineBasis.build(1200, spacing=spacing, start=100, end=1100)
    matrix = spline.matrix()
    number = np.arange(matrix.shape[1])
    quickest = np.cos(np.pi * number * (0.5 + 0.25 * seed)) * np.hanning(len(number))
    for controls in (np.random.default_rng(seed).normal(size=len(number)), quickest):
        assert energy_above((matrix @ controls)[:, None], spacing) < 0.01


# Slopes


@pytest.mark.parametrize(
    "kind",
    [
        Position(frames=[3, 7], joint=5, target=(1.0, 2.0, 3.0), offset=(0.1, 0.2, 0.3)),
        Orientation(frames=[3, 7], joint=4, target=(0.9, 0.1, 0.2, 0.3)),
        AbovePlane(frames=[3, 7], joint=5, height=0.3, normal=(0.6, 0.0, 0.8)),
        AbovePlane(frames=[3, 7], joint=5, height=(0.3, 0.9), normal=((0.6, 0.0, 0.8), (0.0, 1.0, 0.0))),
        NoSkid(frames=[3, 4, 7], joint=5, offset=(0.1, 0.0, 0.0)),
        Distance(frames=[3, 7], joint=5, other_joint=2, distance=1.0),
        SamePlace(frames=[3, 7], joint=5, other_joint=2, other_offset=(0.1, 0.0, 0.2), apart=(0.1, 0.2, 0.3)),
        JointLimit(frames=[3, 7], joint=3, largest=0.5),
        JointRange(frames=[3, 7], joint=3, axis=(0.6, 0.8, 0.0), smallest=-0.1, largest=0.5),
    ],
    ids=lambda kind: type(kind).__name__,
)
@pytest.mark.parametrize("axes", ["chain", "random", "loose"])
def test_slopes_are_those_of_small_changes(kind, axes):
    skeletons = {
        "chain": chain(JOINTS),
        "random": random_skeleton(JOINTS, 4),
        # Joints 2 and 4 do not turn with their parents.
        "loose": chain(JOINTS, inherits_rotation=[True, True, False, True, False, True]),
    }
    motion = Motion.build(skeletons[axes], made().rotations, rate=30.0, locations=made().locations)
    degrees = Degrees.of_chains(motion.skeleton, [joint for _, joint in kind.ends()])
    frames = np.array([3, 4, 7])
    change = 0.4 * np.random.default_rng(1).normal(size=(3, len(degrees)))

    def rows(change: np.ndarray):
        chosen = Motion.build(motion.skeleton, motion.rotations[frames], rate=30.0, locations=motion.locations[frames])
        looks = dict.fromkeys(kind.ends(), kind.at)
        return kind.rows(Situation(frames, [Posed(degrees, chosen, change)], [degrees], looks))

    now = rows(change)
    for frame in range(3):
        for degree in range(len(degrees)):
            nudged = change.copy()
            nudged[frame, degree] += 1e-6
            measured = (rows(nudged).values - now.values) / 1e-6
            told = now.summed(np.where((now.part_frames == frame)[:, None], now.slopes, 0.0)[:, degree])
            np.testing.assert_allclose(told, measured, atol=2e-5)
