"""Feet that stand while something is dragged: bodies crouch, and limb IK holds the feet at every frame."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border.steps import finish
from motion_editing.motion_editing_addon.document import scope
from rigs import all_keys

FRAME = 50
# Share of the figure's height within which constraints hold.
HELD = 1e-4 * 1.75


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory, registered_addon):
    """The sample motion with its footplants in a file."""
    file = str(tmp_path_factory.mktemp("standing") / "standing.blend")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    return file


@pytest.fixture
def armature(sample_file, empty_scene):
    bpy.ops.wm.open_mainfile(filepath=sample_file)
    bpy.context.scene.frame_set(FRAME)
    return bpy.context.object


def listed(armature):
    return armature.animation_data.action.motion_editing_constraints.listed


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


def constrained_of(armature):
    from motion_editing.core.constraints import SolveConstraints
    from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
    from motion_editing.motion_editing_addon.constraints.solve.together import Member

    clip = scope.read_clip(bpy.context, armature)
    return Constrained([Member.alone(clip, listed(armature))], SolveConstraints())


def dragged(armature, bone, move, **options):
    """The motion before and after."""
    before = motion_of(armature)
    given = {"bone": bone, "frame": FRAME, "move": move, "keying": "EVERY_FRAME", **options}
    assert bpy.ops.motion_editing.drag_joint(**given) == {"FINISHED"}
    return before, motion_of(armature)


def slid(armature, before, after):
    """The furthest that a kept bone is from where it was, at any frame of any span."""
    frames = scope.read_clip(bpy.context, armature).frames
    far = [0.0]
    for item in listed(armature):
        rows, joint = (frames >= item.start) & (frames <= item.end), before.skeleton.index[item.bone]
        far.append(np.abs(after.poses.positions[rows, joint] - before.poses.positions[rows, joint]).max(initial=0.0))
    return max(far)


def back_of(motion):
    """The chest's orientation in the hips' axes at the dragged frame."""
    hips, chest = (motion.poses.rotations[FRAME - 1, motion.skeleton.index[name]] for name in ("hips", "upper_chest"))
    return quaternion.multiply(quaternion.conjugate(hips), chest)


def height(motion, bone):
    return motion.poses.positions[FRAME - 1, motion.skeleton.index[bone], 2]


@pytest.mark.parametrize(
    ("bone", "move", "least_drop", "most_bend"),
    [
        ("upper_chest", (0.0, 0.0, -0.25), 0.15, 30.0),
        ("hand.R", (0.0, -0.1, -0.6), 0.1, 70.0),
        ("hips", (0.0, 0.0, -0.25), 0.2499, 1.0),
    ],
)
def test_who_is_dragged_down_crouches_and_the_feet_stand(armature, bone, move, least_drop, most_bend):
    """With equal weights and feet held by the solve alone, backs bend by 145 and 95 degrees while the hips stay up.

    Hips that are dragged down themselves then let feet slide by 8 mm.
    """
    before, after = dragged(armature, bone, move)
    np.testing.assert_allclose(height(after, bone), height(before, bone) + move[2], atol=HELD)
    assert height(before, "hips") - height(after, "hips") > least_drop
    assert np.degrees(quaternion.angle_between(back_of(before), back_of(after))) < most_bend
    assert slid(armature, before, after) < 2.0 * HELD
    assert all(item.missed < 2.0 * HELD for item in listed(armature))


def test_a_reach_upward_leaves_no_foot_behind(armature):
    """Hips that rise would lift straight legs off the ground between the frames at which the solve holds them."""
    before, after = dragged(armature, "hand.R", (0.0, -0.2, 0.9))
    assert slid(armature, before, after) < 2.0 * HELD


def test_what_is_not_moved_stays_bit_for_bit(armature):
    before = all_keys(armature.animation_data.action)
    assert bpy.ops.motion_editing.solve_constraints() == {"FINISHED"}
    assert all_keys(armature.animation_data.action) == before


def test_the_drag_shows_what_the_keys_get(armature):
    from motion_editing.motion_editing_addon.constraints.drag.pull import Pull

    move = np.array((0.0, 0.0, -0.2))
    constrained = constrained_of(armature)
    pull = Pull(constrained, constrained.handle("upper_chest", FRAME, (0.0, 0.0, 0.0)), slice(FRAME - 1, FRAME))
    for share in np.linspace(0.05, 1.0, 20):
        (shown,) = pull.to(share * move)
    before, after = dragged(armature, "upper_chest", move)
    index = after.skeleton.index
    for bone, exact in (("hips", 0.05), ("upper_chest", 1e-3), ("toe.R", 1e-3)):
        places = [motion.poses.positions[row, index[bone]] for motion, row in ((shown, 0), (after, FRAME - 1))]
        np.testing.assert_allclose(*places, atol=exact)
    stood = before.poses.positions[FRAME - 1, index["toe.R"]]
    np.testing.assert_allclose(shown.poses.positions[0, index["toe.R"]], stood, atol=1e-3)


@pytest.mark.parametrize(("bone", "move"), [("upper_chest", (0.0, 0.0, -0.5)), ("hips", (0.1, 0.0, -0.35))])
def test_while_the_mouse_rests_the_drag_comes_to_what_the_keys_get(armature, bone, move):
    """Small steps along the way of the mouse may come to another posture than the solve does, for large moves."""
    from motion_editing.motion_editing_addon.constraints.drag.pull import Pull

    constrained, shown = constrained_of(armature), slice(FRAME - 20, FRAME + 20)
    pull = Pull(constrained, constrained.handle(bone, FRAME, (0.0, 0.0, 0.0)), shown)
    for share in np.linspace(0.1, 1.0, 10):
        pull.to(share * np.array(move))
    found = []
    while not pull.is_settled:
        found = pull.settle()
    (moved,) = pull.to(1.01 * np.array(move))
    _before, after = dragged(armature, bone, move)
    written = after.part(shown.start, shown.stop).poses.positions
    np.testing.assert_allclose(found[0].poses.positions, written, atol=1e-4)
    np.testing.assert_allclose(moved.poses.positions[19], written[19], atol=0.05)  # goes on from there


def test_where_nothing_can_be_found_the_drag_settles_all_the_same(armature):
    from motion_editing.core.errors import MotionEditError
    from motion_editing.motion_editing_addon.constraints.drag.pull import Pull

    constrained = constrained_of(armature)
    pull = Pull(constrained, constrained.handle("hips", FRAME, (0.0, 0.0, 0.0)), slice(FRAME - 1, FRAME))
    with pytest.raises(MotionEditError, match="too far away"):
        pull.to((0.0, 0.0, 1e9))
    assert not pull.is_settled
    assert pull.settle() is None
    assert pull.is_settled
    (shown,) = pull.to((0.0, 0.0, -0.1))
    height = constrained.motions[0].poses.positions[FRAME - 1, shown.skeleton.index["hips"], 2]
    assert shown.poses.positions[0, shown.skeleton.index["hips"], 2] == pytest.approx(height - 0.1, abs=1e-3)


def test_of_several_answers_the_smallest_is_taken(empty_scene):
    """From straight legs alone this body sways and bends its back; carried along at first, it crouches."""
    bpy.ops.motion_editing.load_sample_motion(rate=24)
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    constrained = constrained_of(bpy.context.object)
    handle = constrained.handle("upper_chest", 65, (0.2, 0.2, -0.2))
    alone = constrained.spacetime((handle,)).solve(steps=120)
    _motions, problem = finish(constrained.solved((handle,)))
    least = problem.solve(steps=0)
    assert not alone.violations
    assert not least.violations
    assert least.size < 0.95 * alone.size


def test_stiff_bones_resist_more_than_they_do_by_themselves(armature):
    bends = []
    for stiffness in (0.1, 1.0):
        for bone in ("spine", "chest", "upper_chest"):
            armature.pose.bones[bone].motion_editing_stiffness = stiffness
        before, after = dragged(armature, "upper_chest", (0.0, 0.0, -0.2))
        bends.append(np.degrees(quaternion.angle_between(back_of(before), back_of(after))))
        bpy.ops.wm.revert_mainfile()
        armature = bpy.context.object
    assert bends[0] > 1.5 * bends[1]


def test_only_limbs_that_limb_ik_can_hold_are_left_to_it(armature):
    def standing():
        return {listed(armature)[number].bone for number in constrained_of(armature).standing[0]}

    assert standing() == {"foot.L", "toe.L", "foot.R", "toe.R"}
    listed(armature)[[item.bone for item in listed(armature)].index("toe.R")].softness = 0.5
    assert standing() == {"foot.L", "toe.L"}
    add = bpy.ops.motion_editing.add_constraint
    add(kind="ABOVE_PLANE", bone="foot.L", start=1, end=60)
    add(kind="KEEP", bone="spine", start=1, end=60)
    assert standing() == {"foot.L", "toe.L"}
    add(kind="JOINT_LIMIT", bone="shin.L", start=1, end=60)
    assert standing() == set()


def test_limbs_whose_end_is_not_known_are_left_to_the_solve(armature):
    """Renamed bones are named in plain words; a leg without a foot that is known must not get in the way."""
    for name in ("foot.L", "toe.L"):
        armature.data.bones[name].name = f"renamed {name[0]}"
    with pytest.raises(RuntimeError, match=r"is about the bone 'foot.L', which 'Sample' has not"):
        bpy.ops.motion_editing.solve_constraints()


def test_feet_that_may_not_skid_stand_still_at_every_frame(armature):
    bpy.ops.motion_editing.remove_constraint(everything=True)
    bpy.ops.motion_editing.add_constraint(kind="NO_SKID", bone="hand.L", start=30, end=44)
    assert bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME") == {"FINISHED"}
    after = motion_of(armature)
    stood = after.poses.positions[29:44, after.skeleton.index["hand.L"]]
    assert np.ptp(stood, axis=0).max() < 2.0 * HELD


def reach_without_skidding(armature, **options):
    """All contacts may not skid while a hand is moved; the motion before and after."""
    bpy.ops.motion_editing.remove_constraint(everything=True)
    bpy.ops.motion_editing.add_footplants(kind="NO_SKID")
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand.L", start=FRAME, end=FRAME)
    hand = listed(armature)[-1]
    hand.point = np.add(hand.point, (0.0, 0.15, 0.15))
    before = motion_of(armature)
    assert bpy.ops.motion_editing.solve_constraints(keying="EVERY_FRAME", **options) == {"FINISHED"}
    return before, motion_of(armature)


def test_ankles_and_toes_of_one_foot_that_may_not_skid_stand_together(armature):
    reach_without_skidding(armature)
    assert {item.kind for item in listed(armature)} == {"NO_SKID", "POSITION"}
    assert [item.name for item in listed(armature) if item.missed] == []


def test_feet_that_stand_on_beyond_the_range_change_inside_alone(armature):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, FRAME - 20, FRAME + 20
    before, after = reach_without_skidding(armature, range="PREVIEW", spacing=5)
    rows = np.arange(len(after)) + 1
    outside = (rows <= FRAME - 20) | (rows >= FRAME + 20)
    np.testing.assert_allclose(after.poses.positions[outside], before.poses.positions[outside], atol=1e-6)
    crossing = [item for item in listed(armature) if item.kind == "NO_SKID" and item.start < FRAME + 20 < item.end]
    assert crossing
    moved = np.abs(after.poses.positions - before.poses.positions).max(axis=(1, 2))
    assert moved[FRAME - 1] > 0.1


def test_toes_that_stand_alone_after_the_heel_has_left_are_reached(empty_scene):
    """Where the ankle is free again, a hand that pulls the body away must not pull the toes along."""
    bpy.ops.motion_editing.load_sample_motion(rate=24)
    bpy.ops.motion_editing.add_footplants(kind="KEEP")
    armature = bpy.context.object
    before, after = dragged(armature, "hand.L", (-0.103, 0.59, 0.668), frame=70)
    assert not any(item.missed for item in listed(armature))
    assert slid(armature, before, after) < HELD
