"""Characters of every kind that animators have, each taking five steps; made once and opened from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from batch_scenes import curve
from cloud_rig import cloud_rig
from control_rigs import game_skeleton, key_steps, key_turn, traveller_rig
from motion_editing.motion_editing_addon.border import action_io
from retarget_figures import make_active
from tweak_mode import in_tweak_mode

Generated = Callable[[str], bpy.types.Object]
LAST = 41


@dataclass(frozen=True)
class WalkingRig:
    """A kind of rig.

    Attributes:
        title: Its column in the manual.
        make: Makes it in an empty scene; the armature is active afterwards.
        hand: What an animator grabs: an end of a limb.
        foot: What stands.
        arm: A control that turns.
        above: A control on which others hang that move too.
        is_slow: Whether Blender and the tools need long for it: then one tool of each row is tried.
    """

    title: str
    make: Callable[[Generated, Path], bpy.types.Object]
    hand: str
    foot: str
    arm: str
    above: str
    is_slow: bool = False


def plain(_generated: Generated, _folder: Path) -> bpy.types.Object:
    """A captured skeleton: its hips travel."""
    armature = game_skeleton("pelvis")
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.remove(armature.data.edit_bones["root"])
    bpy.ops.object.mode_set(mode="OBJECT")
    curves = action_io.channelbag(armature).fcurves
    for each in [each for each in curves if '"root"' in each.data_path]:
        curves.remove(each)
    return armature


def game(_generated: Generated, _folder: Path) -> bpy.types.Object:
    return game_skeleton("root")


def traveller(_generated: Generated, _folder: Path) -> bpy.types.Object:
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l", "c_foot_ik.r"), carrier="c_traj")
    key_swings(rig, {"c_spine_01.x": "Z", "c_head.x": "X"})
    return rig


def cloud(_generated: Generated, _folder: Path) -> bpy.types.Object:
    rig = cloud_rig()
    key_steps(rig, "MSTR-Torso", ("IK-Foot.L", "IK-Foot.R"))
    key_swings(rig, {"FK-UpperArm.L": "X", "FK-UpperArm.R": "X", "FK-Forearm.L": "Z", "FK-Hand.L": "Z"})
    return rig


def human_on_ik(generated: Generated, _folder: Path) -> bpy.types.Object:
    rig = generated("human")
    make_active(rig)
    key_steps(rig, "torso", ("foot_ik.L", "foot_ik.R", "hand_ik.R", "hand_ik.L"))
    return rig


def human_on_fk(generated: Generated, _folder: Path) -> bpy.types.Object:
    rig = generated("human")
    make_active(rig)
    for bone in rig.pose.bones:
        if "IK_FK" in bone:
            bone["IK_FK"] = 1.0
    key_steps(rig, "torso", ())
    limbs = ("thigh_fk", "shin_fk", "upper_arm_fk", "forearm_fk", "hand_fk")
    key_swings(rig, {f"{name}.{side}": "X" for name in limbs for side in "LR"})
    return rig


def horse(generated: Generated, _folder: Path) -> bpy.types.Object:
    rig = generated("horse")
    make_active(rig)
    key_steps(rig, "torso", [f"{name}_ik.{side}" for name in ("forefoot", "hind_foot") for side in "LR"])
    return rig


def bird(generated: Generated, _folder: Path) -> bpy.types.Object:
    rig = generated("bird")
    make_active(rig)
    key_steps(rig, "torso", ("foot_ik.L", "foot_ik.R"))
    return rig


def override(generated: Generated, folder: Path) -> bpy.types.Object:
    """A plain skeleton of another file, with an action of this one."""
    armature, path = plain(generated, folder), str(folder / "library.blend")
    bpy.data.libraries.write(path, {armature})
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.objects = there.objects
    linked = here.objects[0]
    bpy.context.scene.collection.objects.link(linked)
    make_active(linked.override_create(remap_local_usages=True))
    bpy.ops.motion_editing.make_action_local()
    return bpy.context.object


def strip(generated: Generated, folder: Path) -> bpy.types.Object:
    armature = plain(generated, folder)
    in_tweak_mode(armature, armature.animation_data.action)
    return armature


def shared(generated: Generated, folder: Path) -> bpy.types.Object:
    """Two plain skeletons that play one slot of one action."""
    armature = plain(generated, folder)
    twin = armature.copy()
    twin.name, twin.location.x = "Twin", 2.0
    bpy.context.scene.collection.objects.link(twin)
    return armature


def key_swings(rig: bpy.types.Object, axes: dict[str, str], gap: int = 8) -> None:
    """Key turns to and fro about axes of the armature."""
    for number, (name, axis) in enumerate(axes.items()):
        for frame in range(1, LAST + 1, gap):
            turn = 0.3 * (-1) ** (number + frame // gap)
            key_turn(rig.pose.bones[name], frame, axis, turn)


_GAME = ("hand_l", "foot_l", "upperarm_l", "pelvis")
RIGS = {
    "plain": WalkingRig("Plain skeleton", plain, *_GAME),
    "game": WalkingRig("Game skeleton", game, *_GAME),
    "override": WalkingRig("Library override", override, *_GAME),
    "shared": WalkingRig("Shared action", shared, *_GAME),
    "strip": WalkingRig("NLA strip", strip, *_GAME),
    "traveller": WalkingRig("Traveller rig", traveller, "c_foot_ik.l", "c_foot_ik.r", "c_head.x", "c_spine_01.x"),
    "cloud": WalkingRig("Properties bone", cloud, "FK-Hand.L", "IK-Foot.L", "FK-UpperArm.L", "FK-UpperArm.L"),
    "human_ik": WalkingRig("Rigify IK", human_on_ik, "hand_ik.L", "foot_ik.L", "hand_ik.L", "torso", is_slow=True),
    "human_fk": WalkingRig(
        "Rigify FK", human_on_fk, "hand_fk.L", "foot_fk.L", "upper_arm_fk.L", "upper_arm_fk.L", is_slow=True
    ),
    "horse": WalkingRig(
        "Rigify horse", horse, "forefoot_ik.L", "hind_foot_ik.L", "forefoot_ik.L", "torso", is_slow=True
    ),
    "bird": WalkingRig("Rigify bird", bird, "foot_ik.L", "foot_ik.R", "foot_ik.L", "torso", is_slow=True),
}


def save_scene(name: str, generated: Generated, folder: Path) -> str:
    """A file with a rig, a second figure, a second action and a curve."""
    path = str(folder / f"{name}.blend")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    rig = RIGS[name].make(generated, folder)
    rig.name = "Rig"
    action_of(rig).name = "Walk"
    action_of(rig).copy().name = "Other"
    make_uneven(action_of(rig), 0.0)
    make_uneven(bpy.data.actions["Other"], 1.0)
    bpy.data.actions["Other"].use_fake_user = True
    plain(generated, folder).name = "Source"
    make_active(rig)
    curve()
    make_active(rig)
    bpy.context.scene.frame_set(100 + 17 if name == "strip" else 17)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def make_uneven(action: bpy.types.Action, phase: float) -> None:
    """Let every bone swing a little earlier or later than others, and the more the longer it walks."""
    curves = [
        each for layer in action.layers for part in layer.strips for bag in part.channelbags for each in bag.fcurves
    ]
    names = sorted(bones_of_paths(each.data_path for each in curves))
    for each in curves:
        late = names.index(action_io.bone_of_path(each.data_path)) % 3 - 1
        grows = "rotation" in each.data_path and each.array_index
        shift_keys(each, late)
        for point in each.keyframe_points:
            point.co[1] *= 1.0 + (0.3 * np.sin(point.co[0] / 6 + late + phase) if grows else 0.0)
        each.update()


def shift_keys(curve: bpy.types.FCurve, late: int) -> None:
    """Move what is seen in time; the first and the last key stay where they are."""
    points = curve.keyframe_points
    if len(points) < LAST:
        for point in points[1:-1]:
            point.co[0] += late
        return
    values = [curve.evaluate(point.co[0] - late) for point in points]
    points.foreach_set("co", np.column_stack([[point.co[0] for point in points], values]).ravel())


def action_of(armature: bpy.types.Object) -> bpy.types.Action:
    """What is edited, in tweak mode too."""
    return armature.animation_data.action


def bones_of_paths(paths: Iterable[str]) -> set[str]:
    """Names of the bones that F-Curves move."""
    return {name for path in paths if (name := action_io.bone_of_path(path))}
