"""Judge motion: every tool on many clips and rigs, by laws: `python3 scripts/judge.py`.

Prints a table, tool by law: how often each was tried and broken. Breaks on the tuned half of the clips are told
with the command that repeats them, of the untouched half only counts. A run that was stopped is gone on with when
it is started again; `--again` forgets what was found. `--write` makes benchmarks/QUALITY.md of it.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys

from workshop import environments
from workshop.cache import SetupError
from workshop.command_line import Parser, say
from workshop.places import PROJECT, cache_folder, clips_folder

sys.path.append(str(PROJECT))

from quality import crew, everyday, report, trials
from quality.clips import TUNED
from quality.laws.names import ALL
from quality.tool_names import TOOL_NAMES

MINUTES = 60.0


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(description="Judge motion by laws, tool by tool.")
    parser.add_argument("--tool", nargs="+", metavar="NAME", help="only these tools")
    parser.add_argument("--rig", nargs="+", choices=trials.RIGS, default=list(trials.RIGS), help="only these rigs")
    parser.add_argument("--clip", nargs="+", metavar="NAME", help="these clips in the place of a sample")
    parser.add_argument("--clips", type=int, default=trials.CLIPS, metavar="N", help="clips of every rig")
    parser.add_argument("--all", action="store_true", help="all clips of every rig")
    parser.add_argument("--seed", type=int, default=1, help="decides which clips and parameters are tried")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="begin no trial after this time")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="Blenders at once")
    parser.add_argument("--blender", choices=list(environments.BLENDERS), default="5.2", help="version to judge in")
    parser.add_argument("--again", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--write", action="store_true", help="write benchmarks/QUALITY.md")
    parser.add_argument("--known", action="store_true", help="judge what every test run judges; list what is broken")
    parser.add_argument("--accept", action="store_true", help="with --known: list breaks that are new, too")
    return parser.parse_args()


def chosen(options: argparse.Namespace, tools: list[str]) -> list[trials.Trial]:
    """The trials that the options ask for."""
    folder = clips_folder()
    if options.known:
        return everyday.sample(folder)
    if options.clip:
        return [
            trials.Trial(tool, clip, rig, options.seed)
            for rig in options.rig
            for clip in options.clip
            for tool in tools
        ]
    count = 10_000 if options.all else options.clips
    return trials.sample(tools, options.rig, folder, count=count, seed=options.seed)


def tell(outcome: crew.Outcome, left: int) -> None:
    """A line for what a trial found; on the untouched half only that it was made."""
    broken = [law for law in ALL if outcome.get("laws", {}).get(law, {}).get("broken")]
    if outcome["half"] == TUNED and broken:
        say("\n".join(report.describe(outcome, law) for law in broken))
    elif outcome["outcome"] in ("judge failed", "hung"):
        say(f"{outcome['tool']} on {outcome['clip']}: {outcome['outcome']}: {outcome['message']}")
    if left % 100 == 0:
        say(f"... {left} trials left")


def list_known(options: argparse.Namespace, outcomes: list[crew.Outcome]) -> None:
    """Take out of the list what holds now; put in what is broken, if that is accepted."""
    before = sum(map(len, everyday.known().values()))
    lines = everyday.still_broken(outcomes)
    if options.accept:
        found = [f"{everyday.name_of(each)}: {law}" for each in outcomes for law in ALL if law in everyday.breaks(each)]
        lines = sorted({*lines, *found})
    everyday.write(sorted(lines))
    say(f"known breaks: {before} became {len(lines)}")


def about(options: argparse.Namespace, outcomes: list[crew.Outcome]) -> str:
    """What was run where."""
    clips = len({(each["clip"], each["rig"]) for each in outcomes})
    today = datetime.date.today().isoformat()
    return (
        f"{len(outcomes):,} trials on {clips} clips and rigs, seed {options.seed}, Blender {options.blender}, "
        f"{platform.machine()}, {today}."
    )


def main() -> int:
    """Judge; 1 when something could not be set up."""
    options = parse_options()
    try:
        python = environments.ensure(environments.BLENDERS[options.blender])
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    cache = cache_folder() / "judge"
    part = "everyday" if options.known else str(options.seed)
    results = cache / f"results-{options.blender}-{part}.jsonl"
    if options.again or options.clip or options.known:
        results.unlink(missing_ok=True)
    outcomes = crew.run(
        chosen(options, options.tool or list(TOOL_NAMES)),
        python=python,
        clips=clips_folder(),
        cache=cache,
        results=results,
        jobs=options.jobs,
        seconds=60.0 * options.minutes,
        told=tell,
    )
    say("\n" + "\n".join(report.table(outcomes, lambda each: each["tool"])))
    if options.known:
        list_known(options, outcomes)
    if options.write:
        page = PROJECT / "benchmarks" / "QUALITY.md"
        page.write_text(report.quality_page(outcomes, about=about(options, outcomes)))
        say(f"written: {page.relative_to(PROJECT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
