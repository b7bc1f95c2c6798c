"""The files that random sessions begin with."""

from __future__ import annotations

from pathlib import Path

from ..clips import clips_for
from ..scenes import staging

# Steps of a session.
STEPS = 40
# Captured and keyed motion, and rigs that need captured clips.
_CLIPS = {"plain": "sample", "keyed": "sample", "game": "cmu_07_04", "control": "cmu_08_02"}


def scenes(clips: Path, cache: Path) -> dict[str, Path]:
    """A scene of every kind of rig that there is a clip for."""
    found = {}
    for rig, name in _CLIPS.items():
        for clip in clips_for(rig, clips):
            if clip.name == name:
                found[rig] = staging.staged(clip, rig, cache)
    return found
