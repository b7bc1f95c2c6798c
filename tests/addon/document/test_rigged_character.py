"""Control rigs: the figure that is seen, and edits of it laid on controls."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.core.motion import Motion
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.border.armature import sample_positions, skeleton_of
from motion_editing.motion_editing_addon.border.steps import finish
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character.character import Character

FRAMES = 20


def keyed(rig, switch=None):
    """A rig whose main controls move a little, with keys on every fifth frame."""
    rng = np.random.default_rng(3)
    for bone in rig.pose.bones:
        if switch is not None and "IK_FK" in bone:
            bone["IK_FK"] = switch
    names = ["torso", "chest", "head", "spine_fk.001", "spine_fk.003", "shoulder.L"]
    ends = ["foot_ik.L", "foot_ik.R", "hand_ik.L", "hand_ik.R"]
    limbs = ["thigh_fk", "shin_fk", "foot_fk", "upper_arm_fk", "forearm_fk", "hand_fk"]
    names += ends + [f"{name}.{side}" for name in limbs for side in "LR"]
    for frame in range(1, FRAMES + 1, 5):
        for name in names:
            bone = rig.pose.bones[name]
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = quaternion.exp(rng.normal(size=3) * 0.15)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            if name in (*ends, "torso"):
                bone.location = rng.normal(size=3) * 0.03
                bone.keyframe_insert("location", frame=frame)
    return scope.read_clip(bpy.context, rig)


def shown_places(clip, joints):
    """(F, K, 3) where Blender shows bones."""
    frames = scope.to_scene(clip.armature, clip.frames)
    return finish(sample_positions(bpy.context.scene, clip.armature, frames))[:, joints]


@pytest.mark.parametrize("switch", [0.0, 1.0])
def test_the_figure_of_a_control_rig_is_where_blender_shows_it(generated, switch):
    clip = keyed(generated("human"), switch)
    character = Character.of(clip.armature)
    seen = character.seen(clip.motion)
    assert character.has_controls
    assert not character.unknown(clip.motion)
    assert {"ORG-thigh.L", "ORG-forearm.R", "DEF-f_index.02.L", "DEF-spine.003"} <= {*seen.skeleton.names}
    wanted = shown_places(clip, character.rigged.figure.joints)
    np.testing.assert_allclose(seen.poses.positions, wanted, atol=1e-4)


def bone_of(figure, name):
    """The number of a bone of the figure, whatever marks it in the rig."""
    return next(figure.index[f"{mark}{name}"] for mark in ("ORG-", "DEF-") if f"{mark}{name}" in figure.index)


def raised(figure: Motion) -> Motion:
    """The figure with its right upper arm and its head turned, and all of it moved aside."""
    rotations, locations = np.array(figure.rotations), np.array(figure.locations)
    for name, turn in (("upper_arm.R", (0.3, 0.1, -0.2)), ("spine.006", (0.0, 0.3, 0.1)), ("shin.L", (0.2, 0.0, 0.0))):
        joint = bone_of(figure.skeleton, name)
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(np.array(turn)))
    locations[:, bone_of(figure.skeleton, "spine")] += (0.05, 0.02, -0.03)
    return replace(figure, rotations=rotations, locations=locations)


def put(clip, motion):
    """Let the rig have a motion's channels, as keys on every frame."""
    for joint in np.flatnonzero(changed(clip.motion, motion)):
        bone = clip.armature.pose.bones[motion.skeleton.names[joint]]
        for row, frame in enumerate(clip.frames):
            bone.rotation_quaternion, bone.location = motion.rotations[row, joint], motion.locations[row, joint]
            if bone.rotation_mode != "QUATERNION":
                bone.rotation_mode = "QUATERNION"
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.keyframe_insert("location", frame=frame)


def changed(before, after):
    """(J,) joints with other channels."""
    turned = (before.rotations != after.rotations).any(axis=(0, 2))
    return turned | (before.locations != after.locations).any(axis=(0, 2))


@pytest.mark.parametrize("switch", [0.0, 1.0])
def test_an_edited_figure_is_seen_as_it_was_asked_for(generated, switch):
    rig = generated("human")
    clip = keyed(rig, switch)
    character = Character.of(rig)
    before = character.seen(clip.motion)
    wanted = raised(before)
    laid = character.laid(clip, clip.motion, wanted)
    touched = [laid.skeleton.names[joint] for joint in np.flatnonzero(changed(clip.motion, laid))]
    assert "torso" in touched
    assert not [name for name in touched if name.startswith(("MCH-", "ORG-", "DEF-")) or "tweak" in name]
    assert all(scope.is_visible(rig.pose.bones[name]) for name in touched)
    acting = "_ik" if switch == 0.0 else "_fk"
    assert not [
        name for name in touched if ("_ik" in name or "_fk" in name) and acting not in name and "spine" not in name
    ]
    put(clip, laid)
    figure = character.rigged.figure
    away = np.linalg.norm(shown_places(clip, figure.joints) - wanted.poses.positions, axis=-1).max(axis=0)
    height = character.rigged.size
    held = [bone_of(figure.skeleton, f"{name}.{side}") for name in ("foot", "hand") for side in "LR"]
    assert away[held].max() < 0.002
    # Where a limb on IK is nearly straight, Rigify's own stretching decides where its middle is.
    free = [
        bone_of(figure.skeleton, f"{name}.{side}") for name in ("shin", "forearm") for side in "LR" if switch == 0.0
    ]
    assert np.delete(away, free).max() < 0.005 * height


def test_what_is_not_changed_stays_bit_for_bit(generated):
    clip = keyed(generated("human"), 1.0)
    character = Character.of(clip.armature)
    laid = character.laid(clip, clip.motion, character.seen(clip.motion))
    assert not changed(clip.motion, laid).any()


def test_a_plain_skeleton_is_its_own_figure(walker):
    clip = scope.read_clip(bpy.context, walker)
    character = Character.of(walker)
    assert not character.has_controls
    assert character.seen(clip.motion) is clip.motion
    assert character.laid(clip, clip.motion, clip.motion) is clip.motion
    assert skeleton_of(walker).names == clip.motion.skeleton.names
