"""Control rigs: what is grabbed moves the figure, and only controls that act get keys."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from motion_editing.motion_editing_addon.border.armature import sample_positions
from motion_editing.motion_editing_addon.border.steps import finish
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
