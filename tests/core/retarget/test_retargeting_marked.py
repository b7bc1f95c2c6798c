"""Contacts that people marked in captured walks: held when given, not slid over when found."""

from __future__ import annotations

import numpy as np
import pytest
from annotated_clips import AnnotatedClip, annotated_clips
from contact_edits import BODY, CONTACTS, HEIGHT, INDEX, WALK
from marked_slides import added_turning, marked_contacts, slides_of
from resized_skeletons import LEG_BONES, resized
from test_retargeting_clips import WALKS

from core.analysis.contacts import ContactSpans, detect_contacts
from core.body import find_body
from core.motion.motion import Motion
from core.numerics import quaternion
from core.retarget import Retargeted, name_mapping, retarget, rolling_contacts
from core.retarget.proportions.measures import chain_length, chain_of
from core.solve.contact_lock.windows import contact_frames

# Frames of a clip that are looked at: several steps.
MOST = 480
# Legs by which a foot may go further over a marked contact than the source's does where it is not found to stand.
MORE = 0.006
# In these a foot goes further than three hundredths of a leg while it is marked and not found to stand.
CREEPING = ("cmu_127_04_walk_to_run", "cmu_133_03_walk_jump", "cmu_138_01_march")
# Degrees a second by which a leg may turn faster than the source's.
CALM = 1500.0


def _clip(folder, name: str) -> AnnotatedClip:
    return next(clip for clip in annotated_clips(folder) if clip.name == name)


def _on(
    clip: AnnotatedClip, motion: Motion, factor: float, only: tuple[str, ...], contacts: ContactSpans
) -> Retargeted:
    skeleton = resized(motion.skeleton, factor, only=only)
    body = find_body(skeleton)
    mapping = name_mapping(motion.skeleton, skeleton, clip.body, body)
    return retarget(motion, skeleton, mapping, source_body=clip.body, target_body=body, contacts=contacts)


def _leg(motion: Motion, clip: AnnotatedClip) -> float:
    return float(np.mean([chain_length(motion.poses.positions, chain_of(limb)) for limb in clip.body.legs]))


SIZES = pytest.mark.parametrize(("factor", "only"), [(0.6, ()), (0.4, LEG_BONES)], ids=["60 % size", "very short legs"])


@pytest.mark.clips
@SIZES
@pytest.mark.parametrize("walk", WALKS)
def test_marked_contacts_that_are_given_are_held(clips_folder, walk, factor, only):
    clip = _clip(clips_folder, walk)
    motion = clip.motion.part(0, MOST)
    contacts = rolling_contacts(motion, clip.body, marked_contacts(clip, motion))
    result = _on(clip, motion, factor, only, contacts)
    assert slides_of(clip, result.motion).max() < 1e-3 * result.report.leg_length
    assert result.report.slide < 1e-3 * result.report.leg_length
    assert result.report.missed == ()
    assert added_turning(clip, motion, result.motion) < CALM


@pytest.mark.clips
@SIZES
@pytest.mark.parametrize("walk", WALKS)
def test_found_contacts_add_no_slide_to_marked_ones(clips_folder, walk, factor, only):
    clip = _clip(clips_folder, walk)
    motion = clip.motion.part(0, MOST)
    found = detect_contacts(motion, clip.body)
    result = _on(clip, motion, factor, only, found)
    own = slides_of(clip, motion, besides=found) / _leg(motion, clip)
    slides = slides_of(clip, result.motion) / result.report.leg_length
    assert (slides - own).max() < MORE
    assert added_turning(clip, motion, result.motion) < CALM


@pytest.mark.clips
@SIZES
@pytest.mark.parametrize("walk", CREEPING)
def test_feet_that_creep_before_a_step_stand(clips_folder, walk, factor, only):
    clip = _clip(clips_folder, walk)
    motion = clip.motion.part(0, MOST)
    found = detect_contacts(motion, clip.body)
    result = _on(clip, motion, factor, only, found)
    assert (slides_of(clip, motion, besides=found) / _leg(motion, clip)).max() > 0.01
    assert slides_of(clip, result.motion).max() < 0.01 * result.report.leg_length


