"""The part of the judging that every test run does, and what is known to be broken in it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .laws.names import ALL
from .tool_names import TOOL_NAMES
from .trials import Trial, chosen_clips

KNOWN = Path(__file__).resolve().parent / "known_breaks.toml"
SEED = 7
# Every tool on two kinds of rigs, another two for the next tool, and every eighth on a Rigify rig.
_RIGS = ("plain", "keyed", "game", "control", "loop")
_EIGHTH = 8
# Tools that need repetitions are tried on walks.
_REPEATING = TOOL_NAMES[TOOL_NAMES.index("stretch_windows") : TOOL_NAMES.index("transfer_coordination") + 1]
_WALKS = ["cmu_07_04", "cmu_08_02", "cmu_12_01", "cmu_45_01"]
# Other processors round otherwise: what is hardly over a bound is not told, what is hardly below is not mended.
_SLACK = 1.1


def sample(folder: Path) -> list[Trial]:
    """About two minutes of trials, on clips of both halves."""
    found = []
    for number, tool in enumerate(TOOL_NAMES):
        rigs = [_RIGS[number % len(_RIGS)], _RIGS[(number + 2) % len(_RIGS)]]
        rigs += ["rigify"] if number % _EIGHTH == 0 else []
        for rig in rigs:
            clips = [clip.name for clip in chosen_clips(rig, folder, count=6, seed=SEED)]
            clips = _WALKS if clips and tool in _REPEATING and rig != "loop" else clips
            found += [Trial(tool, clips[number % len(clips)], rig, SEED)] if clips else []
    return found


def breaks(outcome: dict[str, Any], *, slack: float = _SLACK) -> set[str]:
    """The laws that a trial broke, by more than rounding explains; all of `works` if it came to no end."""
    if outcome["outcome"] in ("hung", "judge failed"):
        return {"works"}
    found = {law: outcome["laws"][law] for law in ALL if law in outcome["laws"]}
    return {law for law, each in found.items() if not each["value"] <= slack * each["bound"]}


def known() -> dict[str, set[str]]:
    """The laws that each trial is known to break."""
    listed: dict[str, set[str]] = {}
    for line in tomllib.loads(KNOWN.read_text())["breaks"]:
        name, _colon, law = line.partition(": ")
        listed.setdefault(name, set()).add(law)
    return listed


def name_of(outcome: dict[str, Any]) -> str:
    """How a trial is called in the list."""
    return f"{outcome['tool']} {outcome['rig']} {outcome['clip']}"


def still_broken(outcomes: Iterable[dict[str, Any]]) -> list[str]:
    """The lines of the list that are to stay: known breaks that are not clearly mended."""
    listed, lines = known(), []
    for outcome in outcomes:
        laws = listed.get(name_of(outcome), set()) & breaks(outcome, slack=1.0 / _SLACK)
        lines += [f"{name_of(outcome)}: {law}" for law in ALL if law in laws]
    return lines


def write(lines: Iterable[str]) -> None:
    """Make the list anew."""
    head = KNOWN.read_text().partition("breaks = ")[0]
    rows = "".join(f'  "{line}",\n' for line in lines)
    KNOWN.write_text(f"{head}breaks = [\n{rows}]\n" if rows else f"{head}breaks = []\n")
