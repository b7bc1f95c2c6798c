"""Contacts: found where feet stand, in any unit and at any rate; spans that can be edited."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, Score, annotated_clips
from made_motion import chain

from core.analysis.contacts import (
    ContactOptions,
    ContactSpans,
    default_joints,
    detect_contacts,
    estimate_floor,
    options_from_example,
)
from core.body import Axis, Body, find_body
from core.errors import MissingRoleError
from core.motion.motion import Motion
from core.motion.time_maps.time_map import Ends, TimeMap
from core.numerics.piecewise_cubic import PiecewiseCubic
from core.sample_motion import sample_events, sample_motion

UP = np.array([0.0, 0.0, 1.0])


def moving_joint(path, rate=60.0):
    """A motion of one joint that follows a path (F, 3), and a body one unit tall."""
    frames = len(path)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1))
    motion = Motion.build(chain(1), rotations, rate=rate, locations=np.asarray(path, dtype=float)[:, None])
    return motion, Body(motion.skeleton, root=0, up=Axis.PLUS_Z, height=1.0)


def stepping_path(rate, holds=((0.0, 0.6), (1.0, 1.7)), seconds=2.4):
    """Stands at x = 0 and x = 0.5 during the holds, moves in an arc before, between and after."""
    times = np.arange(round(seconds * rate)) / rate
    (_, leave), (arrive, off) = holds
    share = np.clip((times - leave) / (arrive - leave), 0.0, 1.0)
    x = 0.5 * share + np.clip(times - off, 0.0, None)
    z = 0.2 * np.sin(np.pi * share) + np.clip(times - off, 0.0, None)
    return np.stack([x, np.zeros_like(x), z], axis=-1)


def contacts_of(motion, body, **options):
    return detect_contacts(motion, body, joints=[0], options=ContactOptions(**options)).of("joint 0")


@pytest.mark.parametrize("rate", [24, 30, 60, 120])
def test_a_joint_that_steps_has_the_contacts_of_its_holds(rate):
    found = contacts_of(*moving_joint(stepping_path(rate), rate))
    np.testing.assert_allclose(found, [(0.0, 0.6), (1.0, 1.7)], atol=1.0 / rate + 0.02)


@pytest.mark.parametrize("scale", [0.01, 1.0, 39.37])
def test_the_unit_does_not_matter(scale):
    motion, body = moving_joint(stepping_path(60))
    larger, _ = moving_joint(scale * stepping_path(60))
    assert contacts_of(larger, replace(body, height=scale)) == contacts_of(motion, body)


def test_a_joint_that_never_rests_has_no_contact():
    times = np.arange(240) / 60.0
    path = np.stack([2.0 * times, np.zeros(240), 0.3 + 0.3 * np.sin(7 * times)], axis=-1)
    assert contacts_of(*moving_joint(path)) == ()


def test_stillness_high_above_the_floor_counts_from_a_quarter_second_on():
    for seconds, expected in ((0.2, 0), (0.4, 1)):
        hold = int(60 * seconds)
        ramp = np.linspace(0.0, 1.0, 20)[1:]
        height = np.concatenate([ramp, np.full(hold, 1.0), 1.0 - ramp, np.linspace(0, -1, 60)])
        path = np.stack([np.arange(len(height)) * 1e-9, 0 * height, height], axis=-1)
        found = [span for span in contacts_of(*moving_joint(path)) if span[0] < 1.0]
        assert len(found) == expected


def test_a_short_slow_moment_near_the_floor_is_a_step_and_floor_time_decides():
    path = stepping_path(120, holds=((0.0, 0.4), (0.7, 0.82)))
    motion, body = moving_joint(path, 120)
    assert len(contacts_of(motion, body)) == 2
    assert len(contacts_of(motion, body, floor_time=0.2)) == 1


def test_a_pop_does_not_break_a_contact_but_a_step_does():
    path = np.zeros((120, 3))
    path[60] = [0.0, 0.0, 0.02]
    assert len(contacts_of(*moving_joint(path))) == 1
    path[60:, 0] += 0.3
    assert len(contacts_of(*moving_joint(path))) == 2


def test_the_tolerance_can_be_taken_from_a_marked_contact():
    random = np.random.default_rng(3)
    path = stepping_path(60) + 0.012 * random.normal(size=(144, 3))
    motion, body = moving_joint(path)
    options = options_from_example(motion, body, 0, (0.05, 0.5))
    assert options.tolerance > ContactOptions().floor_reach / 2
    found = detect_contacts(motion, body, joints=["joint 0"], options=options).of("joint 0")
    np.testing.assert_allclose(found, [(0.0, 0.6), (1.0, 1.7)], atol=0.08)


def test_a_marked_contact_without_frames_is_refused():
    motion, body = moving_joint(stepping_path(60))
    with pytest.raises(ValueError, match="at least two frames"):
        options_from_example(motion, body, 0, (0.101, 0.105))


def test_positions_from_elsewhere_are_used():
    motion, body = moving_joint(stepping_path(60))
    still = np.zeros((len(motion), 1, 3))
    assert contacts_of(motion, body) != ((0.0, motion.times[-1]),)
    found = detect_contacts(motion, body, joints=[0], positions=still)
    assert found.of("joint 0") == ((0.0, motion.times[-1]),)


def test_the_floor_ignores_single_low_frames():
    path = stepping_path(60)
    path[30] = [0.0, 0.0, -3.0]
    assert estimate_floor(path[:, None], UP) == pytest.approx(0.0, abs=1e-6)


def test_toes_beside_a_control_that_places_the_foot_are_not_looked_at():
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    names, index = motion.skeleton.names, motion.skeleton.index
    assert [names[joint] for joint in default_joints(body)] == ["foot.L", "foot.R", "toe.L", "toe.R"]
    elsewhere = replace(
        body, limbs=tuple(replace(limb, end=index["hand.L"]) if limb.kind.is_leg else limb for limb in body.limbs)
    )
    assert [names[joint] for joint in default_joints(elsewhere)] == ["hand.L"]


def test_what_is_missing_is_named():
    motion, body = moving_joint(stepping_path(60))
    with pytest.raises(MissingRoleError, match="height"):
        detect_contacts(motion, replace(body, height=None), joints=[0])
    with pytest.raises(MissingRoleError, match="feet"):
        detect_contacts(motion, body)
    with pytest.raises(ValueError, match="no bone 'knee'"):
        detect_contacts(motion, body, joints=["knee"])
    with pytest.raises(ValueError, match="slow must be above zero"):
        ContactOptions(slow=0.0)


@pytest.mark.parametrize("frames", [1, 2, 3, 5])
def test_very_short_motions_do_not_fail(frames):
    motion, body = moving_joint(np.zeros((frames, 3)))
    assert len(contacts_of(motion, body)) <= 1


@pytest.mark.parametrize("rate", [24, 30, 60, 120])
def test_the_sample_motion_has_exactly_its_contacts(rate):
    motion = sample_motion(rate)
    found = detect_contacts(motion, find_body(motion.skeleton, motion=motion))
    for joint, spans in sample_events().contacts.items():
        assert len(found.of(joint)) == len(spans), joint
        # An ankle starts and ends its rest slowly, a ball of the foot at once.
        tolerance = 0.035 if joint.startswith("toe") else 0.065
        np.testing.assert_allclose(found.of(joint), spans, atol=tolerance)


def foot_down(clip: AnnotatedClip, found: ContactSpans, side: str) -> np.ndarray:
    joints = [f"{side.capitalize()}{part}" for part in ("Foot", "ToeBase")]
    return np.any([found.active(joint, clip.motion.times) for joint in joints], axis=0)


def change_times(down: np.ndarray, rate: float) -> np.ndarray:
    starts, ends = np.flatnonzero(np.diff(down.astype(int)) == 1) + 1, np.flatnonzero(np.diff(down.astype(int)) == -1)
    return np.sort(np.concatenate([starts, ends])) / rate


def contact_scores(folder: Path) -> tuple[Score, Score]:
    """Frames in contact, and contact changes within 0.1 s, over all clips with annotated feet."""
    frames, changes = Score(), Score()
    for clip in annotated_clips(folder):
        if "foot_contacts" not in clip.notes:
            continue
        found = detect_contacts(clip.motion, clip.body)
        for side in ("left", "right"):
            ours, theirs = foot_down(clip, found, side), clip.foot_contacts(side)
            frames.add_frames(ours, theirs)
            rate = clip.motion.rate
            changes.add_times(change_times(ours, rate), change_times(theirs, rate), 0.1)
    return frames, changes


def test_annotated_feet(clips_folder: Path) -> None:
    # The annotation's own four threshold pairs differ by about this much from each other.
    frames, changes = contact_scores(clips_folder)
    assert frames.wanted > 5000
    assert frames.precision > 0.97
    assert frames.recall > 0.94
    assert changes.precision > 0.85
    assert changes.recall > 0.9


SPANS = ContactSpans({"foot": ((0.0, 1.0), (2.0, 3.0), (4.0, 5.0)), "hand": ()})


def test_spans_are_edited_into_new_spans():
    before = SPANS.to_data()
    assert SPANS.add("foot", 3.2, 3.6).of("foot") == ((0.0, 1.0), (2.0, 3.0), (3.2, 3.6), (4.0, 5.0))
    assert SPANS.add("foot", 0.5, 2.5).of("foot") == ((0.0, 3.0), (4.0, 5.0))
    assert SPANS.add("toe", 1.0, 2.0).of("toe") == ((1.0, 2.0),)
    assert SPANS.remove("foot", 1).of("foot") == ((0.0, 1.0), (4.0, 5.0))
    assert SPANS.move("foot", 1, end=3.5).of("foot")[1] == (2.0, 3.5)
    assert SPANS.move("foot", 1, start=0.9).of("foot") == ((0.0, 3.0), (4.0, 5.0))
    assert SPANS.split("foot", 2.5, gap=0.2).of("foot")[1:3] == ((2.0, 2.4), (2.6, 3.0))
    assert SPANS.to_data() == before


def test_spans_tell_when_and_which():
    assert SPANS.at("foot", 2.5) == 1
    assert SPANS.at("foot", 1.5) is None
    assert SPANS.active("foot", [0.0, 1.0, 1.5, 2.0]).tolist() == [True, True, False, True]
    assert not SPANS.active("nose", [0.0, 1.0]).any()
    assert SPANS.changes().tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    "time_map",
    [
        TimeMap.scale(2.0),
        TimeMap.shift(0.7),
        TimeMap.reverse(0.0, 5.0),
        TimeMap.through([0.0, 2.0, 2.5, 6.0], [0.0, 1.5, 3.5, 5.0]),
        TimeMap.through([0.0, 1.0, 3.0, 5.0], [0.5, 2.4, 2.4, 4.5]),
        TimeMap.from_samples([0.0, 2.0, 4.0, 6.0], [0.5, 3.0, 0.5, 4.5]),
        TimeMap.through([0.0, 2.0, 4.0, 6.0], [0.5, 2.6, 0.2, 5.0], monotone=False),
        TimeMap.from_samples([0.0, 2.0], [0.5, 4.5], ends=Ends.CYCLE),
        TimeMap(PiecewiseCubic([0.0, 2.0, 2.0, 4.0], [0.0, 2.5, 0.5, 4.2], [[1, 1], [0, 0], [1, 1]])),
    ],
)
def test_retimed_spans_hold_where_the_old_time_is_in_contact(time_map):
    moved = SPANS.retimed(time_map)
    times = np.linspace(*time_map.new_times[[0, -1]], 4001)[:-1]
    old = time_map(times)
    clear = np.abs(old[:, None] - np.ravel(SPANS.of("foot"))).min(axis=1) > 1e-6
    agree = moved.active("foot", times) == SPANS.active("foot", old)
    assert agree[clear].all()
    assert moved.active("foot", times).any()
    assert moved.of("hand") == ()


def test_retimed_spans_reach_beyond_the_knots_of_a_map_that_goes_on():
    assert SPANS.retimed(TimeMap.scale(2.0)).of("foot") == ((0.0, 0.5), (1.0, 1.5), (2.0, 2.5))
    held = TimeMap.from_samples([0.0, 1.0], [2.5, 4.5])
    assert SPANS.retimed(held).of("foot") == ((0.0, 0.25), (0.75, 1.0))


def test_spans_survive_saving():
    assert ContactSpans.from_data(json.loads(json.dumps(SPANS.to_data()))) == SPANS
    assert pickle.loads(pickle.dumps(SPANS)) == SPANS


def test_spans_cannot_be_changed_in_place():
    with pytest.raises(TypeError):
        SPANS.spans["foot"] = ()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (lambda: SPANS.add("foot", 2.0, 2.0), "must end after it starts"),
        (lambda: SPANS.remove("foot", 3), "has 3 contacts, there is no number 3"),
        (lambda: SPANS.move("hand", 0, end=1.0), "has 0 contacts"),
        (lambda: SPANS.move("foot", 0, end=-1.0), "must end after it starts"),
        (lambda: SPANS.split("foot", 1.5), "no contact around 1.5 s"),
        (lambda: SPANS.split("foot", 0.98), "no contact around 0.98 s"),
        (lambda: ContactSpans({"foot": ((0.0, 2.0), (1.0, 3.0))}), "overlap"),
        (lambda: ContactSpans.from_data({"foot": [[1.0]]}), "not 1 numbers"),
    ],
)
def test_impossible_edits_are_refused_with_the_reason(action, reason):
    with pytest.raises(ValueError, match=reason):
        action()
