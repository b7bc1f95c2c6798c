"""Guessing the source rate: gravity decides where there is a flight, nothing is claimed elsewhere."""

import numpy as np
import pytest

from core.bvh import read_bvh
from core.flight import find_flights
from core.reference_frame import leading_reference_frames
from core.source_rate import guess_source_rate

# Name: true rate, of the clips whose header is wrong.
WRONG_HEADERS = {"cmu_75_19_sit_stand": 60.0, "cmu_139_02_idle_shift_weight": 60.0}
# Clips with jumps, hops or strides in which the body really falls.
WITH_FLIGHT = [
    "dev/cmu_09_01_run",
    "dev/cmu_118_01_jump",
    "dev/cmu_133_03_walk_jump",
    "dev/cmu_13_18_boxing_aggressive",
    "dev/cmu_49_02_jumps_hops",
    "dev/cmu_94_05_dance_long",
    "odd/cmumax_jumping_jacks_30fps",
]


def jumper(rate, *, seconds=4.0, jump_at=2.0, air=0.5, tall=1.5, gravity=9.81):
    """(F, J, 3) a figure of five joints that waves its arms and jumps once; z is up, metres."""
    times = np.arange(round(seconds * rate)) / rate
    since = np.clip(times - jump_at, 0.0, air)
    lift = 0.5 * gravity * since * (air - since)
    crouch = -0.15 * np.exp(-(((times - jump_at + 0.15) / 0.08) ** 2)) * (times < jump_at)
    wave = 0.3 * np.sin(2 * np.pi * 1.2 * times)
    height = lift + crouch
    zero = np.zeros_like(times)
    feet = [np.stack([zero + side, zero, lift], -1) for side in (-0.1, 0.1)]
    trunk = [np.stack([zero, zero, at * tall + height], -1) for at in (0.55, 1.0)]
    arms = [np.stack([zero + side, wave, 0.6 * tall + height], -1) for side in (-0.3, 0.3)]
    return np.stack([*feet, *trunk, *arms], axis=1)


def guess(positions, **options):
    return guess_source_rate(positions, up_axis=2, height=1.5, **options)


def off(rate, true):
    return max(rate / true, true / rate)


@pytest.mark.parametrize("rate", [30, 60, 120, 240])
@pytest.mark.parametrize("wrongly", [None, 2.0, 0.5])
def test_a_jump_shows_the_rate_whatever_the_file_says(rate, wrongly):
    stated = wrongly and rate * wrongly
    found = guess(jumper(rate), stated=stated)
    assert found.rate == rate
    assert found.confidence > 0.5
    assert "Free fall in the jump" in found.reason
    assert found.reason.endswith(f"not the {stated:g} that the file says" if stated else "samples a second")


def test_the_flight_is_found_where_it_is_and_falls_by_gravity():
    (flight,) = find_flights(jumper(120) / 1.5, 2)
    assert flight.first == pytest.approx(240, abs=4)
    assert flight.last == pytest.approx(300, abs=4)
    assert flight.rate == pytest.approx(120.0, rel=0.05)


def test_size_and_unit_do_not_matter_but_gravity_does():
    figure = jumper(120)
    in_inches = guess_source_rate(figure / 0.0254, up_axis=2, height=1.5 / 0.0254)
    assert in_inches == guess(figure)
    # The same recording on the moon looks like slow motion: the rate comes out too high.
    assert guess(jumper(60, air=1.2, gravity=9.81 / 6)).rate > 60


def test_the_up_axis_is_respected():
    figure = jumper(60)
    assert guess_source_rate(figure[..., [0, 2, 1]], up_axis=1, height=1.5) == guess(figure)


@pytest.mark.parametrize(
    ("options", "rate"),
    [
        ({}, 30.0),
        ({"hint": 24.0}, 24.0),
        ({"hint": 25.0}, 25.0),
        ({"hint": 60.0}, 30.0),
        ({"stated": 23.976}, 23.976),
        ({"stated": 25.0, "hint": 24.0}, 25.0),
    ],
)
def test_neighbouring_rates_are_named_by_statement_hint_or_custom(options, rate):
    assert guess(jumper(30), **options).rate == rate


