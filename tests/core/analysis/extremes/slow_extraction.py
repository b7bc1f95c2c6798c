"""Pose extraction as the paper tells it: one joint, one trail, one frame at a time.

Nothing here is tuned; tests compare the fast version with it.
"""

from __future__ import annotations

import numpy as np
from scipy.signal import peak_prominences
from scipy.spatial.transform import Rotation
from slow_reference import rotation_matrix

from core.analysis.extremes.options import ExtractionOptions
from core.motion.motion import Motion
from core.motion.skeleton import Skeleton
from core.numerics.quaternion import Array


def curvature(trail: Array, frame: int, step: int, still: float) -> float:
    """n·e^ of the paper: unit edges before and after a frame, normal along their difference."""
    if frame < step or frame + step >= len(trail):
        return 0.0
    before, after = trail[frame] - trail[frame - step], trail[frame + step] - trail[frame]
    lengths = np.linalg.norm(before), np.linalg.norm(after)
    if min(lengths) < 1e-12:
        return 0.0
    difference = after / lengths[1] - before / lengths[0]
    if np.linalg.norm(difference) == 0.0:
        return 0.0
    normal = difference / np.linalg.norm(difference)
    mean = 0.5 * sum(lengths)
    return float(normal @ (after / lengths[1]) * mean / (mean + still))


def arc_length(trail: Array, step: int) -> float:
    """Length of a trail, seen at steps; every start within a step counts the same."""
    return sum(np.linalg.norm(trail[i + step] - trail[i]) for i in range(len(trail) - step)) / step


def smoothed(signal: Array, spread: float) -> Array:
    """Laplacian smoothing, one step after the other, with zeros beyond the ends."""
    count = int(np.ceil(spread**2 / 0.5))
    beyond = np.zeros(count + 1)
    values = np.concatenate([beyond, signal, beyond])
    for _ in range(count):
        weight = spread**2 / count
        neighbours = np.zeros_like(values)
        neighbours[1:-1] = 0.5 * (values[:-2] + values[2:])
        values = values + weight * (neighbours - values)
    return values[len(beyond) : len(values) - len(beyond)]


def tent_filtered(signal: Array, width: float) -> Array:
    """Mean of the neighbours weighted by a tent of full width `width` samples; zero beyond the ends."""
    result = np.zeros(len(signal))
    reach = int(width)
    weights = {shift: max(0.0, 1.0 - abs(shift) / max(0.5 * width, 1.0)) for shift in range(-reach, reach + 1)}
    for frame in range(len(signal)):
        for shift, weight in weights.items():
            if 0 <= frame + shift < len(signal):
                result[frame] += weight * signal[frame + shift]
    return result / sum(weights.values())


def trails(skeleton: Skeleton, rotations: Array, joint: int) -> list[tuple[Array, Array, float]]:
    """Trails along and across each limb of a joint, and the limb's length at rest; no zero-length bones."""
    turn = rotation_matrix(skeleton.rest_rotations[joint])
    offsets = [turn.T @ (skeleton.rest_positions[c] - skeleton.rest_positions[joint]) for c in skeleton.children[joint]]
    found = []
    for offset in offsets or [skeleton.tips[joint]]:
        toward = offset / np.linalg.norm(offset)
        across = np.cross(toward, np.eye(3)[np.argmin(np.abs(toward))])
        across /= np.linalg.norm(across)
        matrices = [rotation_matrix(rotation) for rotation in rotations[:, joint]]
        found.append((np.array([m @ toward for m in matrices]), np.array([m @ across for m in matrices]), offset))
    return [(along, beside, float(np.linalg.norm(offset))) for along, beside, offset in found]


def evidence(motion: Motion, options: ExtractionOptions, root_path: Array, height: float) -> tuple[Array, Array]:
    """(J + 1, F) smoothed evidence and (J + 1,) weights; the last row is the root's path."""
    step = max(1, round(options.edge_time * motion.rate))
    frames, signals, weights = range(len(motion)), [], []
    still = options.still_turn * step / motion.rate
    for joint in range(len(motion.skeleton)):
        limbs = trails(motion.skeleton, motion.rotations, joint)
        both = [trail for along, beside, _ in limbs for trail in (along, beside)]
        signals.append([max(curvature(trail, frame, step, still) for trail in both) for frame in frames])
        weights.append(sum(length * arc_length(along, step) for along, _, length in limbs))
    still = options.still_travel * height * step / motion.rate
    signals.append([curvature(root_path, frame, step, still) for frame in frames])
    weights.append(options.root_weight * arc_length(root_path, step))
    spread = options.smoothing * motion.rate
    return np.array([smoothed(np.array(signal), spread) for signal in signals]), np.array(weights)


