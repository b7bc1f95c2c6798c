"""Switches among the scalar channels: nothing ever lies between two of their values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_person import person

from core.blending import blend, bridge, loop
from core.body import find_body
from core.layers import Layer, LayerStack
from core.motion.motion import Motion
from core.motion.time_maps.time_map import TimeMap
from core.numerics import quaternion

FRAMES, RATE = 40, 20.0
NAMES = ("switch", "mood")


def walking(*, first: float = 0.0, jump: int = 13) -> Motion:
    """A person that goes on evenly; its switch jumps at a frame, its mood changes evenly."""
    skeleton, _ = person()
    locations = np.zeros((FRAMES, len(skeleton), 3))
    locations[:, 0, 2] = np.linspace(0.0, 10.0, FRAMES)
    switch = np.where(np.arange(FRAMES) < jump, first, 1.0 - first)
    return Motion.build(
        skeleton,
        quaternion.identity(FRAMES, len(skeleton)),
        rate=RATE,
        locations=locations,
        scalars=np.stack([switch, np.linspace(0.0, 1.0, FRAMES)], axis=1),
        scalar_names=NAMES,
        stepped=frozenset({"switch"}),
    )


def switch_of(motion: Motion) -> list[float]:
    return motion.scalars[:, 0].tolist()


def test_sampled_between_frames_the_earlier_value_holds() -> None:
    motion = walking()
    seen = motion.at(np.array([12.9, 13.0, 13.1]) / RATE)
    assert switch_of(seen) == [0.0, 1.0, 1.0]
    assert 12.8 / (FRAMES - 1) < seen.scalars[0, 1] < 13.0 / (FRAMES - 1)


def test_a_compressed_motion_averages_all_but_switches() -> None:
    motion = walking()
    start, end = motion.times[[0, -1]]
    quick = TimeMap.through([start, start + 0.3 * (end - start)], [start, end])
    times = np.arange(10) / RATE
    assert set(switch_of(quick.apply(motion, times, prefilter=True))) == {0.0, 1.0}


@pytest.mark.parametrize(("weight", "same"), [(0.3, 0), (0.7, 1)])
def test_a_blend_has_the_switch_of_the_heavier_motion(weight: float, same: int) -> None:
    motions = walking(), walking(first=1.0, jump=20)
    mixed = blend(motions, [1.0 - weight, weight])
    assert switch_of(mixed) == switch_of(motions[same])
    assert not np.array_equal(mixed.scalars[:, 1:], 1.0 - motions[0].scalars[:, 1:])


def test_a_loop_ends_with_the_switch_of_its_start() -> None:
    motion = walking()
    found = loop(motion, find_body(motion.skeleton), start=5, end=30)
    assert switch_of(found.motion)[:-1] == switch_of(motion)[5:30]
    assert switch_of(found.motion)[-1] == switch_of(motion)[5]


def test_a_bridge_jumps_once() -> None:
    motion = walking()
    found = bridge(motion, walking(first=0.0, jump=1), find_body(motion.skeleton), gap=0.5)
    between = switch_of(found.motion)[FRAMES - 1 : FRAMES + 10]
    assert set(between) <= {0.0, 1.0}
    assert between[0] == 1.0
    assert between[-1] == 0.0


def layer_over(motion: Motion, **options: float) -> LayerStack:
    """An empty layer from frame 15 to 25 that sets in over 4 frames."""
    still = np.zeros((1, 1, 3))
    scope = {"start": 15 / RATE, "end": 25 / RATE, "ease_in": 0.2, "ease_out": 0.2}
    layer = Layer("Layer", (motion.skeleton.names[0],), np.array([20 / RATE]), still, still, still, **scope)
    return LayerStack(motion, (layer.with_influence(options.get("influence", 1.0)),))


@pytest.mark.parametrize("influence", [1.0, 0.4])
def test_a_layer_turns_a_switch_as_a_whole_in_its_scope(influence: float) -> None:
    motion = walking()
    pose = motion.part(20, 21)
    stack = layer_over(motion, influence=influence).with_pose("Layer", 20, replace(pose, scalars=[[0.0, 0.2]]))
    seen = stack.evaluate()
    np.testing.assert_allclose(seen.scalars[20], [0.0, 0.2], atol=1e-12)
    changed = np.flatnonzero(seen.scalars[:, 0] != motion.scalars[:, 0])
    assert set(switch_of(seen)) == {0.0, 1.0}
    assert changed.tolist() == list(range(16, 25))
