"""Tables without what operators report."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quietly() -> Iterator[None]:
    """Keep the reports of operators, which Blender itself prints, out of the tables."""
    sys.stdout.flush()
    usual, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(usual, 1)
        os.close(usual)
        os.close(nowhere)
