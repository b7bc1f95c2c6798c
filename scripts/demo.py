"""Show what the project does: `python3 scripts/demo.py`.

Sets up a headless Blender (the newest whose Python is on this machine) and plays
scripts/demo_steps/demo_in_blender.py in it, which writes demo.blend and pictures into demo_output/.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from workshop import environments
from workshop.cache import SetupError
from workshop.command_line import Parser, say, stop_with
from workshop.interpreters import find_python
from workshop.places import PROJECT
from workshop.processes import ONE_THREAD


def newest_blender() -> environments.Environment:
    """Give the newest Blender whose Python is on this machine.

    Raises:
        SetupError: There is no Python for any supported Blender.
    """
    for environment in reversed(environments.BLENDERS.values()):
        if find_python(environment.python_version):
            return environment
    raise SetupError("the demo needs Python 3.11 or 3.13, and neither was found on this machine")


def main() -> int:
    """Set Blender up and play the demo; its exit code is ours."""
    parser = Parser(description="Show what the project does, in a headless Blender.")
    parser.add_argument("--output", type=Path, default=PROJECT / "demo_output", help="folder for what it makes")
    options, for_the_demo = parser.parse_known_args()
    output = options.output.resolve()
    if output.exists() and not output.is_dir():
        stop_with(f"{output} is a file, not a folder")
    try:
        python = environments.ensure(newest_blender())
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    say(f"Blender {environments.versions(python).blender}, writing into {output}")
    output.mkdir(parents=True, exist_ok=True)
    script = PROJECT / "scripts" / "demo_steps" / "demo_in_blender.py"
    command = [str(python), str(script), str(output), *for_the_demo]
    return subprocess.run(command, cwd=PROJECT, env={**os.environ, **ONE_THREAD}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
