"""Foot lock moves calmly: feet come to rest, roots do not shake or dive, knees do not bend backwards."""

from __future__ import annotations

import numpy as np
import pytest
from contact_edits import BODY, CONTACTS, HEIGHT, INDEX, UP, WALK
from sliding_feet import SLIDING, slides

from core.analysis.contacts import ContactSpans
from core.motion.motion import Motion
from core.numerics import quaternion
from core.solve.contact_lock import lock_feet
from core.solve.contact_lock.stances import Stillness, standing_poses
from core.solve.contact_lock.windows import contact_frames, faded
from core.solve.whole_body.held_limb import held_limbs
from core.solve.whole_body.root import moved

TIMES = np.arange(61) / 30.0
ACTIVE = (TIMES > 0.99) & (TIMES < 1.3)
FEET = CONTACTS.with_spans("hand.L", ())


def shaken(motion: Motion, amount: float, seed: int = 2) -> Motion:
    """The whole character thrown up and down from frame to frame."""
    noise = np.random.default_rng(seed).normal(scale=amount, size=len(motion))
    return moved(motion, BODY.root, noise[:, None] * UP)


def accelerations(motion: Motion) -> np.ndarray:
    """(F - 2,) up and down, of the root."""
    return np.diff(motion.poses.positions[:, BODY.root] @ UP, 2)


def knee_speeds(motion: Motion) -> np.ndarray:
    """(F - 1, 2) degrees a second."""
    knees = [INDEX["shin.L"], INDEX["shin.R"]]
    steps = quaternion.angle_between(motion.rotations[1:, knees], motion.rotations[:-1, knees])
    return np.degrees(steps) * motion.rate


def test_a_correction_goes_on_at_its_pace_and_comes_to_rest():
    times = np.arange(6001) / 3000.0
    active = (times >= 1.0) & (times <= 1.3)
    corrections = (0.2 + 0.3 * (times - 1.0))[:, None] * np.ones(3)
    speeds = np.diff(faded(corrections, active, times, 0.5)[:, 0]) * 3000.0
    edges = np.flatnonzero(np.diff(active))
    for edge in edges:
        np.testing.assert_allclose(speeds[edge - 2 : edge + 3], 0.3, atol=0.02)
    assert np.abs(np.diff(speeds)).max() < 0.02, "nowhere is there a sudden change of speed"
    assert not speeds[times[1:] < 0.49].any()


def test_a_pace_is_limited_and_left_out_where_it_shall_be():
    corrections = np.where(np.arange(61) % 2, 0.1, -0.1)[:, None] * np.ones(3)
    carried = faded(corrections, ACTIVE, TIMES, 0.5)
    assert np.abs(carried).max() < 0.15
    level = faded(corrections, ACTIVE, TIMES, 0.5, level=True)
    assert np.abs(level).max() == pytest.approx(0.1)


def test_nothing_is_carried_of_nothing():
    assert not faded(np.zeros((61, 3)), ACTIVE, TIMES, 0.5).any()


def test_a_figure_that_shakes_as_a_whole_calms_down():
    motion = shaken(WALK, 0.002 * HEIGHT)
    locked, report = lock_feet(motion, BODY, FEET)
    assert report.slide_after < 1e-9
    inside = np.all([contact_frames(FEET, f"foot.{side}", WALK.times)[1:-1] for side in "LR"], axis=0)
    assert inside.sum() > 20
    before, after = (np.sum(accelerations(each)[inside] ** 2) for each in (motion, locked))
    assert after < 0.3 * before
    alone, _ = lock_feet(motion, BODY, FEET, giving=0.0)
    np.testing.assert_array_equal(alone.locations, motion.locations)
    assert knee_speeds(locked)[1:][inside].mean() < 0.6 * knee_speeds(alone)[1:][inside].mean()


def test_the_root_goes_along_with_slow_drift_so_that_legs_need_not_bend():
    motion = SLIDING["up"]
    locked, alone = (lock_feet(motion, BODY, FEET, giving=giving)[0] for giving in (0.1, 0.0))
    assert np.abs(locked.poses.positions - motion.poses.positions)[:, INDEX["foot.L"]].max() > 0.015 * HEIGHT
    stands = contact_frames(FEET, "foot.L", motion.times)
    more = [np.abs(_bends(each) - _bends(motion))[stands].mean() for each in (locked, alone)]
    assert more[0] < np.radians(4.0)
    assert more[0] < 0.5 * more[1]


