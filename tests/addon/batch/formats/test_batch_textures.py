"""Pictures that characters use: results elsewhere still find them, and do not share them by mistake."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
import pytest
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.batch.running.records import Records

COLOURS = {"hero": 0.25, "villain": 0.75}


def save_character(folder: Path, name: str) -> None:
    """A character whose skin is a picture named like everyone's, in a folder of its own."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion(rate=10.0)
    armature = bpy.context.object
    image = bpy.data.images.new("skin", 4, 4)
    image.pixels = [*[COLOURS[name]] * 3, 1.0] * 16
    image.filepath_raw, image.file_format = str(folder / f"{name} skin.png"), "PNG"
    image.save()
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    mesh.uv_layers.new()
    mesh.materials.append(painted(image))
    body = bpy.data.objects.new(name, mesh)
    body.parent = armature
    bpy.context.collection.objects.link(body)
    path = folder / f"{name}.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    image.filepath = f"//{name} skin.png"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def painted(image: bpy.types.Image) -> bpy.types.Material:
    material = bpy.data.materials.new("Skin")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = image
    material.node_tree.links.new(texture.outputs[0], nodes["Principled BSDF"].inputs[0])
    return material


@pytest.fixture(scope="module")
def characters(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("characters")
    for name in COLOURS:
        save_character(folder, name)
    (folder / "recipe.toml").write_text('[[step]]\nedit = "smooth"\n')
    return folder


@pytest.mark.parametrize("suffix", [".blend", ".fbx", ".gltf", ".glb"])
def test_every_result_has_its_own_picture(characters, tmp_path, suffix):
    recipe, out = read_recipe(characters / "recipe.toml"), tmp_path / "far" / "away"
    jobs = plan_jobs([characters], out, suffix=suffix, pictures=False)
    for job in jobs:
        run_job(job, recipe)
    for name, grey in COLOURS.items():
        clip_files.start_empty()
        clip_files.load(out / f"{name}{suffix}")
        (image,) = bpy.data.images
        assert image.packed_file or os.path.exists(bpy.path.abspath(image.filepath))
        assert image.pixels[0] == pytest.approx(grey, abs=0.01)


def test_resume_misses_a_buffer_that_is_gone(characters, tmp_path):
    recipe = read_recipe(characters / "recipe.toml")
    job = plan_jobs([characters / "hero.blend"], tmp_path, suffix=".gltf", pictures=False)[0]
    Records(tmp_path).write(job, recipe.key, {"record": run_job(job, recipe)})
    assert Records(tmp_path).left_of(job, recipe) is None
    (tmp_path / "hero.bin").unlink()
    assert Records(tmp_path).left_of(job, recipe) == job
