"""Filters act on the shapes of a face; switches, other custom properties and what is out of scope stay bit for bit."""

from dataclasses import replace

import numpy as np
import pytest

from core.analysis import PoseCandidates
from core.filters import equalized, filtered, keep_extremes
from core.motion import Motion, Skeleton, shape_name, smooth
from core.numerics import butterworth, quaternion

RATE, FRAMES = 60.0, 240
TIMES = np.arange(FRAMES) / RATE
NAMES = ('Key: key_blocks["smile"].value', 'Key: key_blocks["blink.L"].value', 'pose.bones["hand"]["fist"]', "IK")


def talking(*, noise=0.05):
    skeleton = Skeleton.build(["", "head"], [-1, 0], np.zeros((2, 3)), has_placement=True)
    random = np.random.default_rng(4)
    smile = 0.5 + 0.4 * np.sin(2.0 * np.pi * TIMES) + noise * random.standard_normal(FRAMES)
    blink = np.exp(-0.5 * ((TIMES - 2.0) / 0.04) ** 2)
    fist = random.random(FRAMES)
    scalars = np.stack([smile, blink, fist, (TIMES > 1.0).astype(float)], axis=1)
    still = np.broadcast_to(quaternion.IDENTITY, (FRAMES, 2, 4))
    return Motion.build(skeleton, still, rate=RATE, scalars=scalars, scalar_names=NAMES, stepped=frozenset({"IK"}))


FILTERS = {
    "low pass": lambda motion, **chosen: filtered(motion, keep_below=butterworth(4.0), **chosen),
    "high pass": lambda motion, **chosen: filtered(motion, keep_above=butterworth(0.3), **chosen),
    "smooth": lambda motion, **chosen: smooth(motion, radius=0.1, **chosen),
    "equalizer": lambda motion, **chosen: equalized(motion, (0.0, 1.5), cutoffs=(4.0,), **chosen),
}


@pytest.mark.parametrize("name", FILTERS)
def test_shapes_change_within_their_limits_and_nothing_else_does(name):
    motion = talking()
    after = FILTERS[name](motion).scalars
    assert (after[:, :2] != motion.scalars[:, :2]).any(axis=0).all()
    np.testing.assert_array_equal(after[:, 2:], motion.scalars[:, 2:])
    assert after[:, :2].min() >= min(0.0, motion.scalars[:, :2].min())
    assert after[:, :2].max() <= max(1.0, motion.scalars[:, :2].max())


@pytest.mark.parametrize("name", FILTERS)
def test_a_shape_is_filtered_as_a_location_is(name):
    motion = talking()
    locations = np.zeros((FRAMES, 2, 3))
    locations[:, 1, 0] = 0.5 + 0.2 * (motion.scalars[:, 0] - 0.5)  # far from the limits of a shape
    motion = replace(
        motion, locations=locations, scalars=np.where(np.arange(4) == 0, locations[:, 1, :1], motion.scalars)
    )
    after = FILTERS[name](motion)
    np.testing.assert_allclose(after.scalars[:, 0], after.locations[:, 1, 0], atol=1e-12)


@pytest.mark.parametrize("name", FILTERS)
def test_without_the_object_shapes_stay(name):
    motion = talking()
    np.testing.assert_array_equal(FILTERS[name](motion, joints=[False, True]).scalars, motion.scalars)


def test_noise_goes_and_the_smile_stays():
    clean, noisy = talking(noise=0.0), talking()
    after = FILTERS["low pass"](noisy).scalars[:, 0]
    before = noisy.scalars[:, 0] - clean.scalars[:, 0]
    assert np.sqrt(np.mean((after - clean.scalars[:, 0]) ** 2)) < 0.5 * np.sqrt(np.mean(before**2))


def test_kept_peaks_leave_a_blink_closed_and_when_it_was():
    motion = talking(noise=0.01)
    weak = filtered(motion, keep_below=butterworth(3.0))
    none = PoseCandidates(*(np.empty(0),) * 3, np.empty((0, 2)), np.empty(0), np.empty(FRAMES))
    kept = keep_extremes(motion, weak, none, fade=0.15)
    closed = int(np.argmax(motion.scalars[:, 1]))
    assert weak.scalars[closed, 1] < 0.8
    assert kept.scalars[closed, 1] == motion.scalars[closed, 1]
    assert np.argmax(kept.scalars[:, 1]) == closed
    np.testing.assert_array_equal(kept.scalars[:, 2:], motion.scalars[:, 2:])


def test_names_of_shapes():
    assert shape_name('Key.001: key_blocks["mouth \\"o\\""].value') == 'mouth "o"'
    assert shape_name('pose.bones["face"]["key_blocks"]') is None
