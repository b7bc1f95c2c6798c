"""Where things are: the project, the cache folder outside of it, and the captured clips."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def cache_folder() -> Path:
    """Give the folder for environments: $MOTION_EDITING_CACHE or ~/.cache/motion_editing."""
    chosen = os.environ.get("MOTION_EDITING_CACHE")
    folder = Path(chosen) if chosen else Path.home() / ".cache" / "motion_editing"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def clips_folder() -> Path:
    """Give the folder of captured clips, $MOTION_EDITING_CLIPS or ../shared/data; it may be absent."""
    chosen = os.environ.get("MOTION_EDITING_CLIPS")
    folder = Path(chosen) if chosen else PROJECT.parent / "shared" / "data"
    return folder.resolve()