def _bends(motion: Motion) -> np.ndarray:
    hip, knee, ankle = (motion.poses.positions[:, INDEX[f"{joint}.L"]] for joint in ("thigh", "shin", "foot"))
    upper, lower = (bone / np.linalg.norm(bone, axis=1, keepdims=True) for bone in (knee - hip, ankle - knee))
    return np.arccos(np.clip((upper * lower).sum(axis=1), -1.0, 1.0))


def _deepest(motion: Motion, limb, place: np.ndarray, frames: np.ndarray) -> float:
    """What the body has to go down so that a leg reaches a place: tried out, a tenth of a millimetre at a time."""
    places = motion.poses.positions[frames]
    hip, knee, ankle = (places[:, joint] for joint in (limb.joints.upper, limb.joints.lower, limb.end))
    full = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    soft = np.maximum(0.99 * full, np.linalg.norm(ankle - hip, axis=1))
    far = np.linalg.norm(place - hip, axis=1)
    goal = soft - np.clip(far - soft, 0.0, soft - 0.99 * full)
    needed = 0.0
    for frame in np.flatnonzero(far > soft):
        drop = 0.0
        while np.linalg.norm(place - hip[frame] + drop * UP) > goal[frame]:
            drop += 1e-4
        needed = max(needed, drop)
    return needed


def test_a_place_out_of_reach_gives_way_until_foot_and_root_share_the_work():
    motion, name = SLIDING["lunging"], "foot.L"
    stands = ContactSpans({name: FEET.of(name)})
    active = {INDEX[name]: contact_frames(stands, name, motion.times)}
    (limb,) = held_limbs(BODY, active, motion)
    options = {"still": Stillness(0.0, 0.0), "softness": 0.01}
    plain, near = (standing_poses(motion.poses, [limb], active, up=up, **options) for up in (None, UP))
    gave_way = 0
    for start, end in stands.of(name):
        frames = np.flatnonzero((motion.times > start - 1e-9) & (motion.times < end + 1e-9))
        places = [poses.positions[frames[0], limb.end] for poses in (plain, near)]
        shift = places[1] - places[0]
        assert abs(shift @ UP) < 1e-12, "only on the ground"
        whole = _deepest(motion, limb, places[0], frames)
        if not shift.any():
            continue
        gave_way += 1
        found = _deepest(motion, limb, places[1], frames) ** 2 + shift @ shift
        for share in (-0.3, 0.3):
            other = places[0] + (1.0 + share) * shift
            assert found < _deepest(motion, limb, other, frames) ** 2 + np.sum((other - places[0]) ** 2) + 1e-5
        assert _deepest(motion, limb, places[1], frames) < whole
    assert gave_way


def test_feet_in_the_air_do_not_go_down_with_the_root():
    """The right foot is locked somewhere too, but not while the left one draws the root down."""
    motion = SLIDING["lunging"]
    stands = ContactSpans({"foot.L": FEET.of("foot.L"), "foot.R": ((0.0, 0.2),)})
    locked, report = lock_feet(motion, BODY, stands)
    assert report.root_lowered > 0.005 * HEIGHT
    down = (motion.poses.positions - locked.poses.positions)[:, BODY.root] @ UP > 0.5 * report.root_lowered
    assert down.sum() > 3
    feet = (each.poses.positions[down, INDEX["foot.R"]] for each in (locked, motion))
    np.testing.assert_allclose(*feet, atol=2e-3 * HEIGHT)


def test_a_knee_that_capture_bends_backwards_bends_forwards_while_its_foot_is_locked():
    """The leg is a little overstretched for a while; its foot slides, and the leg has to bend."""
    rotations = np.array(SLIDING["aside"].rotations)
    knee, (start, end) = INDEX["shin.L"], FEET.of("foot.L")[0]
    still = (WALK.times >= start) & (WALK.times <= end)
    axis = quaternion.log(rotations[:, knee])
    usual = axis.sum(axis=0) / np.linalg.norm(axis.sum(axis=0))
    middle = np.flatnonzero(still)[still.sum() // 3 : 2 * still.sum() // 3]
    rotations[middle, knee] = quaternion.exp(np.tile(-0.04 * usual, (len(middle), 1)))
    motion = SLIDING["aside"].with_rotations(rotations)
    stands = ContactSpans({"foot.L": ((start, end),)})
    locked, report = lock_feet(motion, BODY, stands)
    assert max(slides(locked, stands)) < 1e-5 * HEIGHT
    assert report.missed == ()
    bends = quaternion.log(locked.rotations[:, knee]) @ usual
    assert (quaternion.log(motion.rotations[middle, knee]) @ usual).max() < 0.0
    assert bends[middle].min() > 0.0
