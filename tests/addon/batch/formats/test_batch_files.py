"""Files in and out: formats, names, references, bone filters, ranges, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import FileFormatError, MotionEditError
from motion_editing.core.files.bvh import read_bvh, write_bvh
from motion_editing.core.motion.placement import without_placement
from motion_editing.core.motion.rest_axes import turned
from motion_editing.core.numerics import quaternion
from motion_editing.motion_editing_addon.batch.formats.clips import NoClipError
from motion_editing.motion_editing_addon.batch.formats.file_replacement import PRIVATE, clear_work, replaced
from motion_editing.motion_editing_addon.batch.info import facts_of_file
from motion_editing.motion_editing_addon.batch.recipes.recipe import Recipe, read_recipe
from motion_editing.motion_editing_addon.batch.recipes.steps import matching_bones
from motion_editing.motion_editing_addon.batch.running.job import Job, run_job
from motion_editing.motion_editing_addon.batch.running.plan import PlanError, plan_jobs, prepare_folder

RATE = 20.0
SHIFT = '[[step]]\nedit = "warp_time"\nwith = { length = 0.5, influence = 0.0 }\n'


@pytest.fixture
def sample(tmp_path) -> Path:
    """The sample motion as a BVH file whose name has a space and letters beyond ASCII."""
    bpy.context.scene.render.fps = round(RATE)
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    path = tmp_path / "in put" / "Spaß 動き.bvh"
    path.parent.mkdir()
    bpy.ops.motion_editing.export_bvh(filepath=str(path))
    return path


def recipe_of(folder: Path, text: str) -> Recipe:
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return read_recipe(path)


def edited(source: Path, text: str, *, suffix: str = "", actions: tuple[str, ...] = ()) -> tuple[Path, dict]:
    """Run a recipe on a file; gives the output folder and the record."""
    out = source.parent.parent / "out püt"
    job = plan_jobs([source], out, suffix=suffix, actions=actions, pictures=False)[0]
    return out, run_job(job, recipe_of(source.parent, text))


def converted(source: Path, suffix: str) -> Path:
    """The same motion in another format."""
    out, record = edited(source, '[[step]]\nedit = "find_character"\n', suffix=suffix)
    path = source.with_suffix(suffix)
    os.replace(out / record["outputs"][0]["file"], path)
    for other in out.glob("*.bin"):
        os.replace(other, path.with_name(other.name))
    return path


@pytest.mark.parametrize("source_format", [".bvh", ".fbx", ".glb", ".gltf", ".blend"])
def test_every_format_can_be_read_edited_and_written(sample, source_format):
    source = sample if source_format == ".bvh" else converted(sample, source_format)
    seconds = facts_of_file(sample)[0]["seconds"]
    out, record = edited(source, SHIFT)
    written = out / record["outputs"][0]["file"]
    assert written.name == source.name
    facts = facts_of_file(written)
    assert len(facts) == 1
    assert facts[0]["bones"] >= 20
    assert facts[0]["seconds"] == pytest.approx(seconds / 2, abs=2 / RATE)


@pytest.mark.parametrize("target_format", [".fbx", ".glb", ".blend"])
def test_another_format_keeps_the_motion(sample, target_format):
    """The hands are where they were, as parts of the body's height, whatever the format makes of bones."""
    before = hand_heights(sample)
    after = hand_heights(converted(sample, target_format))
    np.testing.assert_allclose(
        np.interp(np.linspace(0, 1, 40), np.linspace(0, 1, len(after)), after),
        np.interp(np.linspace(0, 1, 40), np.linspace(0, 1, len(before)), before),
        atol=0.02,
    )


def hand_heights(path: Path) -> np.ndarray:
    from motion_editing.motion_editing_addon.document import scope

    facts_of_file(path)
    armature = bpy.context.object
    motion = scope.read_clip(bpy.context, armature).motion
    heights = motion.poses.positions[..., 2]
    hand = next(index for name, index in motion.skeleton.index.items() if name.lower() == "hand.r")
    return (heights[:, hand] - heights.min()) / np.ptp(heights)


