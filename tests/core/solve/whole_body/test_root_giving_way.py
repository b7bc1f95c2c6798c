"""The root's path: reach, straight legs, and a general minimizer that finds no better one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from core.solve.smooth_path import Fading
from core.solve.whole_body.reach import Reach
from core.solve.whole_body.root import LimbPull, root_path

UP = np.array([0.0, 0.0, 1.0])
HEIGHT, THIGH, SHIN = 1.8, 0.45, 0.45


def leg(hips: np.ndarray, places: np.ndarray, before: np.ndarray, *, knee: float = 0.2, active=None) -> LimbPull:
    """A leg whose hip goes along a path (F, 3) while its foot is held at places (F, 3), as long as before (F,)."""
    frames = len(hips)
    full = np.full(frames, THIGH + SHIN)
    bones = np.full(frames, THIGH), np.full(frames, SHIN)
    reach = Reach(0.99 * full, np.clip(before, 0.99 * full, full), full, before, bones)
    way = before[:, None] * UP
    weight = np.full(frames, knee)
    return LimbPull(np.ones(frames, bool) if active is None else active, hips, places, way, reach, weight, HEIGHT)


def legs_of(frames: int, rise: float, before: float) -> list[LimbPull]:
    """Two legs, a step apart, whose hips an edit has raised for a while."""
    bump = rise * np.sin(np.linspace(0.0, np.pi, frames))[:, None] * UP
    lengths = np.full(frames, before)
    hips = np.sqrt(before**2 - 0.01) * UP + bump
    return [leg(hips, np.tile([aside, 0.0, 0.0], (frames, 1)), lengths) for aside in (-0.1, 0.1)]


def lengths(limbs: list[LimbPull], path: np.ndarray) -> np.ndarray:
    return np.array([np.linalg.norm(limb.upper + path - limb.place, axis=1) for limb in limbs])


@pytest.mark.parametrize("rise", [-0.1, -0.01, 0.01, 0.1, 0.3])
def test_legs_that_stood_straight_stand_straight(rise):
    limbs, fade = legs_of(40, rise, 0.9), Fading(np.arange(40) / 30.0, 0.2)
    path = root_path(limbs, fade, height=HEIGHT, up=UP)
    np.testing.assert_allclose(lengths(limbs, path), 0.9, atol=2e-4)
    assert np.abs(path[:, :2]).max() < 1e-3


@pytest.mark.parametrize("rise", [0.05, 0.3, 1.0])
def test_bent_legs_reach_whatever_happens(rise):
    limbs, fade = legs_of(40, rise, 0.8), Fading(np.arange(40) / 30.0, 0.2)
    path = root_path(limbs, fade, height=HEIGHT, up=UP)
    assert lengths(limbs, path).max() < 0.99 * 0.9 * (1.0 + 1e-5)


def test_one_leg_that_is_too_short_does_not_draw_the_root_aside():
    """Both legs are out of reach, one more than the other: the root goes down and not aside until both just reach."""
    frames = 30
    hips = np.tile(0.99 * 0.9 * UP, (frames, 1))
    limbs = [
        leg(hips, np.tile([aside, 0.0, -down], (frames, 1)), np.full(frames, 0.85), knee=0.0)
        for aside, down in ((-0.05, 0.03), (0.05, 0.01))
    ]
    path = root_path(limbs, Fading(np.arange(frames) / 30.0, 0.2), height=HEIGHT, up=UP)
    assert np.abs(path[:, 0]).max() < 0.02
    assert path[:, 2].min() == pytest.approx(-0.03, abs=5e-3)


def test_beyond_its_fade_the_path_is_nothing():
    frames, times = 120, np.arange(120) / 30.0
    active = (times > 1.9) & (times < 2.1)
    hips = np.tile(1.0 * UP, (frames, 1))
    limb = leg(hips, np.zeros((frames, 3)), np.full(frames, 0.85), active=active)
    path = root_path([limb], Fading(times, 0.2), height=HEIGHT, up=UP)
    moved = path.any(axis=1)
    assert path[active, 2].max() < -0.1
    assert times[moved].min() > 1.9 - 0.6
    assert times[moved].max() < 2.1 + 0.6


def test_a_lift_is_a_least_way_up():
    frames = 40
    lift = np.where(np.arange(frames) == 20, 0.15, -np.inf)
    path = root_path([], Fading(np.arange(frames) / 30.0, 0.2), height=HEIGHT, up=UP, lift=lift)
    assert path[20, 2] == pytest.approx(0.15, rel=1e-3)
    assert np.abs(np.diff(path[:, 2])).max() < 0.05


@pytest.mark.parametrize(("rise", "before"), [(-0.06, 0.88), (0.05, 0.87), (0.08, 0.8)])
def test_a_general_minimizer_finds_no_better_path(rise, before):
    frames = 10
    limbs, fade = legs_of(frames, rise, before), Fading(np.arange(frames) / 30.0, 0.1)
    same = 1e-3

    def cost(flat: np.ndarray) -> float:
        """What a path costs, written down once more: calm, ways to the side, bends, and reach as a steep wall."""
        path = flat.reshape(frames, 3)
        slopes, bends, reach = np.diff(path, axis=0), np.diff(path, 2, axis=0), 0.6 * 0.1 * 30.0
        total = (path**2).sum() + 2 * reach**2 * (slopes**2).sum() + reach**4 * (bends**2).sum()
        total += 3.0 * (path[:, :2] ** 2).sum()
        for limb in limbs:
            length = np.linalg.norm(limb.upper + path - limb.place, axis=1)
            angle, own = (
                np.arccos(np.clip((np.minimum(each, 0.9) ** 2 - THIGH**2 - SHIN**2) / (2 * THIGH * SHIN), -1, 1))
                for each in (before - np.abs(length - before), np.full(frames, before))
            )
            total += 0.2 * HEIGHT**2 * ((angle - own) ** 2).sum()
            total += 1e5 * (np.maximum(length - limb.reach.soft, 0.0) ** 2).sum()
        return float(total)

    found = root_path(limbs, fade, height=HEIGHT, up=UP)
    best = min(
        minimize(cost, start.reshape(-1), method="L-BFGS-B", options={"maxiter": 4000, "maxfun": 200000}).fun
        for start in (np.zeros((frames, 3)), found)
    )
    assert cost(found.reshape(-1)) < 1.05 * best + same
