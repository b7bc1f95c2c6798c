"""Work does not grow with durations, widths and counts beyond what a motion, or a file, has."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from contact_edits import BODY, CONTACTS, HEIGHT
from made_motion import Motion, chain, noisy_curves, smooth_rotations
from sliding_feet import SLIDING, slides

from core.body import find_body
from core.files.bvh_hierarchy import unique_names
from core.filters.low_pass import low_passed
from core.motion.skeleton import Skeleton
from core.numerics import medians, vector_distance
from core.numerics.responses import butterworth, gaussian
from core.solve.contact_lock import lock_feet

# Seconds for which no machine has the memory.
EVER = 1e12


def test_feet_are_locked_with_the_longest_of_fades():
    """The root goes down in this one, as slowly as it can."""
    locked, report = lock_feet(SLIDING["lunging"], BODY, CONTACTS, fade=EVER)
    assert max(slides(locked)) < 1e-4 * HEIGHT
    assert report.root_lowered > 0.0


def test_the_widest_of_filters_leaves_the_ends_and_the_way_between_them():
    locations = noisy_curves(200, 6, 0).reshape(200, 2, 3)
    motion = Motion.build(chain(2), smooth_rotations(200, 2), rate=30.0, locations=locations)
    for response in (gaussian(EVER), butterworth(1.0 / EVER)):
        filtered = low_passed(motion, response)
        assert (filtered.locations[[0, -1]] == motion.locations[[0, -1]]).all()
        assert np.ptp(filtered.locations[1:-1], axis=0).max() < 0.1


class Counted(np.ndarray):
    """Counts what is done with it."""

    done = 0

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        Counted.done += 1
        plain = [each.view(np.ndarray) if isinstance(each, Counted) else each for each in inputs]
        return getattr(function, method)(*plain, **options)


def operations_of_medians(radius: int) -> int:
    """How many sums are made of distances between the samples of windows that are whole."""
    values = np.random.default_rng(0).normal(size=(400, 1, 3))
    Counted.done = 0
    medians(values, radius, lambda a, b: vector_distance(a, b).view(Counted))
    return Counted.done


def test_twice_the_radius_of_medians_is_twice_the_work_for_a_frame():
    few, many = operations_of_medians(20), operations_of_medians(40)
    # Towards the ends there is a window of its own for every frame, so twice as many of twice the size.
    assert many < 5 * few


class CountedName(str):
    """Counts how often a name is made of it."""

    made = 0

    def __format__(self, how: str) -> str:
        CountedName.made += 1
        return super().__format__(how)


def test_names_that_are_repeated_are_numbered_in_one_go():
    names = [CountedName("Joint")] * 3000
    CountedName.made = 0
    assert unique_names(names)[::1000] == ["Joint", "Joint.1000", "Joint.2000"]
    assert CountedName.made < 2 * len(names)


def calls_to_find_the_body(joints: int, *, chained: bool) -> int:
    """How many functions are called to find the body of a long chain, or of a joint with many children."""
    parents = np.arange(-1, joints - 1) if chained else np.array([-1, *[0] * (joints - 1)])
    places = np.random.default_rng(0).normal(size=(joints, 3))
    skeleton = Skeleton.build([f"joint {number}" for number in range(joints)], parents, places)
    called = [0]
    sys.setprofile(lambda *_event: called.__setitem__(0, called[0] + 1))
    find_body(skeleton)
    sys.setprofile(None)
    return called[0]


@pytest.mark.parametrize("chained", [False, True])
def test_twice_the_joints_are_twice_the_work_to_find_a_body(chained):
    few, many = (calls_to_find_the_body(joints, chained=chained) for joints in (200, 400))
    assert many < 2.5 * few
