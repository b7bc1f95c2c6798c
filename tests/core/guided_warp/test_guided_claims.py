"""What the guided warp paper claims, measured on our own motion and on captured clips."""

import numpy as np
import pytest
from annotated_clips import annotated_clips

from core.analysis.pose_features import torso_positions
from core.body import LimbKind, Side, find_body
from core.guided_warp import GuidedWarpOptions, guided_warp
from core.sample_motion import sample_events, sample_motion

# Frames are those of the search, thirty in a second.
RATE = 30.0
PUNCHES = {"weak": "cmu_02_05_punches_weak", "aggressive": "cmu_13_18_boxing_aggressive"}


def clip_named(folder, name):
    return next(clip for clip in annotated_clips(folder) if clip.name == name)


def shortened(motion, body, share, *, influence=1.0, speed_limit=4.0):
    start, end = float(motion.times[0]), float(motion.times[-1])
    keytimes = [(start, start), (end, start + share * (end - start))]
    options = GuidedWarpOptions(influence=influence, speed_limit=speed_limit)
    return guided_warp(motion, body, keytimes, options=options).time_map


def lasts(time_map, start, end):
    """Frames that a part of the old motion takes now."""
    new = time_map.map_key_times([start, end])
    return RATE * float(new[1] - new[0])


def assert_flight_is_kept(motion, body, flight, share):
    frames = RATE * (flight[1] - flight[0])
    guided, linear = shortened(motion, body, share), shortened(motion, body, share, influence=0.0)
    assert lasts(guided, *flight) == pytest.approx(frames, abs=1.0)
    assert lasts(linear, *flight) == pytest.approx(share * frames, abs=1e-6)
    # The same limit would fail the linear warp.
    assert abs(lasts(linear, *flight) - frames) > 1.5
    total = RATE * float(motion.times[-1] - motion.times[0])
    assert lasts(guided, motion.times[0], motion.times[-1]) == pytest.approx(share * total, abs=1e-6)


@pytest.mark.parametrize("share", [0.7, 0.8, 1.2])
def test_the_sample_motion_keeps_its_jump(share):
    motion = sample_motion(30.0)
    assert_flight_is_kept(motion, find_body(motion.skeleton, motion=motion), sample_events().flight, share)


def test_walking_is_what_gets_shorter():
    motion = sample_motion(30.0)
    time_map = shortened(motion, find_body(motion.skeleton, motion=motion), 0.8)
    flight = sample_events().flight
    assert lasts(time_map, 0.0, flight[0]) < 0.85 * RATE * flight[0]


@pytest.mark.parametrize("share", [0.8, 1.2])
@pytest.mark.parametrize("name", ["cmu_133_03_walk_jump", "cmu_118_01_jump", "fair1_jumping_zup"])
def test_captured_jumps_are_kept(clips_folder, name, share):
    clip = clip_named(clips_folder, name)
    jump = clip.notes["jumps"]["events"][0]
    flight = tuple(float(clip.motion.times[jump[row] - clip.lead]) for row in ("takeoff", "landing"))
    assert_flight_is_kept(clip.motion, clip.body, flight, share)


def test_silence_is_removed(clips_folder):
    """Somebody stands still for 1.5 s, walks and runs; a second less is taken from the standing."""
    clip = clip_named(clips_folder, "cmu_127_04_walk_to_run")
    start, end = float(clip.motion.times[0]), float(clip.motion.times[-1])
    moves = float(clip.motion.times[185])
    time_map = guided_warp(clip.motion, clip.body, [(start, start), (end, end - 1.0)]).time_map
    standing, moving = lasts(time_map, start, moves), lasts(time_map, moves, end)
    assert RATE * (moves - start) - standing > 0.8 * RATE
    assert moving > 0.9 * RATE * (end - moves)


def test_silence_within_the_sample_motion_is_removed():
    """A pause in the middle of the walk is passed over, and standing at both ends; nothing that moves."""
    motion = sample_motion(30.0)
    body, middle = find_body(motion.skeleton, motion=motion), 3.3
    before = np.searchsorted(motion.times, middle)
    frames = np.concatenate([np.arange(before), np.full(60, before), np.arange(before, len(motion))])
    paused = type(motion).build(
        motion.skeleton, motion.rotations[frames], rate=30.0, locations=motion.locations[frames]
    )
    end = float(paused.times[-1])
    time_map = guided_warp(paused, body, [(0.0, 0.0), (end, end - 1.2)]).time_map
    assert lasts(time_map, paused.times[before], paused.times[before + 60]) < 60 - 0.5 * 1.2 * RATE
    for moving in ((0.8, 3.2), (5.4, 12.5)):
        assert lasts(time_map, *moving) > 0.97 * RATE * (moving[1] - moving[0])


def wrist_speeds(motion, body):
    """Body heights a second of the right wrist, seen from the torso."""
    (arm,) = body.limbs_of(LimbKind.ARM, side=Side.RIGHT)
    wrist = torso_positions(motion.poses.positions, body, joints=[arm.end])[:, 0]
    return np.linalg.norm(np.gradient(wrist, motion.times, axis=0), axis=-1)


def peaks(motion, body, extensions):
    speeds = wrist_speeds(motion, body)
    return np.array([speeds[(motion.times > time - 0.5) & (motion.times < time + 0.05)].max() for time in extensions])


def test_weak_punches_take_the_timing_of_aggressive_ones(clips_folder):
    """All nine get at least half as fast again, and the median comes a third of the way to the aggressive speed."""
    weak, aggressive = (clip_named(clips_folder, name) for name in PUNCHES.values())
    motion, start, end = weak.motion, float(weak.motion.times[0]), float(weak.motion.times[-1])
    result = guided_warp(
        motion, weak.body, [(start, start), (end, end)], reference=aggressive.motion, reference_body=aggressive.body
    )
    extended = motion.times[np.array(weak.notes["punches"]["rows_of_full_extension"]) - weak.lead]
    hits = aggressive.motion.times[np.array(aggressive.notes["punches"]["fast_extensions_right"]) - aggressive.lead]
    output = result.time_map.apply(motion, motion.times)
    before = peaks(motion, weak.body, extended)
    after = peaks(output, weak.body, result.time_map.map_key_times(extended))
    goal = np.median(peaks(aggressive.motion, aggressive.body, hits))
    assert (after > 1.5 * before).all()
    assert np.median(after) - np.median(before) > (goal - np.median(before)) / 3.0
    assert len(output) == len(motion)
