"""Tools as plain objects: options, takes, changes."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pytest
from made_motion import chain, noisy_curves, smooth_rotations

from core.cleaning import RemoveOutliers, median_filtered
from core.editing import Take, options_of
from core.errors import MotionEditError
from core.filters import (
    BandPass,
    CompressRange,
    Equalize,
    ExaggerateMotion,
    HighPass,
    LowPass,
    Smooth,
    SoftLimit,
    exaggerated,
    filtered,
)
from core.motion import Motion, smooth
from core.numerics import butterworth, quaternion

PROJECT = Path(__file__).resolve().parents[3]
FRAMES, JOINTS, RATE = 120, 4, 30.0
TOOLS = [
    LowPass(),
    LowPass(kind="GAUSSIAN"),
    LowPass(kind="BINOMIAL"),
    HighPass(),
    BandPass(),
    Smooth(),
    ExaggerateMotion(),
    SoftLimit(limit=0.05),
    CompressRange(threshold=0.05),
    RemoveOutliers(),
    RemoveOutliers(kind="TRIMMED"),
    Equalize(gains=(1.0, 0.5) + (2.0,) * 8),
]


@pytest.fixture
def motion() -> Motion:
    """Swinging joints with noise."""
    noise = 0.03 * np.random.default_rng(5).normal(size=(FRAMES, JOINTS, 3))
    rotations = quaternion.multiply(smooth_rotations(FRAMES, JOINTS, 1), quaternion.exp(noise))
    locations = noisy_curves(FRAMES, 3 * JOINTS, 3).reshape(FRAMES, JOINTS, 3)
    return Motion.build(chain(JOINTS), rotations, rate=RATE, locations=locations)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: f"{type(tool).__name__} {getattr(tool, 'kind', '')}")
def test_defaults_change_the_joints_in_scope_alone_and_leave_the_take(tool, motion):
    before = motion.rotations.copy()
    joints = np.array([False, True, True, False])
    changed = tool.apply(Take(motion, joints=joints, is_picked=True)).motion
    np.testing.assert_array_equal(motion.rotations, before)
    moved = (changed.rotations != before).any(axis=(0, 2))
    np.testing.assert_array_equal(moved, joints)


def test_tools_give_what_their_functions_give(motion):
    take = Take(motion, is_picked=True)
    pairs = [
        (LowPass(cutoff=3.0), filtered(motion, keep_below=butterworth(3.0, order=2))),
        (Smooth(radius=0.2, strength=0.5), smooth(motion, radius=0.2, strength=0.5)),
        (ExaggerateMotion(amount=1.5), exaggerated(motion, 1.5)),
        (RemoveOutliers(radius=3), median_filtered(motion, radius=3)),
    ]
    for tool, expected in pairs:
        np.testing.assert_array_equal(tool.apply(take).motion.rotations, expected.rotations)


def test_what_cannot_be_is_refused(motion):
    with pytest.raises(MotionEditError, match="must be below"):
        BandPass(lowest=5.0, highest=2.0).apply(Take(motion))


def test_options_are_written_once():
    options = options_of(LowPass)
    assert list(options)[:2] == ["cutoff", "steepness"]
    assert options["cutoff"].unit.value == "Hz"
    assert options["keep_contacts"] is options_of(Smooth)["keep_contacts"]
    assert {option.key for option in options.values()} == {"", "F", "P", "C"}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: type(tool).__name__)
def test_options_name_sliders_and_defaults_keep_their_limits(tool):
    options = options_of(tool)
    assert set(tool.sliders) <= set(options)
    assert tool.unused <= set(options)
    assert not set(tool.sliders) & tool.unused
    for name, option in options.items():
        assert option.tooltip
        assert not option.tooltip.endswith(".")
        low, high = option.limits
        for value in np.ravel([getattr(type(tool), name)]) if option.kind in (int, float, tuple) else ():
            assert low is None or value >= low
            assert high is None or value <= high


def test_unused_options_are_those_of_other_kinds():
    assert LowPass().unused == {"width", "passes"}
    assert replace(LowPass(), kind="GAUSSIAN").unused == {"cutoff", "steepness", "passes"}


def test_tools_cannot_change():
    with pytest.raises(FrozenInstanceError):
        LowPass().cutoff = 2.0


def test_a_take_looks_once(motion):
    take = Take(motion)
    assert take.body is take.body
    assert take.reference_pose("MEAN") is None
    np.testing.assert_array_equal(take.reference_pose("REST").rotations[..., 0], 1.0)


def test_tools_are_known_before_numpy_is_loaded():
    asked = (
        "import sys; from core.filters import LowPass, Equalize, SoftLimit;"
        "from core.cleaning import RemoveOutliers, RepairFlaws;"
        "from core.keys import ReduceKeys; from core.constraints import DragJoint; from core.editing import options_of;"
        "[options_of(each) for each in (LowPass, Equalize, RemoveOutliers, RepairFlaws, ReduceKeys, DragJoint)];"
        "print('numpy' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", asked], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


def test_tools_are_frozen_dataclasses_that_are_equal_by_their_options():
    smooth = Smooth(0.2, strength=0.5)
    assert (smooth.radius, smooth.strength, smooth.keep_contacts) == (0.2, 0.5, Smooth().keep_contacts)
    assert replace(smooth, radius=0.3) == Smooth(0.3, 0.5) != smooth
    assert len({smooth, Smooth(0.2, 0.5), Smooth()}) == 2
    assert "radius=0.2, strength=0.5" in repr(smooth)
    with pytest.raises(FrozenInstanceError):
        smooth.radius = 1.0


@pytest.mark.parametrize(("given", "named"), [((), {"radios": 1.0}), ((1.0,), {"radius": 1.0}), ((1.0,) * 20, {})])
def test_options_that_a_tool_does_not_have_are_refused(given, named):
    with pytest.raises(TypeError, match="Smooth takes each of radius, strength"):
        Smooth(*given, **named)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: type(tool).__name__)
def test_tools_have_no_methods_of_their_own_for_making_and_comparing(tool):
    assert not {"__init__", "__eq__", "__hash__", "__repr__"} & set(vars(type(tool)))
