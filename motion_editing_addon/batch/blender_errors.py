"""What Blender's operators say when they fail, in one line."""

from __future__ import annotations

import re

_OF_SYSTEM = re.compile(r"\w*Error: \[Errno \d+\] ")


def reason_of(error: Exception) -> str:
    """What an operator reported, without Blender's words around it; of a defect what went wrong at last."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["it failed without a reason"]
    if "Traceback" in lines[0]:
        # Blender adds where in its own files it was called.
        last = next(line for line in reversed(lines) if not line.startswith("Location:"))
        # Exporters in Python meet full disks too; that is nothing unexpected.
        return _OF_SYSTEM.sub("", last) if _OF_SYSTEM.match(last) else f"unexpected {last}"
    refused = lines[0].partition(".poll() ")[2].removeprefix("failed, ")
    return refused or lines[0].removeprefix("Error: ")
