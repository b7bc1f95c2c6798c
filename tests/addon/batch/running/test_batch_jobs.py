"""Many clips: processes side by side, failures, killed workers, Ctrl-C, full disks; through the real command."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.batch.running.pool import Pool
from motion_editing.motion_editing_addon.batch.running.run import questions_of, run
from workshop import places

COMMAND = (sys.executable, str(places.PROJECT / "scripts" / "motion_edit.py"))
RECIPE = '[[step]]\nedit = "smooth"\nwith = { radius = 0.2 }\n'
NAMES = ["a.bvh", "b c.bvh", "sub/ü.bvh", "sub/動き.bvh", "z.bvh"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Five small clips and a recipe."""
    root = tmp_path_factory.mktemp("batch")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=12.0)
    (root / "in" / "sub").mkdir(parents=True)
    for name in NAMES:
        bpy.ops.motion_editing.export_bvh(filepath=str(root / "in" / name))
    (root / "recipe.toml").write_text(RECIPE)
    return root


def motion_edit(*arguments: object, largest_file: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command; where a size is given, every file that grows larger is refused as by a full disk."""
    command = [*COMMAND, *map(str, arguments)]
    # Set by the Blender of this test; one that finds it prints a line about it.
    variables = {name: value for name, value in os.environ.items() if name != "OCIO"}
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file,) * 2)) if largest_file else None
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env=variables, preexec_fn=limit
    )


def contents(out: Path) -> dict[str, bytes]:
    """Everything that a run left, records apart."""
    files = (path for path in out.rglob("*") if path.is_file())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files if "records" not in path.parts}


@pytest.fixture(scope="module")
def expected(folder) -> dict[str, bytes]:
    """What one process makes of all clips."""
    done = motion_edit("run", folder / "recipe.toml", folder / "in", "--out", folder / "one", "--no-pictures")
    assert done.returncode == 0, done.stderr
    assert "5 edited" in done.stdout
    return contents(folder / "one")


def test_the_output_is_the_same_for_any_number_of_jobs(folder, expected, tmp_path):
    done = motion_edit("run", folder / "recipe.toml", folder / "in", "--out", tmp_path / "o", "--jobs", 3)
    assert done.returncode == 0, done.stderr
    assert sorted(expected) == sorted(NAMES)
    assert contents(tmp_path / "o") == expected


def test_a_clip_that_fails_is_reported_and_stops_no_other(folder, expected, tmp_path):
    shutil.copytree(folder / "in", tmp_path / "in")
    (tmp_path / "in" / "b c.bvh").write_text("HIERARCHY\nROOT broken")
    arguments = ("run", folder / "recipe.toml", tmp_path / "in", "--out", tmp_path / "out", "--jobs", 2)
    done = motion_edit(*arguments)
    assert done.returncode == 1
    failures = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert len(failures) == 1
    assert failures[0].startswith("failed: b c.bvh: b c.bvh, line ")
    assert contents(tmp_path / "out") == {name: data for name, data in expected.items() if name != "b c.bvh"}
    # Mended, only the broken one is done again.
    shutil.copy(folder / "in" / "b c.bvh", tmp_path / "in" / "b c.bvh")
    again = motion_edit(*arguments, "--resume")
    assert (again.returncode, again.stdout.partition(" in ")[0]) == (0, "1 edited, 4 were done before")
    assert contents(tmp_path / "out") == expected
    report_names_the_clips(tmp_path / "out")


def report_names_the_clips(out: Path) -> None:
    assert motion_edit("report", out).returncode == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<b>5</b>files edited" in page
    assert "<b>0</b>failed" in page
    assert page.count("data:image/png;base64,") == 5
    assert "sub/動き.bvh" in page
    assert "http" not in page  # nothing is fetched from anywhere


def test_resume_does_what_changed_since(folder, expected, tmp_path):
    shutil.copytree(folder / "one", tmp_path / "out")
    (tmp_path / "out" / "z.bvh").unlink()
    recipe = read_recipe(folder / "recipe.toml")
    from motion_editing.motion_editing_addon.batch.running.run import unfinished

    jobs = plan_jobs([folder / "in"], tmp_path / "out")
    assert [job.target for job in unfinished(jobs, recipe, tmp_path / "out")] == ["z.bvh"]
    (tmp_path / "other.toml").write_text(RECIPE.replace("0.2", "0.3"))
    assert len(unfinished(jobs, read_recipe(tmp_path / "other.toml"), tmp_path / "out")) == 5


def test_a_killed_worker_loses_nothing(folder, expected, tmp_path):
    recipe, out = read_recipe(folder / "recipe.toml"), tmp_path / "out"
    jobs = plan_jobs([folder / "in"], out, pictures=False)
    pool = Pool(COMMAND, questions_of(jobs, recipe), jobs=2)

    class Killing:
        def answers(self):
            for count, answer in enumerate(pool.answers()):
                if count == 0:
                    for pid in pool.pids():
                        os.kill(pid, signal.SIGKILL)
                yield answer

    summary = run(jobs, recipe, out, Killing())
    assert (summary.done, summary.failed) == (5, 0)
    assert contents(out) == expected


def test_a_clip_that_ends_every_worker_is_given_up():
    pool = Pool((sys.executable, "-c", "import sys; sys.exit(3)"), [{}, {}], jobs=2)
    answers = dict(pool.answers())
    assert answers[0] == {"error": "Blender ended 2 times while it worked on this (exit code 3)"}
    assert len(answers) == 2


def children_of(pid: int) -> list[str]:
    """Numbers of the processes that one has started; none where the system does not tell."""
    return [child for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]


def started(*arguments: object, hears_closed_terminals: bool) -> subprocess.Popen[str]:
    """The command, when it has done its first clip.

    Whether it answers to SIGHUP is inherited: what `nohup` starts, as it may have started this test, does not.
    """
    answer = signal.SIG_DFL if hears_closed_terminals else signal.SIG_IGN
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, answer),
    )
    for line in process.stderr:
        if line.startswith("[1/"):
            break
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals to one process")
@pytest.mark.parametrize("stop", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_stopped_run_leaves_valid_results_and_resume_goes_on(folder, expected, tmp_path, stop):
    """Ctrl-C, a farm, a closed terminal."""
    out = tmp_path / "out"
    arguments = ["run", folder / "recipe.toml", folder / "in", "--out", out, "--no-pictures"]
    process = started(*arguments, hears_closed_terminals=True)
    workers = children_of(process.pid)
    process.send_signal(getattr(signal, stop))
    process.send_signal(getattr(signal, stop))  # of a person who is in a hurry
    output, _rest = process.communicate(timeout=120)
    assert process.returncode == 130
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert "interrupted, --resume goes on from here" in output
    left = contents(out)
    assert 1 <= len(left) < 5
    assert left.items() <= expected.items()
    assert motion_edit(*arguments, "--resume").returncode == 0
    assert contents(out) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals to one process")
def test_a_run_that_nohup_started_outlives_its_terminal(folder, expected, tmp_path):
    out = tmp_path / "out"
    arguments = ["run", folder / "recipe.toml", folder / "in", "--out", out, "--no-pictures"]
    process = started(*arguments, hears_closed_terminals=False)
    process.send_signal(signal.SIGHUP)
    output, _rest = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "5 edited in " in output
    assert contents(out) == expected


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[Path]:
    """A small file system of its own; skipped where that is not allowed."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False, capture_output=True
    )
    if done.returncode:
        pytest.skip("mounting a small file system needs to be root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="needs tmpfs")
def test_a_full_disk_fails_clip_by_clip_and_leaves_no_half_file(folder, expected, tmp_path):
    size = sum(map(len, expected.values())) // 2
    with mounted(tmp_path / "small", f"size={size}") as small:
        done = motion_edit("run", folder / "recipe.toml", folder / "in", "--out", small, "--jobs", 2, "--no-pictures")
        assert done.returncode == 1
        assert "No space left on device" in done.stderr
        assert "Traceback" not in done.stderr
        left = contents(small)
        assert left.items() <= expected.items()
        assert len(left) < 5


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no sizes of files")
def test_no_format_leaves_a_half_file_where_no_more_fits(folder, tmp_path):
    for suffix in (".bvh", ".fbx", ".glb", ".gltf", ".blend"):
        clip_files.start_empty()
        clip_files.load(folder / "in" / "a.bvh")
        (tmp_path / "in").mkdir(exist_ok=True)
        clip_files.save(tmp_path / "in" / f"{suffix[1:]}{suffix}", like=folder / "in" / "a.bvh")
    arguments = ("run", folder / "recipe.toml", tmp_path / "in", "--out", tmp_path / "out", "--no-pictures")
    done = motion_edit(*arguments, largest_file=20_000)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    failures = [line for line in done.stderr.splitlines() if line.startswith("failed: ")]
    assert len(failures) == 5, done.stderr
    assert contents(tmp_path / "out") == {}
    assert motion_edit(*arguments, "--resume").returncode == 0
    assert {Path(name).suffix for name in contents(tmp_path / "out")} >= {".bvh", ".fbx", ".glb", ".gltf", ".blend"}


@pytest.mark.skipif(sys.platform != "linux", reason="needs tmpfs")
def test_a_read_only_output_folder_is_refused_before_any_work(folder, tmp_path):
    with mounted(tmp_path / "locked", "ro") as locked:
        done = motion_edit("run", folder / "recipe.toml", folder / "in", "--out", locked / "out")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"error: {locked / 'out'}: the output folder cannot be written to: Read-only file system"
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "the following arguments are required"),
        (["edit"], "invalid choice: 'edit'"),
        (["list", "warp"], "there is no edit 'warp'; did you mean 'warp_time'?"),
        (["run", "no_such_recipe", "x.bvh"], "there is no recipe 'no_such_recipe'"),
        (["run", "shorten_keep_jumps", "x.bvh"], "say what to edit and where to put it"),
        (["run", "shorten_keep_jumps", "x.bvh", "--out", "o", "--jobs", "0"], "'0' is no whole number"),
        (["run", "shorten_keep_jumps", "x.bvh", "--out", "o", "--part", "3/2"], "'3/2' is no share"),
        (["run", "shorten_keep_jumps", "gone.bvh", "--out", "o"], "gone.bvh: there is no such file"),
        (["report", "nowhere"], "nowhere: no run has written here"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments, reason, capfd):
    from motion_editing.motion_editing_addon.batch.command import main

    assert main(arguments, start=COMMAND) == 2
    printed = capfd.readouterr()
    assert len(printed.err.splitlines()) == 1
    assert reason in printed.err


def test_the_command_belongs_to_blender_while_the_add_on_is_on(registered_addon):
    from motion_editing.motion_editing_addon import batch

    assert batch._handle is not None
    registered_addon.unregister()
    assert batch._handle is None
    registered_addon.register()
