"""Tools on a control rig beside a plain skeleton: `python benchmarks/addon/bench_rigs.py [TOOL ...]`.

The sample motion, sampled until it has a thousand frames, on the plain figure and on the mannequin with the controls
that Rigify builds. Each tool works on both with its defaults; what it needs first is not counted. Times are processor
times, so that what else a machine does changes little. A factor tells how many times as long the rig takes as the
skeleton and one evaluation of the rig by Blender together, in the same run: at most 2 is wanted.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

# One thread; must be set before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
sys.path.append(str(Path(__file__).resolve().parents[1]))

import bpy
from quiet import quietly
from stopwatch import PROCESSOR, seconds
from workshop import checkout_as_extension

# Samples per second that make a thousand frames of the sample motion.
RATE = 85.0
ACTIVE = {"plain": "hips", "rig": "torso"}
HAND = {"plain": "hand.L", "rig": "hand_fk.L"}
POSES = ("extract_poses", {"share": 0.2})
Call = tuple[str, dict[str, Any]]

# Tools with their properties and what comes first.
TOOLS: dict[str, tuple[Call, ...]] = {
    "smooth": (("smooth", {}),),
    "low_pass": (("low_pass", {}),),
    "exaggerate_motion": (("exaggerate_motion", {}),),
    "remove_outliers": (("remove_outliers", {}),),
    "find_contacts": (("find_contacts", {}),),
    "lock_feet": (("lock_feet", {}),),
    "reduce_keys": (("reduce_keys", {}),),
    "in_place": (("in_place", {}),),
    "change_heading": (("change_heading", {"angle": 0.5}),),
    "make_loop": (("make_loop", {}),),
    "mirror_motion": (("mirror_motion", {}),),
    "warp_time": (("warp_time", {}),),
    "shift_time": (("shift_time", {}),),
    "reverse_time": (("reverse_time", {}),),
    "overlap": (("overlap", {}),),
    "extract_poses": (POSES,),
    "unstagger": (("unstagger", {"all_poses": True}), POSES),
    "succession": (("succession", {"all_poses": True, "bone": "<active>"}), POSES),
    "exaggerate_pose": (("exaggerate_pose", {"pose": 2}), POSES),
    "find_similar": (("find_similar", {"start": 30.0, "end": 60.0}),),
    "drag_joint": (("drag_joint", {"bone": "<hand>", "frame": 200.0, "move": (0.0, 0.0, 0.05)}),),
}


def load(character: str, path: Path) -> None:
    """Make a character with the motion, and save it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.render.fps = round(RATE)
    if character == "RIGIFY":
        bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.motion_editing.load_sample_motion(rate=RATE, character=character)
    for thing in bpy.data.objects:
        thing.hide_viewport = thing.type == "MESH"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def evaluation_seconds(path: Path) -> float:
    """How long Blender takes to evaluate the rig at all frames."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    scene = bpy.context.scene

    def play() -> None:
        for frame in range(1, scene.frame_end + 1):
            scene.frame_set(frame)

    return seconds(play, 1, clock=PROCESSOR)


def tool_seconds(tool: str, kind: str, path: Path) -> float:
    """How long a tool takes on a character; the second of two turns, since the first one loads modules."""
    (name, properties), *before = TOOLS[tool]
    names = {"<active>": ACTIVE[kind], "<hand>": HAND[kind]}
    given = {key: names.get(value, value) if isinstance(value, str) else value for key, value in properties.items()}
    taken = 0.0
    for _turn in range(2):
        bpy.ops.wm.open_mainfile(filepath=str(path))
        for first, its_properties in before:
            getattr(bpy.ops.motion_editing, first)(**its_properties)
        taken = seconds(lambda: getattr(bpy.ops.motion_editing, name)(**given), 1, clock=PROCESSOR)
    return taken


def measured(tool: str, paths: dict[str, Path]) -> dict[str, float | str]:
    """Seconds on each character, or why it does not work there."""
    found: dict[str, float | str] = {}
    for kind, path in paths.items():
        try:
            found[kind] = tool_seconds(tool, kind, path)
        except RuntimeError as refusal:
            found[kind] = str(refusal).strip().splitlines()[0]
    return found


def row(tool: str, found: dict[str, float | str], evaluation: float) -> str:
    """A line of the table."""
    plain, rig = found["plain"], found["rig"]
    if isinstance(plain, str) or isinstance(rig, str):
        return f"| {tool} | {_cell(plain)} | {_cell(rig)} | |"
    return f"| {tool} | {plain:.2f} | {rig:.2f} | {rig / (plain + evaluation):.2f} |"


def _cell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.2f}"


def main(tools: tuple[str, ...] = ()) -> None:
    """Print the table."""
    extension = checkout_as_extension.load()
    extension.register()
    folder = Path(tempfile.mkdtemp())
    paths = {kind: folder / f"{kind}.blend" for kind in ("plain", "rig")}
    with quietly():
        load("SKELETON", paths["plain"])
        load("RIGIFY", paths["rig"])
        evaluation = evaluation_seconds(paths["rig"])
        frames = bpy.context.scene.frame_end
    print(f"{frames} frames; Blender evaluates the rig at all of them in {evaluation:.2f} s\n")
    print("| tool | plain, s | rig, s | factor |\n|---|---:|---:|---:|")
    for tool in tools or TOOLS:
        with quietly():
            found = measured(tool, paths)
        print(row(tool, found, evaluation), flush=True)
    extension.unregister()


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