def test_only_chosen_bones_and_seconds_change(sample):
    text = '[[step]]\nedit = "exaggerate_motion"\nbones = ["*arm.R"]\nseconds = [2.0, 4.0]\nwith = { amount = 2.0 }\n'
    out, record = edited(sample, text)
    before, after = (read_bvh(path).to_motion() for path in (sample, out / record["outputs"][0]["file"]))
    names = np.array(before.skeleton.names)
    changed = np.abs(before.rotations - after.rotations).max(axis=-1) > 1e-5
    assert set(names[changed.any(axis=0)]) == {"upper_arm.R", "forearm.R"}
    moments = before.times[changed.any(axis=1)] - before.times[0]
    assert moments.min() >= 2.0 - 1 / RATE
    assert moments.max() <= 4.0 + 1 / RATE


def test_a_bvh_file_keeps_its_joints_axes_and_order_of_angles(sample):
    source = sample.with_name("y up.bvh")
    motion = without_placement(read_bvh(sample).to_motion())
    write_bvh(source, turned(motion, quaternion.from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2)), euler_order="YXZ")
    before = read_bvh(source)
    out, record = edited(source, '[[step]]\nedit = "find_character"\n')
    after = read_bvh(out / record["outputs"][0]["file"])
    assert [joint.name for joint in after.joints] == [joint.name for joint in before.joints]
    assert {joint.channels[-3:] for joint in after.joints} == {joint.channels[-3:] for joint in before.joints}
    moved = np.abs(after.to_motion().poses.positions - before.to_motion().poses.positions).max()
    assert moved < 1e-4
    assert after.frame_time == pytest.approx(before.frame_time, rel=1e-5)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_bvh_file_saved_by_an_editor_comes_back_as_plain_text(sample, encoding):
    source = sample.with_name("edited.bvh")
    source.write_text(sample.read_text(encoding="utf-8"), encoding=encoding)
    out, record = edited(source, '[[step]]\nedit = "find_character"\n')
    assert (out / record["outputs"][0]["file"]).read_bytes().startswith(b"HIERARCHY")


def test_bones_are_chosen_by_pattern_and_by_body_part():
    bpy.ops.motion_editing.load_sample_motion(rate=RATE)
    armature = bpy.context.object
    assert matching_bones(armature, ["UPPER_ARM.*"]) == ["upper_arm.L", "upper_arm.R"]
    assert matching_bones(armature, ["*arm.L", "!upper*"]) == ["forearm.L"]
    assert matching_bones(armature, ["@right arm"])[0] == "upper_arm.R"
    with pytest.raises(MotionEditError, match=r"no bone is like \*tentacle\*"):
        matching_bones(armature, ["*tentacle*"])
    with pytest.raises(MotionEditError, match="No tail is set"):
        matching_bones(armature, ["@tail"])


def test_a_reference_clip_is_there_for_the_steps_and_gone_from_the_result(sample):
    text = (
        f'[[reference]]\nname = "Guide"\nfile = "{sample.name}"\n'
        '[[step]]\nedit = "blend_action"\n'
        'with = { action = "Guide", weight = 1.0, keep_contacts = false, keep_floor = false }\n'
    )
    out, record = edited(sample, text, suffix=".blend")
    assert record["clips"][0]["turned"] == pytest.approx(0.0, abs=0.1)
    facts = facts_of_file(out / record["outputs"][0]["file"])
    assert [row["action"] for row in facts] == [sample.stem]
    assert "Guide" not in bpy.data.actions


