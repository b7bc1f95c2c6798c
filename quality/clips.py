"""The clips that motion is judged on, and the half each belongs to."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TUNED, UNTOUCHED = "tuned", "untouched"
SAMPLE = "sample"
# Actions of the animated characters: what plays round and round, and what does not.
LOOPS = {
    "human": (
        "gltf/mesh2motion_human-base-animations.glb",
        "Walk_Loop Walk_Formal_Loop Jog_Fwd_Loop Sprint_Loop Crouch_Fwd_Loop Idle_Loop Dance_Loop "
        "Swim_Fwd_Loop Push_Loop Idle_Talking_Loop Sitting_Talking_Loop",
    ),
    "horse": ("gltf/mesh2motion_horse-animations.glb", "Walk Run Trot Idle"),
    "kaykit": ("gltf/kaykit_Med_MovementBasic.glb", "Running_A Running_B Walking_A Walking_B Walking_C"),
    "spider": ("characters/spider-animations.glb", "Walk Idle"),
    "snake": ("characters/snake-animations.glb", "Side_winding Idle"),
    "bird": ("characters/bird-animations.glb", "Walk Flap Idle"),
    "kaiju": ("characters/kaiju-animations.glb", "Walk Idle Swim"),
}
ANIMALS = {
    "horse": (LOOPS["horse"][0], "Walk Run Trot Rear Kick Turn_Left Turn_Right Eating Head_But Idle lay_to_idle Death"),
}


@dataclass(frozen=True)
class Clip:
    """One motion: a BVH file, or an action of a glTF file.

    Attributes:
        name: How it is named on the command line.
        path: The file; that of the sample motion is empty.
        action: Name of the action in a glTF file.
        rate: True samples per second.
        half: TUNED or UNTOUCHED.
    """

    name: str
    path: Path
    action: str
    rate: float
    half: str


@cache
def halves() -> dict[str, Any]:
    """The fixed split of the clips."""
    return tomllib.loads((HERE / "halves.toml").read_text())


def half_of(name: str) -> str:
    """The half that a clip of this name belongs to."""
    if name.startswith(tuple(halves()["tuned_files"])):
        return TUNED
    return TUNED if _subject(name) in halves()["tuned_subjects"] else UNTOUCHED


def _subject(name: str) -> str:
    captured = re.match(r"cmu_(\d+)_", name)
    return captured[1] if captured else ""


def captured(folder: Path) -> list[Clip]:
    """All BVH clips of the folder; where there are none, the project's own sample motion."""
    paths = sorted([*folder.glob("dev/*.bvh"), *folder.glob("corpus/*.bvh")])
    clips = [Clip(path.stem, path, "", _rate(path), half_of(path.stem)) for path in paths]
    return [Clip(SAMPLE, Path(), "", 24.0, TUNED), *clips]


def people(folder: Path) -> list[Clip]:
    """The captured clips of two-legged figures."""
    return [clip for clip in captured(folder) if not clip.name.startswith("quad")]


def loops(folder: Path) -> list[Clip]:
    """Actions that play round and round."""
    return _actions(folder, LOOPS)


def animals(folder: Path) -> list[Clip]:
    """Actions of four-legged animals."""
    return _actions(folder, ANIMALS)


def clips_for(rig: str, folder: Path) -> list[Clip]:
    """The clips that can be judged on a kind of rig; some are built around captured skeletons."""
    if rig == "loop":
        return loops(folder)
    if rig == "quadruped":
        return animals(folder)
    if rig == "plain":
        return captured(folder)
    return [clip for clip in people(folder) if clip.name.startswith("cmu") or rig not in ("game", "control")]


def _actions(folder: Path, table: dict[str, tuple[str, str]]) -> list[Clip]:
    return [
        Clip(f"{kind}-{action}", folder / file, action.replace("Side_winding", "Side winding"), 30.0, half_of(kind))
        for kind, (file, actions) in table.items()
        if (folder / file).is_file()
        for action in actions.split()
    ]


def _rate(path: Path) -> float:
    if _subject(path.stem) in halves()["half_rate_subjects"]:
        return 60.0
    stated = re.search(rb"Frame Time:\s*([0-9.eE+-]+)", path.read_bytes())
    return 1.0 / float(stated[1]) if stated else 30.0
