"""`blender --command motion_edit` of a real Blender with the extension installed from its zip."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from workshop import window_blender
from workshop.cache import SetupError
from workshop.places import PROJECT, cache_folder
from workshop.processes import run_to_end

TIMEOUT = 300  # seconds
CLIP = PROJECT / "recipes" / "small_figure.bvh"


class Studio:
    """A Blender of its own with the extension enabled."""

    def __init__(self, blender: window_blender.WindowBlender, archive: Path, folder: Path) -> None:
        self._blender, self._archive, self._folder = blender, archive, folder
        code, said = self.command("extension", "install-file", "-r", "user_default", "--enable", archive)
        assert code == 0, said

    def command(self, *words: object, **variables: str) -> tuple[int, str]:
        """The exit code of a command of Blender's, and what it printed."""
        output = self._folder / "said.txt"
        home = cache_folder() / "window-home"
        home.mkdir(exist_ok=True)
        folders = [PROJECT, self._archive.parent, home, self._folder.parent]
        code = run_to_end(
            self._blender.command(["--command", *map(str, words)], folders),
            timeout=TIMEOUT,
            variables={"HOME": str(home), "BLENDER_USER_RESOURCES": str(self._folder / "profile"), **variables},
            output=output,
        )
        return code, output.read_text(errors="replace")


@pytest.fixture(scope="module")
def studio(built_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Studio:
    try:
        blender = window_blender.ensure()
    except SetupError as error:
        pytest.skip(f"a whole Blender is needed: {error}")
    return Studio(blender, built_zip, tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clips in which the shipped figure leans over."""
    folder = tmp_path_factory.mktemp("clips")
    head, _, _ = CLIP.read_text().partition("MOTION")
    channels = head.count("rotation") + head.count("position")
    rows = "\n".join(f"0 0.567 0 {frame} {' '.join(['0'] * (channels - 4))}" for frame in range(30))
    for name in ("one.bvh", "zwei ü.bvh"):
        (folder / name).write_text(f"{head}MOTION\nFrames: 30\nFrame Time: 0.05\n{rows}\n", encoding="utf-8")
    return folder


def test_help_list_and_info(studio: Studio, clips: Path) -> None:
    code, said = studio.command("motion_edit", "--help")
    assert code == 0
    assert "name every edit with its parameters" in said
    code, said = studio.command("motion_edit", "list", "--json")
    assert code == 0
    assert "warp_time" in {edit["name"] for edit in json.loads(said[said.index("[") :])}
    code, said = studio.command("motion_edit", "info", clips / "one.bvh")
    assert code == 0
    assert "20" in said.splitlines()[-1].split()


def test_a_shipped_recipe_on_a_folder_with_two_workers_and_its_report(studio: Studio, clips: Path) -> None:
    out = studio._folder / "out"
    code, said = studio.command("motion_edit", "run", "retarget_folder", clips, "--out", out, "--jobs", 2)
    assert code == 0, said
    assert "2 edited in " in said
    code, said = studio.command("motion_edit", "report", out)
    assert code == 0, said
    assert sorted(path.name for path in out.glob("[!.]*")) == ["one.bvh", "report.html", "zwei ü.bvh"]


def test_bad_input_gets_one_line_and_an_exit_code(studio: Studio, clips: Path) -> None:
    code, said = studio.command("motion_edit", "run", "shorten", clips)
    assert code == 2
    assert "error: there is no recipe 'shorten'" in said
    assert "Traceback" not in said


def test_names_beyond_ascii_in_a_locale_of_ascii(studio: Studio, clips: Path) -> None:
    variables = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    clip, out = clips / "zwei ü.bvh", studio._folder / "öut"
    code, said = studio.command("motion_edit", "info", clip, **variables)
    assert code == 0, said
    code, said = studio.command("motion_edit", "run", "retarget_folder", clip, "--out", out, **variables)
    assert code == 0, said
    assert (out / clip.name).is_file()
    code, said = studio.command("motion_edit", "info", clips / "ö.bvh", **variables)
    assert code == 1
    assert "Traceback" not in said
