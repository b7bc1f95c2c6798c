"""Render the loops that show what tools do: `python3 scripts/render_loops.py [NAME ...]`.

Each row of scripts/loops/loop_table.py is one loop: the mannequin before and after an edit, side by
side, as docs/loops/NAME.webp of at most 400 KB. Without names all are made. A headless Blender
renders the frames; Pillow, which only this needs, puts them together.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from demo import newest_blender
from workshop import environments
from workshop.cache import SetupError
from workshop.command_line import Parser, say, stop_with
from workshop.places import PROJECT
from workshop.processes import ONE_THREAD

FOLDER = PROJECT / "scripts" / "loops"


def main() -> int:
    """Render, then put together; a step that fails ends it with its exit code."""
    parser = Parser(description="Render loops of the mannequin before and after edits.")
    parser.add_argument("names", nargs="*", help="loops to make; all without names")
    parser.add_argument("--output", type=Path, default=PROJECT / "docs" / "loops", help="folder for the loops")
    options = parser.parse_args()
    if options.output.exists() and not options.output.is_dir():
        stop_with(f"{options.output} is a file, not a folder")
    try:
        blender = environments.ensure(newest_blender())
        pillow = environments.ensure(environments.pictures_environment())
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as frames:
        say(f"Blender {environments.versions(blender).blender}, writing into {options.output}")
        return _run(blender, "loops_in_blender.py", frames, *options.names) or _run(
            pillow, "webp_assembly.py", frames, str(options.output)
        )


def _run(python: Path, script: str, *arguments: str) -> int:
    command = [str(python), str(FOLDER / script), *arguments]
    return subprocess.run(command, cwd=PROJECT, env={**os.environ, **ONE_THREAD}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
