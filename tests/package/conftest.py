"""The built zip that is about to be installed."""

from __future__ import annotations

import os
from pathlib import Path

import build
import pytest


@pytest.fixture(scope="session")
def built_zip() -> Path:
    """The extension as a user gets it: $MOTION_EDITING_ZIP, or built now."""
    given = os.environ.get("MOTION_EDITING_ZIP")
    return Path(given) if given else build.build()
