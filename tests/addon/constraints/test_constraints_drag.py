"""Joints that are dragged: what the mouse does, and the motion that follows."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.constraints.drag.joint_drag import JointDrag
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake
from motion_editing.motion_editing_addon.interface.operators.value_drag import Outcome
from rigs import all_keys

FRAME = 40


@pytest.fixture
def armature():
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.context.scene.frame_set(FRAME)
    return bpy.context.object


def path(armature, bone):
    clip = scope.read_clip(bpy.context, armature)
    return clip.motion.poses.positions[:, clip.motion.skeleton.index[bone]]


def listed(armature):
    return armature.animation_data.action.motion_editing_constraints.listed


# Events


def moved(drag, x, y, **options):
    return drag.take("MOUSEMOVE", pressed=False, x=x, y=y, **options)


def pressed(drag, kind):
    return drag.take(kind, pressed=True, x=0, y=0)


def test_the_mouse_moves_and_shift_is_precise():
    drag = JointDrag(100, 50)
    assert moved(drag, 110, 45) is Outcome.CHANGED
    assert drag.travel == (10, -5)
    moved(drag, 120, 45, shift=True)
    assert drag.travel == (11, -5)
    assert moved(drag, 120, 45) is Outcome.NOTHING


def test_an_axis_is_chosen_and_left_again():
    drag = JointDrag(0, 0)
    assert pressed(drag, "Z") is Outcome.CHANGED
    assert drag.along((1.0, 2.0, 3.0)) == (0.0, 0.0, 3.0)
    assert drag.text(("0 mm", "0 mm", "3.00 m")) == "Drag Bone   X 0 mm   Y 0 mm   Z 3.00 m   along Z"
    pressed(drag, "X")
    assert drag.along((1.0, 2.0, 3.0)) == (1.0, 0.0, 0.0)
    pressed(drag, "X")
    assert drag.along((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)


def test_undo_waits_until_the_drag_has_ended():
    drag = JointDrag(0, 0)
    assert drag.take("Z", pressed=True, x=0, y=0, ctrl=True) is Outcome.NOTHING
    assert drag.along((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("LEFTMOUSE", Outcome.CONFIRMED),
        ("RET", Outcome.CONFIRMED),
        ("ESC", Outcome.CANCELLED),
        ("RIGHTMOUSE", Outcome.CANCELLED),
        ("MIDDLEMOUSE", Outcome.PASSED_ON),
        ("G", Outcome.NOTHING),
    ],
)
def test_keys_end_the_drag_or_go_on_to_blender(kind, outcome):
    assert pressed(JointDrag(0, 0), kind) is outcome


def test_a_drag_that_began_with_the_button_down_ends_when_it_is_let_go():
    for began_down, outcome in ((True, Outcome.CONFIRMED), (False, Outcome.NOTHING)):
        drag = JointDrag(0, 0, release_confirms=began_down)
        assert drag.take("LEFTMOUSE", pressed=False, x=0, y=0) is outcome


# The motion


def drag_hand(move, **options):
    return bpy.ops.motion_editing.drag_joint(bone="hand.L", move=move, keying="EVERY_FRAME", **options)


def test_the_motion_follows_and_constraints_are_held(armature):
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    before, feet = path(armature, "hand.L"), path(armature, "foot.L")
    assert drag_hand((0.0, -0.1, 0.1)) == {"FINISHED"}
    after, here = path(armature, "hand.L"), FRAME - 1
    np.testing.assert_allclose(after[here] - before[here], (0.0, -0.1, 0.1), atol=1e-4)
    change = np.linalg.norm(after - before, axis=1)
    assert change[here - 4 : here + 5].min() > 0.03
    spans = [item for item in listed(armature) if item.bone == "foot.L"]
    assert spans
    for item in spans:
        rows = slice(round(item.start) - 1, round(item.end))
        np.testing.assert_allclose(path(armature, "foot.L")[rows], feet[rows], atol=1e-3)


@pytest.mark.parametrize("contacts", [True, False])
def test_feet_that_stand_stay_by_default(armature, contacts):
    """No footplants are listed. Without contacts the whole body would just go down with the hand."""
    facts = ClipTake(scope.read_clip(bpy.context, armature))
    before = facts.slide_of(facts.clip.motion)
    drag_hand((0.0, 0.0, -0.4), **({} if contacts else {"keep_contacts": False}))
    after = facts.slide_of(scope.read_clip(bpy.context, armature).motion)
    assert (after < before + 1e-4) if contacts else (after > before + 0.1)


@pytest.mark.parametrize(("move", "is_far"), [((0.5, 0.3, -0.67), True), ((0.0, 0.0, 0.003), False)])
def test_what_sparse_keys_cannot_follow_is_told_with_the_way_out(armature, capfd, move, is_far):
    bpy.ops.motion_editing.convert_keys(keying="REDUCED")
    capfd.readouterr()
    bpy.ops.motion_editing.drag_joint(bone="hand.L", move=move)
    text = capfd.readouterr().out
    assert "breakdown keys added, largest error" in text
    assert ("), Keys: Every Frame follows exactly" in text) == is_far


def test_a_redo_starts_from_the_keys_as_they_were(armature):
    bpy.ops.ed.undo_push(message="before")
    drag_hand((0.0, 0.0, 0.1))
    once = all_keys(armature.animation_data.action)
    bpy.ops.ed.undo_push(message="dragged")
    bpy.ops.ed.undo()
    drag_hand((0.0, 0.0, 0.1), frame=FRAME)
    assert all_keys(bpy.context.object.animation_data.action) == once


def test_the_handle_stays_as_a_constraint_and_moves_with_the_next_drag(armature):
    aim = path(armature, "hand.L")[FRAME - 1] + np.array([0.0, 0.05, 0.1])
    drag_hand((0.0, 0.0, 0.1), add_constraint=True)
    drag_hand((0.0, 0.05, 0.0))
    assert len(listed(armature)) == 1
    np.testing.assert_allclose(listed(armature)[0].point, aim, atol=1e-4)
    bpy.context.scene.frame_set(FRAME + 30)
    drag_hand((0.1, 0.0, 0.0))
    np.testing.assert_allclose(path(armature, "hand.L")[FRAME - 1], aim, atol=2e-4)


def test_a_bone_that_is_held_cannot_be_dragged(armature):
    bpy.ops.motion_editing.add_constraint(kind="KEEP", bone="hand.L", start=30, end=50)
    with pytest.raises(RuntimeError, match=r"held here by 'Keep hand\.L'"):
        drag_hand((0.0, 0.0, 0.1))
    bpy.context.scene.frame_set(500)
    with pytest.raises(RuntimeError, match="Frame 500 is outside the frames"):
        drag_hand((0.0, 0.0, 0.1))


def test_what_is_shown_while_dragging_is_what_is_written(armature):
    from motion_editing.core.constraints import SolveConstraints
    from motion_editing.motion_editing_addon.constraints.drag.pull import Pull
    from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
    from motion_editing.motion_editing_addon.constraints.solve.together import Member

    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    clip = scope.read_clip(bpy.context, armature)
    constrained = Constrained([Member.alone(clip, listed(armature))], SolveConstraints())
    pull = Pull(constrained, constrained.handle("hand.L", FRAME, (0.0, 0.0, 0.0)), slice(20, 80))
    for share in np.linspace(0.0, 1.0, 11):
        (shown,) = pull.to((0.0, -0.1 * share, 0.1 * share))
    drag_hand((0.0, -0.1, 0.1))
    written = scope.read_clip(bpy.context, armature).motion.part(20, 80)
    np.testing.assert_allclose(shown.poses.positions, written.poses.positions, atol=5e-3)


def test_contacts_are_held_while_the_mouse_moves(armature):
    """A standing foot stays where it was although the hips are dragged, and the keys show the same afterwards."""
    from motion_editing.core.constraints import SolveConstraints
    from motion_editing.motion_editing_addon.constraints.drag.drag_picture import DragPicture
    from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
    from motion_editing.motion_editing_addon.constraints.solve.together import Member
    from motion_editing.motion_editing_addon.document.take.clip_take import ClipTake

    clip = scope.read_clip(bpy.context, armature)
    facts = ClipTake(clip)
    time = float(clip.motion.times[FRAME - 1])
    foot = next(name for name in ("foot.L", "foot.R") if any(a < time < b for a, b in facts.contacts.of(name)))
    stood, move = place(armature, foot), (0.0, 0.03, -0.04)
    shown = []
    for contacts in (False, True):
        constrained = Constrained([Member.alone(clip, listed(armature))], SolveConstraints(keep_contacts=contacts))
        picture = DragPicture(constrained, constrained.handle("hips", FRAME, (0.0, 0.0, 0.0)))
        for share in np.linspace(0.2, 1.0, 5):
            picture.show(bpy.context, tuple(share * np.array(move)))
        shown.append((place(armature, foot), place(armature, "shin" + foot[4:])))
        picture.restore()
    assert np.linalg.norm(shown[0][0] - stood) > 0.02
    np.testing.assert_allclose(shown[1][0], stood, atol=1e-3)
    options = {"keep_contacts": True, "keying": "EVERY_FRAME", "frame": FRAME}
    assert bpy.ops.motion_editing.drag_joint(bone="hips", move=move, **options) == {"FINISHED"}
    bpy.context.scene.frame_set(FRAME)
    np.testing.assert_allclose((place(armature, foot), place(armature, "shin" + foot[4:])), shown[1], atol=5e-3)


def place(armature, bone):
    """Where the head of a bone is shown."""
    bpy.context.view_layer.update()
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(posed.matrix_world @ posed.pose.bones[bone].head)


def test_bones_that_the_rig_itself_moves_are_refused(armature):
    other = bpy.data.objects.new("Leader", None)
    bpy.context.scene.collection.objects.link(other)
    constraint = armature.pose.bones["hand.L"].constraints.new("COPY_LOCATION")
    constraint.target = other
    with pytest.raises(RuntimeError, match="moved by the rig's constraints or drivers"):
        drag_hand((0.0, 0.0, 0.1))


@pytest.mark.clips
@pytest.mark.parametrize("name", ["cmu_07_01_walk", "cmu_138_01_march"])
def test_captured_feet_stay_while_a_hand_is_dragged(name, clips_folder):
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / f"{name}.bvh"))
    armature = bpy.context.object
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    clip = scope.read_clip(bpy.context, armature)
    before, height = clip.motion.poses.positions, ClipTake(clip).body.height
    row, hand = len(clip.frames) // 2, clip.motion.skeleton.index["LeftHand"]
    move, options = np.array([0.0, 0.0, 0.05 * height]), {"frame": clip.frames[row], "keying": "EVERY_FRAME"}
    assert bpy.ops.motion_editing.drag_joint(bone="LeftHand", move=move, **options) == {"FINISHED"}
    after = scope.read_clip(bpy.context, armature).motion.poses.positions
    np.testing.assert_allclose(after[row, hand] - before[row, hand], move, atol=1e-3 * height)
    for item in listed(armature):
        joint = clip.motion.skeleton.index[item.bone]
        held = (clip.frames >= item.start) & (clip.frames <= item.end)
        away = np.abs(after[held, joint] - before[held, joint]).max()
        # Either held or told.
        assert away < 1e-4 * height or item.missed == pytest.approx(away, rel=0.05), item.name


@pytest.mark.parametrize(
    ("bone", "frame", "move"),
    [("hand.L", 120, (0.3, 0.0, 0.0)), ("hand.R", 250, (0.0, 0.3, 0.2)), ("head", 250, (0.2, 0.1, -0.1))],
)
def test_a_joint_hardly_swings_to_the_other_side_before_and_after(armature, bone, frame, move):
    """Half as calm, they swing back by a fifth of the way."""
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    before = path(armature, bone)
    bpy.ops.motion_editing.drag_joint(bone=bone, frame=frame, move=move)
    along = (path(armature, bone) - before) @ np.array(move) / np.dot(move, move)
    assert along[frame - 1] == pytest.approx(1.0, abs=1e-3)
    assert along.min() > -0.1
