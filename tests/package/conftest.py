"""The built zip that is about to be installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))


@pytest.fixture(scope="session")
def built_zip() -> Path:
    """The extension as a user gets it: $MOTION_EDITING_ZIP, or built now."""
    given = os.environ.get("MOTION_EDITING_ZIP")
    if given:
        return Path(given)
    import build

    return build.build()
