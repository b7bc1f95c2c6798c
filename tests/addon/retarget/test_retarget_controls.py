"""Control rigs as targets and as sources: Rigify's, and limbs that end in a control of their own."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from motion_editing.core.retarget import RetargetOptions, retarget
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.steps import finish
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.retarget import pairs
from motion_editing.motion_editing_addon.retarget.pose_samples import sample_poses
from motion_editing.motion_editing_addon.retarget.source import read_source
from motion_editing.motion_editing_addon.retarget.target import Target
from retarget_figures import figure_like, load_walker, make_active, retargeted, shown

FIRST, LAST = 24, 33
EXACT = (
    "spine",
    "spine.002",
    "thigh.L",
    "foot.L",
    "toe.L",
    "toe.R",
    "spine.003",
    "upper_arm.L",
    "hand.L",
    "f_index.03.R",
)
# The neck of the rig is one control, the figure's are two bones.
NEARLY = ("spine.006",)


@pytest.fixture
def rig(generated) -> bpy.types.Object:
    generated("human")
    load_walker()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, FIRST, LAST
    make_active(bpy.data.objects["rig"])
    return bpy.context.object


def wanted_figure(rig: bpy.types.Object, **options):
    """What core gives for the plain figure inside the rig."""
    walker = bpy.data.objects["Sample"]
    steps = read_source(bpy.context, walker, scope.action_of(walker), choice="PREVIEW", in_scene=False)
    source, target = finish(steps), Target.of(rig, in_scene=False)
    mapping = pairs.proposed(source.body, target.body)
    bodies = {"source_body": source.body, "target_body": target.body}
    return retarget(source.motion, target.skeleton, mapping, **bodies, options=RetargetOptions(**options)).motion


def assert_shows(rig: bpy.types.Object, wanted) -> None:
    """What Blender shows is the figure."""
    places, _ = finish(sample_poses(bpy.context.scene, rig, np.arange(FIRST, LAST + 1)))
    numbers = {bone.name: number for number, bone in enumerate(rig.pose.bones, start=1)}
    for names, tolerance in ((EXACT, 3e-4), (NEARLY, 0.004)):
        for name in names:
            seen, figure = places[:, numbers[f"ORG-{name}"]], wanted.poses.positions[:, wanted.skeleton.index[name]]
            np.testing.assert_allclose(seen, figure, atol=tolerance, err_msg=name)


def test_the_controls_show_the_figure_that_core_gives(rig):
    wanted = wanted_figure(rig)
    posed = rig.pose.bones["hand_ik.L"].matrix_basis.copy()
    retargeted(source="Sample", range="PREVIEW")
    assert_shows(rig, wanted)
    assert rig.pose.bones["hand_ik.L"].matrix_basis == posed
    switches = [curve for curve in action_io.channelbag(rig).fcurves if "IK_FK" in curve.data_path]
    assert len(switches) == 4
    listed = {pair.bone: pair.source for pair in rig.motion_editing_retarget.pairs}
    assert (listed["thigh.L"], listed["spine"]) == ("thigh.L", "hips")


def test_a_control_rig_gets_another_size_by_its_root(rig):
    wanted = wanted_figure(rig, size=np.linspace(0.5, 0.8, LAST - FIRST + 1))
    retargeted(source="Sample", range="PREVIEW", size=0.5, changes_size=True, size_end=0.8)
    assert_shows(rig, wanted)
    bpy.context.scene.frame_set(LAST)
    assert tuple(rig.pose.bones["root"].scale) == pytest.approx((0.8, 0.8, 0.8))


def test_a_rig_that_moves_in_ways_of_its_own_is_corrected_frame_by_frame(rig):
    """A constraint that is not worked out beforehand, above the arms."""
    constraint = rig.pose.bones["MCH-upper_arm_parent.L"].constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x, constraint.min_x, constraint.max_x = True, 0.3, 0.4
    constraint.owner_space = "LOCAL"
    wanted = wanted_figure(rig)
    retargeted(source="Sample", range="PREVIEW")
    assert_shows(rig, wanted)


def test_a_control_rig_as_source_is_taken_as_it_is_shown(rig):
    """There and back again: the legs of a figure that got the walk from the rig stand as the first one's do."""
    retargeted(source="Sample", range="PREVIEW")
    walker = bpy.data.objects["Sample"]
    back = figure_like(walker, 1.0, name="Back")
    bpy.context.scene.use_preview_range = False
    retargeted(source="rig")
    for frame in (FIRST + 2, LAST - 2):
        one, other = shown(walker, frame), shown(back, frame)
        chosen = [walker.pose.bones.find(name) for name in ("thigh.L", "shin.L", "foot.L", "foot.R", "hand.L")]
        root = walker.pose.bones.find("hips")
        away = (one[chosen] - one[root]) - (other[chosen] - other[root])
        assert np.abs(away).max() < 0.06


