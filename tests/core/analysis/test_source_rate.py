"""Telling the source rate: gravity decides where people fly, several flights overrule a file; no more is claimed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core.analysis.flight import find_flights
from core.analysis.source_rate import RateGuess, guess_source_rate
from core.body import Body, find_body
from core.body.mass_centre import centre_of_mass, is_person
from core.files.bvh import read_bvh
from core.motion.reference_frame import leading_reference_frames
from core.sample_motion import sample_events, sample_motion

# Subjects of whom all files say 120 and were captured at 60, and a file of another one.
WRONG_SUBJECTS, WRONG_FILES = {62, 74, 75, 79, 80, 87}, {"cmu_139_02_idle_shift_weight"}
# A person of 1.73 m from the lowest to the highest joint, and the same when it was a child.
TALL, CHILD = 1.0, 0.6


@cache
def sampled(rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Times (F,) and joints (F, J, 3) of the sample."""
    motion = sample_motion(rate)
    return motion.times, motion.poses.positions


@cache
def body_of_sample(size: float = 1.0) -> Body:
    motion = sample_motion(30.0)
    body = find_body(motion.skeleton, motion=motion)
    return replace(body, height=size * body.height)


def jumper(rate: float, *, jumps: int = 3, size: float = 1.0, slower: float = 1.0) -> np.ndarray:
    """(F, J, 3) joints of the sample that jumps some times, in between steps and crouches.

    Args:
        rate: Samples a second.
        jumps: How many.
        size: Factor on all lengths; gravity stays.
        slower: Factor on the time that everything takes.
    """
    # Whoever is smaller is as much quicker: then the same poses fall by the same gravity.
    times, positions = sampled(rate * slower * np.sqrt(size))
    first, last = sample_events().flight
    part = positions[(times > first - 0.8) & (times < last + 0.8)]
    rest = positions[times < first - 0.8]
    return size * np.concatenate([rest, *[part] * jumps])


def guess(positions: np.ndarray, *, size: float = 1.0, stated: float | None = None) -> RateGuess:
    return guess_source_rate(positions, body_of_sample(size), stated=stated)


@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("jumps", [1, 3])
def test_jumps_show_the_rate(rate, jumps):
    found = guess(jumper(rate, jumps=jumps))
    assert found.rate == rate
    assert found.reason.startswith("Free fall in a jump shows" if jumps == 1 else "Free fall in 3 jumps or strides")


@pytest.mark.parametrize("size", [TALL, CHILD], ids=["tall", "child"])
@pytest.mark.parametrize("rate", [30.0, 60.0, 120.0])
class TestWithAHeader:
    def test_jumps_that_agree_overrule_one_that_is_too_high(self, rate, size):
        found = guess(jumper(rate, size=size), size=size, stated=2.0 * rate)
        assert (found.rate, found.contradicts) == (rate, True)
        assert found.reason.endswith(f"not the {2.0 * rate:g} that the file says")

    def test_a_single_jump_only_raises_doubt(self, rate, size):
        found = guess(jumper(rate, jumps=1, size=size), size=size, stated=2.0 * rate)
        assert (found.rate, found.contradicts) == (2.0 * rate, True)
        assert found.reason.startswith("As the file says, but free fall in a jump shows about ")

    def test_the_right_one_is_confirmed(self, rate, size):
        found = guess(jumper(rate, size=size), size=size, stated=rate)
        assert (found.rate, found.contradicts) == (rate, False)
        assert found.reason == "As the file says; free fall in 3 jumps or strides confirms it"

    def test_a_slow_fall_is_no_reason_for_a_higher_one(self, rate, size):
        """It may be slow motion."""
        found = guess(jumper(rate, size=size), size=size, stated=0.5 * rate)
        assert (found.rate, found.contradicts, found.reason) == (0.5 * rate, False, "As the file says")


@pytest.mark.parametrize(("stated", "true"), [(100.0, 120.0), (120.0, 100.0), (25.0, 30.0), (60.0, 50.0)])
def test_rates_that_differ_less_than_people_do_are_left_as_stated(stated, true):
    found = guess(jumper(true), stated=stated)
    assert (found.rate, found.contradicts) == (stated, False)


def test_jumps_that_do_not_agree_overrule_nothing():
    """One falls as at 60, the other one as at 80."""
    two = np.concatenate([jumper(60.0, jumps=1), jumper(80.0, jumps=1)])
    found = guess(two, stated=120.0)
    assert (found.rate, found.contradicts) == (120.0, True)