def pose_probability(
    signals: Array, weights: Array, change_frames: list[int], rate: float, options: ExtractionOptions
) -> Array:
    """Weighted mean of the joints and a hill at each contact change, filtered."""
    joints = sum(w * p for w, p in zip(weights, signals, strict=True)) / sum(weights)
    changes = np.zeros(signals.shape[1])
    changes[change_frames] = options.contact_weight
    spread = options.event_width * rate
    hills = smoothed(changes, spread) * spread * np.sqrt(2.0 * np.pi)
    return tent_filtered(joints, options.filter_width * rate) + hills


def poses_of(probability: Array, rate: float, options: ExtractionOptions) -> list[int]:
    """Peaks that stand out, the highest first, none beside one that is higher; and both ends."""
    peaks = maxima(probability)
    highs = dict(zip(peaks, peak_prominences(probability, peaks)[0], strict=True))
    kept: list[int] = []
    for peak in sorted(peaks, key=lambda each: -probability[each]):
        far = all(abs(peak - other) >= options.separation * rate for other in kept)
        if highs[peak] >= options.least_evidence * min(1.0, probability.max()) and far:
            kept.append(peak)
    return sorted({0, len(probability) - 1, *kept})


def maxima(signal: Array) -> list[int]:
    """Frames higher than the one before and not lower than the one after."""
    return [i for i in range(1, len(signal) - 1) if max(signal[i - 1], 1e-6) < signal[i] >= signal[i + 1]]


def turning_points(motion: Motion, joint: int) -> list[tuple[float, float]]:
    """Times at which a joint turns round along one of its main axes, and by how many degrees that stands out."""
    rotations = Rotation.from_quat(np.roll(motion.rotations[:, joint], -1, axis=-1))
    mean = motion.rotations[:, joint].mean(axis=0)
    middle = Rotation.from_quat(np.roll(mean, -1))
    turns = (middle.inv() * rotations).as_rotvec()
    count = 200
    padded = np.concatenate([np.repeat(turns[:1], count, 0), turns, np.repeat(turns[-1:], count, 0)])
    turns = np.stack([smoothed(column, 0.025 * motion.rate) for column in padded.T], axis=1)[count:-count]
    turns = np.degrees(turns - turns.mean(axis=0))
    _, spreads, axes = np.linalg.svd(turns, full_matrices=False)
    found = []
    for spread, axis in zip(spreads, axes, strict=True):
        if spread >= 0.35 * spreads[0]:
            for curve in (turns @ axis, -turns @ axis):
                peaks = [i for i in range(1, len(curve) - 1) if curve[i - 1] < curve[i] >= curve[i + 1]]
                highs = peak_prominences(curve, peaks)[0]
                found += [(float(motion.times[p]), float(h)) for p, h in zip(peaks, highs, strict=True) if h >= 6.0]
    return sorted(found)


def refinement(poses: list[float], pose: int, points: list[tuple[float, float]], bound: float) -> float:
    """From a pose to the strongest turning point that is nearer to it than to any other; far ones count less."""
    if pose in (0, len(poses) - 1):
        return 0.0
    best, strength = 0.0, 0.0
    for time, amount in points:
        away = time - poses[pose]
        nearest = min(range(len(poses)), key=lambda k, t=time: abs(t - poses[k]))
        weight = amount * np.exp(-((away / 0.35) ** 2))
        if nearest == pose and abs(away) < bound and weight > strength:
            best, strength = away, weight
    return best


def priorities(poses: list[float], probability: list[float]) -> list[float]:
    """Probability times the root of the time to the nearest higher one or to an end, at most half a second."""
    found = []
    for number, (time, high) in enumerate(zip(poses, probability, strict=True)):
        before = [t for t, p in zip(poses[:number], probability[:number], strict=True) if p > high]
        after = [t for t, p in zip(poses[number + 1 :], probability[number + 1 :], strict=True) if p > high]
        near = min(time - (before[-1] if before else poses[0]), (after[0] if after else poses[-1]) - time, 0.5)
        found.append(high * near**0.5)
    return found
