"""Blender's own words kept off standard output: what is printed there may be read by programs."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def blender_quiet() -> Iterator[None]:
    """Whatever Blender prints within goes nowhere; that includes what its C code prints."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    try:
        yield
    finally:
        sys.stdout.flush()
        _flush_c_code()
        os.dup2(kept, 1)
        os.close(kept)


def _flush_c_code() -> None:
    """Let go what C code has printed and still holds: at the end it would come out after all."""
    with suppress(ImportError, OSError, AttributeError):  # some systems' Python cannot call C code
        ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).fflush(None)
