"""Constraints and drags on odd rigs, odd keys and in odd states: a right result, or a refusal that changes nothing."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from gentle_chain import FRAME, MOVE, TIP, chain, curves, drag, listed, path, refused, shown
from motion_editing.motion_editing_addon.document import scope
from rigs import ROTATION_MODES, all_keys

# Keys


@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME"])
def test_a_single_frame_is_a_pose_that_is_dragged(keying):
    armature = chain([FRAME])
    before = shown(armature)
    drag(keying=keying)
    np.testing.assert_allclose(shown(armature) - before, MOVE, atol=1e-5)


def test_two_frames_are_dragged_at_one_of_them():
    armature = chain([FRAME, FRAME + 1])
    before = [shown(armature, frame) for frame in (FRAME, FRAME + 1)]
    drag()
    np.testing.assert_allclose(shown(armature) - before[0], MOVE, atol=1e-5)
    assert np.linalg.norm(shown(armature, FRAME + 1) - before[1]) < 0.1


def test_sparse_keys_get_a_breakdown_where_the_joint_is_dragged_and_stay_sparse():
    armature = chain([1, 10, 20, 30, 40])
    before = shown(armature)
    drag()
    np.testing.assert_allclose(shown(armature) - before, MOVE, atol=1e-4)
    keyed = [curve for curve in curves(armature) if len(curve.keyframe_points) > 5]
    assert keyed
    for curve in keyed:
        frames = {round(key.co.x): key.type for key in curve.keyframe_points}
        assert set(frames) == {1, 10, FRAME, 20, 30, 40}
        assert frames[FRAME] == "BREAKDOWN"
        assert frames[10] == "KEYFRAME"


def test_spans_are_met_by_the_keys_there_are():
    """What they miss between is told, with the amount that the keys show."""
    armature = chain([1, 10, 20, 30, 40])
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone=TIP, start=8, end=22)
    bpy.ops.motion_editing.solve_constraints()
    assert {len(curve.keyframe_points) for curve in curves(armature)} == {5}
    item = listed(armature)[0]
    away = np.abs(path(armature)[7:22] - np.array(item.point)).max()
    assert item.missed == pytest.approx(away, rel=1e-3)


@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME", "REDUCED"])
def test_keys_between_whole_frames_are_looked_back_at_where_they_are(keying):
    """Few keys would not tell any more that the motion was sampled between whole frames."""
    armature = chain([0.8 * frame for frame in range(1, 61)])
    frames = scope.read_clip(bpy.context, armature).frames
    assert len(frames) == 60
    row = 20
    before = path(armature)
    drag(frame=float(frames[row]), keying=keying, rotation_error=0.02, add_constraint=True)
    item = listed(armature)[0]
    assert item.start == pytest.approx(frames[row])
    assert item.missed < (1e-3 if keying != "REDUCED" else 0.2)
    if keying != "REDUCED":
        np.testing.assert_allclose(path(armature)[row] - before[row], MOVE, atol=1e-4)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_keys_that_are_no_numbers_are_refused(value):
    armature = chain([1, 10, 20, 30])
    curves(armature)[4].keyframe_points[1].co.y = value
    refused(armature, "NaN or infinite")


def test_moves_and_places_that_are_no_numbers_are_refused():
    armature = chain()
    refused(armature, "'Drag bone3' asks for something that is no number", move=(float("nan"), 0.0, 0.0))
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone=TIP, start=5, end=5)
    for value, reason in (
        ("nan", "asks for something that is no number"),
        ("inf", "is held to something too far away"),
    ):
        listed(armature)[0].point[1] = float(value)
        refused(armature, f"'Position bone3' {reason}")


def test_locked_channels_are_refused_and_stay():
    armature = chain()
    next(
        curve for curve in curves(armature) if "bone1" in curve.data_path and "rotation" in curve.data_path
    ).lock = True
    refused(armature, "is locked")


# Rigs


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_all_ways_to_rotate_on_a_turned_and_scaled_object(mode):
    armature = chain(mode=mode)
    armature.location, armature.rotation_euler, armature.scale = (1, 2, 3), (0.4, 0.2, 1.0), (2, 2, 2)
    bpy.context.view_layer.update()
    before = shown(armature)
    drag(keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(armature) - before, MOVE, atol=1e-4)


def test_an_object_scaled_unevenly():
    armature = chain()
    armature.scale = (2.0, 1.0, 0.5)
    bpy.context.view_layer.update()
    before = shown(armature)
    drag(keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(armature) - before, MOVE, atol=1e-3)


def test_bones_below_an_ik_constraint_are_refused_and_others_are_not():
    armature = chain()
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (0.3, 0.2, 1.5)
    constraint = armature.pose.bones["bone2"].constraints.new("IK")
    constraint.target, constraint.chain_count = target, 1
    refused(armature, "moved by the rig's constraints or drivers")
    before = shown(armature, bone="bone1")
    bpy.ops.motion_editing.drag_joint(bone="bone1", frame=FRAME, move=MOVE, keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(armature, bone="bone1") - before, MOVE, atol=1e-4)


def test_no_bone_and_a_bone_that_stays_say_so():
    armature = chain()
    armature.data.bones.active = None
    with pytest.raises(RuntimeError, match="Make a bone active in pose mode, or name it"):
        bpy.ops.motion_editing.drag_joint(move=MOVE)
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.drag_joint(bone="bone0", move=MOVE, hold_root=True, add_constraint=True)
    assert all_keys(armature.animation_data.action) == before
    assert listed(armature)[0].missed == pytest.approx(0.1, abs=1e-5)


def test_linked_actions_are_refused(tmp_path):
    armature = chain()
    file, action = str(tmp_path / "linked.blend"), armature.animation_data.action
    bpy.data.libraries.write(file, {action})
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.actions = [action.name]
    linked = next(each for each in bpy.data.actions if each.library is not None)
    armature.animation_data.action = linked
    armature.animation_data.action_slot = linked.slots[0]
    refused(armature, "is linked: make it local first")


def tweaked(armature, start):
    """The armature's action as a strip from a scene frame on, in tweak mode."""
    data, action = armature.animation_data, armature.animation_data.action
    track = data.nla_tracks.new()
    strip = track.strips.new("Strip", start, action)
    strip.action_slot = action.slots[0]
    data.action = None
    strip.select, data.nla_tracks.active = True, track
    data.use_tweak_mode = True
    return strip


