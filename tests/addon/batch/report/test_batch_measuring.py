"""What the report says about clips: which moment is which, how much changed, and what was read."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from motion_editing.core.files.bvh import read_bvh, write_bvh
from motion_editing.core.motion.motion import Motion
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.report.page import page
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.document import scope

RATE = 20
WARP = '[[step]]\nedit = "warp_time"\nwith = { length = 0.5, soften = false }\n'


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("measured") / "sample.bvh"
    clip_files.start_empty()
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    bpy.ops.motion_editing.export_bvh(filepath=str(path))
    return path


def record_of(folder: Path, source: Path, text: str) -> dict:
    (folder / "recipe.toml").write_text(text)
    job = plan_jobs([source], folder / "out", pictures=False)[0]
    return run_job(job, read_recipe(folder / "recipe.toml"))


def test_a_clip_that_is_only_retimed_has_not_changed_otherwise(sample, tmp_path):
    record = record_of(tmp_path, sample, WARP)
    (clip,) = record["clips"]
    assert clip["frames_after"] < 0.6 * clip["frames_before"]
    assert not clip["estimated"]
    assert clip["turned"] < 0.1
    assert clip["moved"] < 0.002 * clip["height_before"]
    now, before = record["pictures"][0]["timing"]
    assert now[0] == before[0] == 0.0
    assert now[-1] == pytest.approx(clip["length_after"], abs=1e-4)
    assert before[-1] == pytest.approx(clip["length_before"], abs=1e-3)


def test_a_change_of_a_retimed_clip_is_found_where_it_is(sample, tmp_path):
    exaggerated = '[[step]]\nedit = "exaggerate_motion"\nbones = ["upper_arm.R"]\nwith = { amount = 1.5 }\n'
    alone, retimed = (record_of(tmp_path, sample, text)["clips"][0] for text in (exaggerated, WARP + exaggerated))
    assert alone["turned"] > 10.0
    assert retimed["turned"] == pytest.approx(alone["turned"], rel=0.15)
    assert not retimed["estimated"]


def test_frames_that_came_without_a_map_are_compared_by_their_poses(sample, tmp_path):
    text = (
        f'[[reference]]\nname = "Next"\nfile = "{sample}"\n'
        '[[step]]\nedit = "append_transition"\nwith = { action = "Next" }\n'
    )
    record = record_of(tmp_path, sample, text)
    (clip,) = record["clips"]
    assert clip["frames_after"] > 1.5 * clip["frames_before"]
    assert clip["estimated"]
    assert "≈ " in page([record], title="x")


@pytest.mark.parametrize("suffix", [".fbx", ".glb"])
def test_reference_poses_at_the_start_are_left_out_in_every_format(sample, tmp_path, suffix):
    motion = read_bvh(sample).to_motion()
    still = np.zeros_like(motion.rotations[:1])
    still[..., 0] = 1.0
    with_pose = Motion.build(
        motion.skeleton,
        np.concatenate([still, motion.rotations]),
        rate=30.0,
        locations=np.concatenate([motion.locations[:1] - [[3.0, 0.0, 0.0]], motion.locations]),
    )
    source = tmp_path / "posed.bvh"
    write_bvh(source, with_pose)
    clip_files.start_empty()
    clip_files.load(source)
    clip_files.save(tmp_path / f"posed{suffix}", like=source)
    frames = [facts_of_file(path)[0]["frames"] for path in (source, tmp_path / f"posed{suffix}")]
    assert frames == [len(motion)] * 2


def test_a_reference_leaves_the_rate_of_the_clip_alone(sample, tmp_path):
    clip_files.start_empty()
    clip_files.load(sample)
    clip_files.save(tmp_path / "guide.glb", like=sample)
    text = '[[reference]]\nname = "Guide"\nfile = "guide.glb"\n[[step]]\nedit = "smooth"\n'
    record_of(tmp_path, sample, text)
    assert scope.source_rate(bpy.context, bpy.context.object) == pytest.approx(RATE)
    assert scope.scene_rate(bpy.context) == pytest.approx(RATE)


def test_a_reference_is_found_by_its_name_also_when_the_clip_has_the_same(sample, tmp_path):
    guide = tmp_path / "guide.blend"
    clip_files.start_empty()
    clip_files.load(sample)
    bpy.ops.wm.save_as_mainfile(filepath=str(guide))
    text = (
        '[[reference]]\nname = "Guide"\nfile = "guide.blend"\naction = "sample"\n'
        '[[step]]\nedit = "blend_action"\nwith = { action = "Guide", weight = 1.0 }\n'
    )
    record = record_of(tmp_path, sample, text)
    assert [clip["action"] for clip in record["clips"]] == ["sample"]
    assert [action.name for action in bpy.data.actions] == ["sample"]


def test_clips_with_shape_keys_have_their_own_length(clips_folder):
    facts = facts_of_file(clips_folder / "gltf" / "threejs_RobotExpressive.glb")
    seconds = {row["action"]: row["seconds"] for row in facts}
    assert seconds["Dance"] == pytest.approx(10 / 3, abs=0.01)
    assert seconds["Walking"] == pytest.approx(23 / 24, abs=0.05)
    assert len(set(seconds.values())) > 5
    assert {row["rate"] for row in facts} == {24.0}


def test_what_each_step_did_is_told(sample, tmp_path):
    smooth = '[[step]]\nedit = "low_pass"\nwith = { cutoff = 2.0 }\n'
    record = record_of(tmp_path, sample, smooth + WARP + '[[step]]\nedit = "lock_feet"\n')
    low_pass, warp, lock = record["clips"][0]["steps"]
    assert [step["edit"] for step in (low_pass, warp, lock)] == ["low_pass", "warp_time", "lock_feet"]
    assert low_pass["turn"][0] > 0.05
    assert low_pass["frames"][0] == low_pass["frames"][1] == warp["frames"][0] > 1.6 * warp["frames"][1]
    assert warp["turn"] is None
    assert lock["slides"][1] < 1e-4 < lock["slides"][0]
    text = page([record], title="steps")
    assert "<ol class='steps'><li><b>low_pass</b>: " in text
    assert lock["text"] in text
