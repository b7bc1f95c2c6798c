"""One class for each format: whoever names, reads and writes files asks it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from motion_editing.core.errors import FileFormatError
from motion_editing.core.files.bvh import read_bvh
from motion_editing.motion_editing_addon.batch import command
from motion_editing.motion_editing_addon.batch.formats.file_format import FileFormat, format_of, formats, suffixes
from motion_editing.motion_editing_addon.batch.run_command import SHIPPED
from motion_editing.motion_editing_addon.batch.running.plan import PlanError, plan_jobs
from workshop import places

# A program that knows one format more, and its workers with it.
_PROGRAM = '''
import os
import sys
from pathlib import Path
sys.path.append({scripts!r})
from workshop import checkout_as_extension
checkout_as_extension.load().register()
from motion_editing.motion_editing_addon.batch.command import main
from motion_editing.motion_editing_addon.batch.formats.kinds.bvh import Bvh


class Reversed(Bvh):
    """BVH with the bytes of its text from the last to the first."""

    name, suffixes, note = "Reversed", (".hvb",), "Read it in a mirror."

    def load(self, path):
        plain = path.with_suffix(".bvh")
        plain.write_bytes(path.read_bytes()[::-1])
        super().load(plain)
        plain.unlink()

    def save(self, path, like):
        warnings = super().save(path, Path())
        path.write_bytes(path.read_bytes()[::-1])
        return (*warnings, "all is the wrong way round")


code = main(sys.argv[1:], start=(sys.executable, __file__))
sys.stdout.flush(), sys.stderr.flush()
os._exit(code)  # Blender's module may crash when Python tears it down.
'''


@pytest.fixture
def program(tmp_path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(_PROGRAM.format(scripts=str(places.PROJECT / "scripts")))
    return path


def said(program: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(program), *map(str, words)], capture_output=True, text=True, check=False)


def test_one_class_is_a_format_from_the_command_line_to_the_written_file(program, tmp_path):
    figure = SHIPPED / "small_figure.bvh"
    clips, out, back = tmp_path / "clips", tmp_path / "out", tmp_path / "back"
    clips.mkdir()
    (clips / "walk.hvb").write_bytes(figure.read_bytes()[::-1])
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[step]]\nedit = "continuous_rotations"\n')
    assert "hvb" in said(program, "run", "--help").stdout
    assert ".hvb" in said(program, "run", recipe, program, "--out", out).stderr  # what it is none of
    done = said(program, "run", recipe, clips, "--out", out, "--no-pictures")
    assert done.returncode == 0, done.stderr
    assert "walk.hvb (1 warning)" in done.stderr
    done = said(program, "run", recipe, out, "--out", back, "--format", "bvh", "--no-pictures")
    assert done.returncode == 0, done.stderr
    before, after = read_bvh(figure).to_motion(), read_bvh(back / "walk.bvh").to_motion()
    assert before.skeleton.names == after.skeleton.names
    assert np.allclose(before.poses.positions, after.poses.positions, atol=1e-4)
    assert list(clips.iterdir()) == [clips / "walk.hvb"]


def test_every_format_is_in_a_file_of_its_own_and_all_are_found():
    modules = [type(each).__module__ for each in formats()]
    kinds = Path(sys.modules[modules[0]].__file__).parent.glob("[!_]*.py")
    assert sorted(module.rpartition(".")[2] for module in modules) == sorted(path.stem for path in kinds)
    assert suffixes() == (".bvh", ".fbx", ".npz", ".glb", ".gltf", ".blend")
    assert len(set(suffixes())) == len(suffixes())


def test_the_command_line_takes_every_format():
    for suffix in suffixes():
        words = ["run", "lock_feet", "in", "--out", "out", "--format", suffix[1:]]
        assert command._parser().parse_args(words).format == suffix[1:]


def test_what_is_of_no_format_is_refused_with_those_that_are(tmp_path):
    path = tmp_path / "walk.txt"
    path.write_text("walk")
    for refusal, ask in ((FileFormatError, format_of), (PlanError, lambda each: plan_jobs([each], tmp_path / "out"))):
        with pytest.raises(refusal, match=r"walk\.txt: not one of \.bvh, \.fbx, \.npz, \.glb, \.gltf, \.blend"):
            ask(path)


def row(kind: FileFormat) -> str:
    return f"| {kind.name} | {', '.join(f'`{suffix}`' for suffix in kind.suffixes)} | {kind.note} |"


def test_the_manual_has_a_row_for_every_format():
    page = (places.PROJECT / "docs" / "batch.md").read_text(encoding="utf-8")
    table = page.partition("| format | files | what to know |\n|---|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [row(each) for each in formats()]


def test_the_farm_offers_every_format():
    jobs = "".join(path.read_text(encoding="utf-8") for path in (places.PROJECT / "flamenco").glob("*.js"))
    assert ", ".join(f'"{suffix[1:]}"' for suffix in suffixes()) in jobs
