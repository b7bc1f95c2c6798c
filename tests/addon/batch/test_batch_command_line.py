"""What people type: names in any order, folders, names that are hard to say; and one line for each answer."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from motion_editing.motion_editing_addon.batch.command import main
from motion_editing.motion_editing_addon.batch.run_command import SHIPPED
from motion_editing.motion_editing_addon.batch.running.plan import PlanError, plan_jobs
from motion_editing.motion_editing_addon.batch.running.progress import Progress

FIGURE = SHIPPED / "small_figure.bvh"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder in which commands are given, with clips at two depths."""
    (tmp_path / "clips" / "sub").mkdir(parents=True)
    head, _, motion = FIGURE.read_text().partition("MOTION")
    numbers = motion.splitlines()[-1].split()
    rows = "\n".join(" ".join([*numbers[:-1], str(frame)]) for frame in range(3))
    for name in ("clips/b.bvh", "clips/sub/a.bvh", "-x.bvh"):
        (tmp_path / name).write_text(f"{head}MOTION\nFrames: 3\nFrame Time: 0.1\n{rows}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(arguments: list[str], capfd) -> tuple[int, str, str]:
    code = main(arguments, start=("false",))
    printed = capfd.readouterr()
    return code, printed.out, printed.err


def told(arguments: list[str], capfd) -> list[str]:
    """Of which files the facts are; what Blender prints itself is not kept out of what a test captures."""
    code, out, errors = said(arguments, capfd)
    assert code == 0, errors
    return [row["file"] for row in json.loads(out[out.index("[\n") :])]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "lock_feet", "--out", "o", "gone.bvh"],
        ["run", "lock_feet", "clips", "--out", "o", "gone.bvh", "--jobs", "2"],
        ["run", "--jobs", "2", "lock_feet", "--out", "o", "--no-pictures", "clips/b.bvh", "gone.bvh"],
    ],
)
def test_inputs_may_stand_after_options(folder, arguments, capfd):
    assert said(arguments, capfd) == (2, "", "error: gone.bvh: there is no such file\n")


@pytest.mark.parametrize(
    "arguments", [["info", "--json", "clips/b.bvh", "-x.bvh"], ["info", "clips/b.bvh", "-x.bvh", "--json"]]
)
def test_a_name_may_begin_with_a_dash_where_it_is_a_file(folder, arguments, capfd):
    assert told(arguments, capfd) == ["clips/b.bvh", "-x.bvh"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["run", "lock_feet", "clips", "--out", "o", "--job", "2", "--fast"], "--fast"),
        (["report", "o", "p"], "p"),
        (["info", "clips", "--jsno"], "--jsno"),
    ],
)
def test_unknown_words_are_named(folder, arguments, word, capfd):
    assert said(arguments, capfd) == (2, "", f"error: unrecognized arguments: {word} (see --help)\n")


def test_info_takes_folders(folder, capfd):
    assert told(["info", "--json", "clips"], capfd) == ["clips/b.bvh", "clips/sub/a.bvh"]
    (folder / "empty").mkdir()
    assert said(["info", "empty"], capfd) == (1, "", "error: empty: there is no motion in this folder\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have no such names")
def test_an_output_folder_whose_name_is_no_text_is_refused(tmp_path):
    shutil.copy(FIGURE, tmp_path / "good.bvh")
    with pytest.raises(PlanError, match=r"o\\udcfct': Blender needs names in UTF-8: rename it"):
        plan_jobs([tmp_path], tmp_path / os.fsdecode(b"o\xfct"))


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_to_folders_are_followed_and_every_folder_is_visited_once(tmp_path):
    """One leads elsewhere, one into a circle, one to a folder that has its place without it, one nowhere."""
    for name in ("in/z/1.bvh", "elsewhere/sub/2.bvh", "out/3.bvh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FIGURE, tmp_path / name)
    links = {"a": "z", "linked": "../elsewhere", "z/round": "..", "results": "../out", "broken": "gone"}
    for name, target in links.items():
        (tmp_path / "in" / name).symlink_to(target)
    (tmp_path / "elsewhere" / "back").symlink_to(tmp_path / "in")
    jobs = plan_jobs([tmp_path / "in"], tmp_path / "out")
    assert [job.target for job in jobs] == ["linked/sub/2.bvh", "z/1.bvh"]


@pytest.mark.parametrize("limit", ["-1", "nan", "inf", "soon"])
def test_a_time_limit_is_a_number_of_seconds(folder, limit, capfd):
    arguments = ["run", "lock_feet", "clips", "--out", "o", f"--time-limit={limit}"]
    assert said(arguments, capfd)[2] == (
        f"error: argument --time-limit: '{limit}' is no number of seconds (see --help)\n"
    )


def test_names_of_files_do_not_break_lines():
    stream = io.StringIO()
    Progress(2, stream=stream).finished("new\nline.bvh", ["it\x1b[2J failed"], 0, written=True)
    assert stream.getvalue() == "failed: new?line.bvh: it?[2J failed\n[1/2] new?line.bvh\n"


@pytest.mark.parametrize("what", ["[target]", '[[reference]]\nname = "Guide"'])
def test_what_every_clip_needs_is_read_before_any_work(folder, what, capfd):
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    recipe = folder / "recipe.toml"
    recipe.write_text(f'{what}\nfile = "broken.bvh"\n[[step]]\nedit = "retarget_motion"\n')
    for arguments in (["run", str(recipe), "clips", "--out", "o"], ["run", str(recipe), "--check"]):
        code, _out, errors = said(arguments, capfd)
        assert (code, errors) == (2, "error: broken.bvh, line 2: expected a name after 'ROOT'\n")
    assert not (folder / "o").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="C code is called otherwise there")
def test_what_c_code_prints_late_is_kept_quiet_too():
    """Blender's FBX reader prints how long it took; where standard output is a file, that waits for the end."""
    quiet = Path(sys.modules[main.__module__].__file__).with_name("silence.py")
    script = (
        f"import ctypes, runpy\nquiet = runpy.run_path({str(quiet)!r})['blender_quiet']\n"
        "with quiet():\n    ctypes.CDLL(None).printf(b'noise')\nprint('said')\n"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"said\n"
