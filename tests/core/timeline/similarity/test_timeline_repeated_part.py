"""The part that happens most often is found where something is repeated, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from annotated_clips import annotated_clips

from core.body import find_body
from core.motion.motion import Motion
from core.sample_motion import sample_motion
from core.timeline import MatchWeb, NothingRepeatedError, match_web, most_repeated_part, propagation_windows

RATE = 30.0


def web_of(motion: Motion) -> MatchWeb:
    return match_web(motion, find_body(motion.skeleton, motion=motion))


@pytest.fixture(scope="module")
def web() -> MatchWeb:
    return web_of(sample_motion(RATE))


def test_the_part_lies_in_the_motion_and_happens_more_than_once(web: MatchWeb) -> None:
    start, end = most_repeated_part(web, rate=RATE)
    assert 0.0 <= start < end <= web.frames - 1
    assert [start, end] == [round(start), round(end)]
    assert any(window.ticked for window in propagation_windows(web, start, end))


def test_something_that_happens_twice_is_found_where_it_is() -> None:
    """A motion that is followed by itself: whatever is chosen is half the length away again."""
    whole = sample_motion(RATE)
    length = len(whole)
    twice = Motion.build(
        whole.skeleton,
        np.concatenate([whole.rotations, whole.rotations]),
        rate=RATE,
        locations=np.concatenate([whole.locations, whole.locations]),
    )
    found = web_of(twice)
    start, end = most_repeated_part(found, rate=RATE)
    others = [window.start for window in propagation_windows(found, start, end) if window.ticked]
    assert min(abs(abs(other - start) - length) for other in others) < 2.0


def test_a_motion_without_repetition_is_refused(web: MatchWeb) -> None:
    with pytest.raises(NothingRepeatedError, match="No part of this motion is repeated; give the Start and End"):
        most_repeated_part(replace(web, paths=()), rate=RATE)


def test_a_motion_shorter_than_two_steps_is_refused() -> None:
    whole = sample_motion(RATE)
    short = Motion.build(whole.skeleton, whole.rotations[:20], rate=RATE, locations=whole.locations[:20])
    with pytest.raises(NothingRepeatedError):
        most_repeated_part(web_of(short), rate=RATE)


@pytest.mark.clips
def test_captured_punches_are_what_is_chosen(clips_folder: Path) -> None:
    (clip,) = [each for each in annotated_clips(clips_folder) if each.name.startswith("cmu_02_05")]
    start, end = most_repeated_part(web_of(clip.motion), rate=clip.motion.rate)
    hits = np.array(clip.notes["punches"]["rows_of_full_extension"]) - clip.lead
    assert np.any((hits > start) & (hits < end))
