"""Every format gives back what was put in: places, frames, rates, and poses of what an action does not move."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.batch.formats import clip_files
from motion_editing.motion_editing_addon.batch.formats.clips import NoClipError, clips_of_file, play
from motion_editing.motion_editing_addon.batch.formats.kinds.gltf import sampled_rate
from motion_editing.motion_editing_addon.batch.formats.loaded_poses import LoadedPoses
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import read_recipe
from motion_editing.motion_editing_addon.batch.recipes.second_file import load_beside
from motion_editing.motion_editing_addon.batch.running.job import run_job
from motion_editing.motion_editing_addon.batch.running.plan import plan_jobs
from motion_editing.motion_editing_addon.border import compatibility
from rigs import new_armature

NOTHING = '[[step]]\nedit = "find_character"\n'
FORMATS = [".bvh", ".fbx", ".glb", ".gltf", ".blend"]
FRAMES = 12
Places = dict[str, np.ndarray]


@pytest.fixture
def figure(empty_scene) -> bpy.types.Object:
    """A root that ends where the hips begin, hips that rise, an arm, and a second action without the arm."""
    armature = new_armature("Figure")
    bones = armature.data.edit_bones
    parent = None
    for name, ends in (("root", (0.0, 1.0)), ("hips", (1.0, 1.5)), ("arm", (1.5, 2.0)), ("hand", (2.0, 2.2))):
        bone = bones.new(name)
        bone.head, bone.tail, bone.parent = (0.0, 0.0, ends[0]), (0.0, 0.0, ends[1]), parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for action in ("Reach", "Sink"):
        animate(armature, action, with_arm=action == "Reach")
    armature.pose.bones["arm"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    return armature


def animate(armature: bpy.types.Object, name: str, *, with_arm: bool) -> None:
    armature.animation_data_create().action = None
    for frame in range(1, FRAMES + 1):
        hips, arm = armature.pose.bones["hips"], armature.pose.bones["arm"]
        hips.location, hips.rotation_quaternion = (0.0, 0.02 * frame, 0.0), (1.0, 0.0, 0.01 * frame, 0.0)
        arm.rotation_quaternion = (1.0, 0.0, 0.0, 0.05 * frame)
        for bone, path in ((hips, "location"), (hips, "rotation_quaternion"), (arm, "rotation_quaternion")):
            if bone == hips or with_arm:
                bone.keyframe_insert(path, frame=frame)
    armature.animation_data.action.name = name
    armature.animation_data.action.use_fake_user = True


def save(path: Path) -> Path:
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
    return path


def done(source: Path, suffix: str = "", text: str = NOTHING) -> tuple[list[Path], dict]:
    """The results of a recipe, and its record."""
    recipe = source.with_name("recipe.toml")
    recipe.write_text(text)
    (job,) = plan_jobs([source], source.parent / "out", suffix=suffix, pictures=False)
    record = run_job(job, read_recipe(recipe))
    made = [source.parent / "out" / each["file"] for each in record["outputs"]]
    return [path for path in made if path.suffix != ".bin"], record


def places_in(paths: list[Path]) -> dict[str, Places]:
    """Where Blender shows the heads of bones, by action: (frames, 3) by bone."""
    found = {}
    for path in paths:
        clip_files.start_empty()
        clip_files.load(path)
        poses = LoadedPoses()
        for clip in clips_of_file():
            poses.restore()
            found[clip.action.rpartition(" - ")[2]] = _shown(play(clip))
    return found


def _shown(armature: bpy.types.Object) -> Places:
    rows = []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        rows.append({bone.name: armature.matrix_world @ bone.head for bone in armature.pose.bones})
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@pytest.mark.parametrize("suffix", FORMATS)
def test_bones_are_where_they_were(figure, tmp_path, suffix):
    """Hips above a root move in FBX files too, and an arm that an action leaves alone is where the file has it."""
    source = save(tmp_path / "clip.blend")
    before = places_in([source])
    assert np.ptp(before["Sink"]["hips"][:, 2]) > 0.2
    after = places_in(done(source, suffix)[0])
    assert sorted(after) == ["Reach", "Sink"]
    for action, places in before.items():
        for bone, rows in places.items():
            np.testing.assert_allclose(after[action][bone], rows, atol=1e-5, err_msg=f"{action} {bone}")


@pytest.mark.parametrize("rate", [24 / 1.001, 30 / 1.001, 60 / 1.001, 25.0, 120.00048])
@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_rates_between_whole_numbers_stay(figure, tmp_path, rate, suffix):
    render = bpy.context.scene.render
    render.fps, render.fps_base = round(rate), round(rate) / rate
    for action in bpy.data.actions:
        action.motion_editing.source_rate = rate
    (made,), record = done(save(tmp_path / "clip.blend"), suffix)
    assert record["warnings"] == []
    if suffix == ".glb":
        assert sampled_rate(made) == pytest.approx(rate, rel=1e-5)
    for facts in facts_of_file(made):
        assert facts["frames"] == FRAMES
        assert facts["rate"] == pytest.approx(rate, abs=2e-3)
    keys = bpy.data.actions[0].layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points
    assert all(abs(key.co[0] - round(key.co[0])) < 1e-3 for key in keys)


def test_armatures_that_share_an_action_are_all_edited(figure, tmp_path):
    """Each has a slot of its own in it."""
    other = figure.copy()
    other.name = "Other"
    bpy.context.scene.collection.objects.link(other)
    action = bpy.data.actions["Sink"]
    figure.animation_data.action = other.animation_data.action = action
    other.animation_data.action_slot = action.slots.new("OBJECT", "Other")
    for frame in (1, FRAMES):
        other.pose.bones["hips"].keyframe_insert("location", frame=frame)
    (made,), record = done(save(tmp_path / "clip.blend"), text='[[step]]\nedit = "reverse_time"\n')
    assert [clip["action"] for clip in record["clips"]] == ["Reach", "Sink", "Sink"]
    assert {facts["armature"] for facts in facts_of_file(made)} == {"Figure", "Other"}
    names = [path.name for path in done(tmp_path / "clip.blend", ".bvh")[0]]
    assert names == ["clip - Reach.bvh", "clip - Sink.bvh", "clip - Sink 2.bvh"]


def test_what_is_not_edited_is_said(figure, tmp_path):
    away = bpy.data.scenes.new("Away")
    other = figure.copy()
    other.name = "Other"
    other.animation_data.action = figure.animation_data.action.copy()
    other.animation_data.action.name = "Elsewhere"
    other.data = other.data.copy()
    for bone in other.data.bones:
        bone.name = f"other {bone.name}"
    away.collection.objects.link(other)
    record = done(save(tmp_path / "clip.blend"))[1]
    assert record["warnings"] == [
        "action 'Elsewhere' belongs to 'Other', which is not in the view layer of the scene: it is not edited"
    ]


def linked(tmp_path: Path) -> Path:
    """A file that only shows the figure of another."""
    save(tmp_path / "library.blend")
    clip_files.start_empty()
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_there, here):
        here.objects = ["Figure"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    return save(tmp_path / "shot.blend")


def test_a_linked_action_is_refused_with_its_library(figure, tmp_path):
    with pytest.raises(NoClipError, match=r"action 'Sink' is linked from .*library\.blend: it is not edited"):
        done(linked(tmp_path))


def test_what_is_linked_does_not_count_as_loaded_beside(figure, tmp_path):
    linked(tmp_path)
    loaded = load_beside(Path(__file__).parents[4] / "recipes" / "small_figure.bvh")
    assert list(loaded.objects) == ["small_figure"]


def test_bones_of_a_hidden_armature_can_be_chosen(figure, tmp_path):
    figure.hide_viewport = True
    text = '[[step]]\nedit = "exaggerate_motion"\nbones = ["arm"]\nwith = { amount = 2.0 }\n'
    (made,), record = done(save(tmp_path / "clip.blend"), text=text)
    assert record["clips"][0]["turned_joint"] == "arm"
    clip_files.load(made)
    assert bpy.data.objects["Figure"].hide_viewport
    assert not any(
        compatibility.is_selected(bone) for bone in bpy.data.objects["Figure"].pose.bones if bone.name != "arm"
    )
