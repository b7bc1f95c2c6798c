"""Random sessions in Blender: tools in any order, and what people do in between: `python3 scripts/chaos.py`.

A session is decided by its seed alone. After each of its steps it is checked that there is no traceback, that what was
refused has changed no key, that undo brings all keys back, and at its end that every mode can be left. One that fails
is told with its seed and steps; `--seed N --minutes 0` plays it again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from workshop import environments
from workshop.cache import SetupError
from workshop.command_line import Parser
from workshop.places import PROJECT, cache_folder, clips_folder

WORKER = PROJECT / "quality" / "chaos" / "worker.py"


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(description="Use tools in any order, and check that nothing breaks.")
    parser.add_argument("--seed", type=int, default=0, help="of the first session; the next has the next one")
    parser.add_argument("--minutes", type=float, default=10.0, help="begin no session after this time, but the first")
    parser.add_argument("--blender", choices=list(environments.BLENDERS), default="5.2", help="version to use")
    return parser.parse_args()


def main() -> int:
    """Play sessions; 1 when one failed."""
    options = parse_options()
    try:
        python = environments.ensure(environments.BLENDERS[options.blender])
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    places = [str(clips_folder()), str(cache_folder() / "judge")]
    return subprocess.run(
        [python, str(WORKER), str(options.seed), str(options.minutes), *places], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
