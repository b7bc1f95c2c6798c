"""Motion from files arrives at its real speed and size, on the floor."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from motion_editing.core.files import read_bvh, write_bvh
from motion_editing.core.motion import Motion
from motion_editing.core.sample_motion import sample_motion
from motion_editing.motion_editing_addon.border.action_io import key_ends

OPERATORS = bpy.ops.motion_editing


def heights(armature: bpy.types.Object) -> np.ndarray:
    """Lowest and highest end of a bone in every frame, as Blender shows it."""
    found = []
    scene = bpy.context.scene
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        bones, place = armature.pose.bones, armature.matrix_world
        ends = [(place @ end).z for bone in bones for end in (bone.head, bone.tail)]
        found.append((min(ends), max(ends)))
    return np.array(found)


def written(folder, motion: Motion, *, scale: float = 1.0, name: str = "take.bvh"):
    """A file whose unit is 1 / scale metres."""
    bones = motion.skeleton
    larger = Motion.build(
        type(bones).build(
            bones.names,
            bones.parents,
            bones.rest_positions * scale,
            rest_rotations=bones.rest_rotations,
            tips=bones.tips * scale,
        ),
        motion.rotations,
        locations=motion.locations * scale,
        rate=motion.rate,
    )
    write_bvh(folder / name, larger)
    return folder / name


@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254], ids=["metres", "centimetres", "inches"])
def test_a_person_is_as_tall_as_a_person_and_stands_at_the_cursor(tmp_path, unit):
    path = written(tmp_path, sample_motion(rate=60).part(0, 90), scale=1.0 / unit)
    bpy.context.scene.cursor.location = (2.0, -3.0, 0.5)
    assert OPERATORS.bring_in_motion(filepath=str(path)) == {"FINISHED"}
    armature = bpy.context.object
    found = heights(armature)
    assert found[:, 0] == pytest.approx(0.5, abs=0.02)
    assert 1.3 < np.median(found[:, 1] - found[:, 0]) < 2.0
    bpy.context.scene.frame_set(1)
    root = armature.matrix_world @ armature.pose.bones[0].head
    assert (root.x, root.y) == pytest.approx((2.0, -3.0), abs=1e-3)
    assert tuple(armature.scale) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("height", "aside"), [(2.0, True), (0.05, False)])
def test_a_figure_stands_beside_what_is_there_and_on_what_is_flat(tmp_path, height, aside):
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    cube = bpy.context.object
    cube.dimensions.z = height
    bpy.context.view_layer.update()
    OPERATORS.bring_in_motion(filepath=str(written(tmp_path, sample_motion(rate=24).part(0, 30))))
    armature = bpy.context.object
    bpy.context.scene.frame_set(1)
    left = min((armature.matrix_world @ bone.head).x for bone in armature.pose.bones)
    assert (left > 1.0) == aside
    assert tuple(cube.location) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("speed", "frames", "fps"), [("SCENE", 37, 24), ("FILE", 91, 60), ("FRAMES", 91, 24)])
def test_the_speed_is_real_by_resampling_or_by_the_scenes_rate(tmp_path, speed, frames, fps):
    path = written(tmp_path, sample_motion(rate=60).part(0, 91))
    OPERATORS.bring_in_motion(filepath=str(path), speed=speed)
    first, last = key_ends(bpy.context.object)
    assert (first, last) == (1.0, frames)
    assert bpy.context.scene.render.fps == fps
    assert bpy.context.scene.frame_end == frames
    settings = bpy.context.object.animation_data.action.motion_editing
    assert settings.source_rate == pytest.approx(24.0 if speed == "SCENE" else 60.0)


def test_resampled_poses_are_those_of_the_file_at_their_times(tmp_path):
    path = written(tmp_path, sample_motion(rate=60).part(0, 121))
    OPERATORS.bring_in_motion(filepath=str(path), place=False)
    armature, scene = bpy.context.object, bpy.context.scene
    motion = read_bvh(path).to_motion()
    hand = motion.skeleton.index["hand.R"]
    for frame in (1, 17, 25, 41):
        scene.frame_set(frame)
        seen = np.array(armature.matrix_world @ armature.pose.bones["hand.R"].head)
        expected = motion.at([(frame - 1) / 24.0]).poses.positions[0, hand]
        np.testing.assert_allclose(seen, expected, atol=0.01)


def test_the_scene_is_not_shortened_where_something_else_moves(tmp_path):
    path = written(tmp_path, sample_motion(rate=24).part(0, 40))
    OPERATORS.load_sample_motion()
    end = bpy.context.scene.frame_end
    OPERATORS.bring_in_motion(filepath=str(path))
    assert bpy.context.scene.frame_end == end > 40


def test_several_files_arrive_and_a_bad_one_does_not_stop_them(tmp_path):
    for name in ("a.bvh", "c.bvh"):
        written(tmp_path, sample_motion(rate=24).part(0, 30), name=name)
    (tmp_path / "b.bvh").write_text("HIERARCHY\nnothing")
    names = [{"name": name} for name in ("a.bvh", "b.bvh", "c.bvh")]
    with pytest.raises(RuntimeError, match=r"b\.bvh"):
        OPERATORS.bring_in_motion(directory=f"{tmp_path}/", files=names)
    assert sorted(thing.name for thing in bpy.data.objects) == ["a", "c"]


def test_a_file_without_motion_leaves_nothing_behind(tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "cube.glb"))
    before = set(bpy.data.objects.keys())
    bpy.context.scene.render.fps = 25
    with pytest.raises(RuntimeError, match="no armature"):
        OPERATORS.bring_in_motion(filepath=str(tmp_path / "cube.glb"))
    assert set(bpy.data.objects.keys()) == before
    assert bpy.context.scene.render.fps == 25


def body_file(folder, frames: int = 60):
    """A body of a text-to-motion program that goes two metres along x, z up."""
    turns = np.zeros((frames, 22, 3))
    turns[:, 0] = (0.5 * np.pi, 0.0, 0.0)
    turns[:, 16, 2] = np.linspace(0.0, -1.0, frames)
    places = np.column_stack([np.linspace(0.0, 2.0, frames), np.zeros(frames), np.full(frames, 7.0)])
    np.savez(folder / "body.npz", poses=turns.reshape(frames, -1), trans=places, mocap_framerate=30.0)
    return folder / "body.npz"


def test_bodies_of_arrays_stand_and_go(tmp_path):
    OPERATORS.bring_in_motion(filepath=str(body_file(tmp_path)))
    armature, scene = bpy.context.object, bpy.context.scene
    found = heights(armature)
    assert found[:, 0] == pytest.approx(0.0, abs=0.02)
    assert 1.6 < found[:, 1].min() < 1.85
    scene.frame_set(scene.frame_end)
    end = armature.matrix_world @ armature.pose.bones["pelvis"].head
    # 60 samples of 30 a second last 59/30 s, and the scene has 24 frames a second.
    share = (scene.frame_end - 1) / 24.0 / (59 / 30)
    assert end.x == pytest.approx(2.0 * share, abs=0.02)


@pytest.mark.parametrize("suffix", [".fbx", ".glb", ".blend"])
def test_formats_with_meshes_arrive_with_them(tmp_path, suffix):
    OPERATORS.load_sample_motion(rate=10, character="MANNEQUIN")
    bpy.context.scene.render.fps = 10
    path = tmp_path / f"pack{suffix}"
    if suffix == ".fbx":
        bpy.ops.export_scene.fbx(filepath=str(path), add_leaf_bones=False, bake_anim_use_nla_strips=False)
    elif suffix == ".glb":
        bpy.ops.export_scene.gltf(filepath=str(path), export_animation_mode="ACTIONS")
    else:
        bpy.ops.mesh.primitive_cube_add()
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
    length = key_ends(next(each for each in bpy.data.objects if each.type == "ARMATURE"))[1] - 1.0
    bpy.ops.wm.read_factory_settings(use_empty=True)
    OPERATORS.bring_in_motion(filepath=str(path))
    armature, scene = bpy.context.object, bpy.context.scene
    assert armature.type == "ARMATURE"
    assert sorted(each.type for each in bpy.data.objects if each.type != "EMPTY") == ["ARMATURE", "MESH"]
    assert scene.render.fps == 24
    assert key_ends(armature)[1] - 1.0 == pytest.approx(length * 24.0 / 10.0, abs=1.5)
    scene.frame_end = 20
    assert heights(armature)[:, 0] == pytest.approx(0.0, abs=0.03)


def test_a_character_gets_the_motion_at_once(tmp_path):
    path = written(tmp_path, sample_motion(rate=24).part(0, 40))
    OPERATORS.load_sample_motion(rate=24)
    target = bpy.context.object
    OPERATORS.bring_in_motion(filepath=str(path), target=target.name)
    assert bpy.context.object == target
    assert target.animation_data.action.name != "Sample"
    assert key_ends(target) == (1.0, 40.0)
    assert bpy.data.objects["take"].hide_get()


def test_what_is_no_character_is_refused(tmp_path):
    path = written(tmp_path, sample_motion(rate=24).part(0, 40))
    bpy.ops.mesh.primitive_cube_add()
    with pytest.raises(RuntimeError, match="'Cube' is not an armature"):
        OPERATORS.bring_in_motion(filepath=str(path), target="Cube")
    assert list(bpy.data.objects.keys()) == ["Cube"]


@pytest.mark.clips
def test_captured_takes_arrive_right(clips_folder):
    for name in ("cmu_16_01", "cmu_49_03"):
        path = clips_folder / "corpus" / f"{name}.bvh"
        bpy.ops.wm.read_factory_settings(use_empty=True)
        OPERATORS.bring_in_motion(filepath=str(path))
        motion, scene = read_bvh(path).to_motion(), bpy.context.scene
        assert (scene.frame_end - 1) / 24.0 == pytest.approx(motion.times[-1], abs=0.06), name
        scene.frame_end = 40
        found = heights(bpy.context.object)
        assert 1.2 < np.max(found[:, 1]) < 2.6, name
        assert found[:, 0].min() > -0.1, name
