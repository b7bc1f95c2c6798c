"""Sliders of staggered poses on 60 bones: `python benchmarks/addon/bench_staggered.py`.

Prints tables in Markdown, of Blender's own Python and headless. Every update works out what the poses show and poses
the rig, as a slider does at every move of the mouse. Times are processor times of one thread, the median of some
updates. The second table tells how much room the poses take in a file, beside their keys.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parent))

import bench_drag
import bpy
import numpy as np
from quiet import quietly
from workshop import checkout_as_extension

# Frames, and the most milliseconds that an update may take.
LENGTHS = {1000: 1000.0 / 30.0, 5000: 1000.0 / 10.0, 20_000: 1000.0 / 3.0}
UPDATES = 7
RATE = 60


def captured(frames: int) -> bpy.types.Object:
    """A figure with a key on every frame, and its poses."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.render.fps = RATE
    bench_drag.FRAMES = frames
    armature = bench_drag.figure("figure")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(frames // 2)
    return armature


def tools() -> dict[str, tuple[Any, bool]]:
    """Tools by their names, with the values of an update, and whether they change timing."""
    from motion_editing.core import staggered

    return {
        "Exaggerate Pose, one": (lambda step: staggered.ExaggeratePose(weight=0.2 + 0.01 * step), False),
        "Exaggerate Pose, all": (lambda step: staggered.ExaggeratePose(weight=0.2 + 0.01 * step), False),
        "Ease Pose, one": (lambda step: staggered.EasePose(arriving=0.2 + 0.01 * step), False),
        "Detail Strength, all": (lambda step: staggered.DetailStrength(strength=0.2 + 0.01 * step), False),
        "Scale Stagger, all": (lambda step: staggered.ScaleStagger(factor=1.2 + 0.01 * step), True),
        "Random Stagger, all": (lambda step: staggered.RandomStagger(reach=0.02 + 0.001 * step), True),
        "Succession, all": (lambda step: staggered.Succession(offset=0.01 + 0.001 * step, bone="bone0"), True),
        "Retime Pose, one": (lambda step: staggered.RetimePose(frame=0.0), True),
    }


def update_times(armature: bpy.types.Object, name: str, make: Any) -> float:
    """Milliseconds of an update, after the first."""
    from motion_editing.motion_editing_addon.document import scope
    from motion_editing.motion_editing_addon.interface.operators.pose_preview import PosePreview
    from motion_editing.motion_editing_addon.staggered import pose_edit, refit
    from motion_editing.motion_editing_addon.staggered.edits.poses_run import Target

    saved = refit.require(bpy.context, armature)
    clip = scope.read_clip(bpy.context, armature)
    pose = int(np.argmin(np.abs(saved.model.pose_times * RATE - bpy.context.scene.frame_current)))
    joints = np.ones(len(clip.motion.skeleton), dtype=np.bool_)
    target = Target(armature, clip, saved, pose, [pose] if name.endswith("one") else None, joints)
    preview, taken = PosePreview(clip, trails=True), []
    frame = float(saved.model.pose_times[pose] * RATE)
    for step in range(UPDATES + 1):
        tool = make(step)
        if "frame" in vars(tool):
            tool = type(tool)(frame=frame + 0.2 * step)
        start = time.process_time()
        preview.show(pose_edit.shown_motion(tool.apply(target)))
        taken.append(1000.0 * (time.process_time() - start))
    preview.restore()
    return median(taken[1:])


def print_updates() -> None:
    """Milliseconds of every tool at every length."""
    print(f"An update of a slider, {bench_drag.BONES} bones, in milliseconds and as a part of what it may take\n")
    print("| tool | " + " | ".join(f"{frames:,} frames" for frames in LENGTHS) + " |")
    print("|---|" + "---:|" * len(LENGTHS))
    found: dict[str, list[str]] = {name: [] for name in tools()}
    for frames, most in LENGTHS.items():
        armature = captured(frames)
        with quietly():
            bpy.ops.motion_editing.extract_poses()
        for name, (make, _changes_timing) in tools().items():
            taken = update_times(armature, name, make)
            found[name].append(f"{taken:.0f} ({taken / most:.2f} x)")
    for name, cells in found.items():
        print(f"| {name} | " + " | ".join(cells) + " |")


def print_room(frames: int = 5000) -> None:
    """How much larger poses make a file."""
    armature, sizes = captured(frames), SimpleNamespace()
    with tempfile.TemporaryDirectory() as folder, quietly():
        path = str(Path(folder) / "figure.blend")

        def size() -> int:
            bpy.ops.wm.save_as_mainfile(filepath=path, compress=False, copy=True)
            return Path(path).stat().st_size

        bare = armature.animation_data.action
        sizes.with_keys = size()
        bpy.ops.motion_editing.extract_poses()
        sizes.with_poses = size()
        bpy.ops.motion_editing.unstagger(all_poses=True, keep_contacts=False)
        sizes.edited = size() - (sizes.with_keys if bare.motion_editing.original else 0)
        armature.animation_data_clear()
        for action in list(bpy.data.actions):
            bpy.data.actions.remove(action)
        sizes.empty = size()
    keys = sizes.with_keys - sizes.empty
    print(f"\nRoom in a file, {bench_drag.BONES} bones, {frames:,} frames: keys {keys / 1e6:.1f} MB")
    print(f"\n- poses: {(sizes.with_poses - sizes.with_keys) / keys:.2f} times as much as the keys")
    print(
        f"- poses whose timing was edited: {(sizes.edited - sizes.with_keys) / keys:.2f} times, the original keys aside"
    )


def main() -> None:
    """Print the tables."""
    with quietly():
        checkout_as_extension.load().register()
    print_updates()
    print_room()


if __name__ == "__main__":
    main()
