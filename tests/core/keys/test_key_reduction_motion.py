"""A whole character's keys: bones, their ends and contacts keep their bounds, between frames too."""

import numpy as np
import pytest
from made_motion import random_skeleton, smooth_curves, smooth_rotations, swinging_chain
from scipy.interpolate import BPoly
from scipy.spatial.transform import Rotation

from core.analysis.contacts import ContactSpans, detect_contacts
from core.analysis.extremes.extraction import extract_poses
from core.body import find_body
from core.files.bvh import read_bvh
from core.keys import Channel, ReductionOptions, channels_of_motion, find_landmarks, reduce_motion
from core.keys.outliers import without_outliers
from core.motion.motion import Motion
from core.numerics import rotation_channels
from core.sample_motion import sample_motion
from core.solve.contact_lock import foot_slide

KINDS = ("SMOOTH", "FEWEST")


def wandering(joints=6, frames=120, seed=0):
    """A branching figure whose joints swing while some of them have locations."""
    locations = np.zeros((frames, joints, 3))
    locations[:, :2] = smooth_curves(frames, 6, seed + 1).reshape(frames, 2, 3)
    return Motion.build(
        random_skeleton(joints, seed), smooth_rotations(frames, joints, seed), rate=30.0, locations=locations
    )


def slow_values(keys, times):
    """Every curve by SciPy, one after the other; constant keys by hand."""
    columns = []
    for curve in keys:
        ordinates = np.stack([curve.values[:-1], curve.right[:-1, 1], curve.left[1:, 1], curve.values[1:]])
        values = BPoly(ordinates, curve.times)(times)
        before = np.clip(np.searchsorted(curve.times, times, side="right") - 1, 0, len(curve.times) - 1)
        columns.append(np.where(curve.constant[before], curve.values[before], values))
    return np.stack(columns, axis=1)


def slow_motion(motion, channels, keys, times):
    """The reduced motion at its samples, or between, channel by channel."""
    resting = motion.at(times)
    arrays = {name: np.array(getattr(resting, name)) for name in ("rotations", "locations", "scales")}
    values, first = slow_values(keys, times), 0
    for channel in channels:
        own = values[:, first : first + channel.size]
        first += channel.size
        if channel.part == "rotation":
            own = {"QUATERNION": lambda q: q / np.linalg.norm(q, axis=1, keepdims=True)}.get(
                channel.mode, lambda e, mode=channel.mode: rotation_channels.from_euler(e, mode)
            )(own)
        arrays[f"{channel.part}s"][:, channel.joint] = own
    return Motion.build(
        motion.skeleton, arrays["rotations"], rate=motion.rate, times=times, locations=arrays["locations"]
    )


def angles(a, b):
    turned = [Rotation.from_quat(each.rotations.reshape(-1, 4)[:, [1, 2, 3, 0]]) for each in (a, b)]
    return np.rad2deg((turned[0].inv() * turned[1]).magnitude())


def distances(a, b):
    places = np.linalg.norm(a.poses.positions - b.poses.positions, axis=-1)
    return np.maximum(places, np.linalg.norm(a.poses.tips - b.poses.tips, axis=-1))


def euler_channels(motion, mode="ZXY"):
    angles_of = rotation_channels.to_euler(motion.rotations, mode)
    joints = range(len(motion.skeleton))
    turning = [Channel(angles_of[:, joint], "rotation", joint, mode) for joint in joints]
    return [*turning, *(c for c in channels_of_motion(motion) if c.part == "location")]


# --- the bounds, measured in another way


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("make", [channels_of_motion, euler_channels])
def test_bones_and_their_ends_keep_their_bounds(kind, columns, make):
    motion = wandering()
    channels = make(motion)
    options = ReductionOptions(kind=kind, degrees=1.0, distance=0.02, pose_columns=columns)
    reduced = reduce_motion(motion, channels, options=options)
    slow = slow_motion(motion, channels, reduced.keys, motion.times)
    assert angles(slow, motion).max() <= 1.0
    assert distances(slow, motion).max() <= 0.02
    assert reduced.accuracy.distance == pytest.approx(distances(slow, motion).max(), rel=0.5)
    assert len(reduced.keys.times) < 0.5 * 120 * len(reduced.keys)
    middles = 0.5 * (motion.times[1:] + motion.times[:-1])
    between = slow_motion(motion, channels, reduced.keys, middles)
    right = wandering(frames=239)  # the waves that the samples were taken from
    right = Motion.build(
        motion.skeleton, right.rotations[1::2], rate=30.0, times=middles, locations=right.locations[1::2]
    )
    # Straight and smooth ways between two samples are both right, the waves lie near to them.
    assert angles(between, right).max() <= 1.05
    assert distances(between, right).max() <= 1.05 * 0.02 + 0.001


