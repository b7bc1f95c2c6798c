"""Blends, bridges, appended motions, mirrored layers and retargeting on control rigs, as Blender shows them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from control_rigs import key_steps, key_switch, key_turn, keyed_bones, shown_figure, traveller_rig
from mathutils import Matrix
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from retarget_figures import load_walker, make_active
from test_ground_rigs import moved_rigidly, turn_of

LAST = 41
AT = list(range(1, LAST + 1, 8))
SWITCH = 'pose.bones["c_foot_ik.%s"]["ik_fk_switch"]'


@pytest.fixture
def rig():
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l", "c_foot_ik.r"))
    return rig


def other_action(rig, change):
    """Another action of the rig, a changed copy of its own; the rig itself is as before."""
    data = rig.animation_data
    own, slot = data.action, data.action_slot.identifier
    data.action = other = own.copy()
    data.action_slot = other.slots[slot]
    change()
    figure = shown_figure(rig, range(1, LAST + 1))
    data.action = own
    data.action_slot = own.slots[slot]
    for bone in rig.pose.bones:
        bone.matrix_basis = Matrix()
        if "ik_fk_switch" in bone:
            bone["ik_fk_switch"] = 0.0
    return other, figure


def limp(rig):
    """The left leg goes over to FK, which the other action does not know."""

    def change():
        key_switch(rig.pose.bones["c_foot_ik.l"], "ik_fk_switch", {1: 0.0, 20: 1.0})
        for frame, angle in ((1, 0.0), (20, 0.3), (LAST, -0.4)):
            key_turn(rig.pose.bones["c_thigh_fk.l"], frame, "X", angle)

    return change


@pytest.mark.parametrize("ground", ["START", "PATH", "PLACES"])
def test_a_blend_with_all_weight_is_the_other_figure_carried_as_one(rig, ground):
    other, figure = other_action(rig, lambda: bpy.ops.motion_editing.change_heading(angle=1.0))
    assert bpy.ops.motion_editing.blend_action(action=other.name, weight=1.0, ground=ground, keying="EVERY_FRAME") == {
        "FINISHED"
    }
    moves = moved_rigidly(figure[[frame - 1 for frame in AT]], shown_figure(rig, AT))
    if ground != "PATH":
        np.testing.assert_allclose(turn_of(moves), 0.0 if ground == "PLACES" else -np.degrees(1.0), atol=0.1)


def test_a_blend_takes_up_switches_that_only_the_other_action_has(rig):
    other, figure = other_action(rig, limp(rig))
    bpy.ops.motion_editing.blend_action(action=other.name, weight=1.0, ground="PLACES", keying="EVERY_FRAME")
    np.testing.assert_allclose(shown_figure(rig, range(1, LAST + 1)), figure, atol=1e-3)
    curve = action_io.channelbag(rig).fcurves.find(SWITCH % "l")
    assert {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}


def test_an_appended_motion_takes_its_switches_along(rig):
    other, figure = other_action(rig, limp(rig))
    options = {"automatic": False, "leave_frame": 33, "enter_frame": 1, "length": 0.25, "keying": "EVERY_FRAME"}
    assert bpy.ops.motion_editing.append_transition(action=other.name, **options) == {"FINISHED"}
    after = shown_figure(rig, range(33, 33 + LAST))
    moved_rigidly(figure[8:], after[8:])
    curve = action_io.channelbag(rig).fcurves.find(SWITCH % "l")
    assert {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}
    assert [curve.evaluate(frame) for frame in (1, 33, 51, 52, 60)] == [0.0, 0.0, 0.0, 1.0, 1.0]


def test_what_follows_a_bridge_is_carried_on_as_one(rig):
    before, keyed = shown_figure(rig, range(1, LAST + 1)), keyed_bones(rig)
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 9, 17
    key = {"range": "PREVIEW", "carry": True, "keying": "EVERY_FRAME"}
    assert bpy.ops.motion_editing.bridge_gap(**key) == {"FINISHED"}
    after = shown_figure(rig, range(1, LAST + 1))
    np.testing.assert_allclose(after[:8], before[:8], atol=1e-4)
    moves = moved_rigidly(before[17:], after[17:])
    np.testing.assert_allclose(moves, moves[:1].repeat(len(moves), axis=0), atol=1e-3)
    assert keyed_bones(rig) == keyed


@pytest.mark.parametrize(
    ("tool", "options"),
    [
        ("mirror_motion", {}),
        ("blend_action", {"action": "Other"}),
        ("bridge_gap", {"range": "PREVIEW", "carry": True}),
    ],
)
def test_a_foot_that_would_stay_behind_is_told_before_anything_changes(tool, options):
    rig = traveller_rig()
    key_steps(rig, "c_root_master.x", ("c_foot_ik.l",))
    rig.animation_data.action.copy().name = "Other"
    rig.data.collections["Controls"].unassign(rig.data.bones["c_foot_ik.r"])
    rig.data.collections["Mechanism"].assign(rig.data.bones["c_foot_ik.r"])
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 9, 17
    with pytest.raises(RuntimeError, match=r"stays .* behind when 'c_root_master\.x' and 2 more carry the figure"):
        getattr(bpy.ops.motion_editing, tool)(**options)


@pytest.mark.parametrize("copy", [True, False])
def test_a_mirrored_layer_turns_the_switch_of_the_other_leg(rig, copy):
    key_switch(rig.pose.bones["c_foot_ik.l"], "ik_fk_switch", {1: 0.0})
    bpy.context.scene.frame_set(12)
    bpy.ops.motion_editing.add_layer(reach=0.2)
    rig.pose.bones["c_foot_ik.l"]["ik_fk_switch"] = 1.0
    rig.pose.bones["c_foot_ik.l"].location.z += 0.1
    bpy.ops.motion_editing.key_layer()
    assert bpy.ops.motion_editing.mirror_layer(copy=copy) == {"FINISHED"}
    values = {}
    for side in "lr":
        curve = action_io.channelbag(rig).fcurves.find(SWITCH % side)
        values[side] = [curve.evaluate(frame) for frame in (1, 12, 30)]
        assert {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}
    assert values == {"l": [0.0, 1.0 if copy else 0.0, 0.0], "r": [0.0, 1.0, 0.0]}
    layers = rig.animation_data.action.motion_editing_layers.layers
    for layer in list(layers):
        layer.muted = True
    assert action_io.channelbag(rig).fcurves.find(SWITCH % "r").evaluate(12) == 0.0


def test_retargeting_keys_no_hidden_mechanism():
    walker = load_walker()
    rig = traveller_rig()
    make_active(rig)
    assert bpy.ops.motion_editing.retarget_motion(source=walker.name) == {"FINISHED"}
    assert all(scope.is_visible(rig.pose.bones[name]) for name in keyed_bones(rig))
    assert np.ptp(shown_figure(rig, (1, 60))[:, 0, 1, 3]) > 1.0


def test_what_was_seen_of_a_rig_outlives_its_evaluation():
    from motion_editing.motion_editing_addon.border.rigs.rig_followers import Following
    from rigs import chain_armature

    armature = chain_armature(3)
    bone = armature.pose.bones[1]
    following = Following(armature)
    bone.constraints.new("COPY_ROTATION").target = armature
    bpy.context.view_layer.update()
    assert following.obeys_its_channels(bone.name)
    assert not Following(armature).obeys_its_channels(bone.name)
