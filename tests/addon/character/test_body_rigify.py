"""The body parts found in generated Rigify rigs."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.core.body import Body, LimbKind, control_joints, find_body, mirror_name
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.armature import skeleton_of


def names(body: Body, joints: tuple[int, ...]) -> list[str]:
    return [body.skeleton.names[joint] for joint in joints]


def test_the_controls_of_a_rigify_human(generated) -> None:
    skeleton = skeleton_of(generated("human"))
    assert len(skeleton) == 707
    body = find_body(skeleton)
    assert names(body, (body.root, body.head)) == ["torso", "head"]
    assert names(body, body.torso) == ["torso", "hips", "chest"]
    assert names(body, body.neck) == ["neck"]
    assert names(body, body.hands) == ["hand_ik.L", "hand_ik.R"]
    assert names(body, body.feet) == ["foot_ik.L", "foot_ik.R"]
    assert names(body, body.get("left arm").chain) == ["upper_arm_fk.L", "forearm_fk.L", "hand_fk.L"]
    assert names(body, body.get("left arm").girdle) == ["shoulder.L"]
    assert names(body, body.get("right leg").chain) == ["thigh_fk.R", "shin_fk.R", "foot_fk.R"]
    assert [names(body, toe) for toe in body.toes] == [["toe_fk.L"], ["toe_fk.R"]]
    assert sorted(names(body, tuple(finger[0] for finger in body.get("left arm").digits))) == [
        "f_index.01.L",
        "f_middle.01.L",
        "f_pinky.01.L",
        "f_ring.01.L",
        "thumb.01.L",
    ]
    assert (body.up.value, body.forward.value) == ("+Z", "-Y")
    assert body.height == pytest.approx(1.96, abs=0.02)
    assert len(body.pairs) == 304


def test_controls_and_mechanism_are_told_apart_as_rigify_does(generated) -> None:
    rig = generated("human")
    skeleton = skeleton_of(rig)
    controls = {skeleton.names[joint] for joint in control_joints(skeleton)}
    inner = {bone.name for bone in rig.data.bones if {"DEF", "MCH", "ORG"} & {c.name for c in bone.collections}}
    assert controls.isdisjoint(inner)
    assert {bone.name for bone in rig.data.bones} - inner - controls == {
        bone.name for bone in rig.data.bones if bone.name.startswith("VIS_")
    }


def test_mirrored_names_are_blenders_own(generated) -> None:
    for bone in generated("human").data.bones:
        assert mirror_name(bone.name) == bpy.utils.flip_name(bone.name)


def key_turn(rig: bpy.types.Object, bone: str, path: str) -> None:
    """Two keys that move a bone."""
    pose_bone = rig.pose.bones[bone]
    pose_bone.rotation_mode = "XYZ"
    for frame, value in ((1, 0.0), (5, 0.5)):
        setattr(pose_bone, path, (value, 0.0, 0.0))
        pose_bone.keyframe_insert(path, frame=frame)


@pytest.mark.parametrize(
    ("bone", "path", "hand"),
    [("forearm_fk.L", "rotation_euler", "hand_fk.L"), ("hand_ik.L", "location", "hand_ik.L")],
)
def test_the_animated_hand_is_taken(generated, bone: str, path: str, hand: str) -> None:
    rig = generated("human")
    key_turn(rig, bone, path)
    clip = action_io.read(rig, rate=24.0)
    body = find_body(clip.motion.skeleton, motion=clip.motion)
    assert names(body, body.hands)[0] == hand


def test_the_controls_of_a_rigify_horse(generated) -> None:
    body = find_body(skeleton_of(generated("horse")))
    assert names(body, body.torso) == ["torso", "hips", "chest"]
    assert set(names(body, body.feet)) == {"forefoot_ik.L", "forefoot_ik.R", "hind_foot_ik.L", "hind_foot_ik.R"}
    assert names(body, body.get("tail").chain) == [f"tail.00{number}" for number in range(1, 6)]
    assert (body.up.value, body.head, body.hands) == ("+Z", body.skeleton.index["head"], ())


def test_the_wings_of_a_rigify_bird(generated) -> None:
    body = find_body(skeleton_of(generated("bird")))
    assert names(body, (body.root,)) == ["torso"]
    assert names(body, body.get("left wing").chain) == ["Wing.L", "Wing.001.L", "Wing.002.L"]
    assert names(body, body.feet) == ["foot_ik.L", "foot_ik.R"]


def test_a_metarig_that_calls_its_head_spine() -> None:
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    body = find_body(skeleton_of(bpy.context.object))
    assert names(body, (body.root, *body.neck, body.head)) == ["spine", "spine.004", "spine.005", "spine.006"]
    assert {limb.kind for limb in body.limbs} == {LimbKind.ARM, LimbKind.LEG}
    assert np.isclose(body.height, 1.96, atol=0.02)
