"""What the test run has done so far: counts, clip tests, and what could not run."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

from .environments import Versions


@dataclass
class Result:
    """The outcome of one step: a linter, or one pytest process."""

    step: str
    versions: Versions | None = None
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    clips_run: int = 0
    clips_skipped: int = 0
    seconds: float = 0.0
    first_failures: list[str] = field(default_factory=list)


@dataclass
class Report:
    """All outcomes, and the reasons for what did not run."""

    results: list[Result] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)

    def totals(self) -> tuple[int, int, int]:
        """Give the sums of passed, failed and skipped."""
        return (
            sum(result.passed for result in self.results),
            sum(result.failed for result in self.results),
            sum(result.skipped for result in self.results),
        )

    def fail(self, step: str, reason: str) -> None:
        """Count something that had to run and could not as one failure."""
        self.results.append(Result(step, failed=1))
        self.not_run.append(f"{step}: {reason}")

    def print(self) -> None:
        """Print the table, the clip tests and what could not run; the counts come last."""
        print("\n==== Summary ====")
        for row in _aligned([_HEADINGS, *(_row(result) for result in self.results)]):
            print(row)
        clips_run = sum(result.clips_run for result in self.results)
        clips_skipped = sum(result.clips_skipped for result in self.results)
        print(f"\nClip tests: {clips_run} ran, {clips_skipped} skipped")
        for failure in (each for result in self.results for each in result.first_failures):
            print(f"Played a second time: {failure}")
        for reason in self.not_run:
            print(f"Did not run: {reason}")
        print("\n{} passed, {} failed, {} skipped".format(*self.totals()), flush=True)


def read_pytest_result(step: str, file: Path, versions: Versions) -> Result:
    """Count the tests in a JUnit file; a missing one means that pytest itself died."""
    result = Result(step, versions)
    if not file.exists():
        result.failed = 1
        return result
    for case in ElementTree.parse(file).iter("testcase"):
        _count(result, case)
    return result


def _count(result: Result, case: ElementTree.Element) -> None:
    """Add one test to the counts."""
    skipped = case.find("skipped") is not None
    failed = case.find("failure") is not None or case.find("error") is not None
    properties = {entry.get("name"): entry.get("value", "") for entry in case.iter("property")}
    reads_clips = "clips" in properties
    if "blender" in properties:  # the test ran in another Blender than pytest
        result.versions = Versions(properties["python"], properties["numpy"], properties["blender"])
    if "first_failure" in properties:
        result.first_failures.append(properties["first_failure"])
    result.failed += failed
    result.skipped += skipped and not failed
    result.passed += not failed and not skipped
    result.clips_skipped += reads_clips and skipped
    result.clips_run += reads_clips and not skipped


_HEADINGS = ["step", "Blender", "Python", "NumPy", "passed", "failed", "skipped", "clips", "seconds"]


def _row(result: Result) -> list[str]:
    """Give the cells of one line of the table."""
    found = result.versions
    where = [found.blender, found.python, found.numpy] if found else ["-", "-", "-"]
    counts = (result.passed, result.failed, result.skipped, result.clips_run)
    return [result.step, *where, *(str(count) for count in counts), f"{result.seconds:.0f}"]


def _aligned(rows: list[list[str]]) -> list[str]:
    """Pad every column to its widest cell."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
