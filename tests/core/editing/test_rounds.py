"""Filters of loops: one round comes out as if it was played round and round."""

from __future__ import annotations

import numpy as np
import pytest
from made_motion import chain

from core.cleaning import RemoveOutliers
from core.editing import Take
from core.filters import BandPass, Equalize, HighPass, LowPass, Smooth
from core.motion import Motion
from core.numerics import quaternion

RATE, PERIOD, JOINTS = 30.0, 24, 4
TOOLS = [
    LowPass(cutoff=2.0),
    HighPass(cutoff=0.5),
    BandPass(lowest=0.5, highest=4.0),
    Smooth(radius=0.3),
    RemoveOutliers(radius=3),
    Equalize(gains=(1.0, 1.5, 0.6) + (2.0,) * 7),
]


class LoopTake(Take):
    """A take that is said to play round and round."""

    @property
    def is_cyclic(self) -> bool:
        """It is."""
        return True


def rounds(first: int, count: int) -> Motion:
    """Frames of joints that swing once in a period, with a flick and a shake of their own."""
    phase = 2.0 * np.pi * (first + np.arange(count))[:, None] / PERIOD
    own = np.arange(1, JOINTS + 1) * 0.7
    swing = 0.5 * np.sin(phase + own) + 0.2 * np.exp(4.0 * (np.cos(phase - own) - 1.0)) + 0.1 * np.cos(5.0 * phase)
    turns = quaternion.exp(np.stack([swing, 0.4 * np.roll(swing, 1, axis=1), 0.0 * swing], axis=-1))
    return Motion.build(chain(JOINTS), turns, rate=RATE)


def filtered(tool, motion: Motion, take: type[Take]) -> Motion:
    return tool.apply(take(motion)).whole


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: type(tool).__name__)
@pytest.mark.parametrize("ends_meet", [True, False])
def test_a_loop_comes_out_as_in_the_middle_of_many_rounds(tool, ends_meet):
    tool = type(tool)(**{**vars(tool), "keep_contacts": False, "keep_floor": False})
    count = PERIOD + ends_meet
    found = filtered(tool, rounds(0, count), LoopTake)
    many = filtered(tool, rounds(-20 * PERIOD, 41 * PERIOD + 1), Take).part(20 * PERIOD, 20 * PERIOD + count)
    cut = filtered(tool, rounds(0, count), Take)
    off, without = (quaternion.angle_between(each.rotations, many.rotations).max() for each in (found, cut))
    assert off < 2e-3
    assert without > 10.0 * off, "at its ends alone a round does not know what it has to"
