"""The body parts found in characters that Blender imported from glTF and FBX."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from motion_editing.core.body import Body, find_body
from motion_editing.core.errors import MissingRoleError
from motion_editing.motion_editing_addon.border import action_io


def imported_body(path: Path) -> Body:
    """Import one file and judge its armature with the action that came with it."""
    # The older FBX importer, import_scene.fbx, fails on lamps in Blender 5.0.
    importer = bpy.ops.wm.fbx_import if path.suffix == ".fbx" else bpy.ops.import_scene.gltf
    importer(filepath=str(path))
    (armature,) = (thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    clip = action_io.read(armature, rate=24.0)
    return find_body(clip.motion.skeleton, motion=clip.motion)


def names(body: Body, joints: tuple[int, ...]) -> set[str]:
    return {body.skeleton.names[joint] for joint in joints}


@pytest.mark.parametrize(
    ("name", "root", "hands", "feet", "pairs", "height"),
    [
        ("kaykit_Med_MovementBasic", "hips", "hand.l hand.r", "foot.l foot.r", 9, 1.47),
        ("threejs_RobotExpressive", "Body", "Palm2.L Palm2.R", "Foot.L Foot.R", 18, 3.0),
        ("mesh2motion_human-base-animations", "DEF-hips", "DEF-hand.L DEF-hand.R", "DEF-foot.L DEF-foot.R", 23, 1.64),
        (
            "mesh2motion_horse-animations",
            "hips",
            "",
            "front_leg_foot_l front_leg_foot_r back_leg_foot_l back_leg_foot_r",
            17,
            1.75,
        ),
    ],
)
def test_gltf(clips_folder: Path, name: str, root: str, hands: str, feet: str, pairs: int, height: float) -> None:
    body = imported_body(clips_folder / "gltf" / f"{name}.glb")
    assert names(body, (body.root,)) == {root}
    assert names(body, body.hands) == set(hands.split())
    assert names(body, body.feet) == set(feet.split())
    assert len(body.pairs) == pairs
    # Importers turn some armatures by their object: the axes are the scene's all the same.
    assert (body.up.value, body.forward.value) == ("+Z", "-Y")
    assert body.height == pytest.approx(height, rel=0.05)


@pytest.mark.parametrize(("name", "root"), [("huesitos", "Bone"), ("animation_with_skeleton", None)])
def test_bones_that_are_no_character(clips_folder: Path, name: str, root: str | None) -> None:
    body = imported_body(clips_folder / "fbx" / f"{name}.fbx")
    assert (None if body.root is None else body.skeleton.names[body.root]) == root
    assert (body.limbs, body.head, body.torso, body.pairs) == ((), None, (), ())
    assert body.up.value == "+Z"
    with pytest.raises(MissingRoleError, match="No hands are set"):
        body.require("hands")
