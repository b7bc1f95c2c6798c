"""What operators warn of, kept for the report: nobody reads along at night."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator

_MARK = "Warning: "


@contextlib.contextmanager
def warnings_heard() -> Iterator[list[str]]:
    """Collect warnings, each once; the list is filled at the end.

    Blender writes what an operator reports to Python's standard output when it is called by a script.
    """
    heard: list[str] = []
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            yield heard
    finally:
        lines = output.getvalue().splitlines()
        heard += dict.fromkeys(line.removeprefix(_MARK) for line in lines if line.startswith(_MARK))
