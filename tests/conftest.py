"""What every kind of test may ask for: the captured clips and the built extension."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

# Tests use the same places and the same Blenders as the commands in scripts/.
sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

import build
from workshop import places


@pytest.fixture(scope="session")
def clips_folder() -> Path:
    """The folder of captured clips; tests that ask for it are skipped where it is absent."""
    folder = places.clips_folder()
    if not folder.is_dir():
        pytest.skip(f"captured clips are absent: no folder {folder} (set MOTION_EDITING_CLIPS)")
    return folder


@pytest.fixture(scope="session")
def built_zip() -> Path:
    """The extension as a user gets it: $MOTION_EDITING_ZIP, or built now."""
    given = os.environ.get("MOTION_EDITING_ZIP")
    return Path(given) if given else build.build()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that reads clips, and note it in the report so that they can be counted."""
    for item in items:
        if "clips_folder" in getattr(item, "fixturenames", ()):
            item.add_marker("clips")
        if item.get_closest_marker("clips"):
            item.user_properties.append(("clips", "yes"))
