"""Constraints listed with the action and solved; what is refused."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from constrained_sample import add, listed, open_sample, path, positions, row, solve
from mathutils import Matrix, Quaternion
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys, evaluated_matrices


@pytest.fixture
def armature(empty_scene):
    return open_sample()


# The list


def test_a_constraint_takes_place_and_orientation_from_the_pose(armature):
    bpy.context.scene.frame_set(40)
    add("POSITION", "hand.L", 40)
    matrix = evaluated_matrices(armature, 40)[list(armature.pose.bones.keys()).index("hand.L")]
    item = listed(armature)[0]
    assert item.name == "Position hand.L"
    np.testing.assert_allclose(item.point, matrix[:3, 3], atol=1e-5)
    clip, _ = positions(armature)
    turned = clip.motion.poses.rotations[row(armature, 40), clip.motion.skeleton.index["hand.L"]]
    np.testing.assert_allclose(abs(np.dot(item.turn, turned)), 1.0, atol=1e-5)


def test_selected_bones_get_one_each_at_the_current_frame(armature):
    from motion_editing.motion_editing_addon.border.compatibility import select

    bpy.context.scene.frame_set(33)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in armature.pose.bones:
        select(bone, bone.name in ("hand.L", "hand.R"))
    assert bpy.ops.motion_editing.add_constraint(kind="POSITION") == {"FINISHED"}
    assert [(item.bone, item.start, item.end) for item in listed(armature)] == [("hand.L", 33, 33), ("hand.R", 33, 33)]


def test_names_are_used_once(armature):
    for _ in range(3):
        add("KEEP", "foot.L", 10, 20)
    assert len({item.name for item in listed(armature)}) == 3


def test_footplants_come_from_contacts_and_are_added_once(armature):
    bpy.ops.motion_editing.find_contacts()
    spans = armature.animation_data.action.motion_editing_contacts.spans
    assert bpy.ops.motion_editing.add_footplants(kind="KEEP") == {"FINISHED"}
    assert sorted((item.bone, item.start, item.end) for item in listed(armature)) == sorted(
        (span.bone, span.start, span.end) for span in spans
    )
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    bpy.ops.motion_editing.add_footplants(kind="NO_SKID")
    assert len(listed(armature)) == len(spans)


def test_without_contacts_there_are_no_footplants_and_the_tool_says_so(armature, capsys):
    bpy.ops.motion_editing.find_contacts()
    armature.animation_data.action.motion_editing_contacts.spans.clear()
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    assert "There are no contacts: mark some" in capsys.readouterr().out
    assert not listed(armature)


def test_constraints_are_removed_and_gone_to(armature):
    add("KEEP", "foot.L", 10, 20)
    add("KEEP", "foot.R", 25, 30)
    bpy.context.scene.frame_set(1)
    bpy.ops.motion_editing.jump_to_constraint(number=1)
    assert bpy.context.scene.frame_current == 25
    assert armature.data.bones.active.name == "foot.R"
    bpy.ops.motion_editing.remove_constraint(number=0)
    assert [item.bone for item in listed(armature)] == ["foot.R"]
    bpy.ops.motion_editing.remove_constraint()
    with pytest.raises(RuntimeError, match="There are no constraints"):
        bpy.ops.motion_editing.jump_to_constraint()


def test_the_list_is_saved_with_the_action(armature, tmp_path):
    add("POSITION", "hand.L", 40, softness=0.25)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "constraints.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "constraints.blend"))
    item = listed(bpy.data.objects["Sample"])[0]
    assert (item.kind, item.bone, item.start, item.softness) == ("POSITION", "hand.L", 40, 0.25)


# Solving


def test_constraints_that_hold_change_no_key(armature):
    add("KEEP", "foot.L", 10, 60)
    before = all_keys(armature.animation_data.action)
    solve()
    assert all_keys(armature.animation_data.action) == before


def test_a_moved_place_is_met_and_the_motion_follows_smoothly(armature):
    before = path(armature, "hand.L")
    here = row(armature, 40)
    item = add("POSITION", "hand.L", 40)
    item.point = before[here] + (0.0, 0.1, 0.1)
    solve(keying="EVERY_FRAME")
    after = path(armature, "hand.L")
    np.testing.assert_allclose(after[here], np.array(item.point), atol=1e-4)
    moved = np.linalg.norm(after - before, axis=1)
    assert 0.02 < moved[here + 3] < moved[here] * 1.3
    assert np.abs(np.diff(after - before, n=2, axis=0)).max() < 0.03
    assert item.missed == 0.0


def test_keep_holds_while_another_bone_is_moved(armature):
    feet = path(armature, "foot.L")
    add("KEEP", "foot.L", 1, 80)
    item = add("POSITION", "hand.L", 40)
    item.point = path(armature, "hand.L")[row(armature, 40)] + (0.0, 0.0, 0.15)
    solve(keying="EVERY_FRAME", keep_contacts=True)
    np.testing.assert_allclose(path(armature, "foot.L")[:79], feet[:79], atol=2e-4)


def test_a_pose_that_was_not_keyed_becomes_the_target(armature):
    bpy.context.scene.frame_set(40)
    bone = armature.pose.bones["upper_arm.L"]
    bone.matrix_basis = bone.matrix_basis @ Matrix.Rotation(0.4, 4, "X")
    bpy.context.view_layer.update()
    shown = np.array(armature.matrix_world @ armature.pose.bones["hand.L"].head)
    assert bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand.L") == {"FINISHED"}
    bpy.context.scene.frame_set(40)
    assert np.linalg.norm(path(armature, "hand.L")[row(armature, 40)] - shown) > 0.05
    solve(keying="EVERY_FRAME")
    np.testing.assert_allclose(path(armature, "hand.L")[row(armature, 40)], shown, atol=1e-4)


def test_frames_outside_the_range_stay(armature):
    before = path(armature, "hand.L")
    item = add("POSITION", "hand.L", 40)
    item.point = before[row(armature, 40)] + (0.0, 0.05, 0.05)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 20, 60
    solve(range="PREVIEW", keying="EVERY_FRAME", spacing=6)
    after = path(armature, "hand.L")
    np.testing.assert_allclose(after[row(armature, 40)], np.array(item.point), atol=1e-4)
    first, last = row(armature, 20), row(armature, 60)
    np.testing.assert_allclose(after[: first + 1], before[: first + 1], atol=1e-6)
    np.testing.assert_allclose(after[last:], before[last:], atol=1e-6)


def test_what_cannot_be_met_is_named_with_frame_amount_and_unit(armature, capsys):
    item = add("POSITION", "hand.L", 40)
    item.name, item.point = "far away", (0.0, 50.0, 0.0)
    solve(hold_root=True, keying="EVERY_FRAME")
    assert item.missed > 10.0
    assert item.missed_frame == pytest.approx(40)
    assert f"'far away' by {item.missed:.2f} m at frame 40" in capsys.readouterr().out


def test_a_turn_that_cannot_be_met_is_told_in_degrees(armature, capsys):
    for angle in (0.0, 1.0):
        item = add("ORIENTATION", "hand.L", 40)
        item.name, item.turn = f"turned by {angle:g}", Quaternion((1.0, 0.0, 0.0), angle)
    solve(keying="EVERY_FRAME")
    assert item.missed > 0.2
    assert f"'turned by 1' by {np.degrees(item.missed):.3g}° at frame 40" in capsys.readouterr().out


def test_the_root_stays_if_it_is_held(armature):
    clip, _ = positions(armature)
    root = clip.motion.skeleton.parents.tolist().index(0)
    item = add("POSITION", "hand.L", 40)
    item.point = path(armature, "hand.L")[row(armature, 40)] + (0.0, 0.0, 0.05)
    solve(hold_root=True, keying="EVERY_FRAME")
    after, _ = positions(armature)
    np.testing.assert_array_equal(after.motion.locations[:, root], clip.motion.locations[:, root])
    np.testing.assert_array_equal(after.motion.rotations[:, root], clip.motion.rotations[:, root])


def test_slow_changes_are_nearly_free_if_wanted(armature):
    before = path(armature, "hand.L")
    item = add("POSITION", "hand.L", 100)
    item.point = before[row(armature, 100)] + (0.0, 0.0, 0.1)
    spread = []
    for objective in ("CHANGE", "SLOW"):
        solve(objective=objective, keying="EVERY_FRAME")
        spread.append(np.linalg.norm(path(armature, "hand.L") - before, axis=1).mean())
        bpy.ops.motion_editing.restore_original()
    assert spread[1] > 1.5 * spread[0]


# Refusals


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda item: setattr(item, "bone", "tentacle"), "which 'Sample' has not"),
        (lambda item: setattr(item, "enabled", False), "No constraint is enabled"),
        (lambda item: setattr(item, "target_object", bpy.context.object), "to its own armature"),
        (lambda item: setattr(item, "kind", "NO_SKID"), "two frames or more"),
        (lambda item: setattr(item, "kind", "DISTANCE"), "needs a bone"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_the_reason(armature, change, reason):
    change(add("POSITION", "hand.L", 40))
    before = all_keys(armature.animation_data.action)
    with pytest.raises(RuntimeError, match=reason):
        bpy.ops.motion_editing.solve_constraints()
    assert all_keys(armature.animation_data.action) == before


def test_what_cannot_be_added_is_refused_with_the_reason(armature):
    for options, reason in (
        ({"bone": "tentacle"}, "There is no bone 'tentacle'"),
        ({"bone": "hand.L", "target_object": "Nothing"}, "There is no object 'Nothing'"),
        ({"bone": "hand.L", "start": 5.0, "end": 4.0}, "must not be before Start"),
    ):
        with pytest.raises(RuntimeError, match=reason):
            bpy.ops.motion_editing.add_constraint(kind="POSITION", **options)
    assert not listed(armature)


def test_without_constraints_the_tool_says_what_to_do(armature):
    assert not bpy.ops.motion_editing.solve_constraints.poll()


def test_one_undo_takes_the_edit_back(armature):
    item = add("POSITION", "hand.L", 40)
    item.point = path(armature, "hand.L")[row(armature, 40)] + (0.0, 0.0, 0.1)
    bpy.ops.ed.undo_push(message="before")
    before = all_keys(armature.animation_data.action)
    solve()
    bpy.ops.ed.undo_push(message="solved")
    assert all_keys(bpy.context.object.animation_data.action) != before
    bpy.ops.ed.undo()
    assert all_keys(bpy.context.object.animation_data.action) == before


@pytest.mark.parametrize("away", [0.0, 40.0])
@pytest.mark.parametrize("kind", ["POSITION", "ORIENTATION", "KEEP"])
def test_what_is_held_as_it_is_changes_nothing(capsys, kind, away):
    """Places are kept in single precision: their rounding is no reason to move, far from the origin either."""
    armature = open_sample()
    clip = scope.read_clip(bpy.context, armature)
    locations = np.array(clip.motion.locations)
    locations[:, clip.motion.skeleton.index["hips"], 0] += away
    action_io.write(clip, clip.motion.with_locations(locations))
    bpy.context.scene.frame_set(60)
    add(kind, "hand.L", 60)
    before = all_keys(armature.animation_data.action)
    capsys.readouterr()
    solve()
    assert all_keys(armature.animation_data.action) == before
    assert "Solve Constraints changed nothing" in capsys.readouterr().out