def test_bounds_on_single_bones_are_not_enough_for_their_ends():
    """The errors of a chain add up at its end: that is what the bound on distances is for."""
    motion = swinging_chain(joints=6, frames=150)
    channels = channels_of_motion(motion)
    loose = reduce_motion(motion, channels, options=ReductionOptions(degrees=1.0, distance=1e3))
    assert loose.accuracy.distance > 0.02
    tight = reduce_motion(motion, channels, options=ReductionOptions(degrees=1.0, distance=0.02))
    assert tight.accuracy.distance <= 0.02
    assert len(loose.keys.times) < len(tight.keys.times) < 3 * len(loose.keys.times)


@pytest.mark.parametrize("kind", KINDS)
def test_planted_feet_slide_no_more_than_the_bound(kind):
    motion = sample_motion(30.0)
    contacts = detect_contacts(motion, find_body(motion.skeleton, motion=motion))
    channels = channels_of_motion(motion)
    options = ReductionOptions(kind=kind, degrees=2.0, distance=0.02, slide=0.001)
    free, held = (reduce_motion(motion, channels, options=options, contacts=each) for each in (None, contacts))
    before = foot_slide(motion, contacts)
    added = []
    for reduced in (free, held):
        after = foot_slide(slow_motion(motion, channels, reduced.keys, motion.times), contacts)
        added.append(max(a - b for name in before for a, b in zip(after[name], before[name], strict=True)))
    assert added[0] > 0.004, "without contacts feet slide"
    assert added[1] <= 0.001
    assert held.accuracy.slide <= 0.001
    assert len(held.keys.times) < 2 * len(free.keys.times)


@pytest.mark.clips
@pytest.mark.parametrize("number", range(24))
def test_bounds_hold_on_every_clip(clips_folder, number):
    clip = sorted((clips_folder / "dev").glob("*.bvh"))[number]
    motion = read_bvh(clip).to_motion().part(1, 240)
    body = find_body(motion.skeleton, motion=motion)
    height = body.height or float(np.ptp(motion.skeleton.rest_positions, axis=0).max())
    contacts = detect_contacts(motion, body)
    channels = euler_channels(motion) if number % 3 == 0 else channels_of_motion(motion)
    options = ReductionOptions(kind=KINDS[number % 2], distance=height / 300, pose_columns=number % 5 == 0)
    reduced = reduce_motion(motion, channels, options=options, contacts=contacts)
    slow = slow_motion(motion, channels, reduced.keys, motion.times)
    assert angles(slow, motion).max() <= 0.5
    assert distances(slow, motion).max() <= height / 300
    assert (
        max(
            reduced.accuracy.degrees / 0.5,
            reduced.accuracy.distance / (height / 300),
            reduced.accuracy.slide / (height / 1200),
        )
        <= 1.0
    )
    before, after = foot_slide(motion, contacts), foot_slide(slow, contacts)
    added = [a - b for name in before for a, b in zip(after[name], before[name], strict=True)]
    assert max(added, default=0.0) <= height / 1200


# --- where keys are


def test_contacts_and_extremes_are_keys():
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    contacts = detect_contacts(motion, body)
    extremes = extract_poses(motion, body, contacts=contacts)
    channels = channels_of_motion(motion)
    marks = find_landmarks(motion, channels, contacts=contacts, extremes=extremes)
    reduced = reduce_motion(motion, channels, contacts=contacts, landmarks=marks)
    first = 0
    for number, channel in enumerate(channels):
        for curve, values in zip(range(first, first + channel.size), channel.values.T, strict=True):
            if np.ptp(values) > 0.05:
                wanted = motion.times[marks[:, number]]
                assert np.isin(wanted, reduced.keys[curve].times).all()
        first += channel.size
    foot = motion.skeleton.index[next(iter(contacts.joints))]
    start = contacts.of(motion.skeleton.names[foot])[1][0]
    frame = np.abs(motion.times - start).argmin()
    chain = {foot, *motion.skeleton.ancestors(foot)}
    assert all(marks[frame, number] for number, channel in enumerate(channels) if channel.joint in chain)


def test_pose_columns_give_all_channels_the_same_times():
    motion = wandering(frames=150)
    channels = channels_of_motion(motion)
    marks = np.zeros((150, len(channels)), dtype=bool)
    marks[40, 2] = True
    options = ReductionOptions(degrees=2.0, distance=0.1, pose_columns=True)
    reduced = reduce_motion(motion, channels, options=options, landmarks=marks)
    alone = reduce_motion(motion, channels, options=ReductionOptions(degrees=2.0, distance=0.1))
    assert motion.times[40] in shared_times(reduced.keys)
    for keys, in_columns in ((reduced.keys, 0.8), (alone.keys, 0.3)):
        shared = np.isin(keys.times, shared_times(keys)).mean()
        assert shared > in_columns if keys is reduced.keys else shared < in_columns


