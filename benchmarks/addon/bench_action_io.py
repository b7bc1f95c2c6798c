"""Reading and writing an action: 60 bones, 10 channels each, 1,000 frames.

Compared with what people use today: `anim_utils.bake_action`, and inserting key by key.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import numpy as np

BONES, FRAMES = 60, 1000
# The benchmarks use the extension as the commands in scripts/ load it.
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

from stopwatch import seconds  # noqa: E402
from workshop import checkout_as_extension  # noqa: E402


def baked_armature() -> bpy.types.Object:
    """An armature whose bones all have dense location, quaternion and scale curves."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    data = bpy.data.armatures.new("Bench")
    armature = bpy.data.objects.new("Bench", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for index in range(BONES):
        bone = data.edit_bones.new(f"bone{index}")
        bone.head, bone.tail, bone.parent = (0, 0, index), (0, 0.1, index + 1), parent
        parent = bone if index % 12 else None
    bpy.ops.object.mode_set(mode="POSE")
    _fill(armature)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, FRAMES
    return armature


def _fill(armature: bpy.types.Object) -> None:
    from motion_editing.motion_editing_addon.border.action_io import channelbag
    from motion_editing.motion_editing_addon.border.action_io.curves.keys import generated_keys, write_keys

    random = np.random.default_rng(1)
    frames = np.arange(1, FRAMES + 1)
    bag = channelbag(armature, create=True)
    for bone in armature.pose.bones:
        for prop, size in (("location", 3), ("rotation_quaternion", 4), ("scale", 3)):
            for index in range(size):
                wave = 0.2 * np.sin(frames * random.uniform(0.02, 0.2) + random.uniform(0, 6))
                rest = 1.0 if prop == "scale" or (size, index) == (4, 0) else 0.0
                curve = bag.fcurves.new(f'pose.bones["{bone.name}"].{prop}', index=index)
                write_keys(curve, generated_keys(frames, rest + wave))


def writing(armature: bpy.types.Object) -> float:
    """Seconds to write an edit of every channel."""
    from motion_editing.motion_editing_addon.border import action_io

    times = []
    for _ in range(3):
        clip = action_io.read(armature, rate=24.0)
        edited = clip.motion.with_rotations(np.roll(clip.motion.rotations, 1, axis=0))
        edited = edited.with_locations(clip.motion.locations + 0.01).with_scales(clip.motion.scales * 1.01)
        times.append(seconds(lambda clip=clip, edited=edited: action_io.write(clip, edited), 1))
    return min(times)


def baking(armature: bpy.types.Object) -> float:
    """Seconds that Blender's own baking takes."""
    from bpy_extras import anim_utils

    options = anim_utils.BakeOptions(
        only_selected=False, do_pose=True, do_object=False, do_visual_keying=True, do_constraint_clear=False,
        do_parents_clear=False, do_clean=False, do_location=True, do_rotation=True, do_scale=True,
        do_bbone=False, do_custom_props=False,
    )  # fmt: skip
    frames = range(1, FRAMES + 1)
    return seconds(lambda: anim_utils.bake_action(armature, action=None, frames=frames, bake_options=options), 1)


def inserting(bone: bpy.types.PoseBone) -> float:
    """Seconds that inserting all keys one by one would take: 60 are timed, and scaled."""

    def insert() -> None:
        for frame in range(1, 21):
            bone.keyframe_insert("location", frame=frame)

    return seconds(insert, 1) / 60 * BONES * 10 * FRAMES


def main() -> None:
    """Print the table."""
    checkout_as_extension.load()
    from motion_editing.motion_editing_addon.border import action_io

    armature = baked_armature()
    read, write = seconds(lambda: action_io.read(armature, rate=24.0)), writing(armature)
    ours, bake, single = read + write, baking(armature), inserting(armature.pose.bones[0])
    print(f"Blender {bpy.app.version_string}, {BONES} bones x 10 channels x {FRAMES} frames, seconds\n")
    print("| task | seconds | ours is faster by |")
    print("|---|---|---|")
    print(f"| read | {read:.3f} | |")
    print(f"| write, every channel changed | {write:.3f} | |")
    print(f"| read and write | {ours:.3f} | 1 |")
    print(f"| `anim_utils.bake_action` | {bake:.2f} | {bake / ours:.1f} |")
    print(f"| `keyframe_insert`, one key at a time (60 keys timed, scaled) | {single:.0f} | {single / ours:.0f} |")


if __name__ == "__main__":
    main()
