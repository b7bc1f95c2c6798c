"""Ranking of all frames by how much they tell."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import slow_timeline
from annotated_clips import annotated_clips
from made_motion import noisy_curves, smooth_curves

from core.analysis.pose_rank import key_poses, principal_curve, rank_key_poses
from core.body import find_body
from core.errors import NotFiniteError, TooFewFramesError
from core.sample_motion import sample_events, sample_motion


@pytest.mark.parametrize("frames", [1, 2, 3, 4, 60])
@pytest.mark.parametrize("weighted", [False, True])
def test_agrees_with_the_plain_loop(frames: int, weighted: bool) -> None:
    curve = noisy_curves(frames, 3, 1)
    weights = np.random.default_rng(0).uniform(0.0, 0.5, frames) * weighted
    found = rank_key_poses(curve, weights=weights, kept_variance=1.0)
    if frames > 1:
        assert found.order.tolist() == slow_timeline.ranked(curve, weights)
    assert sorted(found.order) == list(range(frames))


@pytest.mark.parametrize("count", [1, 2, 7, 500])
def test_the_best_frames_alone_are_those_of_the_whole_ranking(count: int) -> None:
    curve = noisy_curves(60, 3, 1)
    best = rank_key_poses(curve, count=count)
    assert best.order.tolist() == rank_key_poses(curve).order[:count].tolist()
    assert best.frames(count).tolist() == rank_key_poses(curve).frames(count).tolist()


def test_more_icons_keep_those_that_were_there() -> None:
    found = rank_key_poses(noisy_curves(80, 6, 2))
    chosen = [set(found.frames(count).tolist()) for count in range(81)]
    assert all(fewer < more for fewer, more in pairwise(chosen))
    assert len(found.frames(500)) == 80


def test_corners_of_a_zigzag_come_first() -> None:
    corners = [0, 12, 30, 41, 60]
    zigzag = np.interp(np.arange(61), corners, [0.0, 3.0, -2.0, 2.0, 0.0])[:, None]
    assert rank_key_poses(zigzag).frames(5).tolist() == corners


def test_a_pause_gives_evenly_spread_frames() -> None:
    assert rank_key_poses(np.zeros((65, 4))).frames(5).tolist() == [0, 16, 32, 48, 64]


def test_weighted_frames_come_before_all_others() -> None:
    weights = np.zeros(90)
    wanted = [7, 33, 34, 71]
    weights[wanted] = 1.0
    found = rank_key_poses(smooth_curves(90, 5, 3), weights=weights)
    assert found.frames(4).tolist() == wanted
    # What is added later is not what lies next to a weighted frame.
    assert not {6, 8, 32, 35, 70, 72} & set(found.frames(10).tolist())


def test_part_of_a_strip_takes_its_own_best() -> None:
    found = rank_key_poses(noisy_curves(80, 6, 2))
    part = found.frames(7, first=20, last=50)
    assert len(part) == 7
    assert part.min() >= 20
    assert part.max() <= 50
    ranks = np.argsort(found.order)
    assert ranks[part].max() == np.sort(ranks[20:51])[6]


def test_few_dimensions_hold_the_asked_share() -> None:
    points = smooth_curves(200, 40, 5, waves=3)
    total = points.var(axis=0).sum()
    for share in (0.5, 0.9, 1.0):
        curve = principal_curve(points, share)
        assert curve.var(axis=0).sum() >= share * total * (1 - 1e-9)
        assert share == 1.0 or principal_curve(points, share)[:, :-1].var(axis=0).sum() < share * total


def test_place_and_heading_do_not_matter() -> None:
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    places = motion.poses.positions
    turn = np.array([[np.cos(2.0), -np.sin(2.0), 0.0], [np.sin(2.0), np.cos(2.0), 0.0], [0.0, 0.0, 1.0]])
    moved = places @ turn.T + [5.0, -3.0, 0.0]
    one, other = key_poses(motion, body), key_poses(motion, body, positions=moved)
    assert (one.frames(20) == other.frames(20)).all()


def test_punches_are_among_the_key_poses() -> None:
    motion = sample_motion(30.0)
    found = key_poses(motion, find_body(motion.skeleton, motion=motion)).frames(40) / 30.0
    for _, time in sample_events().punches:
        assert np.abs(found - time).min() < 0.1


@pytest.mark.clips
def test_punches_of_a_clip_are_among_the_key_poses(clips_folder: Path) -> None:
    clip = next(clip for clip in annotated_clips(clips_folder) if "punches_weak" in clip.name)
    wanted = np.array(clip.notes["punches"]["rows_of_full_extension"]) - clip.lead
    found = key_poses(clip.motion, clip.body).frames(40)
    gaps = np.abs(found[:, None] - wanted).min(axis=0) / clip.motion.rate
    assert (gaps < 0.1).mean() >= 0.8
    # As many frames at even distances meet fewer of them.
    even = np.linspace(0, len(clip.motion) - 1, 40)
    assert gaps.mean() < 0.6 * np.abs(even[:, None] - wanted).min(axis=0).mean() / clip.motion.rate


def test_input_is_left_alone() -> None:
    curve, weights = noisy_curves(30, 3, 1), np.linspace(0.0, 1.0, 30)
    kept = curve.copy(), weights.copy()
    rank_key_poses(curve, weights=weights)
    assert (curve == kept[0]).all()
    assert (weights == kept[1]).all()


def test_refusals_give_their_reason() -> None:
    with pytest.raises(TooFewFramesError, match="at least 1 frame"):
        rank_key_poses(np.zeros((0, 3)))
    with pytest.raises(NotFiniteError, match="NaN or infinite"):
        rank_key_poses(np.full((4, 3), np.inf))
    with pytest.raises(ValueError, match=r"shape \(4,\), not \(3,\)"):
        rank_key_poses(np.zeros((4, 3)), weights=[1.0, 0.0, 0.0])
