"""What the commands say at the command line: bad input, and the report of a test run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from workshop import places
from workshop.environments import Versions
from workshop.test_report import Report, Result, read_pytest_result

JUNIT = """<testsuites><testsuite>
  <testcase name="a"/>
  <testcase name="b"><failure/></testcase>
  <testcase name="c"><error/></testcase>
  <testcase name="d"><properties><property name="clips" value="yes"/></properties><skipped/></testcase>
  <testcase name="e"><properties><property name="clips" value="yes"/></properties></testcase>
  <testcase name="f"><properties><property name="first_failure" value="f: no window"/></properties></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize(
    ("script", "arguments", "reason"),
    [
        ("test.py", ["--blender", "9.9"], "invalid choice: '9.9'"),
        ("test.py", ["--core", "--gui"], "not allowed with"),
        ("build.py", ["--output", __file__], "is a file, not a folder"),
        ("demo.py", ["--output", __file__], "is a file, not a folder"),
        ("bench.py", ["-k", "no such benchmark"], "no benchmark"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(script: str, arguments: list[str], reason: str) -> None:
    command = [sys.executable, str(places.PROJECT / "scripts" / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert reason in done.stderr


def test_tests_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    file.write_text(JUNIT)
    result = read_pytest_result("core", file, Versions("3.11.7", "1.26.4", "-"))
    assert (result.passed, result.failed, result.skipped) == (3, 2, 1)
    assert (result.clips_run, result.clips_skipped) == (1, 1)
    assert result.first_failures == ["f: no window"]


def test_a_run_that_wrote_nothing_is_a_failure(tmp_path: Path) -> None:
    result = read_pytest_result("core", tmp_path / "absent.xml", Versions("3.11.7", "1.26.4", "-"))
    assert result.failed == 1


def test_the_counts_are_the_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    window = Result("GUI", failed=1, first_failures=["strip: no window"])
    report = Report([Result("core", passed=3, skipped=1), window], ["Blender 5.2: no Python 3.13"])
    report.print()
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "3 passed, 1 failed, 1 skipped"
    assert "Did not run: Blender 5.2: no Python 3.13" in lines
    assert "Played a second time: strip: no window" in lines


def test_the_demo_plays_to_its_end(tmp_path):
    done = subprocess.run(
        [sys.executable, str(places.PROJECT / "scripts" / "demo.py"), "--output", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert {"demo.blend", "demo.png", "reach.png"} <= {path.name for path in tmp_path.iterdir()}