def test_a_giant_that_falls_slowly_is_no_person_at_a_higher_rate():
    giant = jumper(30.0, size=4.0)
    found = guess(giant, size=4.0)
    assert found.rate is None
    assert found.reason.endswith("for a person, but this figure has another size")
    assert guess(giant, size=4.0, stated=30.0).rate == 30.0
    # In a unit in which nobody is as tall in metres it is a person.
    assert guess(20.0 * jumper(120.0), size=20.0).rate == 120.0


def test_a_dwarf_whose_size_fits_the_file_is_left_alone():
    dwarf = jumper(120.0, size=0.2)
    assert guess(dwarf, size=0.2, stated=120.0).rate == 120.0
    assert guess(dwarf, size=0.2).rate is None


@pytest.mark.parametrize("rate", [24.0, 60.0, 120.0])
@pytest.mark.parametrize("slower", [1.0, 2.0, 4.0])
def test_walking_says_nothing_however_slow_it_is(rate, slower):
    times, positions = sampled(rate * slower)
    walking = positions[times < 3.5]
    found = guess(walking)
    assert (found.rate, found.reason[:8]) == (None, "Unknown:")
    kept = guess(walking, stated=rate)
    assert (kept.rate, kept.contradicts) == (rate, False)
    assert kept.reason == "As the file says; nothing in the motion confirms it"


def test_who_is_no_person_is_not_judged():
    """A tail, wings, four legs: nobody knows how tall such a creature is."""
    body = body_of_sample()
    legs = replace(body, limbs=body.legs)
    assert is_person(body)
    assert not is_person(legs)
    assert guess_source_rate(jumper(120.0), legs).rate is None
    assert guess_source_rate(jumper(120.0), replace(body, height=None)).rate is None


@pytest.mark.parametrize("frames", [1, 3, 7])
def test_a_few_frames_say_nothing(frames):
    assert guess(jumper(120.0)[:frames]).rate is None
    assert guess(jumper(120.0)[:frames], stated=120.0).rate == 120.0


@pytest.mark.parametrize("stated", [0.0, float("nan"), float("inf"), -24.0])
def test_a_senseless_statement_is_no_statement(stated):
    assert guess(jumper(60.0), stated=stated) == guess(jumper(60.0))


def test_the_up_axis_is_respected():
    body = body_of_sample()
    figure = jumper(60.0)
    turned = replace(body, up=type(body.up)("+Y"))
    assert guess_source_rate(figure[..., [0, 2, 1]], turned) == guess_source_rate(figure, body)


def test_bad_positions_are_refused():
    broken = jumper(60.0)
    broken[3, 2] = np.nan
    with pytest.raises(ValueError, match="finite"):
        guess(broken)


def test_input_is_left_alone():
    figure = jumper(60.0)
    before = figure.copy()
    guess(figure)
    np.testing.assert_array_equal(figure, before)


def test_flights_are_where_they_are():
    (_times, positions), body = sampled(120.0), body_of_sample()
    (flight,) = find_flights(positions / body.height, centre_of_mass(positions, body) / body.height, 2)
    first, last = sample_events().flight
    assert flight.first / 120.0 == pytest.approx(first, abs=0.06)
    assert flight.last / 120.0 == pytest.approx(last, abs=0.12)
    assert first < flight.first / 120.0 < flight.last / 120.0 < last


def clip_paths(folder: Path) -> list[Path]:
    return sorted([*(folder / "dev").glob("cmu_*.bvh"), *(folder / "corpus").glob("cmu_*.bvh")])


def true_rate(path: Path, header: float) -> float:
    wrong = path.stem in WRONG_FILES or int(path.stem.split("_")[1]) in WRONG_SUBJECTS
    return 60.0 if wrong else header


@pytest.mark.clips
def test_no_right_header_of_captured_clips_is_overruled_and_no_rate_is_told_wrongly(clips_folder):
    """Of subjects with odd numbers, of whom no threshold was chosen; thinned out to half and a quarter too."""
    right = overruled = 0
    for path in clip_paths(clips_folder):
        if int(path.stem.split("_")[1]) % 2 == 0:
            continue
        motion = read_bvh(path).to_motion()
        body, true = find_body(motion.skeleton, motion=motion), true_rate(path, motion.rate)
        for every in (1, 2, 4):
            positions = motion.poses.positions[leading_reference_frames(motion) :: every]
            with_right = guess_source_rate(positions, body, stated=true / every)
            assert (with_right.rate, with_right.contradicts) == (true / every, False), path.stem
            twice = guess_source_rate(positions, body, stated=2.0 * true / every)
            assert twice.rate in (true / every, 2.0 * true / every), path.stem
            alone = guess_source_rate(positions, body)
            assert alone.rate is None or alone.rate == pytest.approx(true / every, rel=0.3), path.stem
            right, overruled = right + (alone.rate is not None), overruled + (twice.rate == true / every)
    assert right >= 45
    assert overruled >= 20
