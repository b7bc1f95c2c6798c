"""Clips whose extremes are annotated in quality/extremes.json, and how well poses meet these."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from annotated_clips import Score
from scipy.ndimage import gaussian_filter1d

from core.analysis import extract_poses
from core.body import Body, find_body
from core.files import read_bvh
from core.motion import Motion, forward_kinematics
from core.numerics import Array

EXTREMES = Path(__file__).resolve().parents[4] / "quality" / "extremes.json"
# Seconds within which a pose is at an event, and a knot at a reversal.
NEAR, AT_ONCE = 0.05, 0.0334
# Body heights that a joint of an extreme pose may be away from the nearest pose of the motion around it.
AWAY = 0.15


@dataclass(frozen=True, eq=False)
class Annotated:
    """A clip without its reference pose, the frames of its events, and of the reversals of single joints."""

    name: str
    motion: Motion
    body: Body
    events: dict[str, Array]
    reversals: dict[str, Array]


def annotated_extremes(folder: Path) -> Iterator[Annotated]:
    """The clips, one after the other."""
    for name, notes in json.loads(EXTREMES.read_text(encoding="utf-8"))["clips"].items():
        read = read_bvh(folder / "corpus" / f"{name}.bvh").to_motion()
        arrays = np.array(read.rotations), np.array(read.locations)
        motion = Motion.build(read.skeleton, arrays[0], rate=notes["rate"], locations=arrays[1]).part(1, len(read))
        frames = [{key: np.array(rows) - 1 for key, rows in notes[part].items()} for part in ("events", "reversals")]
        yield Annotated(name, motion, find_body(motion.skeleton, motion=motion), *frames)


@dataclass
class ExtremeScores:
    """How poses meet what was annotated, all clips together: all events, by kind, single joints, what is no pose."""

    poses: Score
    peaks: Score
    kinds: dict[str, Score]
    reversals: Score
    no_pose: int = 0
    all_poses: int = 0


def extreme_scores(folder: Path) -> ExtremeScores:
    """Of extracted poses, and of peaks of acceleration for comparison."""
    scores = ExtremeScores(Score(), Score(), {}, Score())
    for clip in annotated_extremes(folder):
        motion, found = clip.motion, extract_poses(clip.motion, clip.body)
        inner = found.times[1:-1]
        events = motion.times[np.unique(np.concatenate([np.empty(0, dtype=int), *clip.events.values()]))]
        scores.poses.add_times(inner, events, NEAR)
        scores.peaks.add_times(acceleration_peaks(motion), events, NEAR)
        for kind, frames in clip.events.items():
            scores.kinds.setdefault(kind.rpartition("_")[2], Score()).add_times(inner, motion.times[frames], NEAR)
        for joint, frames in clip.reversals.items():
            knots = found.times + found.refinements[:, motion.skeleton.index[joint]]
            scores.reversals.add_times(knots, motion.times[frames], AT_ONCE)
        away = [away_from_motion(clip, found, pose) for pose in range(1, len(found) - 1)]
        scores.no_pose += sum(each > AWAY * np.ptp(motion.skeleton.rest_positions, axis=0).max() for each in away)
        scores.all_poses += len(away)
    return scores


def acceleration_peaks(motion: Motion) -> Array:
    """Times at which all joints together accelerate most, smoothed so that there are about as many as poses."""
    places = gaussian_filter1d(motion.poses.positions, 0.1 * motion.rate, axis=0)
    total = np.linalg.norm(np.diff(places, n=2, axis=0), axis=2).sum(axis=1)
    return motion.times[2:-2][(total[1:-1] > total[:-2]) & (total[1:-1] >= total[2:])]


def away_from_motion(clip: Annotated, found: object, pose: int) -> float:
    """How far the farthest joint of an extreme pose is from the pose of the motion around that is most like it."""
    motion, frame, root = clip.motion, int(found.frames[pose]), clip.body.root or 0
    rows = np.round(frame + found.refinements[pose] * motion.rate).astype(int).clip(0, len(motion) - 1)
    rotations = motion.rotations[rows, np.arange(len(rows))][None]
    one = slice(frame, frame + 1)
    shown = forward_kinematics(motion.skeleton, rotations, motion.locations[one], motion.scales[one]).positions[0]
    reach = int(0.25 * motion.rate)
    around = motion.poses.positions[max(0, frame - reach) : frame + reach + 1]
    ways = around - around[:, [root]] - (shown - shown[root])
    return float(np.linalg.norm(ways, axis=2).max(axis=1).min())
