"""Ways over the ground on control rigs and game skeletons, judged by the figure that Blender shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy
import numpy as np
import pytest
from control_rigs import (
    FRAMES,
    game_skeleton,
    key_place,
    key_steps,
    key_switch,
    keyed_bones,
    shown_figure,
    traveller_rig,
)
from mathutils import Matrix
from motion_editing.motion_editing_addon.border import action_io
from retarget_figures import make_active
from rigs import all_keys

LAST = 41
LOOPS = ("KEEP", "CLOSE", "IN_PLACE")


@dataclass(frozen=True)
class Walk:
    """A rig that walks.

    Attributes:
        rig: The armature.
        at: Frames at which all that moves has keys.
    """

    rig: bpy.types.Object
    at: list[int]


def rigify(generated: Callable, kind: str, feet: tuple[str, ...], carrier: str = "") -> Walk:
    rig = generated(kind)
    make_active(rig)
    key_steps(rig, "torso", feet, carrier=carrier)
    return Walk(rig, list(range(1, LAST + 1, 8)))


def traveller(carrier: str = "") -> Walk:
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l", "c_foot_ik.r"), carrier=carrier)
    return Walk(rig, list(range(1, LAST + 1, 8)))


def game(travels: str) -> Walk:
    return Walk(game_skeleton(travels), list(range(1, FRAMES + 1)))


FEET = ("foot_ik.L", "foot_ik.R")
LIMBS = (*FEET, "hand_ik.R", "hand_ik.L")
WALKS = {
    "human": lambda generated: rigify(generated, "human", LIMBS),
    "human by its root": lambda generated: rigify(generated, "human", LIMBS, "root"),
    "quadruped": lambda generated: rigify(generated, "basic_quadruped", (*FEET, "front_foot_ik.R", "front_foot_ik.L")),
    "traveller": lambda _generated: traveller(),
    "traveller by its traj": lambda _generated: traveller("c_traj"),
    "game skeleton": lambda _generated: game("pelvis"),
    "game skeleton by its root": lambda _generated: game("root"),
}


SIMPLE = [name for name in WALKS if name not in {"human", "human by its root", "quadruped"}]


@pytest.fixture
def walk(request, generated) -> Walk:
    return WALKS[request.param](generated)


def moved_rigidly(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(F, 4, 4) the one move of all bones in every frame, which is checked."""
    moves = after[:, 0] @ np.linalg.inv(before[:, 0])
    wanted = moves[:, None] @ before
    np.testing.assert_allclose(wanted[..., :3, 3], after[..., :3, 3], atol=6e-3)
    np.testing.assert_allclose(wanted, after, atol=0.02)
    return moves


@pytest.mark.parametrize("walk", WALKS, indirect=True)
def test_in_place_keeps_the_figure_where_it_starts(walk):
    before, keyed = shown_figure(walk.rig, walk.at), keyed_bones(walk.rig)
    assert np.ptp(before[:, 0, 1, 3]) > 1.9
    assert bpy.ops.motion_editing.in_place() == {"FINISHED"}
    after = shown_figure(walk.rig, walk.at)
    moves = moved_rigidly(before, after)
    np.testing.assert_allclose(moves[:, :3, :3], np.broadcast_to(np.eye(3), (len(moves), 3, 3)), atol=1e-4)
    np.testing.assert_allclose(moves[:, 2, 3], 0.0, atol=1e-4)
    assert np.ptp(after[:, :, :2, 3].mean(axis=1), axis=0).max() < 0.1
    assert keyed_bones(walk.rig) == keyed


def turn_of(moves: np.ndarray) -> np.ndarray:
    """(F,) angle about the vertical, in degrees; the moves do not tilt."""
    np.testing.assert_allclose(moves[:, 2, :3], np.broadcast_to([0, 0, 1], (len(moves), 3)), atol=1e-3)
    return np.degrees(np.arctan2(moves[:, 1, 0], moves[:, 0, 0]))


@pytest.mark.parametrize("walk", ["human", *SIMPLE], indirect=True)
def test_a_heading_is_changed_by_what_is_asked(walk):
    frames = range(1, LAST + 1, 3)
    before, keyed = shown_figure(walk.rig, frames), keyed_bones(walk.rig)
    assert bpy.ops.motion_editing.change_heading(angle=0.8) == {"FINISHED"}
    moves = moved_rigidly(before, shown_figure(walk.rig, frames))
    np.testing.assert_allclose(turn_of(moves), np.degrees(0.8), atol=0.1)
    np.testing.assert_allclose(moves[:, :3, 3], moves[:1, :3, 3].repeat(len(moves), axis=0), atol=6e-3)
    assert keyed_bones(walk.rig) == keyed


