"""A hand dragged among 200 constraints, 60 bones and 1,000 frames: `python benchmarks/addon/bench_drag.py`.

Prints tables in Markdown, of Blender's own Python and headless. Every update solves the whole motion anew, poses
the rig, has Blender evaluate it, and makes the shapes of trail and ghosts; what the graphics card does with them is
not in it. Times are processor times of one thread, the median and the slowest of a drag.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import bpy
import numpy as np
from quiet import quietly
from workshop import checkout_as_extension

BONES, FRAMES, CONSTRAINTS, UPDATES = 60, 1000, 200, 30
LEAST = 10.0  # updates a second
# Ends of two legs and two arms: chains of 5 bones on a spine of 4.
ENDS = ("bone8", "bone13", "bone18", "bone23")
DRAGGED, FRAME = "bone23", 500


def parents() -> list[int]:
    """A spine with four limbs, and fingers at their ends."""
    found = [-1, 0, 1, 2]
    for start in (0, 0, 3, 3):
        found += [start, *range(len(found), len(found) + 4)]
    return found + [8 + 5 * (number % 4) for number in range(BONES - len(found))]


def figure(name: str, x: float = 0.0) -> bpy.types.Object:
    """An armature with a key on every frame for every bone."""
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    armature.location.x = x
    bpy.ops.object.mode_set(mode="EDIT")
    random, bones = np.random.default_rng(1), []
    for number, parent in enumerate(parents()):
        bone = data.edit_bones.new(f"bone{number}")
        head = np.array(bones[parent].tail) if bones else np.zeros(3)
        along = random.normal(size=3)
        bone.head, bone.tail = head, head + 0.2 * along / np.linalg.norm(along)
        bone.parent = bones[parent] if bones else None
        bones.append(bone)
    bpy.ops.object.mode_set(mode="POSE")
    fill(armature)
    return armature


def fill(armature: bpy.types.Object) -> None:
    """Bones that swing slowly."""
    from motion_editing.motion_editing_addon.border.action_io import channelbag
    from motion_editing.motion_editing_addon.border.action_io.curves.keys import generated_keys, write_keys

    random, frames = np.random.default_rng(2), np.arange(1, FRAMES + 1)
    bag = channelbag(armature, create=True)
    for bone in armature.pose.bones:
        for prop, size in (("location", 3), ("rotation_quaternion", 4)):
            for index in range(size):
                wave = 0.2 * np.sin(frames * random.uniform(0.01, 0.1) + random.uniform(0, 6))
                rest = float((size, index) == (4, 0))
                curve = bag.fcurves.new(f'pose.bones["{bone.name}"].{prop}', index=index)
                write_keys(curve, generated_keys(frames, rest + (wave if size == 4 else 0.0 * wave)))


def hold(armature: bpy.types.Object, count: int) -> None:
    """List positions of the limbs' ends at single frames, spread over the motion."""
    from motion_editing.motion_editing_addon.document import scope

    clip = scope.read_clip(bpy.context, armature)
    settings = armature.animation_data.action.motion_editing_constraints
    random, each = np.random.default_rng(3), count // len(ENDS)
    for end in ENDS:
        rows = random.choice(np.setdiff1d(np.arange(FRAMES), np.arange(FRAME - 6, FRAME + 5)), each, replace=False)
        places = clip.motion.poses.positions[rows, clip.motion.skeleton.index[end]]
        for row, place in zip(rows, places, strict=True):
            item = settings.new(armature, f"{end} at {row}")
            item.kind, item.bone, item.point = "POSITION", end, place
            item.start = item.end = clip.frames[row]


def tie(one: bpy.types.Object, other: bpy.types.Object) -> None:
    """Two hands a distance apart around the frame of the drag."""
    settings = one.animation_data.action.motion_editing_constraints
    item = settings.new(one, "hands")
    item.kind, item.bone, item.start, item.end = "DISTANCE", DRAGGED, FRAME - 20, FRAME + 20
    item.target, item.target_object, item.target_bone = "BONE", other, DRAGGED
    posed = [each.matrix_world @ each.pose.bones[DRAGGED].head for each in (one, other)]
    item.distance = (posed[0] - posed[1]).length


def drag_times(armatures: list[bpy.types.Object], bone: str, frame: int, *, contacts: bool = False) -> np.ndarray:
    """Milliseconds of every update of a drag, after the first."""
    from motion_editing.core.constraints import SolveConstraints
    from motion_editing.motion_editing_addon.constraints.drag.drag_picture import DragPicture
    from motion_editing.motion_editing_addon.constraints.solve.spacetime_solve import Constrained
    from motion_editing.motion_editing_addon.constraints.solve.together import members_of
    from motion_editing.motion_editing_addon.document import scope

    members = members_of([scope.read_clip(bpy.context, each) for each in armatures])
    constrained = Constrained(members, SolveConstraints(keep_contacts=contacts))
    picture = DragPicture(constrained, constrained.handle(bone, frame, (0.0, 0.0, 0.0)))
    times = []
    for share in np.linspace(0.0, 1.0, UPDATES + 1):
        began = time.process_time()
        update(picture, (0.1 * share, -0.05 * share, 0.15 * share))
        times.append(1e3 * (time.process_time() - began))
    picture.restore()
    return np.array(times[1:])


def update(picture: Any, move: tuple[float, ...]) -> None:
    """What the tool does at a move of the mouse, and what Blender does about it."""
    picture.show(bpy.context, move)
    bpy.context.view_layer.update()


def main() -> None:
    """Print the tables."""
    extension = checkout_as_extension.load()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension.register()
    print(f"Blender {bpy.app.version_string}, one thread\n")
    print("| drag | constraints | update (ms) | slowest (ms) | updates a second |")
    print("|---|---:|---:|---:|---:|")
    usual = many_constraints()
    kept_contacts()
    kept = "kept" if 1e3 / usual >= LEAST else "MISSED"
    print(f"\nAt least {LEAST:.0f} updates a second with {CONSTRAINTS} constraints: {kept}.")
    # Blender's module may hang or crash when Python tears it down.
    sys.stdout.flush()
    os._exit(0)


def many_constraints() -> float:
    """One character, then two whose hands are tied; gives the usual milliseconds of the first."""
    bpy.context.scene.frame_set(FRAME)
    one = figure("One")
    hold(one, CONSTRAINTS)
    usual = row(f"{BONES} bones, {FRAMES} frames", CONSTRAINTS, drag_times([one], DRAGGED, FRAME))
    other = figure("Other", 2.0)
    tie(one, other)
    row("the same with a partner of as many bones", CONSTRAINTS + 1, drag_times([one, other], DRAGGED, FRAME))
    return usual


def kept_contacts() -> None:
    """The sample with its footplants, without and with contacts held by limb IK at every update."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with quietly():
        bpy.ops.motion_editing.load_sample_motion()
        bpy.ops.motion_editing.add_footplants(kind="KEEP")
    armature = bpy.context.object
    bpy.context.scene.frame_set(70)
    count = len(armature.animation_data.action.motion_editing_constraints.listed)
    for name, contacts in (("sample with footplants", False), ("the same, contacts held by limb IK", True)):
        row(name, count, drag_times([armature], "hand.L", 70, contacts=contacts))


def row(name: str, constraints: int, times: np.ndarray) -> float:
    """Print a row; gives the median."""
    usual = float(np.median(times))
    print(f"| {name} | {constraints} | {usual:.0f} | {times.max():.0f} | {1e3 / usual:.0f} |", flush=True)
    return usual


if __name__ == "__main__":
    main()
