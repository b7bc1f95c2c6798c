"""Clips that never move: they are read, edited as far as a recipe allows, and written with their length."""

from __future__ import annotations

from pathlib import Path

import pytest
from motion_editing.core.files.bvh import read_bvh
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.run_command import SHIPPED
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs

FIGURE = SHIPPED / "small_figure.bvh"
FRAMES = pytest.mark.parametrize("frames", [1, 5])
CLEAN, RETARGET = SHIPPED / "clean_and_reduce.toml", SHIPPED / "retarget_folder.toml"


@pytest.fixture
def still(tmp_path, frames) -> Path:
    """The shipped figure at rest, once or for some frames."""
    head, _, motion = FIGURE.read_text().partition("MOTION")
    row = motion.splitlines()[-1]
    path = tmp_path / "still.bvh"
    path.write_text(f"{head}MOTION\nFrames: {frames}\nFrame Time: 0.05\n" + f"{row}\n" * frames)
    return path


def result_of(source: Path, recipe: Path, suffix: str = "") -> Path:
    """What a recipe makes of a file."""
    out = source.parent / recipe.stem
    (job,) = plan_jobs([source], out, suffix=suffix, pictures=False)
    return out / run_job(job, read_recipe(recipe))["outputs"][0]["file"]


@FRAMES
@pytest.mark.parametrize("recipe", [CLEAN, RETARGET], ids=lambda path: path.stem)
def test_a_bvh_file_at_rest_keeps_its_frames(still, frames, recipe):
    (facts,) = facts_of_file(still)
    assert (facts["frames"], facts["rate"]) == (frames, 20.0)
    before, after = read_bvh(still), read_bvh(result_of(still, recipe))
    assert len(after.values) == frames
    assert after.to_motion().poses.positions == pytest.approx(before.to_motion().poses.positions, abs=1e-4)


@FRAMES
@pytest.mark.parametrize("suffix", [".fbx", ".glb", ".gltf", ".blend"])
def test_every_format_holds_a_pose(still, frames, suffix):
    written = result_of(still, RETARGET, suffix)
    for path in (written, result_of(written, CLEAN)):
        (facts,) = facts_of_file(path)
        # One key of glTF tells no rate, and may lie between two frames.
        assert facts["frames"] == frames or (suffix in (".glb", ".gltf") and (frames, facts["frames"]) == (1, 2))
