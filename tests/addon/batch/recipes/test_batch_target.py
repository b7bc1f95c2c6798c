"""A folder put on one target: the result is the target alone, in every format, with its new actions."""

from __future__ import annotations

import shutil
from pathlib import Path

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import MotionEditError
from motion_editing.core.files.bvh import read_bvh
from motion_editing.core.numerics import quaternion
from motion_editing.core.sample_motion import sample_skeleton
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import RecipeError, read_recipe
from motion_editing.motion_editing_addon.batch.run_command import SHIPPED
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.document import scope

RATE = 20
FORMATS = [".bvh", ".fbx", ".glb", ".blend"]
TARGET = '[target]\nfile = "{}"\n[[step]]\nedit = "retarget_motion"\n'


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A clip in every format, and a large character with bones of its own names in every format."""
    folder = tmp_path_factory.mktemp("target")
    for name, size in (("walk", 1.0), ("giant", 3.0)):
        clip_files.start_empty()
        bpy.context.scene.render.fps = RATE
        bpy.ops.motion_editing.load_sample_motion(rate=RATE)
        armature = bpy.context.object
        armature.name = armature.data.name = name
        armature.animation_data.action.name = name
        bpy.context.scene.frame_end = 60
        shorten(armature, 60)
        if name == "giant":
            make_giant(armature, size)
        for suffix in FORMATS:
            clip_files.save(folder / f"{name}{suffix}", like=folder / "none")
    return folder


def shorten(armature: bpy.types.Object, frames: int) -> None:
    from motion_editing.motion_editing_addon.border import action_io

    for curve in action_io.channelbag(armature).fcurves:
        while len(curve.keyframe_points) > frames:
            curve.keyframe_points.remove(curve.keyframe_points[-1], fast=True)
        curve.update()


def make_giant(armature: bpy.types.Object, size: float) -> None:
    armature.scale = (size, size, size)
    bpy.context.view_layer.update()
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    for bone in armature.data.bones:
        bone.name = f"giant_{bone.name}"


def done(folder: Path, source: Path, text: str, *, suffix: str = "") -> Path:
    """The file that a recipe makes of another one."""
    recipe = folder / "recipe.toml"
    recipe.write_text(text)
    out = folder / "out"
    job = plan_jobs([source], out, suffix=suffix, pictures=True)[0]
    record = run_job(job, read_recipe(recipe))
    assert len(record["pictures"][0]["poses"]) == 2
    return out / record["outputs"][0]["file"]


def bones_of(path: Path) -> list[str]:
    """Of the first armature that has a clip."""
    armature = facts_of_file(path)[0]["armature"]
    return [bone.name for bone in bpy.data.objects[armature].pose.bones]


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_clip_of_every_format_ends_up_on_the_target(files, tmp_path, suffix):
    written = done(tmp_path, files / f"walk{suffix}", TARGET.format(files / "giant.bvh"))
    assert written.name == f"walk{suffix}"
    facts = facts_of_file(written)
    assert len(facts) == 1
    assert "walk" in facts[0]["action"]
    assert facts[0]["seconds"] == pytest.approx(59 / RATE, abs=1.5 / RATE)
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    assert len(armatures) == 1
    assert all(bone.name.startswith("giant_") for bone in armatures[0].pose.bones)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_target_of_every_format_walks_as_far_as_its_legs_reach(files, tmp_path, suffix):
    written = done(tmp_path, files / "walk.bvh", TARGET.format(files / f"giant{suffix}"), suffix=".blend")
    assert bones_of(written)[0].startswith("giant_")
    ways = [traveled(path) for path in (files / "walk.bvh", written)]
    assert ways[1] == pytest.approx(3.0 * ways[0], rel=0.05)


def traveled(path: Path) -> float:
    facts_of_file(path)
    armature = bpy.context.object
    positions = scope.read_clip(bpy.context, armature).motion.poses.positions[:, 1]
    return float(np.linalg.norm((positions[-1] - positions[0])[:2])) * armature.scale[0]


def test_steps_before_go_to_the_clip_and_steps_after_to_the_target(files, tmp_path):
    text = (
        f'[target]\nfile = "{files / "giant.blend"}"\n'
        '[[step]]\nedit = "warp_time"\nwith = { length = 0.5 }\n'
        '[[step]]\nedit = "retarget_motion"\n'
        '[[step]]\nedit = "smooth"\nbones = ["giant_*arm*"]\nwith = { radius = 0.2 }\n'
    )
    written = done(tmp_path, files / "walk.bvh", text)
    assert facts_of_file(written)[0]["seconds"] == pytest.approx(29.5 / RATE, abs=1 / RATE)
    wrong = TARGET.format(files / "giant.bvh") + '[[step]]\nedit = "smooth"\nbones = ["upper_arm.L"]\n'
    with pytest.raises(MotionEditError, match=r"step 2 \(smooth\): no bone is like upper_arm.L"):
        done(tmp_path, files / "walk.bvh", wrong)


def test_every_action_of_a_file_is_put_on_the_target_under_its_name(files, tmp_path):
    clip_files.start_empty()
    clip_files.load(files / "walk.blend")
    for action in list(bpy.data.actions):
        action.use_fake_user = True
        second = action.copy()
        second.name, second.use_fake_user = "Second", True
    bpy.ops.mesh.primitive_cube_add()
    source = tmp_path / "two.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(source))
    written = done(tmp_path, source, TARGET.format(files / "giant.fbx"))
    assert sorted(row["action"] for row in facts_of_file(written)) == ["Second", "walk"]
    assert [thing.type for thing in bpy.data.objects] == ["ARMATURE"]
    assert len(bpy.data.actions) == 2


def test_a_file_with_several_armatures_says_which_there_are(files, tmp_path):
    clip_files.start_empty()
    for name in ("walk", "giant"):
        clip_files.load(files / f"{name}.bvh")
    both = tmp_path / "both.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(both))
    with pytest.raises(MotionEditError, match="has the armatures giant, walk: choose with armature"):
        done(tmp_path, files / "walk.bvh", TARGET.format(both))
    chosen = TARGET.format(both).replace("[[step]]", 'armature = "giant"\n[[step]]')
    assert bones_of(done(tmp_path, files / "walk.glb", chosen))[0].startswith("giant_")
    with pytest.raises(MotionEditError, match=r"there is no armature 'gaint' in .*; did you mean 'giant'"):
        done(tmp_path, files / "walk.bvh", chosen.replace('"giant"', '"gaint"'))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[target]\nfile = "gone.bvh"\n[[step]]\nedit = "retarget_motion"', ":2: the target: there is no file "),
        ('[target]\nfile = "a.txt"\n[[step]]\nedit = "retarget_motion"', ":2: the target: 'a.txt' is none of "),
        (
            '[target]\nfil = "a"\n[[step]]\nedit = "retarget_motion"',
            ":2: the target has no 'fil'; did you mean 'file'?",
        ),
        (
            'target = "a.bvh"\n[[step]]\nedit = "retarget_motion"',
            ":1: 'target' must be a table: write [target] above it",
        ),
        ('[target]\nfile = "walk.bvh"\n[[step]]\nedit = "smooth"', ":1: the target is of no use without a step"),
        (
            '[target]\nfile = "walk.bvh"\n[[step]]\nedit = "retarget_motion"\nwith = { target = "A" }',
            ":1: the target is named twice: ",
        ),
    ],
)
def test_mistakes_are_said_before_any_work(files, tmp_path, text, said):
    shutil.copy(files / "walk.bvh", tmp_path)
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    with pytest.raises(RecipeError) as caught:
        read_recipe(path)
    assert any(line.removeprefix(str(path)).startswith(said) for line in str(caught.value).splitlines())


def test_another_target_is_another_recipe_to_resume(files, tmp_path):
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(TARGET.format("t.bvh"))
    keys = []
    for name in ("walk.bvh", "giant.bvh"):
        shutil.copy(files / name, tmp_path / "t.bvh")
        keys.append(read_recipe(recipe).key)
    assert keys[0] != keys[1]


def test_the_figure_that_comes_along_is_the_sample_figure_at_three_fifths():
    shipped = read_bvh(SHIPPED / "small_figure.bvh").to_motion().skeleton
    sample = sample_skeleton()
    assert set(shipped.names) == set(sample.names)
    upright = quaternion.from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2)
    places = sample.rest_positions[[sample.index[name] for name in shipped.names]]
    ways = 0.6 * quaternion.rotate(upright, places - places[0])
    np.testing.assert_allclose(shipped.rest_positions - shipped.rest_positions[0], ways, atol=1e-3)


def test_the_shipped_recipe_runs_by_name(files, tmp_path):
    job = plan_jobs([files / "walk.bvh"], tmp_path / "out", pictures=False)[0]
    record = run_job(job, read_recipe(SHIPPED / "retarget_folder.toml"))
    (clip,) = record["clips"]
    assert clip["turned"] is None
    assert clip["height_after"] == pytest.approx(0.6 * clip["height_before"], rel=0.05)
    assert clip["slide_after"] / clip["height_after"] < 0.02
