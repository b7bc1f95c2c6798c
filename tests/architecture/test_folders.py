"""Folders that can be taken in at a glance, and files named after the noun they define."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from exceptions_list import compared
from source import ROOT

_FILES = 15
_TOPS = ("core", "motion_editing_addon", "quality", "tests", "scripts", "benchmarks")
# Words that end like an activity and are none.
_NOUNS = frozenset(
    [
        "bed",
        "embedding",
        "feed",
        "lettering",
        "mapping",
        "resampling",
        "ring",
        "rings",
        "seed",
        "setting",
        "settings",
        "smoothing",
        "speed",
        "spring",
        "springs",
        "string",
        "strings",
        "timing",
        "wording",
    ]
)
_ACTIVITIES = frozenset(["beside", "create", "read", "write", "restore", "rekey", "retime"])


def files(*tops: str) -> list[Path]:
    return [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]


def test_folders_are_small():
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in files(*_TOPS))
    compared("folders", [folder for folder, count in counts.items() if count > _FILES])


def test_files_are_named_after_nouns():
    found = [path for path in files("core", "motion_editing_addon") if _is_activity(path.stem)]
    compared("names", [path.relative_to(ROOT).as_posix() for path in found])


def _is_activity(stem: str) -> bool:
    last = stem.split("_")[-1]
    return last in _ACTIVITIES or (last.endswith(("ing", "ed")) and last not in _NOUNS)
