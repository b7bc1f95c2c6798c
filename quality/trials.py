"""Which trials a run consists of: chosen by a seed, the same for all tools, both halves alike."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

from .clips import TUNED, Clip, clips_for

# Kinds of rigs, and of each how many clips a run takes if nothing else is said.
RIGS = ("plain", "keyed", "game", "control", "rigify", "quadruped", "loop")
CLIPS = 10


@dataclass(frozen=True)
class Trial:
    """A tool to be tried on a clip on a rig."""

    tool: str
    clip: str
    rig: str
    seed: int

    @property
    def command(self) -> str:
        """What repeats it."""
        return f"python3 scripts/judge.py --tool {self.tool} --rig {self.rig} --clip {self.clip} --seed {self.seed}"


def chosen_clips(rig: str, folder: Path, *, count: int, seed: int) -> list[Clip]:
    """Clips for a rig, by chance, half of them from each half; each rig has others."""
    order = sorted(clips_for(rig, folder), key=lambda clip: zlib.crc32(f"{seed}/{rig}/{clip.name}".encode()))
    tuned = [clip for clip in order if clip.half == TUNED]
    untouched = [clip for clip in order if clip.half != TUNED]
    taken = min(count // 2, len(untouched))
    return [*tuned[: count - taken], *untouched[:taken]]


def sample(tools: list[str], rigs: list[str], folder: Path, *, count: int, seed: int) -> list[Trial]:
    """All tools on some clips of every rig, clip by clip: a scene is played once for all tools."""
    return [
        Trial(tool, clip.name, rig, seed)
        for rig in rigs
        for clip in chosen_clips(rig, folder, count=count, seed=seed)
        for tool in tools
    ]