def shared_times(keys):
    """Times at which at least half of the curves that have keys between their ends have one."""
    times, counts = np.unique(keys.times, return_counts=True)
    return times[counts >= 0.5 * (keys.counts > 2).sum()]


# --- outliers


def spiky(motion, frames=(60, 100), joint=2):
    rotations = np.array(motion.rotations)
    for frame in frames:
        turn = Rotation.from_quat(rotations[frame, joint][[1, 2, 3, 0]]) * Rotation.from_rotvec([1.0, 0.2, 0.0])
        rotations[frame, joint] = turn.as_quat()[[3, 0, 1, 2]]
    return motion.with_rotations(rotations)


@pytest.mark.parametrize("make", [channels_of_motion, euler_channels])
def test_outliers_are_ignored_and_all_else_keeps_its_bound(make):
    clean = wandering(frames=300)
    motion = spiky(clean)
    options = ReductionOptions(degrees=1.0, distance=0.02)
    channels = make(motion)
    kept = reduce_motion(motion, channels, options=options)
    robust = reduce_motion(motion, channels, options=ReductionOptions(degrees=1.0, distance=0.02, ignore_outliers=True))
    assert {flaw.first for flaw in robust.outliers} == {60, 100}
    assert len(robust.keys.times) < len(kept.keys.times)
    slow = slow_motion(motion, channels, robust.keys, motion.times)
    good = ~np.isin(np.arange(300), [f for flaw in robust.outliers for f in range(flaw.first, flaw.last + 1)])
    assert angles(slow, motion).reshape(300, -1)[good].max() <= 1.0
    assert angles(slow, clean).max() <= 2.0, "the bridge is near to the motion without spikes"


def test_motion_without_outliers_stays_bit_for_bit():
    motion = wandering()
    channels = channels_of_motion(motion)
    clean, same, flaws = without_outliers(motion, channels)
    assert flaws == ()
    np.testing.assert_array_equal(clean.rotations, motion.rotations)
    assert all(a is b for a, b in zip(same, channels, strict=True))


# --- other channels, little and bad input


def test_numbers_steps_and_untouched_joints():
    motion = wandering()
    stepped = np.repeat(np.arange(12.0), 10)[:, None]
    channels = [
        Channel(smooth_curves(120, 1), "value"),
        Channel(stepped, "value", held=np.ones((119, 1), dtype=bool)),
        *channels_of_motion(motion, joints=np.arange(6) == 3),
    ]
    reduced = reduce_motion(motion, channels, options=ReductionOptions(value=0.01), times=np.arange(120.0))
    assert 0.005 < reduced.accuracy.value <= 0.01
    assert list(reduced.keys[1].times) == [*range(0, 120, 10), 119]
    assert reduced.keys[1].constant[:-1].all()
    assert len(reduced.keys) == 6


def test_short_and_empty_motions():
    motion = wandering()
    for frames in (1, 2, 3):
        part = motion.part(0, frames)
        reduced = reduce_motion(part, channels_of_motion(part), options=ReductionOptions(ignore_outliers=True))
        assert reduced.accuracy.degrees <= 0.5
        assert reduced.keys.counts.max() <= frames
    assert len(reduce_motion(motion, []).keys) == 0


def test_input_is_left_alone():
    motion = spiky(wandering())
    channels = euler_channels(motion)
    copies = [channel.values.copy() for channel in channels]
    options = ReductionOptions(ignore_outliers=True, pose_columns=True)
    reduce_motion(motion, channels, options=options, contacts=ContactSpans({"joint 4": ((0.5, 1.5),)}))
    for channel, copy in zip(channels, copies, strict=True):
        np.testing.assert_array_equal(channel.values, copy)


def test_refusals_give_their_reason():
    motion = wandering()
    with pytest.raises(ValueError, match="degrees must be above zero"):
        ReductionOptions(degrees=0.0)
    with pytest.raises(ValueError, match="slide must be above zero"):
        ReductionOptions(slide=-1.0)
    with pytest.raises(ValueError, match="as many samples as the motion"):
        reduce_motion(motion, [Channel(np.zeros((5, 3)), "location", 0)])
    with pytest.raises(ValueError, match="Unknown rotation mode 'XYX'"):
        reduce_motion(motion, [Channel(np.zeros((120, 3)), "rotation", 0, "XYX")])
