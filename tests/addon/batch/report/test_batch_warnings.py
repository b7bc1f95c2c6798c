"""What readers, steps and writers warn of is in the record, counted by the run and shown by the report."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.report.page import page
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.batch.running.records import warnings_of
from motion_editing.motion_editing_addon.batch.running.run import run

SMOOTH = '[[step]]\nedit = "smooth"\n'


@pytest.fixture
def sample(tmp_path) -> Path:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=12.0)
    path = tmp_path / "in" / "walk.bvh"
    path.parent.mkdir()
    bpy.ops.motion_editing.export_bvh(filepath=str(path))
    return path


def record_of(source: Path, *, text: str = SMOOTH, suffix: str = "") -> dict:
    recipe = source.parent.parent / "recipe.toml"
    recipe.write_text(text)
    (job,) = plan_jobs([source], source.parent.parent / "out", suffix=suffix, pictures=False)
    return run_job(job, read_recipe(recipe))


def test_without_a_reason_nothing_is_warned_of(sample):
    assert warnings_of(record_of(sample)) == []


def test_what_the_reader_mends_is_said_and_counted(sample, tmp_path, capsys):
    sample.write_text(sample.read_text().replace("Frames: ", "Frames: 9"))
    record = record_of(sample)
    (warning,) = record["warnings"]
    assert warning.startswith("walk.bvh: 9")
    assert warning.endswith("are there and used")
    jobs = plan_jobs([sample], tmp_path / "out", pictures=False)

    class Done:
        def answers(self):
            yield 0, {"record": record}

    assert (
        "1 edited, 1 with warnings in "
        in run(jobs, read_recipe(tmp_path / "recipe.toml"), tmp_path / "out", Done()).text()
    )
    assert "[1/1] walk.bvh (1 warning)" in capsys.readouterr().err
    shown = page([record], title="x")
    assert f"<li>{warning}</li>" in shown
    assert "<b>1</b>files with warnings" in shown
    assert "<b>0</b>with more foot slide" in shown


def test_what_a_step_warns_of_belongs_to_its_clip(sample):
    """An action with half influence is not the pose alone, which every edit points out."""
    clip_files.start_empty()
    clip_files.load(sample)
    bpy.context.object.animation_data.action_influence = 0.5
    path = sample.with_suffix(".blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    record = record_of(path)
    assert record["warnings"] == []
    (clip,) = record["clips"]
    (warning,) = clip["warnings"]
    assert warning.startswith("Smoothed ")
    assert "influence" in warning


def test_what_a_format_cannot_hold_is_said(sample):
    clip_files.start_empty()
    clip_files.load(sample)
    bpy.context.object.scale = (2.0, 2.0, 2.0)
    path = sample.with_suffix(".blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    (warning,) = record_of(path, suffix=".bvh")["warnings"]
    assert warning.startswith("BVH holds no scale")