@pytest.mark.parametrize("walk", SIMPLE, indirect=True)
def test_a_curve_is_followed_by_the_whole_figure(walk):
    points = np.array([[0.0, 0.0, 0.0], [0.3, -1.0, 0.0], [1.0, -1.7, 0.0]])
    curve = bpy.data.curves.new("Way", "CURVE")
    spline = curve.splines.new("POLY")
    spline.points.add(len(points) - 1)
    spline.points.foreach_set("co", np.column_stack([points, np.ones(len(points))]).ravel())
    bpy.context.collection.objects.link(bpy.data.objects.new("Way", curve))
    before, keyed = shown_figure(walk.rig, walk.at), keyed_bones(walk.rig)
    assert bpy.ops.motion_editing.follow_curve(curve="Way") == {"FINISHED"}
    after = shown_figure(walk.rig, walk.at)
    assert turn_of(moved_rigidly(before, after))[-1] > 20
    middle = after[-1, :, :3, 3].mean(axis=0)
    assert np.hypot(*(middle - points[-1])[:2]) < 0.6
    assert keyed_bones(walk.rig) == keyed


@pytest.mark.parametrize(
    ("walk", "travel"),
    [("human", "CLOSE"), *((name, travel) for name in SIMPLE for travel in ("KEEP", "IN_PLACE"))],
    indirect=["walk"],
)
def test_a_loop_closes_the_whole_figure(walk, travel):
    keyed = keyed_bones(walk.rig)
    assert bpy.ops.motion_editing.make_loop(travel=travel) == {"FINISHED"}
    first, last = (int(frame) for frame in walk.rig.animation_data.action.frame_range)
    figure = shown_figure(walk.rig, (first, last))
    moves = moved_rigidly(figure[:1], figure[1:])
    way = float(np.linalg.norm(moves[0, :3, 3]))
    assert way > 0.5 if travel == "KEEP" else way < 2e-3
    if travel == "IN_PLACE":
        on_the_way = shown_figure(walk.rig, range(first, last + 1, 2))[:, :, :2, 3].mean(axis=1)
        assert np.ptp(on_the_way, axis=0).max() < 0.1
    assert keyed_bones(walk.rig) == keyed


def turned_copy(rig, angle):
    """The rig's action, and another one that goes in another direction."""
    data = rig.animation_data
    own, slot = data.action, data.action_slot.identifier
    data.action = other = own.copy()
    data.action_slot = other.slots[slot]
    bpy.ops.motion_editing.change_heading(angle=angle)
    data.action = own
    data.action_slot = own.slots[slot]
    for bone in rig.pose.bones:
        bone.matrix_basis = Matrix()
    return other


@pytest.mark.parametrize(
    ("walk", "method"),
    [("human", "FADE"), *((name, method) for name in SIMPLE[:3] for method in ("FADE", "GAP"))],
    indirect=["walk"],
)
def test_an_appended_motion_goes_on_as_one_figure(walk, method):
    other, keyed = turned_copy(walk.rig, 1.2), keyed_bones(walk.rig)
    before = shown_figure(walk.rig, range(1, LAST + 1))
    options = {"automatic": False, "leave_frame": 33, "enter_frame": 1, "length": 0.25, "keying": "EVERY_FRAME"}
    assert bpy.ops.motion_editing.append_transition(action=other.name, method=method, **options) == {"FINISHED"}
    last = int(walk.rig.animation_data.action.frame_range[1])
    after = shown_figure(walk.rig, range(1, last + 1))
    np.testing.assert_allclose(after[:32], before[:32], atol=1e-5)
    start = 33 if method == "FADE" else 39
    moves = moved_rigidly(before[7:], after[start + 6 : start + LAST - 1])
    np.testing.assert_allclose(moves, moves[:1].repeat(len(moves), axis=0), atol=6e-3)
    steps = np.linalg.norm(np.diff(after[:, :, :3, 3], axis=0), axis=-1)
    assert steps.max() < 3 * np.linalg.norm(np.diff(before[:, :, :3, 3], axis=0), axis=-1).max()
    assert keyed_bones(walk.rig) == keyed


@pytest.mark.parametrize(
    ("tool", "options"),
    [("in_place", {}), ("change_heading", {"angle": 0.5}), *(("make_loop", {"travel": each}) for each in LOOPS)],
)
def test_a_root_bone_that_stands_on_the_ground_stays_there(tool, options):
    armature = game_skeleton("pelvis")
    assert getattr(bpy.ops.motion_editing, tool)(**options) == {"FINISHED"}
    curves = [curve for curve in action_io.channelbag(armature).fcurves if '"root"' in curve.data_path]
    assert curves
    assert all(key.co.y == 0.0 for curve in curves for key in curve.keyframe_points)


