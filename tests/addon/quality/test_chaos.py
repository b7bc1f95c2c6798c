"""Random sessions: tools in any order while people do what people do. `scripts/chaos.py` plays more of them."""

import sys
from pathlib import Path

import bpy
import pytest
from workshop import places

sys.path.append(str(places.PROJECT))

from quality.chaos.scenes import STEPS, scenes
from quality.chaos.session import play

SEEDS = range(8 if bpy.app.version >= (5, 2) else 1)


@pytest.fixture(scope="module")
def files(registered_addon: object) -> dict[str, Path]:
    return scenes(places.clips_folder(), places.cache_folder() / "judge")


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_breaks(seed: int, files: dict[str, Path], tmp_path: Path):
    assert play(seed, files, tmp_path, steps=STEPS)
