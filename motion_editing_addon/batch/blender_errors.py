"""What Blender's operators say when they fail, in one line."""

from __future__ import annotations


def reason_of(error: Exception) -> str:
    """What an operator reported, without Blender's words around it; of a defect what went wrong at last."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["it failed without a reason"]
    if "Traceback" in lines[0]:
        # Blender adds where in its own files it was called.
        return f"unexpected {next(line for line in reversed(lines) if not line.startswith('Location:'))}"
    refused = lines[0].partition(".poll() ")[2].removeprefix("failed, ")
    return refused or lines[0].removeprefix("Error: ")
