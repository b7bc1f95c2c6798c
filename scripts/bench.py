"""Measure the project against its peers: `python3 scripts/bench.py`.

Every benchmarks/*/bench_*.py prints a table with ratios. `--write` collects them into
benchmarks/RESULTS.md.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from workshop import environments
from workshop.cache import SetupError
from workshop.command_line import Parser, say, stop_with
from workshop.places import PROJECT
from workshop.processes import ONE_THREAD

FOLDER = PROJECT / "benchmarks"
SCRIPTS = PROJECT / "scripts"
RESULTS = FOLDER / "RESULTS.md"

START = "import runpy, sys; sys.path += sys.argv[2:]; runpy.run_path(sys.argv[1])['main']()"


def benchmarks(filter_text: str) -> list[Path]:
    """Give the benchmark files whose name contains the text."""
    found = sorted(FOLDER.glob("*/bench_*.py"), key=lambda path: path.name)
    return [path for path in found if filter_text in path.stem]


def run(python: Path, benchmark: Path) -> str | None:
    """Run one benchmark, show what it prints and give it; None when it failed."""
    say(f"\n==== {benchmark.stem} ====")
    done = subprocess.run(
        [str(python), "-c", START, str(benchmark), str(PROJECT), str(FOLDER), str(SCRIPTS), str(benchmark.parent)],
        cwd=PROJECT,
        env={**os.environ, **ONE_THREAD},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    say(done.stdout.rstrip())
    if done.returncode:
        say(f"failed with exit code {done.returncode}")
        return None
    return done.stdout.rstrip()


def write_results(outputs: dict[str, str], found: environments.Versions) -> None:
    """Write the tables into RESULTS.md with what they were measured on."""
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    lines = [
        "# Measured results",
        "",
        "Written by `python3 scripts/bench.py --write`; ratios compare within one run.",
        f"Blender {found.blender}, Python {found.python}, NumPy {found.numpy}, one thread; {machine}.",
    ]
    for name, output in outputs.items():
        title = name.removeprefix("bench_").replace("_", " ").capitalize()
        # A table in Markdown stands as it is; anything else keeps its columns.
        lines += ["", f"## {title}", "", *([output] if "|---" in output else ["```text", output, "```"])]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    say(f"\nwritten: {RESULTS.relative_to(PROJECT)}")


def main() -> int:
    """Run the benchmarks that were asked for; 1 when one failed."""
    parser = Parser(description="Measure the project against its peers.")
    parser.add_argument("-k", metavar="TEXT", default="", help="only benchmarks whose name contains this")
    parser.add_argument("--write", action="store_true", help="collect the tables into benchmarks/RESULTS.md")
    options = parser.parse_args()
    chosen = benchmarks(options.k)
    if not chosen:
        stop_with(f"no benchmark in {FOLDER.relative_to(PROJECT)} has {options.k!r} in its name")
    if options.write and options.k:
        stop_with("--write needs all benchmarks: leave -k out")
    try:
        python = environments.ensure(environments.BENCH)
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    outputs = {benchmark.stem: run(python, benchmark) for benchmark in chosen}
    succeeded = {name: output for name, output in outputs.items() if output is not None}
    if len(succeeded) < len(outputs):
        return 1
    if options.write:
        write_results(succeeded, environments.versions(python))
    return 0


if __name__ == "__main__":
    sys.exit(main())
