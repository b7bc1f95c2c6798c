"""Control rigs in Clean & Filter and Blend & Loop: ghosts and numbers are those of the joints as Blender shows them."""

import re

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character import joint_positions
from motion_editing.motion_editing_addon.interface.drawing import viewport
from motion_editing.motion_editing_addon.interface.drawing.rig_figure import PosedFigure, drawn_bones
from motion_editing.motion_editing_addon.interface.operators.pose_preview import PosePreview
from rigs import evaluated_matrices


@pytest.fixture
def sample():
    bpy.ops.motion_editing.load_sample_motion()
    joint_positions.forget()
    return bpy.context.object


def constrain(armature, kind="LIMIT_SCALE"):
    """A constraint, which makes a control rig of an armature; without limits it moves nothing."""
    return armature.pose.bones["spine"].constraints.new(kind)


def heads_at(armature, frame):
    return evaluated_matrices(armature, frame)[:, :3, 3]


def drawn_heads(places, armature):
    return places[: len(drawn_bones(armature)[0])]


def test_the_ghost_of_a_slider_is_the_rig_without_the_preview(sample):
    limit = constrain(sample, "LIMIT_ROTATION")
    limit.use_limit_x = True
    clip = scope.read_clip(bpy.context, sample)
    expected = {frame: heads_at(sample, frame) for frame in (60, 75)}
    bpy.context.scene.frame_set(60)
    figure, preview = PosedFigure(sample), PosePreview(clip)
    shaken = clip.motion.with_rotations(np.roll(clip.motion.rotations, 9, axis=0))
    seen = {}
    handler = lambda *_: seen.update({75: figure(0.0)[0]})  # noqa: E731
    try:
        preview.show(shaken)
        bpy.context.view_layer.update()
        seen[60] = figure(0.0)[0]
        bpy.app.handlers.frame_change_post.append(handler)
        bpy.context.scene.frame_set(75)
    finally:
        bpy.app.handlers.frame_change_post.remove(handler)
        preview.restore()
    for frame, places in seen.items():
        np.testing.assert_allclose(drawn_heads(places, sample), expected[frame], atol=1e-5)


def test_the_ghost_of_the_original_is_where_the_rig_was(sample):
    limit = constrain(sample, "LIMIT_ROTATION")
    limit.use_limit_x = True
    expected = heads_at(sample, 60)
    bpy.ops.motion_editing.low_pass(cutoff=0.5)
    assert np.abs(heads_at(sample, 60) - expected).max() > 0.01
    action = sample.animation_data.action
    assert bpy.ops.motion_editing.compare_original(mode="GHOST") == {"FINISHED"}
    assert sample.animation_data.action == action
    assert bpy.context.scene.frame_current == 60
    lines = viewport.shown()[f"original of {sample.name}"].lines.shapes
    places = np.concatenate([np.asarray(shape.places).reshape(-1, 3) for shape in lines])
    nearest = np.linalg.norm(places[:, None] - expected[None], axis=-1).min(axis=1)
    assert nearest.max() < 1e-4
    bpy.ops.motion_editing.compare_original(mode="OFF")


@pytest.fixture
def patient(monkeypatch):
    """Rigs are measured however long a busy machine takes to play them."""
    monkeypatch.setattr(joint_positions, "_PATIENCE", float("inf"))


def told(capsys):
    """Foot slide before and after, as a report tells it."""
    return re.findall(r"foot slide ([\d.]+ m?m) before, ([\d.]+ m?m) after", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("tool", "values"),
    [("low_pass", {"cutoff": 1.0, "keep_contacts": False, "keep_floor": False}), ("change_heading", {"angle": 0.7})],
)
def test_a_constraint_that_moves_nothing_leaves_the_foot_slide_as_it_is(capsys, sample, patient, tool, values):
    getattr(bpy.ops.motion_editing, tool)(**values)
    plain = told(capsys)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.motion_editing.load_sample_motion()
    constrain(bpy.context.object)
    getattr(bpy.ops.motion_editing, tool)(**values)
    assert told(capsys) == plain != []


def test_a_rig_that_is_slow_to_play_is_not_measured_and_the_report_says_so(capsys, sample, monkeypatch):
    constrain(sample)
    # Something that core does not work out, so that the rig has to be played.
    pivot = sample.pose.bones["head"].constraints.new("PIVOT")
    pivot.target, pivot.subtarget = sample, "spine"
    monkeypatch.setattr(joint_positions, "_PATIENCE", 0.0)
    monkeypatch.setattr(joint_positions, "_LEAST_LOOK", 0.0)
    bpy.context.scene.frame_set(33)
    bpy.ops.motion_editing.low_pass(cutoff=1.0)
    assert bpy.context.scene.frame_current == 33
    assert "foot slide not measured, because playing this control rig takes long" in capsys.readouterr().out


def test_bones_that_move_the_skin_are_drawn(generated):
    rig = generated("human")
    numbers, parents = drawn_bones(rig)
    names = [rig.pose.bones[number].name for number in numbers]
    assert all(name.startswith("DEF-") for name in names)
    assert names[parents[names.index("DEF-forearm.L")]] == "DEF-upper_arm.L.001"
    assert action_io.channelbag(rig) is None
