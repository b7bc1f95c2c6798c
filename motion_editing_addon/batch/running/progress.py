"""A progress bar in a terminal; plain lines where there is none."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TextIO

from ....core.wording import counted

_WIDTH = 28  # characters of the bar


class Progress:
    """Says how far a run is, on standard error: standard output is for results."""

    def __init__(self, total: int, *, stream: TextIO | None = None) -> None:
        self._total, self._done, self._failed = total, 0, 0
        self._started = time.monotonic()
        self._stream = stream or sys.stderr
        self._bar = self._stream.isatty()

    def finished(self, name: str, failures: Sequence[str], warnings: int, *, written: bool) -> None:
        """One more is done; failures of the file, or of parts of it, are said at once, warnings are counted."""
        self._done += 1
        self._failed += bool(failures)
        for failure in failures:
            self._line(f"failed: {name}: {failure}")
        if self._bar:
            self._stream.write(f"\r\x1b[2K{self._text()} {_in_one_line(name[:40])}")
            self._stream.flush()
        elif written:
            more = f" ({counted(warnings, 'warning')})" if warnings else ""
            self._line(f"[{self._done}/{self._total}] {name}{more}")

    def close(self) -> None:
        """End the bar's line."""
        if self._bar:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()

    def _line(self, text: str) -> None:
        start = "\r\x1b[2K" if self._bar else ""
        self._stream.write(f"{start}{_in_one_line(text)}\n")
        self._stream.flush()

    def _text(self) -> str:
        share = self._done / max(1, self._total)
        filled = round(share * _WIDTH)
        left = (time.monotonic() - self._started) / max(1, self._done) * (self._total - self._done)
        failed = f", {self._failed} failed" if self._failed else ""
        bar = "#" * filled + "." * (_WIDTH - filled)
        return f"[{bar}] {self._done}/{self._total}{failed}, {left:.0f} s left"


def _in_one_line(text: str) -> str:
    """Names of files may hold ends of lines, and worse."""
    return "".join(each if each.isprintable() else "?" for each in text)
