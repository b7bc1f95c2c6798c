"""Control rigs: what is grabbed moves the figure, and only controls that act get keys."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector
from motion_editing.core.constraints import DragJoint
from motion_editing.motion_editing_addon.border.armature import sample_positions
from motion_editing.motion_editing_addon.border.steps import finish
from motion_editing.motion_editing_addon.constraints.drag.drag_picture import DragPicture
from motion_editing.motion_editing_addon.constraints.figure_clip import as_figure
from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
from motion_editing.motion_editing_addon.constraints.solve.together import Member, items_of
from motion_editing.motion_editing_addon.document import scope

FRAMES, FRAME = 31, 16
MOVE = (0.04, -0.05, 0.03)
# Where controls go from their rest, in the world: limbs are bent.
PLACES = {"torso": (0.0, 0.0, -0.12), "hand_ik.L": (-0.15, -0.1, -0.1), "hand_ik.R": (0.15, -0.1, -0.1)}


@pytest.fixture
def rig(generated):
    """A Rigify human with arms on FK that stands on legs on IK, with few keys."""
    rig = generated("human")
    rng = np.random.default_rng(5)
    for side in "LR":
        rig.pose.bones[f"upper_arm_parent.{side}"]["IK_FK"] = 1.0
    for frame in range(1, FRAMES + 1, 10):
        for name in ("torso", "foot_ik.L", "foot_ik.R"):
            bone = rig.pose.bones[name]
            away = Vector(PLACES.get(name, (0.0, 0.0, 0.0))) + Vector(rng.normal(size=3) * 0.02 * (name == "torso"))
            bone.location = bone.bone.matrix_local.to_3x3().inverted() @ away
            bone.keyframe_insert("location", frame=frame)
        for name in ("upper_arm_fk", "forearm_fk", "hand_fk", "chest", "head"):
            for bone in filter(None, map(rig.pose.bones.get, (name, f"{name}.L", f"{name}.R"))):
                bone.rotation_mode = "XYZ"
                bone.rotation_euler = rng.normal(size=3) * 0.1 + (0.5 * ("forearm" in name), 0.0, 0.0)
                bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.object.mode_set(mode="POSE")
    return rig


def shown(rig, *bones):
    """(F, K, 3) where Blender shows the heads of bones."""
    places = finish(sample_positions(bpy.context.scene, rig, np.arange(1.0, FRAMES + 1.0)))
    return places[:, [1 + rig.pose.bones.find(name) for name in bones]]


def values(rig):
    """What every curve gives at every frame."""
    curves = rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
    return {
        (curve.data_path, curve.array_index): [curve.evaluate(frame) for frame in range(1, FRAMES + 1)]
        for curve in curves
    }


def changed_bones(before, after):
    return {path.split('"')[1] for path, index in after if before.get((path, index)) != after[path, index]}


def drag(bone, move=MOVE, **options):
    return bpy.ops.motion_editing.drag_joint(bone=bone, move=move, frame=FRAME, **options)


def check_controls(rig, touched):
    assert touched
    assert not [name for name in touched if name.startswith(("MCH-", "ORG-", "DEF-"))]
    assert all(scope.is_visible(rig.pose.bones[name]) for name in touched)
    assert not touched & {"root", "hand_ik.L", "hand_ik.R", "foot_fk.L", "foot_fk.R", "thigh_fk.L", "thigh_fk.R"}


@pytest.mark.parametrize(
    ("grabbed", "seen", "acts"),
    [
        ("hand_fk.R", "DEF-hand.R", "upper_arm_fk.R"),
        ("hand_ik.R", "DEF-hand.R", "upper_arm_fk.R"),
        ("foot_ik.L", "DEF-foot.L", "foot_ik.L"),
        ("foot_fk.L", "DEF-foot.L", "foot_ik.L"),
        ("torso", "DEF-spine", "torso"),
        ("head", "DEF-spine.006", "torso"),
    ],
)
def test_a_grabbed_control_takes_the_figure_along(rig, grabbed, seen, acts):
    before, keys = shown(rig, seen, "DEF-foot.R"), values(rig)
    assert drag(grabbed) == {"FINISHED"}
    after, touched = shown(rig, seen, "DEF-foot.R"), changed_bones(keys, values(rig))
    np.testing.assert_allclose(after[FRAME - 1, 0] - before[FRAME - 1, 0], MOVE, atol=2e-3)
    np.testing.assert_allclose(after[:, 1], before[:, 1], atol=2e-3)
    check_controls(rig, touched)
    assert acts in touched


def test_only_what_has_to_move_gets_other_keys(rig):
    keys = values(rig)
    drag("hand_fk.R")
    touched = changed_bones(keys, values(rig))
    assert {"upper_arm_fk.R", "forearm_fk.R"} <= touched
    # Knees bend as the body leans; all else of the legs, the other arm and the fingers stay.
    assert {name for name in touched if name.endswith(".L")} <= {"thigh_ik.L"}
    assert not [name for name in touched if name.startswith(("f_", "thumb", "palm", "toe", "foot"))]


def test_outside_of_the_range_nothing_changes(rig):
    keys = values(rig)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 6, 26
    assert drag("hand_fk.R", range="PREVIEW", keying="EVERY_FRAME", spacing=2) == {"FINISHED"}
    after = values(rig)
    outside = [*range(5), *range(26, FRAMES)]
    assert after.keys() >= keys.keys()
    for curve in keys:
        np.testing.assert_array_equal(np.array(after[curve])[outside], np.array(keys[curve])[outside])
    assert changed_bones(keys, after)


def test_a_hand_of_fk_is_held_at_a_place(rig):
    bpy.context.scene.frame_set(FRAME)
    before, keys = shown(rig, "DEF-hand.L", "DEF-foot.R"), values(rig)
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand_ik.L", start=FRAME, end=FRAME)
    item = rig.animation_data.action.motion_editing_constraints.listed[-1]
    # The handle is elsewhere: what is held is what is seen.
    np.testing.assert_allclose(item.point, before[FRAME - 1, 0], atol=1e-4)
    item.point = [at + by for at, by in zip(item.point, MOVE, strict=True)]
    assert bpy.ops.motion_editing.solve_constraints(keep_contacts=True) == {"FINISHED"}
    after = shown(rig, "DEF-hand.L", "DEF-foot.R")
    np.testing.assert_allclose(after[FRAME - 1, 0] - before[FRAME - 1, 0], MOVE, atol=2e-3)
    np.testing.assert_allclose(after[:, 1], before[:, 1], atol=2e-3)
    check_controls(rig, changed_bones(keys, values(rig)))


def test_an_orientation_is_that_of_the_control(rig):
    bpy.context.scene.frame_set(FRAME)
    bpy.ops.motion_editing.add_constraint(kind="ORIENTATION", bone="foot_ik.R", start=FRAME, end=FRAME)
    item = rig.animation_data.action.motion_editing_constraints.listed[-1]
    turn = rig.pose.bones["foot_ik.R"].matrix.to_quaternion()
    assert abs(turn.dot(Quaternion(item.turn))) == pytest.approx(1.0, abs=1e-5)
    wanted = Quaternion((0.0, 0.0, 1.0), 0.3) @ turn
    item.turn = wanted
    assert bpy.ops.motion_editing.solve_constraints() == {"FINISHED"}
    bpy.context.scene.frame_set(FRAME)
    found = rig.pose.bones["foot_ik.R"].matrix.to_quaternion()
    assert abs(wanted.dot(found)) == pytest.approx(1.0, abs=1e-5)


def test_the_torso_stays_where_it_is_held(rig):
    bpy.context.scene.frame_set(FRAME)
    before = shown(rig, "torso")
    bpy.ops.motion_editing.add_constraint(kind="KEEP", bone="torso", start=FRAME, end=FRAME)
    assert drag("hand_fk.R", (0.0, -0.1, 0.1)) == {"FINISHED"}
    np.testing.assert_allclose(shown(rig, "torso")[FRAME - 1], before[FRAME - 1], atol=2e-3)


@pytest.mark.parametrize("bone", ["jaw_master", "upper_arm_ik_target.R"])
def test_a_control_that_moves_nothing_of_the_figure_is_refused(rig, bone):
    keys = values(rig)
    with pytest.raises(RuntimeError, match=f"'{bone}' moves no joint of trunk, limbs or head"):
        drag(bone)
    assert values(rig) == keys


def test_the_mouse_shows_what_letting_go_gives(rig):
    clip = as_figure(scope.read_clip(bpy.context, rig))
    bpy.context.scene.frame_set(FRAME)
    constrained = Constrained([Member.alone(clip, items_of(rig))], DragJoint(keep_contacts=True))
    picture = DragPicture(constrained, constrained.handle("hand_fk.R", FRAME, (0.0, 0.0, 0.0)))
    before = place(rig, "DEF-hand.R")
    for share in (0.5, 1.0, 1.0):
        picture.show(bpy.context, tuple(share * np.array(MOVE)))
    now = place(rig, "DEF-hand.R")
    picture.restore()
    np.testing.assert_allclose(now - before, MOVE, atol=4e-3)
    np.testing.assert_allclose(place(rig, "DEF-hand.R"), before, atol=1e-6)


def place(rig, bone):
    """Where the head of a bone is shown."""
    bpy.context.view_layer.update()
    posed = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(posed.matrix_world @ posed.pose.bones[bone].head)