def test_the_parts_of_a_foot_stand_exactly_while_it_is_marked():
    marked = ContactSpans({"foot.L": ((0.0, 0.4), (1.0, 2.3)), "hand.R": ((0.5, 0.7),)})
    shared = rolling_contacts(WALK, BODY, marked)
    stands = [contact_frames(shared, name, WALK.times) for name in ("foot.L", "toe.L")]
    np.testing.assert_array_equal(stands[0] | stands[1], contact_frames(marked, "foot.L", WALK.times))
    assert not np.array_equal(stands[0], stands[1])
    assert shared.of("hand.R") == marked.of("hand.R")
    assert shared.of("foot.R") == ()


def test_marked_ankles_and_marked_toes_mean_the_same():
    whole = CONTACTS.of("foot.L")
    ankle, toe = (rolling_contacts(WALK, BODY, ContactSpans({name: whole})) for name in ("foot.L", "toe.L"))
    assert dict(ankle.spans) == dict(toe.spans)


def test_a_foot_that_rolls_over_between_two_frames_does_not_jump():
    times = WALK.times
    (start, end), *_ = (span for span in CONTACTS.of("foot.L") if span[1] - span[0] > 0.4)
    middle = int(np.searchsorted(times, 0.5 * (start + end)))
    over = ContactSpans({"foot.L": ((start, times[middle]),), "toe.L": ((times[middle + 1], end),)})
    short = resized(WALK.skeleton, 0.5, only=LEG_BONES)
    body = find_body(short)
    mapping = name_mapping(WALK.skeleton, short, BODY, body)
    places = retarget(WALK, short, mapping, source_body=BODY, target_body=body, contacts=over).motion.poses.positions
    for joint in ("foot.L", "toe.L"):
        step = np.linalg.norm(places[middle + 1, INDEX[joint]] - places[middle, INDEX[joint]])
        assert step < 1e-6 * HEIGHT


def test_contacts_that_end_early_make_no_difference_while_the_source_s_foot_stands_on():
    early = ContactSpans(
        {
            name: [(start + 0.07, end - 0.07) for start, end in CONTACTS.of(name) if end - start > 0.25]
            for name in CONTACTS.joints
        }
    )
    short = resized(WALK.skeleton, 0.45, only=LEG_BONES)
    body = find_body(short)
    mapping = name_mapping(WALK.skeleton, short, BODY, body)
    result = retarget(WALK, short, mapping, source_body=BODY, target_body=body, contacts=early)
    for name in ("toe.L", "toe.R"):
        places = result.motion.poses.positions[:, INDEX[name]]
        for start, end in (span for span in CONTACTS.of(name) if span[1] - span[0] > 0.25):
            inside = (WALK.times >= start - 1e-9) & (WALK.times <= end + 1e-9)
            assert np.ptp(places[inside], axis=0).max() < 1e-3 * HEIGHT


def test_feet_that_creep_do_so_no_further_than_the_source_s():
    times = WALK.times
    start = next(span[0] for span in CONTACTS.of("foot.L") if span[1] - span[0] > 0.4)
    creeping = np.clip(times - (start + 0.15), 0.0, 0.2)[:, None] * np.array([0.1, 0.0, 0.0]) * HEIGHT
    locations = np.array(WALK.locations)
    root = WALK.skeleton.rest_rotations[BODY.root]
    locations[:, BODY.root] += quaternion.rotate(quaternion.conjugate(root), creeping)
    motion = WALK.with_locations(locations)
    stands = ContactSpans({"foot.L": ((start, start + 0.15),)})
    result = []
    for factor in (0.5, 0.999):
        short = resized(WALK.skeleton, factor, only=LEG_BONES)
        body = find_body(short)
        mapping = name_mapping(WALK.skeleton, short, BODY, body)
        found = retarget(motion, short, mapping, source_body=BODY, target_body=body, contacts=stands)
        inside = (times >= start + 0.15) & (times <= start + 0.35)
        way = np.ptp(found.motion.poses.positions[inside, INDEX["foot.L"]], axis=0)[0]
        result.append(way / found.report.scale)
    own = np.ptp(motion.poses.positions[inside, INDEX["foot.L"]], axis=0)[0]
    leg = found.report.leg_length / found.report.scale
    assert result[0] == pytest.approx(result[1], rel=1e-6)
    assert own - 0.031 * leg < result[0] < own - 0.02 * leg
