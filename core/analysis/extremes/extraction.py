"""Finding the staggered poses of a dense motion (staggered poses paper, section 4.1)."""

from typing import Any

import numpy as np

from ...body import Body
from ...motion import Indices, Motion
from ...numerics import Array
from ..contacts.detection import detect_contacts
from ..contacts.spans import ContactSpans
from ..expressions import face_path
from . import evidence
from .candidates import PoseCandidates
from .evidence import LimbEnds
from .options import ExtractionOptions
from .peaks import prominences, signal_extremes
from .refinement import JointExtremes, as_poses, joint_extremes, shape_refinements, strongest
from .rounds import rounds_beside
from .visible import Events, EventWeights, smoothed, turning_events, visible_events

# Body heights that the root rises or falls at least at an extreme of its own.
_LEAST_RISE = 0.01
# Seconds to the next more telling pose from which on that makes no difference.
_ISOLATED = 0.5
# Seconds from the seam of a loop within which the pose at the seam is the only one.
_FROM_SEAM = 0.15
# Frames from which limb lengths are measured; bones hardly ever change theirs.
_MOST_MEASURED = 50


def extract_poses(
    motion: Motion,
    body: Body,
    *,
    options: ExtractionOptions | None = None,
    contacts: ContactSpans | None = None,
    positions: Any = None,
    seam: float | None = None,
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
        seam: Of a loop, the seconds from its last frame to the first of the next round, 0 if that is
            the last frame again; None if the motion is no loop.
    """
    options = options or ExtractionOptions()
    places = motion.poses.positions if positions is None else np.asarray(positions, dtype=np.float64)
    if contacts is None:
        contacts = _detected(motion, body, options, places)
    if seam is not None and len(motion) > 4:
        return _of_loop(motion, body, options, contacts, places, seam)
    return _candidates(motion, body, options, _contact_changes(motion, body, contacts), places)


def _candidates(
    motion: Motion, body: Body, options: ExtractionOptions, changes: Events, places: Array
) -> PoseCandidates:
    signals, weights = _evidence(motion, body, places, options)
    probability = _pose_probability(signals, weights, motion, body, changes, places, options)
    frames = _pose_frames(probability, motion.rate, options)
    refinements = _refinements(motion, frames, body, places, options)
    times = motion.times[frames]
    channels, late = shape_refinements(motion, times, options)
    return PoseCandidates(
        times=times,
        frames=frames,
        priorities=_priorities(probability[frames], times),
        refinements=refinements,
        root_refinements=_root_refinements(motion, body, places, signals[-1], times, options),
        probability=probability,
        channels=channels,
        channel_refinements=late,
    )


def _of_loop(
    motion: Motion, body: Body, options: ExtractionOptions, contacts: ContactSpans, places: Array, seam: float
) -> PoseCandidates:
    """Poses of a loop, found in it and parts of the rounds beside it; both ends are one pose with one stagger."""
    laid = rounds_beside(motion, places, seam)
    changes = _contact_changes(motion, body, contacts, is_loop=True)
    around = [changes.frames + laid.start + lap * laid.period for lap in (-1, 0, 1)]
    every = Events(np.concatenate(around), np.tile(changes.strengths, 3))
    inside = (every.frames >= 0) & (every.frames < len(laid.motion))
    shown = Events(every.frames[inside], every.strengths[inside])
    signals, weights = _evidence(laid.motion, body, laid.places, options)
    probability = _pose_probability(signals, weights, laid.motion, body, shown, laid.places, options)
    first, last = laid.start, laid.start + len(motion) - 1
    near = max(1, round(_FROM_SEAM * motion.rate))
    found = _pose_frames(probability, motion.rate, options)
    inner = found[(found > first + near) & (found < last - near)]
    frames = np.concatenate([[first], inner, [last]])
    # The poses of the rounds beside bound those at the seam.
    beside = np.concatenate([[frames[-2] - laid.period], frames, [frames[1] + laid.period]])
    padded = np.unique(np.clip(beside, 0, len(laid.motion) - 1)).astype(np.intp)
    refinements = _refinements(laid.motion, padded, body, laid.places, options)
    root = _root_refinements(laid.motion, body, laid.places, signals[-1], laid.motion.times[padded], options)
    channels, late = shape_refinements(laid.motion, laid.motion.times[padded], options)
    own = np.searchsorted(padded, frames)
    own[-1] = own[0]  # both ends are one
    frames = frames - laid.start
    times = motion.times[frames]
    return PoseCandidates(
        times=times,
        frames=frames,
        priorities=_priorities(probability[frames + laid.start], times),
        refinements=refinements[own],
        root_refinements=root[own],
        probability=probability[first : last + 1],
        channels=channels,
        channel_refinements=late[own],
    )


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
    signals: Array,
    weights: Array,
    motion: Motion,
    body: Body,
    changes: Events,
    places: Array,
    options: ExtractionOptions,
) -> Array:
    """(F,) P = f(sum of w_i p_i / sum of w_i) of joints and root, and hills of what is seen and of contacts."""
    total = float(weights.sum())
    joints = weights @ signals / total if total > 0.0 else np.zeros(len(motion))
    kinds = EventWeights(options.height_weight, options.lean_weight, options.stroke_weight)
    seen = visible_events(places, body, motion.rate, body.height or _size(places) or 1.0, kinds)
    changed = Events(changes.frames, options.contact_weight * changes.strengths)
    face = _face_events(motion, body, options)
    hills = Events.joined([seen, changed, *face]).signal(len(motion), options.event_width * motion.rate)
    return evidence.filtered(joints, evidence.tent_kernel(options.filter_width * motion.rate)) + hills


def _face_events(motion: Motion, body: Body, options: ExtractionOptions) -> list[Events]:
    """Where the face changes what it does; none if it does nothing, or is left out."""
    path = face_path(motion, body) if options.face_weight > 0.0 and len(motion) > 4 else np.empty((0, 0))
    return [turning_events(path, motion.rate, 1.0, options.face_weight)] if path.size else []


def _pose_frames(probability: Array, rate: float, options: ExtractionOptions) -> Indices:
    """Frames (K,) of peaks that stand out, the more evident ones of those that crowd, and both ends."""
    peaks = evidence.local_maxima(probability)
    least = options.least_evidence * min(1.0, float(probability.max(initial=0.0)))
    peaks = peaks[prominences(probability, peaks) >= least]
    apart, kept = options.separation * rate, np.zeros(len(probability), dtype=np.bool_)
    for peak in peaks[np.argsort(-probability[peaks], kind="stable")]:
        beside = slice(max(0, int(np.floor(peak - apart)) + 1), int(np.ceil(peak + apart)))
        if not kept[beside].any():
            kept[peak] = True
    kept[[0, -1]] = True
    return np.flatnonzero(kept)


def _contact_changes(motion: Motion, body: Body, contacts: ContactSpans, *, is_loop: bool = False) -> Events:
    """Contacts that start or end between the first and the last frame, and of a loop between these two.

    Contacts of one limb are taken together: a foot is down from the heel's strike until the toes leave.
    """
    found: list[Any] = [np.empty(0, dtype=np.intp)]
    for joints in _contact_groups(body, contacts):
        active = np.any([contacts.active(joint, motion.times) for joint in joints], axis=0).astype(np.int8)
        starts, ends = np.flatnonzero(np.diff(active) == 1) + 1, np.flatnonzero(np.diff(active) == -1)
        found += [starts, ends, [0] if is_loop and active[0] != active[-1] else []]
    frames = np.concatenate(found).astype(np.intp)
    return Events(frames, np.ones(len(frames)))


def _contact_groups(body: Body, contacts: ContactSpans) -> list[list[str]]:
    """Names of the joints with contacts, those of a limb together."""
    names = body.skeleton.names
    groups = [[names[joint] for joint in limb.joints if names[joint] in contacts.spans] for limb in body.limbs]
    grouped = {name for group in groups for name in group}
    return [group for group in groups if group] + [[name] for name in contacts.joints if name not in grouped]


def _priorities(probability: Array, times: Array) -> Array:
    """(K,) w_k = P(t_k) sqrt(d_k), where the nearest pose with a higher P is d_k away, half a second at most.

    The paper takes the time between both neighbours: by that, poses in long stillness push out those of quick action,
    and of several poses close together the most telling one has to go with the others.
    """
    before, after = _higher_before(probability), _higher_before(probability[::-1])[::-1]
    last = len(times) - 1
    since = times - times[np.maximum(before, 0)]
    until = times[last - np.maximum(after, 0)] - times
    priorities: Array = probability * np.sqrt(np.minimum(np.minimum(since, until), _ISOLATED))
    return priorities


def _higher_before(values: Array) -> Indices:
    """(K,) number of the nearest higher value before each, -1 if there is none."""
    stack: list[int] = []
    found = np.full(len(values), -1)
    for number, value in enumerate(values.tolist()):
        while stack and values[stack[-1]] <= value:
            stack.pop()
        if stack:
            found[number] = stack[-1]
        stack.append(number)
    return found


def _refinements(motion: Motion, frames: Indices, body: Body, places: Array, options: ExtractionOptions) -> Array:
    """(K, J) seconds from every pose to the extreme of every joint that belongs to it, so that these make a pose."""
    poses = motion.times[frames]
    found = [
        strongest(joint_extremes(motion, joint), poses, options.refinement_bound)
        for joint in range(len(motion.skeleton))
    ]
    refinements = np.stack(found, axis=1)
    size = body.height or _size(places) or 1.0
    return as_poses(refinements, motion, frames, body.root or 0, size)


def _root_refinements(
    motion: Motion, body: Body, places: Array, turning: Array, poses: Array, options: ExtractionOptions
) -> Array:
    """(K,) seconds from every pose to the extreme of the root's height, or to where its path turns."""
    path = places[:, body.root or 0]
    turns = evidence.local_maxima(turning)
    found = [JointExtremes(motion.times[turns], turning[turns])]
    if body.up is not None and len(motion) > 4:
        size = body.height or _size(places) or 1.0
        frames, amounts = signal_extremes(
            smoothed((path @ body.up.vector)[:, None], motion.rate)[:, 0] / size, _LEAST_RISE
        )
        order = np.argsort(frames, kind="stable")
        found.insert(0, JointExtremes(motion.times[frames[order]], amounts[order]))
    chosen = [strongest(each, poses, options.refinement_bound) for each in found]
    return chosen[0] if len(chosen) == 1 else np.where(chosen[0] != 0.0, chosen[0], chosen[1])
