"""Clips on generated Rigify rigs, laid there by the extension itself: a rig as it lies before an animator."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np

from . import curves


def put_on(source: bpy.types.Object, kind: str, folder: Path, seed: int) -> bpy.types.Object:
    """Retarget a clip to a generated rig; every other person's legs are on IK."""
    rig = _generated(kind, folder)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.motion_editing.retarget_motion(source=source.name, target=rig.name)
    bpy.data.objects.remove(source)
    if kind == "human" and seed % 2:
        for side in ("L", "R"):
            _leg_to_ik(rig, side)
    return rig


def _generated(kind: str, folder: Path) -> bpy.types.Object:
    """Append a rig that was generated once."""
    path = folder / f"rigify-{kind}.blend"
    if not path.exists():
        _generate(kind, path)
    with bpy.data.libraries.load(str(path)) as (_there, here):
        here.objects = ["rig"]
    rig = bpy.data.objects["rig"]
    bpy.context.scene.collection.objects.link(rig)
    return rig


def _generate(kind: str, path: Path) -> None:
    scene = bpy.context.scene
    bpy.ops.preferences.addon_enable(module="rigify")
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    bpy.ops.pose.rigify_generate()
    # Left on, it looks for settings of its own in every scene that is opened.
    bpy.ops.preferences.addon_disable(module="rigify")
    rig = bpy.data.objects["rig"]
    unfinished = path.with_suffix(f".{np.random.default_rng().integers(1 << 30)}.blend")
    bpy.data.libraries.write(str(unfinished), {rig}, fake_user=True)
    unfinished.replace(path)
    for thing in [thing for thing in scene.objects if thing.name in ("rig", "metarig") or thing.name.startswith("WGT")]:
        bpy.data.objects.remove(thing)
    for thing in [thing for thing in bpy.data.objects if thing.name.startswith(("rig", "WGT", "metarig"))]:
        bpy.data.objects.remove(thing)


def _leg_to_ik(rig: bpy.types.Object, side: str) -> None:
    """Key the foot's IK control where the foot is, and switch the leg over."""
    bones = rig.pose.bones
    foot, control = f"ORG-foot.{side}", f"foot_ik.{side}"
    if control not in bones or foot not in bones:
        return
    bones[control].rotation_mode = "QUATERNION"
    first, last = curves.ends(rig)
    frames = np.arange(first, last + 1, dtype=float)
    offset = bones[foot].bone.matrix_local.inverted() @ bones[control].bone.matrix_local
    rest, places, turns = bones[control].bone.matrix_local.inverted(), [], []
    for frame in frames.tolist():
        bpy.context.scene.frame_set(int(frame))
        seen = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        # The control's own parents stay where they are: everything that travels is keyed on the torso.
        place, turn, _scale = (rest @ seen.pose.bones[foot].matrix @ offset).decompose()
        places.append(place)
        turns.append(turn)
    from .hand_keys import continuous

    curves.new_curves(rig, curves.bone_path(control, "location"), frames, np.array(places))
    curves.new_curves(rig, curves.bone_path(control, "rotation_quaternion"), frames, continuous(np.array(turns)))
    switch = f'pose.bones["thigh_parent.{side}"]["IK_FK"]'
    curves.remove(rig, lambda curve: curve[0] == switch)
    bones[f"thigh_parent.{side}"]["IK_FK"] = 0.0
    curves.remove(
        rig, lambda curve: curves.bone_of(curve[0]) in {f"{part}_fk.{side}" for part in ("thigh", "shin", "foot")}
    )