def test_feet_that_stand_without_keys_go_along():
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ())
    before = shown_figure(rig, range(1, LAST + 1, 4))
    assert bpy.ops.motion_editing.change_heading(angle=0.8) == {"FINISHED"}
    moves = moved_rigidly(before, shown_figure(rig, range(1, LAST + 1, 4)))
    np.testing.assert_allclose(turn_of(moves), np.degrees(0.8), atol=0.1)
    assert keyed_bones(rig) == {"c_root_master.x", "c_foot_ik.l", "c_foot_ik.r"}


def test_what_keeps_to_the_direction_of_the_root_is_turned_by_the_control_above_all():
    walk = traveller()
    link = walk.rig.pose.bones["c_head.x"].constraints.new("COPY_ROTATION")
    link.target, link.subtarget = walk.rig, "c_traj"
    frames, keyed = range(1, LAST + 1, 4), keyed_bones(walk.rig)
    before = shown_figure(walk.rig, frames)
    assert bpy.ops.motion_editing.change_heading(angle=0.8) == {"FINISHED"}
    moves = moved_rigidly(before, shown_figure(walk.rig, frames))
    np.testing.assert_allclose(turn_of(moves), np.degrees(0.8), atol=0.1)
    assert keyed_bones(walk.rig) == keyed | {"c_pos"}


def hide(rig, name):
    rig.data.collections["Controls"].unassign(rig.data.bones[name])
    rig.data.collections["Mechanism"].assign(rig.data.bones[name])


def test_a_foot_whose_control_is_hidden_goes_along_with_the_control_above_all():
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l",))
    hide(rig, "c_foot_ik.r")
    before, keyed = shown_figure(rig, range(1, LAST + 1, 4)), keyed_bones(rig)
    assert bpy.ops.motion_editing.change_heading(angle=0.8) == {"FINISHED"}
    moved_rigidly(before, shown_figure(rig, range(1, LAST + 1, 4)))
    assert keyed_bones(rig) == keyed | {"c_pos"}


def test_a_loop_with_a_foot_that_no_visible_control_moves_is_refused():
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l",))
    hide(rig, "c_foot_ik.r")
    before = all_keys(rig.animation_data.action)
    with pytest.raises(RuntimeError, match=r"'(foot|leg)\.r' stays .* mm behind .*: show the control that moves it"):
        bpy.ops.motion_editing.make_loop()
    assert all_keys(rig.animation_data.action) == before


def test_a_foot_that_something_outside_the_rig_holds_is_refused():
    walk = traveller()
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.collection.objects.link(holder)
    link = walk.rig.pose.bones["foot.r"].constraints.new("COPY_LOCATION")
    link.target = holder
    before = all_keys(walk.rig.animation_data.action)
    with pytest.raises(RuntimeError, match=r"'foot\.r' stays .* behind .*: show the control that moves it, or bake"):
        bpy.ops.motion_editing.change_heading(angle=0.8)
    assert all_keys(walk.rig.animation_data.action) == before


@pytest.fixture
def handing_over() -> Walk:
    """A walk with a prop that goes along on its own at first and then follows the spine."""
    walk = traveller()
    prop = walk.rig.pose.bones["c_prop.x"]
    key_switch(prop, "space", {1: 0, 17: 1})
    for frame in walk.at[:2]:
        key_place(prop, frame, np.array([0.0, -0.05 * (frame - 1), 0.0]))
    for frame in walk.at[2:]:
        key_place(prop, frame, np.array([0.0, -0.02 * frame, 0.0]))
    return walk


@pytest.mark.parametrize(("tool", "options"), [("in_place", {}), ("change_heading", {"angle": 0.7})])
def test_what_changes_its_space_on_the_way_goes_along_in_both(handing_over, tool, options):
    before = shown_figure(handing_over.rig, handing_over.at)
    assert getattr(bpy.ops.motion_editing, tool)(keying="EVERY_FRAME", **options) == {"FINISHED"}
    moved_rigidly(before, shown_figure(handing_over.rig, handing_over.at))


def test_two_motions_of_what_changes_its_space_are_refused_by_name(handing_over):
    other = handing_over.rig.animation_data.action.copy()
    with pytest.raises(RuntimeError, match=r"'c_prop.x' travels on its own .* follows another bone at frame 17: give"):
        bpy.ops.motion_editing.append_transition(action=other.name)


def test_an_object_that_travels_stays_in_place_itself():
    armature = game_skeleton("root")
    for frame in (1, FRAMES):
        armature.location = (0.0, -0.1 * frame, 0.0)
        armature.keyframe_insert("location", frame=frame)
    before, keys = shown_figure(armature, range(1, FRAMES + 1)), all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.in_place() == {"FINISHED"}
    after = all_keys(armature.animation_data.action)
    assert {key[1] for key in keys if keys[key] != after[key]} == {"location"}
    moved_rigidly(before, shown_figure(armature, range(1, FRAMES + 1)))
