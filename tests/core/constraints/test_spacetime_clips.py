"""Spacetime edits of captured clips: constraints hold, or it is said which do not."""

from __future__ import annotations

import numpy as np
import pytest

from core.body import Body, LimbKind, find_body
from core.files.bvh import read_bvh
from core.motion.motion import Motion
from core.solve.spacetime import NoSkid, Position, Spacetime, SplineBasis, keep

CLIPS = [
    "cmu_07_01_walk",
    "cmu_49_06_cartwheel",
    "fair1_jumping_zup",
    "freemocap_gestures_long",
    "quad_horse_rear",
    "cmu_09_01_run",
    "cmu_13_18_boxing_aggressive",
    "cmu_75_19_sit_stand",
    "m2m_human_fixing_kneeling_fingers",
    "rokoko_jesse_dance_fingers",
]
MOST_FRAMES = 200


def clip_of(clips_folder, name: str) -> tuple[Motion, Body]:
    motion = read_bvh(clips_folder / "dev" / f"{name}.bvh").to_motion()
    motion = motion.part(1, min(len(motion), MOST_FRAMES))
    return motion, find_body(motion.skeleton, motion=motion)


def feet_of(body: Body) -> list[int]:
    return [limb.end for limb in body.limbs if limb.kind.is_leg and limb.end is not None]


def kept_feet(motion: Motion, body: Body, spacing: int) -> list[Position]:
    frames = np.arange(0, len(motion), spacing)
    return [keep(motion, foot, frames, name=f"foot {foot}") for foot in feet_of(body)]


@pytest.mark.parametrize("name", CLIPS)
def test_constraints_hold_or_are_reported(clips_folder, name):
    motion, body = clip_of(clips_folder, name)
    spacing, middle = max(4, round(0.15 * motion.rate)), len(motion) // 2
    reaching = next((arm.end for arm in body.limbs if arm.kind is LimbKind.ARM and arm.end), feet_of(body)[0])
    target = motion.poses.positions[middle, reaching] + np.array([0.06, 0.03, 0.05]) * body.height
    kinds = [
        *kept_feet(motion, body, spacing),
        Position(frames=[middle], joint=reaching, target=target, name="reach"),
    ]
    result = Spacetime([motion], kinds, basis=SplineBasis.build(len(motion), spacing=spacing)).solve()
    reported = {violation.constraint: violation.amount for violation in result.violations}
    places = result.motions[0].poses.positions
    for number, kind in enumerate(kinds):
        missed = np.abs(places[kind.at, kind.joint] - kind.target).max()
        assert missed < max(1e-4 * body.height, 1.001 * reported.get(number, 0.0)), kind.name
    assert np.abs(places[middle, reaching] - motion.poses.positions[middle, reaching]).max() > 0.03 * body.height


@pytest.mark.parametrize("name", CLIPS[:3])
def test_nothing_moved_changes_no_bit(clips_folder, name):
    motion, body = clip_of(clips_folder, name)
    basis = SplineBasis.build(len(motion), spacing=10)
    result = Spacetime([motion], kept_feet(motion, body, 7), basis=basis).solve()
    for channel in ("rotations", "locations", "scales"):
        np.testing.assert_array_equal(getattr(result.motions[0], channel), getattr(motion, channel))
    assert not result.violations


def test_a_sliding_foot_stands_still(clips_folder):
    """The feet of a walk whose root is moved sideways little by little slide; held during contacts they do not."""
    motion, body = clip_of(clips_folder, "cmu_07_01_walk")
    foot = feet_of(body)[0]
    speed = np.linalg.norm(np.diff(motion.poses.positions[:, foot], axis=0), axis=1)
    still = np.flatnonzero(speed < np.quantile(speed, 0.3))
    run = max(np.split(still, np.flatnonzero(np.diff(still) > 1) + 1), key=len)
    locations = motion.locations.copy()
    locations[:, body.root] += np.linspace(0.0, 0.3 * body.height, len(motion))[:, None]
    slid = motion.with_locations(locations)
    run = run[: 8 * ((len(run) - 1) // 8) + 1]
    held = NoSkid(frames=run[::8], joint=foot)
    edited = Spacetime([slid], [held], basis=SplineBasis.build(len(motion), spacing=12)).solve().motions[0]
    before, after = (np.ptp(each.poses.positions[run, foot], axis=0).max() for each in (slid, edited))
    assert np.ptp(edited.poses.positions[run[::8], foot], axis=0).max() < 1e-4 * body.height
    assert after < 0.05 * before
