"""Characters that something carries are dragged and solved where they are seen: in the scene."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from constrained_sample import add, open_sample, solve
from gentle_chain import MOVE
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.interface.drawing import viewport
from on_a_carrier import carrier, seen_clip, shown
from rigs import all_keys
from walk_in_place import carrier as carrier_along
from walk_in_place import heads, walk_in_place

FRAME, HAND = 40, "hand.L"
# The figure is 1.7 units high.
HELD = 1.7e-4


def carry(armature, how):
    if how == "deltas":
        armature.delta_location, armature.delta_rotation_euler = (0.5, 1.0, 0.0), (0.0, 0.3, 1.0)
        armature.delta_scale = (1.5,) * 3
    elif how.endswith("parent"):
        armature.parent = carrier(scale=0.5 if how.startswith("scaled") else 1.0)
    else:
        armature.constraints.new(how).target = carrier()
    bpy.context.scene.frame_set(FRAME)
    return armature


@pytest.fixture
def carried():
    """The sample motion on an empty that goes and turns."""
    return carry(open_sample(), "parent")


def drag(move=MOVE, **options):
    options = {"bone": HAND, "frame": FRAME, "keying": "EVERY_FRAME", **options}
    assert bpy.ops.motion_editing.drag_joint(move=move, **options) == {"FINISHED"}


def keys(*things):
    return [all_keys(thing.animation_data.action) for thing in things]


# Dragging


@pytest.mark.parametrize("how", ["parent", "scaled parent", "deltas", "CHILD_OF", "COPY_LOCATION"])
def test_a_hand_goes_where_it_is_dragged_in_the_scene(how):
    armature = carry(open_sample(), how)
    before, other = shown(armature, HAND), shown(armature, "hand.R", 200)
    drag(frame=FRAME)
    np.testing.assert_allclose(shown(armature, HAND, FRAME) - before, MOVE, atol=HELD)
    np.testing.assert_allclose(shown(armature, "hand.R", 200), other, atol=1e-5)


def test_only_bones_change(carried):
    carried.keyframe_insert("location", frame=1)
    places = tuple(carried.matrix_world.translation)
    above = keys(carried.parent)
    own = [curve for key, curve in all_keys(carried.animation_data.action).items() if key[1] == "location"]
    drag()
    assert own
    assert [curve for key, curve in all_keys(carried.animation_data.action).items() if key[1] == "location"] == own
    assert keys(carried.parent) == above
    bpy.context.scene.frame_set(FRAME)
    assert tuple(carried.matrix_world.translation) == places


def test_undo_brings_all_back(carried):
    before, place = keys(carried), shown(carried, HAND)
    bpy.ops.ed.undo_push(message="before")
    drag()
    bpy.ops.ed.undo_push(message="dragged")
    bpy.ops.ed.undo()
    armature = bpy.context.object
    assert keys(armature) == before
    np.testing.assert_array_equal(shown(armature, HAND, FRAME), place)


def test_feet_that_stand_in_the_scene_stay():
    """On its keys alone the character walks in place: no foot stands there."""
    walker, way = walk_in_place()
    walker.parent = carrier_along(way)
    bpy.ops.motion_editing.find_contacts()
    spans = [(each.bone, each.start, each.end) for each in scope.action_of(walker).motion_editing_contacts.spans]
    assert len(spans) > 5
    before = {frame: heads(walker, frame) for frame in range(1, 60)}
    drag((0.0, 0.1, -0.3), frame=30)
    after = {frame: heads(walker, frame) for frame in range(1, 60)}
    moved = {frame: np.linalg.norm(after[frame]["hips"] - before[frame]["hips"]) for frame in before}
    assert max(moved.values()) > 0.05
    for bone, start, end in spans:
        for frame in range(int(np.ceil(start)), min(int(end), 59) + 1):
            np.testing.assert_allclose(after[frame][bone], before[frame][bone], atol=HELD, err_msg=f"{bone} {frame}")


def test_sparse_keys_stay_sparse_and_meet_the_hand(carried):
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    bpy.context.scene.frame_set(FRAME)
    before = shown(carried, HAND)
    drag(keying="AUTOMATIC")
    np.testing.assert_allclose(shown(carried, HAND, FRAME) - before, MOVE, atol=HELD)


def test_frames_of_a_strip_are_those_of_the_scene(carried):
    """What carries the character is looked at where the strip is played."""
    data, action = carried.animation_data, carried.animation_data.action
    strip = data.nla_tracks.new().strips.new("Strip", 31, action)
    strip.action_slot = action.slots[0]
    data.action, data.nla_tracks.active = None, data.nla_tracks[0]
    strip.select, data.use_tweak_mode = True, True
    before = shown(carried, HAND, 70)
    drag(frame=70)
    np.testing.assert_allclose(shown(carried, HAND, 70) - before, MOVE, atol=HELD)


# While the mouse moves


def test_rig_trail_and_ghosts_are_where_the_figure_is_and_esc_restores_it(carried):
    from motion_editing.core.constraints import SolveConstraints
    from motion_editing.motion_editing_addon.constraints.drag.drag_picture import DragPicture
    from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
    from motion_editing.motion_editing_addon.constraints.solve.together import Member

    ways = np.array([shown(carried, HAND, frame) for frame in range(30, 51)])
    bpy.context.scene.frame_set(FRAME)
    before, poses = keys(carried), shown_pose(carried)
    constrained = Constrained([Member.alone(seen_clip(carried), [])], SolveConstraints())
    picture = DragPicture(constrained, constrained.handle(HAND, FRAME, (0.0, 0.0, 0.0)))
    for share in (0.3, 0.6, 1.0, 1.0):
        picture.show(bpy.context, tuple(share * MOVE))
    np.testing.assert_allclose(shown(carried, HAND), ways[10] + MOVE, atol=5e-3)
    drawn = viewport.shown()["dragged joint"]
    np.testing.assert_allclose(drawn.dots[0][0][0], shown(carried, HAND), atol=1e-4)
    points = np.concatenate([shape.places for shape in drawn.lines.shapes])
    assert farthest(ways, points) < 1e-4, "the way before"
    ghosts = [np.array([shown(carried, bone, frame) for bone in ("toe.L", "head")]) for frame in (47, 48)]
    assert min(farthest(ghost, points) for ghost in ghosts) < 1e-4, "the figure a quarter of a second later"
    bpy.context.scene.frame_set(FRAME)
    picture.restore()
    assert keys(carried) == before
    np.testing.assert_array_equal(shown_pose(carried), poses)


def test_a_pose_that_is_not_keyed_is_there_after_looking_where_the_character_is(carried):
    from motion_editing.motion_editing_addon.constraints.drag.drag_gesture import poses_kept

    carried.pose.bones[HAND].rotation_quaternion = (0.6, 0.0, 0.8, 0.0)
    carried.rotation_euler.z = 0.3
    poses = shown_pose(carried)
    with poses_kept([carried]):
        seen_clip(carried)
        assert tuple(carried.pose.bones[HAND].rotation_quaternion) != (0.6, 0.0, 0.8, 0.0)
    np.testing.assert_allclose(shown_pose(carried), poses, atol=1e-6)


def shown_pose(armature):
    bpy.context.view_layer.update()
    return np.array([armature.matrix_world, *(armature.matrix_world @ bone.matrix for bone in armature.pose.bones)])


def farthest(places, points):
    """How far the farthest of the places is from all points."""
    return np.linalg.norm(points[None] - places[:, None], axis=2).min(axis=1).max()


# The list


def test_a_pose_that_is_held_is_held_where_it_is_seen(carried):
    place = shown(carried, HAND) + MOVE
    item = add("POSITION", HAND, FRAME)
    np.testing.assert_allclose(item.point, place - MOVE, atol=1e-5)
    item.point = place
    solve(keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(carried, HAND, FRAME), place, atol=HELD)
    assert item.missed == 0.0


def test_nothing_changes_where_all_holds_already(carried, capsys):
    add("KEEP", HAND, 20, 60)
    add("ORIENTATION", "head", FRAME)
    add("DISTANCE", HAND, FRAME, target_bone="head")
    before = keys(carried)
    solve(keying="EVERY_FRAME")
    assert keys(carried) == before
    assert "changed nothing" in capsys.readouterr().out
    drag((0.0, 0.0, 0.0), frame=80)
    assert keys(carried) == before


def test_targets_are_in_the_scene(carried):
    ball = bpy.data.objects.new("Ball", None)
    bpy.context.scene.collection.objects.link(ball)
    for frame in (20, 60):
        ball.location = shown(carried, HAND, frame) + MOVE
        ball.keyframe_insert("location", frame=frame)
    add("POSITION", HAND, 38, 42, target_object="Ball")
    lowest = min(shown(carried, "foot.L", frame)[2] for frame in range(95, 106)) + 0.1
    add("ABOVE_PLANE", "foot.L", 95, 105).height = lowest
    solve(keying="EVERY_FRAME", spacing=3)
    for frame in range(38, 43):
        np.testing.assert_allclose(shown(carried, HAND, frame), ball.matrix_world.translation, atol=HELD)
    assert min(shown(carried, "foot.L", frame)[2] for frame in range(95, 106)) > lowest - HELD


# Refusals


def refused(armature, reason, bone=HAND):
    before = keys(armature)
    with pytest.raises(RuntimeError, match=reason):
        drag(bone=bone)
    assert keys(armature) == before


@pytest.mark.parametrize("scale", [(-1.0, 1.0, 1.0), (2.0, 1.0, 1.0)])
def test_a_character_that_is_mirrored_or_sheared_is_refused(carried, scale):
    carried.parent.scale = scale
    carried.rotation_euler.z += 0.5
    bpy.context.scene.frame_set(FRAME)
    refused(carried, "'Sample' is sheared or mirrored by what carries it")


def test_bones_that_the_rig_itself_moves_are_refused_and_others_are_not(carried):
    carried.pose.bones[HAND].constraints.new("COPY_LOCATION").target = carried.parent
    refused(carried, "moved by the rig's constraints or drivers")
    before = shown(carried, "hand.R", FRAME)
    drag(bone="hand.R")
    np.testing.assert_allclose(shown(carried, "hand.R", FRAME) - before, MOVE, atol=HELD)
