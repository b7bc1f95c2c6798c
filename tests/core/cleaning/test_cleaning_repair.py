"""Repair Flaws as a tool: what is listed is put right, all else stays."""

from __future__ import annotations

import numpy as np
import pytest
from contact_edits import BODY, HEIGHT, UP, WALK, with_root_moved
from made_flaws import SPANS, clean, with_spikes

from core.analysis.flaws import Flaw, find_spikes
from core.cleaning import RepairFlaws, find_below_floor, lifted, repaired_where_better
from core.editing import Take
from core.motion import Motion

TOLERANCE = 0.02


class ListedTake(Take):
    """A take with a list of flaws, of which the second half is enabled and the first one active."""

    tolerance = TOLERANCE

    def __init__(self, motion: Motion, listed: list[Flaw]) -> None:
        super().__init__(motion)
        self._listed = {"ALL": listed, "TICKED": listed[len(listed) // 2 :], "ACTIVE": listed[:1]}

    def flaws(self, which: str) -> list[Flaw]:
        return self._listed[which]


@pytest.mark.parametrize("which", ["ALL", "TICKED", "ACTIVE"])
def test_those_that_are_chosen_are_filled_in(which):
    spiked = with_spikes(clean(), SPANS, 0.5)
    take = ListedTake(spiked, find_spikes(spiked))
    change = RepairFlaws(which=which).apply(take)
    wanted, left = repaired_where_better(spiked, take.flaws(which))
    np.testing.assert_array_equal(change.motion.rotations, wanted.rotations)
    assert change.found == left
    assert (change.motion.rotations != spiked.rotations).any()


def test_feet_are_lifted_where_that_is_listed():
    sunken = with_root_moved(WALK, BODY, -0.06 * HEIGHT * UP, middle=0.4, width=0.4)
    listed = find_below_floor(sunken, BODY, tolerance=TOLERANCE)
    motions = []
    for flaws in (listed, []):
        take = ListedTake(sunken, flaws)
        take.body = BODY
        motions.append(RepairFlaws().apply(take).motion)
    np.testing.assert_array_equal(motions[0].locations, lifted(sunken, BODY, tolerance=TOLERANCE)[0].locations)
    np.testing.assert_array_equal(motions[1].locations, sunken.locations)
    assert (motions[0].locations != motions[1].locations).any()
