"""Switches are chosen and held by every tool: what comes out was there before, and a smooth channel is mixed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_motion import Motion, chain, smooth_curves, smooth_rotations
from made_person import person

from core.blending import blend, bridge, transition
from core.blending.seam import closed
from core.body import find_body
from core.editing import PropagationWindow
from core.layers import Scope, layer_from_edits, with_key
from core.motion.offsets.pose_rows import chosen
from core.motion.time_maps.time_map import TimeMap
from core.numerics.quaternion import Array
from core.numerics.steps import stepped_offsets
from core.pose_tree import (
    ControlPath,
    ControlSpace,
    Edits,
    Node,
    PoseTree,
    blend_paths,
    blended_branch,
    displaced_branch,
    embed_by_variance,
)
from core.staggered import (
    evaluate,
    exaggerate,
    fit,
    from_arrays,
    non_staggered_pose,
    retime,
    to_arrays,
    with_extreme_pose,
)
from core.timeline.carried_edits import carry_offsets

FRAMES, RATE = 60, 30.0


def switching(seed: int = 0, *, values: tuple[float, ...] = (1.0, 4.0), frames: int = FRAMES) -> Motion:
    """A chain with a smooth channel, and a switch that changes at frames 20 and 40."""
    steps = np.array(values)[np.searchsorted([20, 40], np.arange(frames), side="right") % len(values)]
    return Motion.build(
        chain(3),
        smooth_rotations(frames, 3, seed),
        rate=RATE,
        scalars=np.stack([smooth_curves(frames, 1, seed)[:, 0], steps], axis=1),
        scalar_names=("smile", "parent"),
        stepped=frozenset({"parent"}),
    )


def switch(motion: Motion) -> Array:
    return motion.scalars[:, motion.scalar_names.index("parent")]


def changes(motion: Motion) -> dict[int, float]:
    """Frames at which the switch changes, and to what."""
    values = switch(motion)
    return {int(frame): float(values[frame]) for frame in np.flatnonzero(np.diff(values)) + 1}


def set_to(motion: Motion, value: float) -> Motion:
    scalars = np.array(motion.scalars)
    scalars[:, 1] = value
    return motion.with_scalars(scalars)


# Other times


def test_between_two_frames_a_switch_is_held_and_other_channels_are_mixed():
    motion = switching()
    between = motion.at((np.arange(FRAMES - 1) + 0.7) / RATE)
    np.testing.assert_array_equal(switch(between), switch(motion)[:-1])
    np.testing.assert_allclose(between.scalars[:, 0], 0.3 * motion.scalars[:-1, 0] + 0.7 * motion.scalars[1:, 0])


def test_rounding_does_not_delay_a_switch():
    motion = switching()
    np.testing.assert_array_equal(switch(motion.at(np.nextafter(motion.times, -1.0))), switch(motion))


@pytest.mark.parametrize("prefilter", [False, True])
def test_a_time_map_moves_a_switch(prefilter):
    motion = switching()
    squeezed = TimeMap.through([0.0, 1.0], [0.0, 59 / RATE], smooth=False).apply(
        motion, np.arange(31) / RATE, prefilter=prefilter
    )
    assert changes(squeezed) == {11: 4.0, 21: 1.0}


def test_offsets_of_switches_are_held_from_knot_to_knot():
    held = stepped_offsets([-1.0, 0.0, 0.9, 1.0, 1.0 - 1e-12, 5.0], [0.0, 1.0, 2.0], [[1.0], [2.0], [3.0]])
    assert held[:, 0].tolist() == [1.0, 1.0, 1.0, 2.0, 2.0, 3.0]


# Several motions


def test_a_blend_takes_the_switch_of_the_stronger_motion():
    one, other = switching(0, values=(1.0, 1.0)), switching(1, values=(4.0, 4.0))
    share = np.linspace(0.0, 1.0, FRAMES)
    mixed = blend([one, other], np.stack([1.0 - share, share], axis=1))
    assert changes(mixed) == {30: 4.0}
    assert (np.diff(mixed.scalars[:, 0]) != 0.0).all()


def test_blends_of_three_pass_through_no_value_between():
    motions = [switching(seed, values=(value, value)) for seed, value in enumerate((0.0, 1.0, 3.0))]
    assert set(switch(blend(motions, [0.4, 0.2, 0.41])).tolist()) == {3.0}


def person_switching(value: float) -> Motion:
    skeleton, _ = person()
    rotations = smooth_rotations(40, len(skeleton), 2, reach=0.4)
    scalars = np.full((40, 1), value)
    return Motion.build(
        skeleton, rotations, rate=RATE, scalars=scalars, scalar_names=("parent",), stepped=frozenset({"parent"})
    )


@pytest.mark.parametrize("join", [transition, bridge])
def test_a_transition_steps_once(join):
    one, other = person_switching(0.0), person_switching(3.0)
    joined = join(one, other, find_body(one.skeleton)).motion
    assert list(changes(joined).values()) == [3.0]


def test_a_loop_keeps_its_switch():
    motion = switching(values=(1.0, 4.0, 2.0))
    loop = closed(motion, pose_frames=10, velocity_frames=5)
    np.testing.assert_array_equal(switch(loop)[:-1], switch(motion)[:-1])
    assert switch(loop)[-1] == switch(loop)[0]


# Layers


def layered(motion: Motion, frames: list[int], values: list[float], **scope: float) -> Motion:
    poses = chosen(motion, frames)
    scalars = np.array(poses.scalars)
    scalars[:, 1] = values
    layer = layer_from_edits(motion, frames, poses.with_scalars(scalars), scope=Scope(**scope))
    return layer.applied(motion)


def test_a_layer_holds_the_switches_of_its_keys():
    motion = set_to(switching(), 1.0)
    result = layered(motion, [10, 30, 45], [1.0, 3.0, 2.0], start=0.0, end=59 / RATE, ease_in=0.0, ease_out=0.0)
    assert changes(result) == {30: 3.0, 45: 2.0}


def test_a_key_in_a_faint_layer_sets_the_switch_itself():
    motion = set_to(switching(), 1.0)
    poses = chosen(motion, [30])
    layer = layer_from_edits(motion, [30], set_to(poses, 2.0)).with_influence(0.7)
    below = motion.part(30, 31)
    changed = with_key(layer, below, set_to(below, 4.0))
    assert switch(changed.applied(motion))[30] == 4.0


# Pose timeline and staggered poses


def test_a_switch_is_carried_to_other_windows_by_its_value():
    before = switching(values=(1.0, 0.0), frames=100)
    scalars = np.array(before.scalars)
    scalars[5:9, 1] = 3.0
    windows = [PropagationWindow(22.0, 32.0, np.array([2.0, 12.0]), np.array([22.0, 32.0]), 0.05, True)]
    carried = carry_offsets(before, before.with_scalars(scalars), (2.0, 12.0), windows)
    assert switch(carried)[22:33].tolist() == [0.0] * 3 + [3.0] * 4 + [0.0] * 4


def test_a_switch_goes_with_the_pose_that_is_moved_in_time():
    motion = switching()
    model = retime(fit(motion, [0.0, 20 / RATE, 40 / RATE, 59 / RATE]), 1, 26 / RATE)
    assert changes(evaluate(model)) == {26: 4.0, 40: 1.0}


def test_a_switch_that_a_pose_sets_holds_until_it_changes_next():
    motion = switching()
    model = fit(motion, [0.0, 20 / RATE, 40 / RATE, 59 / RATE])
    pose = non_staggered_pose(model, 1)
    assert switch(pose).tolist() == [4.0]
    edited = with_extreme_pose(model, 1, set_to(pose, 2.0))
    assert changes(evaluate(edited)) == {20: 2.0, 40: 1.0}
    again = from_arrays(motion.skeleton, None, to_arrays(edited))
    assert changes(evaluate(again)) == {20: 2.0, 40: 1.0}


def test_poses_between_frames_have_switches_of_the_frame_before():
    model = fit(switching(), [0.0, 19.6 / RATE, 59 / RATE])
    assert switch(non_staggered_pose(model, 1)).tolist() == [1.0]


def test_exaggerating_poses_leaves_their_switches():
    motion = switching()
    model = exaggerate(fit(motion, [0.0, 20 / RATE, 40 / RATE, 59 / RATE]), 0.7)
    np.testing.assert_array_equal(switch(evaluate(model)), switch(motion))


# Pose trees


def test_a_place_has_the_switch_of_the_strongest_target():
    poses = chosen(switching(), [0, 30])
    blended = ControlSpace.build([[0, 0, 0], [1, 0, 0]], poses).at([[x, 0, 0] for x in np.linspace(0, 1, 11)])
    assert switch(blended).tolist() == [1.0] * 6 + [4.0] * 5
    assert len(set(blended.scalars[:, 0].tolist())) == 11


def test_targets_that_do_not_hold_a_switch_say_nothing_about_it():
    poses = chosen(switching(), [0, 30, 30])
    held = np.array([[True, True], [True, False], [True, True]])
    space = ControlSpace.build([[0, 0, 0], [1, 0, 0], [10, 0, 0]], poses, held_scalars=held)
    assert switch(space.at([[1, 0, 0], [9, 0, 0]])).tolist() == [1.0, 4.0]


def test_a_child_node_hands_its_switch_on():
    motion = switching()
    child = Node("child", [[0, 0, 0], [1, 0, 0]], chosen(motion, [0, 30]), parent="top", place_in_parent=(1, 0, 0))
    top = Node("top", [[0, 0, 0]], set_to(chosen(motion, [0]), 7.0))
    tree = PoseTree([top, child])
    for place, expected in ((0.2, 1.0), (0.8, 4.0)):
        shown = tree.evaluate({"top": [[0.9, 0, 0]], "child": [[place, 0, 0]]})["top"].poses
        assert switch(shown).tolist() == [expected]


def path_and_edit() -> tuple[ControlPath, Edits]:
    path = embed_by_variance(set_to(switching(), 1.0))
    poses = set_to(chosen(path.motion, [30]), 3.0)
    return path, Edits(np.array([30]), poses, path.places[[30]] + 0.5)


@pytest.mark.parametrize("branch", [displaced_branch, blended_branch])
def test_a_branch_steps_to_the_switch_of_the_edited_pose(branch):
    path, edits = path_and_edit()
    result = branch(path, edits, start=10, end=50).motion
    assert switch(result)[30] == 3.0
    assert set(switch(result).tolist()) == {1.0, 3.0}
    np.testing.assert_array_equal(switch(result)[:11], 1.0)
    np.testing.assert_array_equal(switch(result)[50:], 1.0)


def test_a_mixture_of_branches_has_the_switch_of_the_larger_share():
    path, _edits = path_and_edit()
    other = replace(path, motion=set_to(path.motion, 4.0))
    assert set(switch(blend_paths([path, other], [0.7, 0.3]).motion).tolist()) == {1.0}
    assert set(switch(blend_paths([path, other], [0.3, 0.7]).motion).tolist()) == {4.0}