def test_named_actions_of_a_blend_file(sample):
    facts_of_file(sample)
    action = bpy.data.actions[sample.stem]
    action.copy().name = "Second"
    action.copy().name = "Third"
    for each in bpy.data.actions:
        each.use_fake_user = True
    path = sample.with_name("three.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    out, record = edited(path, SHIFT, suffix=".bvh", actions=("Second", "Third"))
    assert [clip["action"] for clip in record["clips"]] == ["Second", "Third"]
    assert sorted(each.name for each in out.glob("*.bvh")) == ["three - Second.bvh", "three - Third.bvh"]
    with pytest.raises(NoClipError, match="no action 'Secnd' of an armature in it; did you mean 'Second'"):
        edited(path, SHIFT, actions=("Secnd",))


@pytest.mark.parametrize("name", ["broken.bvh", "broken.fbx", "broken.glb", "broken.gltf", "broken.blend"])
def test_an_unreadable_file_gets_one_line_and_leaves_nothing(tmp_path, name):
    path = tmp_path / "in" / name
    path.parent.mkdir()
    path.write_bytes(b"this is no motion \x00\xff" * 20)
    with pytest.raises(FileFormatError) as caught:
        edited(path, SHIFT)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out püt").exists()


def test_a_file_without_motion_is_refused(tmp_path):
    path = tmp_path / "in" / "empty.blend"
    path.parent.mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    with pytest.raises(NoClipError, match="no armature with an action"):
        edited(path, SHIFT)


def test_a_step_that_fails_is_named_and_nothing_is_written(sample):
    text = SHIFT + '[[step]]\nedit = "blend_action"\nwith = { action = "Nobody" }\n'
    with pytest.raises(MotionEditError, match=r"^step 2 \(blend_action\): "):
        edited(sample, text)
    assert not list(sample.parent.parent.glob("out*/**/*.bvh"))


def test_folders_keep_their_shape_and_results_are_no_inputs(tmp_path):
    for name in ("a.bvh", "deep/er/b.BVH", "deep/note.txt", "out/a.bvh"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    jobs = plan_jobs([tmp_path], tmp_path / "out", suffix=".glb")
    assert [job.target for job in jobs] == ["a.glb", "deep/er/b.glb"]


def test_shares_of_farms_are_all_of_it_and_nothing_twice(tmp_path):
    for number in range(7):
        (tmp_path / f"{number}.bvh").touch()
    shares = [plan_jobs([tmp_path], tmp_path / "out", part=(number, 3)) for number in (1, 2, 3)]
    targets = [job.target for share in shares for job in share]
    assert sorted(targets) == [f"{number}.bvh" for number in range(7)]


def test_what_cannot_be_planned_is_refused(tmp_path):
    first, second = tmp_path / "1" / "a.bvh", tmp_path / "2" / "a.bvh"
    for path in (first, second):
        path.parent.mkdir()
        path.touch()
    with pytest.raises(PlanError, match="would both become a"):
        plan_jobs([first, second], tmp_path / "out")
    with pytest.raises(PlanError, match="would be overwritten"):
        plan_jobs([first], first.parent)
    with pytest.raises(PlanError, match="there is no such file"):
        plan_jobs([tmp_path / "gone.bvh"], tmp_path / "out")
    with pytest.raises(PlanError, match="there is no such file or folder"):
        plan_jobs([tmp_path / "gone"], tmp_path / "out")
    with pytest.raises(PlanError, match="all files to edit lie in the output folder"):
        plan_jobs([first.parent], first.parent)
    with pytest.raises(PlanError, match="not one of"):
        plan_jobs([Path(__file__)], tmp_path / "out")
    with pytest.raises(PlanError, match="is a file, not a folder"):
        prepare_folder(first)


def test_runs_that_share_a_folder_leave_what_the_others_write(tmp_path):
    private = tmp_path / PRIVATE
    with replaced(tmp_path, run="one") as work:
        work.place(Path("a.bvh")).write_bytes(b"half")
        (private / "work-two-x").mkdir()
        (private / "work-old-x").mkdir()
        os.utime(private / "work-old-x", (0, 0))
        clear_work(tmp_path, run="two")
        assert [path.name for path in private.iterdir()] == [work.folder.name]
        work.place(Path("a.bvh")).write_bytes(b"whole")
    assert (tmp_path / "a.bvh").read_bytes() == b"whole"
    assert not list(private.iterdir())


def test_a_job_survives_json():
    import json

    job = Job("a b.bvh", "ü.glb", "/out", ("Walk", "Run"), False, kept=("Walk",))
    assert Job.from_data(json.loads(json.dumps(job.to_data()))) == job
