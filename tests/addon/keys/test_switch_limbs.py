"""Switch IK/FK: other controls move the same figure, over the whole action or a part of it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector
from motion_editing.motion_editing_addon.border.armature import sample_positions
from motion_editing.motion_editing_addon.border.steps import finish
from motion_editing.motion_editing_addon.document import scope

LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
LIMB_BONES = [f"ORG-{name}.{side}" for name in LIMBS for side in "LR"]
FRAMES = 24


# Where controls go from their rest, in the world: limbs stay bent, within their reach.
PLACES = {"torso": (0.0, 0.0, -0.12), "hand_ik.L": (-0.15, -0.1, -0.1), "hand_ik.R": (0.15, -0.1, -0.1)}


@pytest.fixture
def rig(generated):
    """A Rigify human on IK that moves arms and legs with few keys."""
    rig = generated("human")
    rng = np.random.default_rng(5)
    for name in ("torso", "hand_ik.L", "hand_ik.R", "foot_ik.L", "foot_ik.R"):
        bone = rig.pose.bones[name]
        for frame in range(1, FRAMES + 1, 6):
            away = Vector(rng.normal(size=3) * 0.02) + Vector(PLACES.get(name, (0.0, 0.0, 0.03)))
            bone.location = bone.bone.matrix_local.to_3x3().inverted() @ away
            bone.keyframe_insert("location", frame=frame)
    bpy.ops.object.mode_set(mode="POSE")
    select(rig)
    return rig


def select(rig, *names):
    for bone in rig.pose.bones:
        (bone if bpy.app.version >= (5, 0) else bone.bone).select = bone.name in names


def shown(rig):
    """(F, K, 3) where Blender shows the bones of the limbs."""
    frames = np.arange(1.0, FRAMES + 1.0)
    places = finish(sample_positions(bpy.context.scene, rig, frames))
    skeleton = scope.read_clip(bpy.context, rig).motion.skeleton
    return places[:, [skeleton.index[name] for name in LIMB_BONES]]


def switch_values(rig, bone, frames):
    curves = rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
    curve = curves.find(f'pose.bones["{bone}"]["IK_FK"]')
    return None if curve is None else [round(curve.evaluate(frame), 6) for frame in frames]


def keyed_bones(rig):
    curves = rig.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
    return {curve.data_path.split('"')[1] for curve in curves}


def test_all_limbs_go_to_fk_and_look_the_same(rig):
    before = shown(rig)
    assert bpy.ops.motion_editing.switch_limbs() == {"FINISHED"}
    np.testing.assert_allclose(shown(rig), before, atol=2e-3)
    assert {f"{name}_fk.{side}" for name in LIMBS for side in "LR"} <= keyed_bones(rig)
    assert not {name for name in keyed_bones(rig) if name.startswith(("MCH-", "ORG-", "DEF-"))}
    assert switch_values(rig, "thigh_parent.L", (1, 12, 24)) == [1.0, 1.0, 1.0]


def test_and_back_again(rig):
    before = shown(rig)
    bpy.ops.motion_editing.switch_limbs(way="FK", keying="EVERY_FRAME")
    bpy.ops.motion_editing.switch_limbs(way="IK", keying="EVERY_FRAME")
    after = shown(rig)
    ends = [number for number, name in enumerate(LIMB_BONES) if "hand" in name or "foot" in name]
    np.testing.assert_allclose(after[:, ends], before[:, ends], atol=1e-3)
    # Its IK limbs shrink a little as they bend, so that a knee may be elsewhere.
    np.testing.assert_allclose(after, before, atol=0.03)
    assert switch_values(rig, "upper_arm_parent.R", (1, 24)) == [0.0, 0.0]


def test_every_frame_is_exact_with_stretch(rig):
    before = shown(rig)
    bpy.ops.motion_editing.switch_limbs(way="FK", keying="EVERY_FRAME")
    np.testing.assert_allclose(shown(rig), before, atol=2e-4)


def test_without_stretch_bones_keep_their_lengths(rig):
    bpy.ops.motion_editing.switch_limbs(way="FK", keying="EVERY_FRAME", keep_stretch=False)
    upper, lower = (LIMB_BONES.index(name) for name in ("ORG-thigh.L", "ORG-shin.L"))
    places = shown(rig)
    lengths = np.linalg.norm(places[:, lower] - places[:, upper], axis=1)
    np.testing.assert_allclose(lengths, lengths[0], rtol=1e-5)


def test_one_limb_of_a_range_and_what_lies_outside_stays(rig):
    before = shown(rig)
    select(rig, "foot_ik.L")
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 8, 15
    assert bpy.ops.motion_editing.switch_limbs(way="FK", range="PREVIEW") == {"FINISHED"}
    np.testing.assert_allclose(shown(rig), before, atol=2e-3)
    np.testing.assert_allclose(
        shown(rig)[[*range(7), *range(15, FRAMES)]], before[[*range(7), *range(15, FRAMES)]], atol=1e-6
    )
    assert switch_values(rig, "thigh_parent.L", (1, 7, 7.9, 8, 15, 15.9, 16, 24)) == [0, 0, 0, 1, 1, 1, 0, 0]
    assert switch_values(rig, "thigh_parent.R", (1,)) is None


def test_a_skeleton_without_switches_is_refused(walker):
    with pytest.raises(RuntimeError, match="no switch between IK and FK"):
        bpy.ops.motion_editing.switch_limbs()