def test_a_foot_with_a_control_of_its_own_stands():
    """A leg that a constraint bends after a foot that hangs on nothing: core moves the foot itself."""
    walker = load_walker()
    figure = figure_like(walker, 0.6)
    bpy.ops.object.mode_set(mode="EDIT")
    for side in "LR":
        figure.data.edit_bones[f"foot.{side}"].parent = None
    bpy.ops.object.mode_set(mode="OBJECT")
    for side in "LR":
        constraint = figure.pose.bones[f"shin.{side}"].constraints.new("IK")
        constraint.target, constraint.subtarget, constraint.chain_count = figure, f"foot.{side}", 2
    retargeted(source="Sample")
    report = figure.motion_editing_retarget.report
    assert report.slide < 0.01 * report.leg_length
    feet = [figure.pose.bones.find(f"foot.{side}") for side in "LR"]
    frames = range(1, 60)
    source, target = (np.array([shown(each, frame)[feet] for frame in frames]) for each in (walker, figure))
    still = np.linalg.norm(np.diff(source, axis=0), axis=2) < 1e-3
    moved = np.linalg.norm(np.diff(target, axis=0), axis=2)
    assert still.sum() > 10
    assert np.quantile(moved[still], 0.9) < 0.01 * report.leg_length


def test_finding_the_channels_leaves_the_rig_as_it_is(rig):
    bone = rig.pose.bones["shoulder.L"]
    bone.rotation_euler = (0.1, 7.0, 0.2)
    rig.pose.bones["upper_arm_parent.L"]["IK_FK"] = 0.25
    own = bpy.data.actions.new("Own")
    rig.animation_data_create().action = own
    motion, target = wanted_figure(rig), Target.of(rig, in_scene=False)
    channels = target.own_channels(motion, "FK")
    assert np.abs(channels.rotations[:, channels.skeleton.index["thigh_fk.L"], 1:]).max() > 0.05
    assert tuple(bone.rotation_euler) == pytest.approx((0.1, 7.0, 0.2))
    assert rig.pose.bones["thigh_fk.L"].matrix_basis == Matrix()
    assert rig.pose.bones["upper_arm_parent.L"]["IK_FK"] == 0.25
    assert rig.animation_data.action == own


@pytest.mark.parametrize(("limbs", "acting", "resting"), [("IK", "_ik", "_fk"), ("FK", "_fk", "_ik")])
def test_arms_and_legs_get_keys_on_the_controls_that_were_asked_for(rig, limbs, acting, resting):
    wanted = wanted_figure(rig)
    retargeted(source="Sample", range="PREVIEW", limbs=limbs)
    keyed = {action_io.bone_of_path(curve.data_path) for curve in action_io.channelbag(rig).fcurves}
    assert {f"{name}{acting}.{side}" for name in ("hand", "foot") for side in "LR"} <= keyed
    assert not {f"{name}{resting}.{side}" for name in ("hand", "foot") for side in "LR"} & keyed
    places, _ = finish(sample_poses(bpy.context.scene, rig, np.arange(FIRST, LAST + 1)))
    numbers = {bone.name: number for number, bone in enumerate(rig.pose.bones, start=1)}
    for name in ("foot.L", "foot.R", "hand.L", "hand.R"):
        seen, figure = places[:, numbers[f"ORG-{name}"]], wanted.poses.positions[:, wanted.skeleton.index[name]]
        np.testing.assert_allclose(seen, figure, atol=0.002, err_msg=name)


def test_the_mapping_of_a_control_rig_is_saved_loaded_and_corrected(rig, tmp_path):
    """Both ways round it speaks of the figure's bones, which the rig has under other names."""
    settings, path = rig.motion_editing_retarget, str(tmp_path / "mapping.json")
    settings.source = bpy.data.objects["Sample"]
    bpy.ops.motion_editing.propose_mapping()
    before = {pair.bone: pair.source for pair in settings.pairs}
    assert before["thigh.L"] == "thigh.L"
    bpy.ops.motion_editing.save_mapping(filepath=path)
    bpy.ops.motion_editing.clear_mapping(everything=True)
    bpy.ops.motion_editing.load_mapping(filepath=path)
    assert {pair.bone: pair.source for pair in settings.pairs} == before
    retargeted(source="Sample", range="PREVIEW")
    walker = bpy.data.objects["Sample"]
    make_active(walker)
    walker.motion_editing_retarget.source = rig
    bpy.context.scene.use_preview_range = False
    bpy.ops.motion_editing.propose_mapping()
    bpy.ops.motion_editing.set_pair(bone="chest", source_bone="spine.002")
    assert walker.motion_editing_retarget.pairs["chest"].source == "spine.002"


def test_bones_that_no_control_turns_have_no_partner(rig):
    """The halves of the rig's pelvis follow the spine: whatever a source's do, the legs must not hang on it."""
    walker = bpy.data.objects["Sample"]
    make_active(walker)
    bpy.ops.object.mode_set(mode="EDIT")
    for side in "LR":
        half = walker.data.edit_bones.new(f"pelvis.{side}")
        half.head, half.tail = walker.data.edit_bones["hips"].head, walker.data.edit_bones[f"thigh.{side}"].head
        half.parent = walker.data.edit_bones["hips"]
        walker.data.edit_bones[f"thigh.{side}"].parent = half
    bpy.ops.object.mode_set(mode="OBJECT")
    make_active(rig)
    retargeted(source="Sample", range="PREVIEW")
    listed = {pair.bone: pair.source for pair in rig.motion_editing_retarget.pairs}
    assert (listed["pelvis.L"], listed["thigh.L"]) == ("", "thigh.L")
