"""Clips of one file that were recorded at different rates: each result plays as its clip does."""

from __future__ import annotations

from pathlib import Path

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from rigs import chain_armature

FRAMES = range(1, 13)
RATES = {"Fast": 60.0, "Slow": 0.0}  # frames a second; 0 is as the scene, which has 24
DIVIDED = pytest.mark.parametrize("suffix", [".bvh", ".fbx", ".glb", ".gltf"])


@pytest.fixture
def source(empty_scene, tmp_path) -> Path:
    """A Blender file with an action of its own rate and one without."""
    armature = chain_armature(3)
    for name, rate in RATES.items():
        armature.animation_data_create().action = None
        for frame in FRAMES:
            for bone in armature.pose.bones:
                bone.rotation_quaternion = (1.0, 0.0, 0.05 * frame, 0.0)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
        action = armature.animation_data.action
        action.name, action.use_fake_user = name, True
        action.motion_editing.source_rate, action.motion_editing.examined = rate, True
    bpy.context.scene.render.fps = 24
    return saved(tmp_path / "clip.blend")


def saved(path: Path) -> Path:
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
    return path


def written(source: Path, suffix: str) -> tuple[dict[str, list[tuple]], list[str]]:
    """Names of results with action, frames and rate of each clip, and what was warned of."""
    recipe, out = source.with_name("recipe.toml"), source.parent / "out"
    recipe.write_text('[[step]]\nedit = "smooth"\n')
    (job,) = plan_jobs([source], out, suffix=suffix, pictures=False)
    record = run_job(job, read_recipe(recipe))
    names = [output["file"] for output in record["outputs"] if output["file"].endswith(suffix)]
    return {name: clips_in(out / name) for name in names}, record["warnings"]


def clips_in(path: Path) -> list[tuple]:
    return [(row["action"].rpartition(" - ")[2], row["frames"], row["rate"]) for row in facts_of_file(path)]


@DIVIDED
def test_every_clip_has_a_file_with_its_own_rate(source, suffix):
    made, warnings = written(source, suffix)
    assert made == {
        f"clip - Fast{suffix}": [("Fast", len(FRAMES), 60.0)],
        f"clip - Slow{suffix}": [("Slow", len(FRAMES), 24.0)],
    }
    assert [warning for warning in warnings if "second" in warning] == []


@pytest.mark.parametrize("suffix", [".fbx", ".glb"])
def test_clips_of_one_rate_share_a_file_that_plays_at_it(source, suffix):
    bpy.data.actions["Slow"].motion_editing.source_rate = 60.0
    made, warnings = written(saved(source), suffix)
    expected = [(name, len(FRAMES), 60.0) for name in RATES]
    assert (made, warnings) == ({f"clip{suffix}": expected}, [])


def test_a_blender_file_has_one_scene_and_says_what_that_cannot_play(source):
    made, warnings = written(source, ".blend")
    assert warnings == ["action 'Fast' has 60 frames a second; the result plays 24, as its scene"]
    assert made == {"clip.blend": [("Fast", len(FRAMES), 60.0), ("Slow", len(FRAMES), 24.0)]}


@DIVIDED
def test_a_rate_that_is_only_guessed_changes_no_length(empty_scene, tmp_path, suffix):
    """Motion of 60 frames a second in a scene of 20: jumps show it, but nobody has said so."""
    bpy.ops.motion_editing.load_sample_motion(rate=60.0)
    settings = bpy.context.object.animation_data.action.motion_editing
    settings.source_rate, settings.source_rate_reason, settings.examined = 0.0, "", False
    bpy.context.scene.render.fps = 20
    made, warnings = written(saved(tmp_path / "clip.blend"), suffix)
    (((_name, _frames, rate),),) = made.values()
    assert rate == pytest.approx(20.0)
    (warning,) = warnings
    assert warning.endswith("the result plays 20, as its file")
