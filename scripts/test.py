"""Set everything up and run every test: `python3 scripts/test.py`.

ruff, mypy, the core tests, the add-on tests in each supported headless Blender, build and
install of the real zip, and the GUI tests in a real Blender window. The table at the end says
what ran on which Blender, and what could not run and why.

`--core` is the fast path for daily work: ruff, mypy and the core tests, without any Blender.
With CI=true, whatever could not run counts as a failure.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import build
from workshop import environments, window_blender
from workshop.cache import SetupError
from workshop.command_line import Parser, say
from workshop.places import PROJECT, clips_folder
from workshop.processes import ONE_THREAD, run_to_end
from workshop.test_report import Report, Result, read_pytest_result

# No step takes near as long; a Blender that hangs must not hang the whole run.
STEP_TIMEOUT = 4500
# Steps that run side by side. One more than there are processors: the window often waits for its own clock.
LANES = (os.cpu_count() or 1) + 1
NO_TESTS_COLLECTED = 5
# Blenders that run the core tests: the oldest and the newest, whose NumPy and Python are what users have.
CORE_TESTED_IN = {"4.5", "5.2"}


@dataclass
class Run:
    """One run of the tests: what was asked for and what has come out so far."""

    options: argparse.Namespace
    report: Report = field(default_factory=Report)
    pythons: dict[str, Path] = field(default_factory=dict)
    must_run_all: bool = os.environ.get("CI", "").lower() == "true"
    printing: Lock = field(default_factory=Lock)

    def could_not_run(self, step: str, reason: str) -> None:
        """Note what did not run; on CI that is a failure."""
        if self.must_run_all:
            self.report.fail(step, reason)
        else:
            self.report.not_run.append(f"{step}: {reason}")

    def command(self, step: str, *command: str) -> None:
        """Run a tool that either passes or fails."""
        say(f"\n==== {step} ====")
        started = time.monotonic()
        code = run_to_end(command, folder=PROJECT, timeout=STEP_TIMEOUT)
        passed = code == 0
        result = Result(step, passed=int(passed), failed=int(not passed))
        result.seconds = time.monotonic() - started
        self.report.results.append(result)

    def pytest(self, step: str, environment: str, folder: str, variables: dict[str, str] | None = None) -> None:
        """Run the tests of one folder in one environment, in a process of their own; print at its end what it said."""
        python = self.pythons.get(environment)
        if python is None or not (PROJECT / folder).is_dir():
            return
        found = environments.versions(python)
        filters = ["-k", self.options.k] if self.options.k else []
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as results:
            file = Path(results) / "junit.xml"
            command = [str(python), "-m", "pytest", folder, "-q", f"--junitxml={file}", *filters]
            said = Path(results) / "said.txt"
            settings = {**ONE_THREAD, **(variables or {})}
            code = run_to_end(command, folder=PROJECT, variables=settings, timeout=STEP_TIMEOUT, output=said)
            with self.printing:
                say(f"\n==== {step} (Blender {found.blender}, Python {found.python}, NumPy {found.numpy}) ====")
                say(said.read_text(errors="replace"))
            result = read_pytest_result(step, file, found)
        # A crash after the report was written counts, and so does a folder without any test.
        accepted = (0, NO_TESTS_COLLECTED) if self.options.k else (0,)
        if code not in accepted and not result.failed:
            result.failed = 1
        result.seconds = time.monotonic() - started
        self.report.results.append(result)


def prepare(run: Run, pool: ThreadPoolExecutor) -> Future[window_blender.WindowBlender] | None:
    """Set up every environment, and begin to set up the Blender with a window.

    They are installed side by side: the network and the disk are seldom busy together.
    """
    say("==== Environments ====")
    wanted = {"core": environments.core_environment()}
    window = None
    if not (run.options.core or run.options.no_gui):
        window = pool.submit(window_blender.ensure)
    if not (run.options.core or run.options.gui):
        wanted |= {version: environments.BLENDERS[version] for version in run.options.blender}
    futures = {name: pool.submit(environments.ensure, wanted[name]) for name in wanted}
    for name, future in futures.items():
        try:
            run.pythons[name] = future.result()
        except SetupError as error:
            if name == "core":
                raise
            run.could_not_run(f"Blender {name}", str(error))
    return window


def lint(run: Run) -> None:
    """Run the linters."""
    python = str(run.pythons["core"])
    run.command("ruff", python, "-m", "ruff", "check", ".")
    run.command("mypy", sys.executable, str(PROJECT / "scripts" / "check_types.py"))


def check_without_blender(run: Run) -> None:
    """Run the tests that need no Blender; those of core only if no Blender runs them."""
    run.pytest("scripts", "core", "tests/scripts")
    run.pytest("quality", "core", "tests/quality")
    run.pytest("architecture", "core", "tests/architecture")
    if not set(run.pythons) & CORE_TESTED_IN:
        run.pytest("core", "core", "tests/core")


def check_in_blender(run: Run, version: str) -> None:
    """Run core and add-on tests in a headless Blender."""
    run.pytest(f"add-on in {version}", version, "tests/addon")
    if version in CORE_TESTED_IN:
        run.pytest(f"core in {version}", version, "tests/core")


def _build(run: Run) -> Path | None:
    """Build the zip for the tests that install it."""
    say("\n==== build ====")
    try:
        archive = build.build()
    except (build.BuildError, SetupError) as error:
        say(str(error))
        run.report.fail("build", str(error))
        return None
    say(f"{archive.name}: {archive.stat().st_size:,} bytes, validated")
    run.report.results.append(Result("build", passed=1))
    return archive


def check_window(run: Run, window: Future[window_blender.WindowBlender], variables: dict[str, str]) -> None:
    """Play the GUI tests in a real Blender window."""
    try:
        window.result()
    except SetupError as error:
        run.could_not_run("GUI tests", str(error))
        return
    run.pytest("GUI", "core", "tests/gui", variables)


def check_clips(run: Run) -> None:
    """On CI, a clip test that was skipped although the clips are there is a failure."""
    folder = clips_folder()
    skipped = sum(result.clips_skipped for result in run.report.results)
    if not folder.is_dir():
        run.report.not_run.append(f"clip tests: no folder {folder} (set MOTION_EDITING_CLIPS)")
    elif skipped and run.must_run_all:
        run.report.fail("clips", f"{skipped} clip tests were skipped although {folder} is there")


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    known = list(environments.BLENDERS)
    parser = Parser(description="Set everything up and run every test.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--core", action="store_true", help="only ruff, mypy and the core tests")
    which.add_argument("--gui", action="store_true", help="only the GUI tests")
    which.add_argument("--no-gui", action="store_true", help="everything but the GUI tests")
    parser.add_argument("--blender", nargs="+", choices=known, default=known, metavar="VERSION", help=f"of {known}")
    parser.add_argument("-k", metavar="EXPRESSION", help="only tests that match, as in pytest")
    return parser.parse_args()


def check(run: Run, window: Future[window_blender.WindowBlender] | None) -> None:
    """Run the steps that were asked for."""
    if not run.options.gui:
        lint(run)
    if run.options.core:
        run.pytest("core", "core", "tests/core")
        return
    archive = _build(run)
    if archive is None:
        return
    variables = {"MOTION_EDITING_ZIP": str(archive)}
    with ThreadPoolExecutor(LANES) as lanes:
        # The longest first: the newest Blender runs most tests.
        steps = [lanes.submit(check_window, run, window, variables)] if window else []
        if not run.options.gui:
            steps += [lanes.submit(check_in_blender, run, version) for version in reversed(run.options.blender)]
            steps.append(lanes.submit(check_without_blender, run))
    for step in steps:
        step.result()
    if not run.options.gui:
        # Last and alone: how long enabling takes is measured.
        for version in run.options.blender:
            run.pytest(f"package in {version}", version, "tests/package", variables)


def main() -> int:
    """Run what was asked for; 1 when anything failed."""
    run = Run(parse_options())
    with ThreadPoolExecutor() as pool:
        try:
            window = prepare(run, pool)
        except SetupError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        check(run, window)
    check_clips(run)
    run.report.print()
    return 1 if run.report.totals()[1] else 0


if __name__ == "__main__":
    sys.exit(main())