def test_other_candidates_can_be_given():
    assert guess(jumper(60), candidates=(48.0, 96.0)).rate == 48.0


@pytest.mark.parametrize("frames", [1, 3, 7])
def test_a_short_clip_falls_back(frames):
    few = jumper(120)[:frames]
    assert guess(few, stated=120.0, hint=24.0).rate == 120.0
    assert guess(few, hint=24.0).rate == 24.0
    assert guess(few).confidence == 0.0
    assert "too short" in guess(few).reason


def test_a_still_clip_falls_back():
    still = np.repeat(jumper(120)[:1], 500, axis=0)
    found = guess(still, stated=100.0)
    assert (found.rate, found.confidence) == (100.0, 0.0)
    assert found.reason == "As the file says; there is too little movement to tell the rate"


def test_without_a_flight_the_statement_is_kept_and_nothing_claimed():
    waving = jumper(120)[:200]
    for stated in (60.0, 119.88, 100.0):
        found = guess(waving, stated=stated)
        assert found.rate == stated
        assert found.confidence <= 0.5
        assert "nothing in the motion confirms it" in found.reason


@pytest.mark.parametrize("stated", [0.0, float("nan"), float("inf"), -24.0])
def test_a_senseless_statement_is_no_statement(stated):
    assert guess(jumper(60), stated=stated) == guess(jumper(60))


@pytest.mark.parametrize("stated", [15.0, 480.0])
def test_an_unusual_statement_is_possible_too(stated):
    assert guess(jumper(stated)[: round(1.5 * stated)], stated=stated).rate == stated


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="height must be above zero"):
        guess_source_rate(jumper(60), up_axis=2, height=0.0)
    broken = jumper(60)
    broken[3, 2] = np.nan
    with pytest.raises(ValueError, match="finite"):
        guess(broken)


def test_input_is_left_alone():
    figure = jumper(60)
    before = figure.copy()
    guess(figure)
    np.testing.assert_array_equal(figure, before)


def read_clip(path):
    """Positions without reference pose, up axis, height, true rate and stated rate of a clip."""
    motion = read_bvh(path).to_motion()
    first = leading_reference_frames(motion)
    up_axis = 2 if path.name.startswith(("fair1", "quad", "m2m", "makehuman")) else 1
    spans = np.ptp(motion.poses.positions[..., up_axis], axis=1)
    height = max(float(np.median(spans)), float(spans[0]))
    true = WRONG_HEADERS.get(path.stem, motion.rate)
    return motion.poses.positions[first:], up_axis, height, true, motion.rate


@pytest.mark.clips
@pytest.mark.parametrize("name", WITH_FLIGHT)
def test_gravity_shows_the_rate_of_captured_clips(clips_folder, name):
    positions, up_axis, height, true, _ = read_clip(clips_folder / f"{name}.bvh")
    for stated in (None, true, 2 * true, 0.5 * true):
        found = guess_source_rate(positions, up_axis=up_axis, height=height, stated=stated)
        assert found.confidence > 0.5
        assert off(found.rate, true) < 1.05


def clip_paths(folder):
    return sorted([*(folder / "dev").glob("*.bvh"), *(folder / "odd").glob("*.bvh")])


@pytest.mark.clips
def test_no_clip_is_far_off_where_confidence_is_claimed(clips_folder):
    """With the header, nothing, double or half the truth stated; `pytest -s` shows the table."""
    claimed = 0
    for path in clip_paths(clips_folder):
        positions, up_axis, height, true, header = read_clip(path)
        for every in (1, 4):
            for stated in (header / every, None, 2 * true / every, 0.5 * true / every):
                rows = positions[::every]
                found = guess_source_rate(rows, up_axis=up_axis, height=height or 1.0, stated=stated)
                said = f"{stated:.4g}" if stated else "nothing"
                print(f"{path.stem:36} true {true / every:5.4g} said {said:8}", found)
                assert found.confidence <= 0.5 or off(found.rate, true / every) < 1.5, path.name
                claimed += found.confidence > 0.5
            # The header is believed where no flight speaks against it, also if it is wrong.
            if every == 1:
                assert guess_source_rate(rows, up_axis=up_axis, height=height, stated=header).rate == header
    assert claimed >= 40
