"""`python3 scripts/motion_edit.py` as a person types it: help, list, info, run, report, exit codes, one-line errors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from demo import newest_blender
from workshop import environments, places
from workshop.cache import SetupError, mark_complete

SCRIPT = places.PROJECT / "scripts" / "motion_edit.py"
FIGURE = places.PROJECT / "recipes" / "small_figure.bvh"


@pytest.fixture(scope="module")
def python() -> str:
    """A Python that has the newest Blender which can be had here as a module."""
    try:
        return str(environments.ensure(newest_blender()))
    except SetupError as error:
        pytest.skip(f"no headless Blender: {error}")


def motion_edit(
    python: str, *arguments: object, folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    command = [python, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, cwd=folder, env={**os.environ, **variables}
    )


@pytest.fixture(scope="module")
def clip(python, tmp_path_factory) -> Path:
    """A small clip: a figure bends to and fro; its name has a space and letters beyond ASCII."""
    head, _, _ = FIGURE.read_text().partition("MOTION")
    channels = head.count("rotation") + head.count("position")
    rows = [[0.0, 0.567, 0.0, *([3.0 * (frame % 10)] * (channels - 3))] for frame in range(40)]
    text = "\n".join(" ".join(f"{value:.4f}" for value in row) for row in rows)
    path = tmp_path_factory.mktemp("clips") / "größe 動き.bvh"
    path.write_text(f"{head}MOTION\nFrames: {len(rows)}\nFrame Time: 0.05\n{text}\n", encoding="utf-8")
    return path


def test_help_names_every_command_and_every_option(python):
    done = motion_edit(python, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"    {name} " in done.stdout for name in ("list", "info", "run", "report"))
    assert "==SUPPRESS==" not in done.stdout
    run = motion_edit(python, "run", "--help").stdout
    for option in (
        "--out",
        "--jobs",
        "--resume",
        "--format",
        "--action",
        "--part",
        "--dask",
        "--dask-tls",
        "--time-limit",
        "--check",
        "RECIPE",
    ):
        assert option in run


def test_an_environment_that_lost_its_blender_says_so_once(tmp_path, monkeypatch):
    """It does not start itself again and again."""
    monkeypatch.setenv("MOTION_EDITING_CACHE", str(tmp_path))
    environment = newest_blender()
    venv.create(environment.folder, symlinks=True)
    mark_complete(environment.folder, environment.stamp)
    done = motion_edit(sys.executable, "list")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "has no Blender: remove" in done.stderr


def test_list_is_for_people_and_for_programs(python):
    done = motion_edit(python, "list", "warp_time")
    assert done.returncode == 0
    assert done.stdout.startswith("warp_time: Warp Time\n")
    assert "length = " in done.stdout
    listed = json.loads(motion_edit(python, "list", "--json").stdout)
    names = [edit["name"] for edit in listed]
    assert {"warp_time", "low_pass", "retarget_motion"} <= set(names)
    assert not [name for name in names if name.startswith("strip_")]


def test_info_as_a_table_and_as_json(python, clip):
    table = motion_edit(python, "info", clip)
    assert table.returncode == 0
    heading, row = table.stdout.splitlines()
    assert heading.split()[:4] == ["file", "action", "frames", "rate"]
    assert str(clip) in row
    (facts,) = json.loads(motion_edit(python, "info", "--json", clip).stdout)
    assert (facts["rate"], facts["bones"], facts["action"]) == (20.0, 24, "größe 動き")


def test_a_file_that_cannot_be_read_does_not_stop_info(python, clip, tmp_path):
    broken = tmp_path / "broken.glb"
    broken.write_bytes(b"no")
    done = motion_edit(python, "info", broken, clip)
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
    assert len([line for line in done.stderr.splitlines() if line.startswith("error: ")]) == 1
    assert "Traceback" not in done.stderr


def test_run_and_report_say_what_they_did(python, clip, tmp_path):
    recipe = tmp_path / "soft.toml"
    recipe.write_text('title = "Soft"\n[[step]]\nedit = "smooth"\nwith = { radius = 0.2 }\n')
    done = motion_edit(python, "run", recipe, clip, "--out", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 edited in ")
    assert done.stderr.splitlines() == ["Soft: 1 of 1 file to edit", f"[1/1] {clip.name}"]
    assert (tmp_path / "out" / clip.name).is_file()
    report = motion_edit(python, "report", "out", folder=tmp_path)
    assert (report.returncode, report.stdout) == (0, "written: out/report.html\n")
    assert clip.name in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_recipe_can_be_checked_alone(python, tmp_path):
    done = motion_edit(python, "run", "retarget_folder", "--check")
    assert (done.returncode, done.stdout.rstrip().endswith("1 step, all right")) == (0, True)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[[step]]\nedit = "smoth"\n')
    done = motion_edit(python, "run", wrong, "--check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {wrong}:2: step 1: there is no edit 'smoth'; did you mean 'smooth'?\n"


def test_failed_clips_are_exit_code_1(python, clip, tmp_path):
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT")
    done = motion_edit(python, "run", "clean_and_reduce", broken, "--out", tmp_path / "out", "--no-pictures")
    assert done.returncode == 1
    assert done.stdout.startswith("0 edited, 1 failed in ")
    assert "failed: broken.bvh: broken.bvh, line 2: expected a name after 'ROOT'" in done.stderr


@pytest.mark.parametrize(
    "variables",
    [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "ascii"}],
    ids=lambda variables: next(iter(variables)),
)
def test_where_only_ascii_can_be_printed_names_have_backslashes(python, clip, tmp_path, variables):
    escaped = clip.name.encode("ascii", "backslashreplace").decode()
    table = motion_edit(python, "info", clip, **variables)
    assert (table.returncode, table.stderr) == (0, "")
    assert escaped in table.stdout
    arguments = ("run", "lock_feet", clip, tmp_path / "größe.bvh", "--out", tmp_path / "öut")
    missing = motion_edit(python, *arguments, **variables)
    assert missing.returncode == 2
    assert missing.stderr == f"error: {tmp_path}/gr\\xf6\\xdfe.bvh: there is no such file\n"
    (tmp_path / "größe.bvh").write_text("HIERARCHY\nROOT")
    done = motion_edit(python, *arguments, **variables)
    assert done.returncode == 1
    assert "failed: gr\\xf6\\xdfe.bvh: gr\\xf6\\xdfe.bvh, line 2: " in done.stderr
    assert f"[1/2] {escaped}" in done.stderr
    report = motion_edit(python, "report", tmp_path / "öut", **variables)
    assert (report.returncode, report.stdout) == (0, f"written: {tmp_path}/\\xf6ut/report.html\n")
    assert clip.name in (tmp_path / "öut" / "report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have no such names")
def test_a_name_that_is_no_text_gets_one_line(python, tmp_path):
    name = os.fsdecode(b"gr\xfc\xdfe.bvh")
    done = motion_edit(python, "info", "--json", tmp_path / name)
    assert done.returncode == 1
    assert done.stderr == f"error: {tmp_path}/gr\\udcfc\\udcdfe.bvh: there is no such file\n"
    assert json.loads(done.stdout)[0]["error"].endswith("there is no such file")


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have no such names")
def test_a_name_that_is_no_text_fails_by_itself(python, clip, tmp_path):
    (tmp_path / "in").mkdir()
    shutil.copy(clip, tmp_path / "in" / "good.bvh")
    shutil.copy(clip, os.fsencode(tmp_path) + b"/in/gr\xfc\xdfe.bvh")
    arguments = ("run", "lock_feet", tmp_path / "in", "--out", tmp_path / "out", "--no-pictures")
    done = motion_edit(python, *arguments)
    assert (done.returncode, done.stdout.partition(" in ")[0]) == (1, "1 edited, 1 failed")
    assert "failed: gr\\udcfc\\udcdfe.bvh: Blender needs names in UTF-8: rename it\n" in done.stderr
    assert [path.name for path in (tmp_path / "out").glob("*.bvh")] == ["good.bvh"]
    assert motion_edit(python, "report", tmp_path / "out").returncode == 0
    assert "gr\\udcfc\\udcdfe.bvh" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    again = motion_edit(python, *arguments, "--resume")
    assert (again.returncode, again.stdout.partition(" in ")[0]) == (1, "0 edited, 1 were done before, 1 failed")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["run"], "the following arguments are required: RECIPE"),
        (["run", "loosen_arm"], "did you mean 'loosen_arms'?"),
        (["run", "loosen_arms", "gone.bvh", "--out", "o"], "gone.bvh: there is no such file"),
        (["run", "loosen_arms", str(SCRIPT), "--out", "o"], "not one of .bvh, .fbx"),
        (["run", "loosen_arms", str(FIGURE), "--out", "o", "--format", "obj"], "invalid choice: 'obj'"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(python, arguments, reason, tmp_path):
    done = motion_edit(python, *arguments, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert reason in done.stderr
    assert not (tmp_path / "o").exists()


def test_a_reader_that_leaves_early_is_no_error(python):
    process = subprocess.Popen([python, str(SCRIPT), "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read().decode()
    assert process.wait(120) == 0
    assert "Traceback" not in errors


def test_a_python_without_blender_hands_over_to_one_that_has_it(python):
    if subprocess.run([sys.executable, "-c", "import bpy"], capture_output=True, check=False).returncode == 0:
        pytest.skip("this Python has Blender itself")
    done = motion_edit(sys.executable, "list", "smooth")
    assert done.returncode == 0
    assert "smooth: " in done.stdout
