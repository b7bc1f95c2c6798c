"""A match web stored as plain arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.body import Body, find_body
from core.editing import PropagationWindow
from core.motion.motion import Motion
from core.sample_motion import sample_events, sample_motion
from core.timeline import MatchWeb, match_web, propagation_windows
from core.timeline.similarity.web_storage import StaleWebError, from_arrays, to_arrays

RATE = 30.0


@pytest.fixture(scope="module")
def made() -> tuple[Motion, Body, MatchWeb]:
    motion = sample_motion(RATE)
    body = find_body(motion.skeleton, motion=motion)
    return motion, body, match_web(motion, body)


def told(window: PropagationWindow) -> list[Any]:
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in vars(window).values()]


def test_lookups_come_back_bit_for_bit(made: tuple[Motion, Body, MatchWeb]) -> None:
    motion, body, web = made
    again = from_arrays(to_arrays(web), motion, body)
    for _, time in sample_events().punches:
        one, other = (
            [told(window) for window in propagation_windows(found, (time - 0.25) * RATE, (time + 0.25) * RATE)]
            for found in (web, again)
        )
        assert one == other
        assert one


def test_storage_is_compact(made: tuple[Motion, Body, MatchWeb]) -> None:
    web = made[2]
    arrays = {name: value for name, value in to_arrays(web).items() if isinstance(value, np.ndarray)}
    assert {array.dtype for array in arrays.values()} == {np.dtype(np.int32)}
    assert sum(array.nbytes for array in arrays.values()) <= sum(8 * len(path) + 4 for path in web.paths) + 16


def test_fractions_of_frames_are_kept(made: tuple[Motion, Body, MatchWeb]) -> None:
    motion, body, web = made
    shifted = replace(web, paths=tuple(path + 0.1 for path in web.paths))
    again = from_arrays(to_arrays(shifted), motion, body)
    assert all((one == other).all() for one, other in zip(shifted.paths, again.paths, strict=True))


def test_a_web_without_paths_comes_back(made: tuple[Motion, Body, MatchWeb]) -> None:
    motion, body, web = made
    again = from_arrays(to_arrays(replace(web, paths=())), motion, body)
    assert again.paths == ()
    assert propagation_windows(again, 0.0, 20.0) == []


def test_given_places_are_used(made: tuple[Motion, Body, MatchWeb]) -> None:
    motion, body, _ = made
    places = motion.poses.positions + np.array([0.0, 0.0, 0.3])
    web = match_web(motion, body, positions=places)
    again = from_arrays(to_arrays(web), motion, body, positions=places)
    assert (again.positions == web.positions).all()
    assert (again.positions != from_arrays(to_arrays(web), motion, body).positions).any()


def test_arrays_of_another_motion_are_refused(made: tuple[Motion, Body, MatchWeb]) -> None:
    motion, body, web = made
    arrays = to_arrays(web)
    with pytest.raises(StaleWebError, match="search them again"):
        from_arrays(arrays, motion.part(0, 100), body)