def test_in_nla_tweak_mode_frames_are_those_of_the_scene():
    armature = chain()
    tweaked(armature, 101)
    before = shown(armature, 115)
    assert drag(frame=115, keying="EVERY_FRAME", add_constraint=True) == {"FINISHED"}
    np.testing.assert_allclose(shown(armature, 115) - before, MOVE, atol=1e-4)
    assert listed(armature)[0].start == 15
    assert bpy.context.scene.frame_current == 115


def test_in_a_strip_that_is_played_backwards_too():
    armature = chain()
    strip = tweaked(armature, 101)
    strip.use_reverse = True
    before = shown(armature, 115)
    assert drag(frame=115, keying="EVERY_FRAME", add_constraint=True) == {"FINISHED"}
    np.testing.assert_allclose(shown(armature, 115) - before, MOVE, atol=1e-4)
    assert listed(armature)[0].start == 26


@pytest.mark.parametrize(("start", "end"), [(30, 35), (40, 60)])
def test_a_foot_that_stands_in_one_frame_of_the_range_holds_by_itself(start, end):
    """No Skid is about two frames or more; a range, or the end of the action, may leave one of them."""
    armature, scene = chain(), bpy.context.scene
    add = bpy.ops.motion_editing.add_constraint
    add(kind="NO_SKID", bone=TIP, start=start, end=end)
    add(kind="POSITION", bone=TIP, start=FRAME, end=FRAME)
    listed(armature)[1].point = shown(armature) + MOVE
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 5, max(start, 30)
    given = {"range": "PREVIEW", "keying": "EVERY_FRAME", "spacing": 3}
    assert bpy.ops.motion_editing.solve_constraints(**given) == {"FINISHED"}
    np.testing.assert_allclose(shown(armature), np.array(listed(armature)[1].point), atol=1e-4)


# States


def test_values_that_are_changed_afterwards_start_from_the_keys_as_they_were():
    """As the redo panel does: undo, then the same tool with another value; nothing adds up."""
    armature = chain()
    before = shown(armature)
    bpy.ops.ed.undo_push(message="before")
    drag(keying="EVERY_FRAME")
    bpy.ops.ed.undo_push(message="dragged")
    bpy.ops.ed.undo()
    drag(0.5 * MOVE, keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(bpy.context.object) - before, 0.5 * MOVE, atol=1e-4)


def test_solving_twice_changes_nothing_the_second_time():
    armature = chain()
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone=TIP, start=FRAME, end=FRAME)
    listed(armature)[0].point = shown(armature) + MOVE
    bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME")
    once = path(armature)
    bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME")
    np.testing.assert_allclose(path(armature), once, atol=1e-5)


def test_a_list_that_was_saved_is_solved_as_before(tmp_path):
    armature = chain()
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone=TIP, start=FRAME, end=FRAME)
    listed(armature)[0].point = shown(armature) + MOVE
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "list.blend"))
    bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME")
    here = all_keys(armature.animation_data.action)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "list.blend"))
    bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME")
    assert all_keys(bpy.context.object.animation_data.action) == here
