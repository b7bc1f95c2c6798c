"""Record what the extension does, or compare with what was recorded: `python3 scripts/behaviour.py record FOLDER`.

Digests of the keys that every tool writes, with six sets of parameters on a captured clip, hand-keyed motion and a
Rigify rig, and a dump of the interface, for every Blender. Recorded on one machine they can be compared on that
machine alone: other processors round otherwise. Moving code must change none of it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from workshop import environments
from workshop.command_line import Parser, say
from workshop.places import PROJECT, cache_folder, clips_folder

sys.path.append(str(PROJECT))

from quality.tool_names import TOOL_NAMES

SEEDS = range(6)
# A clip for every rig: walks, in which every tool finds something to do.
SCENES = {"plain": "cmu_12_01", "keyed": "cmu_08_02", "rigify": "cmu_07_04"}
WORKER = PROJECT / "quality" / "behaviour_worker.py"


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    known = list(environments.BLENDERS)
    parser = Parser(description="Record what the extension does, or compare with what was recorded.")
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("folder", type=Path, help="where digests are kept")
    parser.add_argument("--blender", nargs="+", choices=known, default=known)
    parser.add_argument("--tool", nargs="+", default=list(TOOL_NAMES))
    parser.add_argument("--rig", nargs="+", choices=list(SCENES), default=list(SCENES))
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    return parser.parse_args()


def asked(options: argparse.Namespace) -> list[Any]:
    """The interface, and every tool on every scene with every set of parameters."""
    return [
        "interface",
        *(
            [tool, SCENES[rig], rig, seed]
            for rig in options.rig
            for tool in options.tool
            for seed in SEEDS[: options.seeds]
        ),
    ]


def answers(version: str, questions: list[Any]) -> Iterator[tuple[str, Any]]:
    """Ask a Blender one thing after the other; one that dies is started again."""
    command = [str(environments.ensure(environments.BLENDERS[version])), str(WORKER)]
    command += [str(clips_folder()), str(cache_folder() / "judge")]
    process = None
    for question in questions:
        if process is None:
            environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
            )
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        name = question if isinstance(question, str) else " ".join(map(str, question))
        yield name, json.loads(line) if line else "Blender ended"
        if not line:
            process = None
    if process is not None:
        process.kill()


def run(version: str, options: argparse.Namespace) -> int:
    """Record or compare one Blender; gives how much differs."""
    path = options.folder / f"behaviour-{version}.json"
    if options.what == "record":
        options.folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(dict(answers(version, asked(options))), indent=1, sort_keys=True))
        say(f"recorded: {path}")
        return 0
    before, different = json.loads(path.read_text()), 0
    for name, found in answers(version, asked(options)):
        if before.get(name) != found:
            different += 1
            say(f"{version}: {name}: {_difference(before.get(name), found)}")
    say(f"{version}: {different} different")
    return different


def _difference(before: Any, after: Any) -> str:
    """What differs: of nested tables the paths."""
    if isinstance(before, dict) and isinstance(after, dict):
        parts = [
            f"{key}: {_difference(before.get(key), after.get(key))}"
            for key in sorted(before.keys() | after.keys())
            if before.get(key) != after.get(key)
        ]
        return "{" + ", ".join(parts) + "}"
    return f"{before} became {after}"


def main() -> int:
    """Record or compare; 1 when something differs."""
    options = parse_options()
    with ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(lambda version: run(version, options), options.blender))
    return 1 if any(counts) else 0


if __name__ == "__main__":
    sys.exit(main())
