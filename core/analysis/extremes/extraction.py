"""Finding the staggered poses of a dense motion (staggered poses paper, section 4.1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...body import Body
from ...motion import Indices, Motion
from ...numerics import Array
from ..contacts.detection import detect_contacts
from ..contacts.spans import ContactSpans
from . import evidence
from .evidence import LimbEnds

# A change of contact counts as this many seconds of full evidence, whatever the rate.
_CHANGE_TIME = 1.0 / 30.0
# Frames from which limb lengths are measured; bones hardly ever change theirs.
_MOST_MEASURED = 50


@dataclass(frozen=True)
class ExtractionOptions:
    """How poses are looked for. All times are in seconds, so the rate does not matter.

    Attributes:
        edge_time: Time that an edge of a motion trail spans, at least one sample. Raise it for
            very noisy capture.
        still_turn: Radians a second; a joint that turns more slowly is nearly at rest, and its
            changes of direction are mostly noise: at this speed they count half. 0 is the paper's
            plain measure, which suits clean motion.
        still_travel: The same for the root's path, in body heights a second.
        smoothing: Standard deviation of the Laplacian smoothing. Raise it for fewer poses.
        filter_width: Width of the tent filter that joins peaks into poses (the paper's 0.15).
        contact_weight: Weight of contact changes, where all joints together weigh 1; 0 leaves them out.
        root_weight: Weight of the root's path, where a limb that sweeps the same way weighs 1. The
            root carries the whole body; raise it to favour jumps and turns over gestures.
        refinement_bound: Largest timing refinement (the paper's 0.25).
    """

    edge_time: float = 1.0 / 24.0
    still_turn: float = 0.6
    still_travel: float = 0.1
    smoothing: float = 0.07
    filter_width: float = 0.15
    contact_weight: float = 0.1
    root_weight: float = 2.0
    refinement_bound: float = 0.25

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (np.isfinite(value) and value >= 0.0):
                raise ValueError(f"{name} must not be below zero")


@dataclass(frozen=True, eq=False)
class PoseCandidates:
    """Poses that a motion may be edited with, in order of time; the first and last frame are among them.

    Attributes:
        times: (K,) in seconds.
        frames: (K,) the same as frame numbers.
        priorities: (K,) P(t_k) (t_{k+1} - t_{k-1}): high where the evidence is strong and no other
            pose is near.
        refinements: (K, J) seconds from each pose to the nearest extremum of each joint's rotation.
        root_refinements: (K,) the same for the root's place.
        probability: (F,) pose probability of every frame.
    """

    times: Array
    frames: Indices
    priorities: Array
    refinements: Array
    root_refinements: Array
    probability: Array

    def __len__(self) -> int:
        return len(self.times)


def extract_poses(
    motion: Motion,
    body: Body,
    *,
    options: ExtractionOptions | None = None,
    contacts: ContactSpans | None = None,
    positions: Any = None,
) -> PoseCandidates:
    """Find the times at which many joints change what they do, and when each of them does.

    Args:
        motion: Evenly sampled, without a leading reference pose.
        body: Its root is followed; its legs say which contacts belong together.
        options: How poses are looked for.
        contacts: Contacts whose changes are evidence; of the feet, detected, if not given. Empty
            spans leave them out.
        positions: (F, J, 3) places of the motion's joints where they do not follow from it alone
            (constraints, IK).
    """
    options = options or ExtractionOptions()
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    if contacts is None:
        contacts = _detected(motion, body, options, places)
    signals, weights = _evidence(motion, body, places, options)
    probability = _pose_probability(signals, weights, motion, body, contacts, options)
    last = len(motion) - 1
    frames = np.unique([0, *evidence.local_maxima(probability), last]).astype(np.intp)
    refinements = _refinements(signals, motion.times, frames, options.refinement_bound)
    return PoseCandidates(
        times=motion.times[frames],
        frames=frames,
        priorities=_priorities(probability[frames], motion.times[frames]),
        refinements=refinements[:, :-1],
        root_refinements=refinements[:, -1],
        probability=probability,
    )


def cull(
    candidates: PoseCandidates,
    *,
    share: float = 0.3,
    count: int | None = None,
    interval: tuple[float, float] | None = None,
    pinned: Iterable[int] = (),
    removed: Iterable[int] = (),
) -> Indices:
    """Choose the candidates with the highest priorities.

    Args:
        share: Part of the candidates, 0 to 1, that is kept.
        count: Number of poses that are kept, instead of a share.
        interval: Start and end in seconds: only poses between them are chosen from.
        pinned: Numbers of candidates that are kept in any case.
        removed: Numbers of candidates that are left out in any case but for the first and last.

    Returns:
        Candidate numbers in order of time; the first and last candidate are always among them.
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError("share must lie between 0 and 1")
    ends = {0, len(candidates) - 1}
    start, end = (-np.inf, np.inf) if interval is None else interval
    inside = np.flatnonzero((candidates.times >= start) & (candidates.times <= end))
    wanted = round(share * len(inside)) if count is None else count
    kept = ends | (_numbers(candidates, pinned) - _numbers(candidates, removed))
    by_priority = inside[np.argsort(-candidates.priorities[inside], kind="stable")]
    free = [int(number) for number in by_priority if int(number) not in kept | _numbers(candidates, removed)]
    missing = wanted - len(kept.intersection(inside.tolist()))
    return np.array(sorted([*kept, *free[: max(0, missing)]]), dtype=np.intp)


def _numbers(candidates: PoseCandidates, numbers: Iterable[int]) -> set[int]:
    chosen = {int(number) for number in numbers}
    unknown = sorted(number for number in chosen if not 0 <= number < len(candidates))
    if unknown:
        raise ValueError(f"There are {len(candidates)} candidates, none with number {unknown[0]}")
    return chosen


def _detected(motion: Motion, body: Body, options: ExtractionOptions, places: Array) -> ContactSpans:
    known = bool(body.feet) and body.up is not None and body.height is not None
    if options.contact_weight == 0.0 or not known:
        return ContactSpans()
    return detect_contacts(motion, body, positions=places)


def _evidence(motion: Motion, body: Body, places: Array, options: ExtractionOptions) -> tuple[Array, Array]:
    """(J + 1, F) smoothed evidence and (J + 1,) weights of all joints' rotations and the root's path."""
    step = max(1, round(options.edge_time * motion.rate))
    seconds = step / motion.rate
    kernel = evidence.laplacian_kernel(options.smoothing * motion.rate)
    signals = np.empty((len(motion.skeleton) + 1, len(motion)))
    weights = np.empty(len(signals))
    rotations = motion.rotations.T
    all_ends = evidence.limb_ends(motion.skeleton)
    lengths = _limb_lengths(motion, all_ends, places)
    # One joint at a time, so that what is worked on stays in the processor's cache.
    for joint, ends in enumerate(all_ends):
        turning, arcs = evidence.rotation_evidence(
            rotations[:, joint], ends, step=step, still=options.still_turn * seconds
        )
        weights[joint] = lengths[joint] @ arcs
        signals[joint] = evidence.filtered(turning, kernel) if arcs.any() else 0.0
    path = np.ascontiguousarray(places[:, body.root or 0].T)
    still = options.still_travel * seconds * (body.height or _size(places))
    turning, way = evidence.path_evidence(path, step=step, still=still)
    signals[-1], weights[-1] = evidence.filtered(turning, kernel), options.root_weight * way
    return signals, weights


def _limb_lengths(motion: Motion, all_ends: list[LimbEnds], places: Array) -> list[Array]:
    """Mean length of the limb to each end of each joint, in units of the scene."""
    sparse = places[:: max(1, len(places) // _MOST_MEASURED)]
    tips = np.linalg.norm(motion.skeleton.tips, axis=-1)
    lengths = []
    for joint, ends in enumerate(all_ends):
        ways = np.linalg.norm(sparse[:, list(ends.joints)] - sparse[:, [joint]], axis=-1).mean(axis=0)
        lengths.append(np.where(np.array(ends.joints) == joint, tips[joint], ways))
    return lengths


def _size(places: Array) -> float:
    """Size of a character whose height is not known: its largest extent in the first frame."""
    return float(np.ptp(places[0], axis=0).max(initial=0.0))


def _pose_probability(
    signals: Array, weights: Array, motion: Motion, body: Body, contacts: ContactSpans, options: ExtractionOptions
) -> Array:
    """(F,) P = f(sum of w_i p_i / sum of w_i) of joints, root and contacts."""
    total = float(weights.sum())
    joints = weights @ signals / total if total > 0.0 else np.zeros(len(motion))
    weight = options.contact_weight
    kernel = evidence.laplacian_kernel(options.smoothing * motion.rate)
    changes = evidence.filtered(_contact_changes(motion, body, contacts), kernel)
    tent = evidence.tent_kernel(options.filter_width * motion.rate)
    return evidence.filtered((joints + weight * changes) / (1.0 + weight), tent)


def _contact_changes(motion: Motion, body: Body, contacts: ContactSpans) -> Array:
    """(F,) evidence of contacts that start or end between the first and the last frame.

    Contacts of one limb are taken together: a foot is down from the heel's strike until the toes leave.
    """
    signal = np.zeros(len(motion))
    for joints in _contact_groups(body, contacts):
        active = np.any([contacts.active(joint, motion.times) for joint in joints], axis=0).astype(np.int8)
        starts, ends = np.flatnonzero(np.diff(active) == 1) + 1, np.flatnonzero(np.diff(active) == -1)
        signal[np.concatenate([starts, ends])] = motion.rate * _CHANGE_TIME
    return signal


def _contact_groups(body: Body, contacts: ContactSpans) -> list[list[str]]:
    """Names of the joints with contacts, those of a limb together."""
    names = body.skeleton.names
    groups = [[names[joint] for joint in limb.joints if names[joint] in contacts.spans] for limb in body.limbs]
    grouped = {name for group in groups for name in group}
    return [group for group in groups if group] + [[name] for name in contacts.joints if name not in grouped]


def _priorities(probability: Array, times: Array) -> Array:
    """(K,) w_k = P(t_k) (t_{k+1} - t_{k-1}); beyond the ends there is no time."""
    around = np.pad(times, 1, mode="edge")
    priorities: Array = probability * (around[2:] - around[:-2])
    return priorities


def _refinements(signals: Array, times: Array, frames: Indices, bound: float) -> Array:
    """(K, N) seconds from every pose to the nearest maximum of every signal, 0 where none belongs to it.

    The first and last pose hold the ends of the motion and are not refined.
    """
    poses = times[frames]
    found = np.zeros((len(poses), len(signals)))
    if len(poses) < 3:
        return found
    inner = poses[1:-1]
    earliest = np.maximum(inner - bound, 0.5 * (poses[:-2] + inner))
    latest = np.minimum(inner + bound, 0.5 * (poses[2:] + inner))
    for number, signal in enumerate(signals):
        peaks = times[evidence.local_maxima(signal)]
        if len(peaks):
            nearest = _nearest(peaks, inner)
            found[1:-1, number] = np.where((nearest > earliest) & (nearest < latest), nearest - inner, 0.0)
    return found


def _nearest(sorted_times: Array, times: Array) -> Array:
    """For each time the nearest of the sorted times; of two equally near ones the earlier."""
    after = np.searchsorted(sorted_times, times)
    later = sorted_times[np.minimum(after, len(sorted_times) - 1)]
    earlier = sorted_times[np.maximum(after - 1, 0)]
    nearest: Array = np.where(np.abs(later - times) < np.abs(times - earlier), later, earlier)
    return nearest
