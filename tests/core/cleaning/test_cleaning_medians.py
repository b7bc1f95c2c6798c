"""Medians and trimmed means of rotations and vectors around each frame."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import Motion, chain, noisy_curves
from scipy.signal import medfilt

from core.cleaning import median_filtered, trimmed_mean
from core.numerics import quaternion

FRAMES, JOINTS, RATE = 60, 3, 30.0
AXIS = np.array([0.0, 0.6, 0.8])
FILTERS = {
    "median 1": lambda motion, **options: median_filtered(motion, radius=1, **options),
    "median 3": lambda motion, **options: median_filtered(motion, radius=3, **options),
    "trimmed mean": lambda motion, **options: trimmed_mean(motion, radius=2, dropped=2, **options),
}


def made(seed: int = 0, frames: int = FRAMES) -> Motion:
    """Noisy rotations and locations with outliers."""
    random = np.random.default_rng(seed)
    vectors = noisy_curves(frames, 3 * JOINTS, seed).reshape(frames, JOINTS, 3)
    vectors[random.random((frames, JOINTS)) < 0.05] += random.normal(size=3)
    locations = noisy_curves(frames, 3 * JOINTS, seed + 5).reshape(frames, JOINTS, 3)
    return Motion.build(chain(JOINTS), quaternion.exp(vectors), rate=RATE, locations=locations)


def along_a_line(numbers: np.ndarray) -> Motion:
    """One joint that turns about one axis and moves along one line by the same numbers."""
    return Motion.build(
        chain(1),
        quaternion.exp(numbers[:, None, None] * AXIS),
        rate=RATE,
        locations=numbers[:, None, None] * AXIS,
    )


def numbers_of(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    return quaternion.log(motion.rotations)[:, 0] @ AXIS, motion.locations[:, 0] @ AXIS


def angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(quaternion.angle_between(a, b))


def distance(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a - b))


def slow_window(values: np.ndarray, frame: int, radius: int) -> list[np.ndarray]:
    reach = min(radius, frame, len(values) - 1 - frame)
    return list(values[frame - reach : frame + reach + 1])


def slow_median(window: list[np.ndarray], metric) -> np.ndarray:
    return min(window, key=lambda sample: sum(metric(sample, other) for other in window))


def slow_trimmed(window: list[np.ndarray], metric, dropped: int) -> np.ndarray:
    middle = slow_median(window, metric)
    nearest = sorted(window, key=lambda sample: metric(sample, middle))[: max(len(window) - dropped, 1)]
    if len(middle) == 3:
        return np.mean(nearest, axis=0)
    total = sum(sample * (1.0 if sample @ middle >= 0.0 else -1.0) for sample in nearest)
    return total / np.linalg.norm(total)


@pytest.mark.parametrize("radius", [1, 2, 4])
def test_median_agrees_with_the_plain_loop(radius):
    motion = made()
    result = median_filtered(motion, radius=radius)
    for joint in range(JOINTS):
        for frame in range(FRAMES):
            turn = slow_median(slow_window(motion.rotations[:, joint], frame, radius), angle)
            place = slow_median(slow_window(motion.locations[:, joint], frame, radius), distance)
            assert angle(result.rotations[frame, joint], turn) < 1e-7
            np.testing.assert_array_equal(result.locations[frame, joint], place)


@pytest.mark.parametrize(("radius", "dropped"), [(1, 1), (2, 2), (3, 2), (2, 0), (2, 4)])
def test_trimmed_mean_agrees_with_the_plain_loop(radius, dropped):
    motion = made()
    result = trimmed_mean(motion, radius=radius, dropped=dropped)
    for joint in range(JOINTS):
        for frame in range(FRAMES):
            turn = slow_trimmed(slow_window(motion.rotations[:, joint], frame, radius), angle, dropped)
            place = slow_trimmed(slow_window(motion.locations[:, joint], frame, radius), distance, dropped)
            assert angle(result.rotations[frame, joint], turn) < 1e-7
            np.testing.assert_allclose(result.locations[frame, joint], place, atol=1e-12)


@pytest.mark.parametrize("radius", [1, 3])
def test_along_a_line_it_is_scipys_median(radius):
    numbers = noisy_curves(200, 1, 4, noise=0.3)[:, 0]
    expected = medfilt(numbers, 2 * radius + 1)[radius:-radius]
    for got in numbers_of(median_filtered(along_a_line(numbers), radius=radius)):
        np.testing.assert_allclose(got[radius:-radius], expected, atol=1e-9)


def test_an_edge_stays_sharp_and_a_spike_goes():
    numbers = np.repeat([0.0, 1.0], 20)
    spiked = numbers.copy()
    spiked[[8, 30, 31]] += 0.7
    for got in numbers_of(median_filtered(along_a_line(spiked), radius=2)):
        np.testing.assert_allclose(got, numbers, atol=1e-12)


@pytest.mark.parametrize("each", FILTERS.values(), ids=FILTERS)
class TestEveryFilter:
    def test_commutes_with_turning_the_character(self, each):
        motion, turn = made(), quaternion.normalize([0.3, -0.5, 0.2, 0.7])
        turned = Motion.build(
            motion.skeleton,
            quaternion.multiply(turn, motion.rotations),
            rate=RATE,
            locations=quaternion.rotate(turn, motion.locations),
        )
        one, other = each(turned), each(motion)
        assert quaternion.angle_between(one.rotations, quaternion.multiply(turn, other.rotations)).max() < 1e-6
        np.testing.assert_allclose(one.locations, quaternion.rotate(turn, other.locations), atol=1e-9)

    def test_steady_movement_stays(self, each):
        steady = along_a_line(np.linspace(0.0, 2.0, 40))
        for got, expected in zip(numbers_of(each(steady)), numbers_of(steady), strict=True):
            np.testing.assert_allclose(got, expected, atol=1e-9)

    def test_ends_stay_bit_for_bit(self, each):
        motion, result = made(), each(made())
        for name in ("rotations", "locations"):
            np.testing.assert_array_equal(getattr(result, name)[[0, -1]], getattr(motion, name)[[0, -1]])

    def test_only_chosen_joints_change(self, each):
        motion, joints = made(), np.arange(JOINTS) == 1
        result = each(motion, joints=joints)
        np.testing.assert_array_equal(result.rotations[:, ~joints], motion.rotations[:, ~joints])
        assert (result.rotations[:, joints] != motion.rotations[:, joints]).any()

    @pytest.mark.parametrize("frames", [1, 2, 3, 4, 6])
    def test_short_motions_keep_their_ends(self, each, frames):
        motion = made(frames=FRAMES).part(0, frames)
        result = each(motion)
        np.testing.assert_array_equal(result.rotations[[0, -1]], motion.rotations[[0, -1]])


@pytest.mark.parametrize(
    "act", [lambda m: median_filtered(m, radius=0), lambda m: trimmed_mean(m, radius=0, dropped=0)]
)
def test_nothing_asked_changes_nothing(act):
    motion = made()
    assert act(motion) is motion


def test_impossible_options_are_refused():
    with pytest.raises(ValueError, match="radius"):
        median_filtered(made(), radius=-1)
    with pytest.raises(ValueError, match="at least one"):
        trimmed_mean(made(), radius=1, dropped=3)
