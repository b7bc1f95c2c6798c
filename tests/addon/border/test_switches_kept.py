"""Whatever is done to a motion, its switches stay switches: steps between values that they had before."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.action_io import any_frames
from motion_editing.motion_editing_addon.border.action_io.curves import keys as keys_of_curves
from motion_editing.motion_editing_addon.pose_tree import model
from rigs import all_keys
from switching_rigs import PARENT, add_switches, switch_curve, switching_rig
from tree_rigs import cursor_of

OPERATORS = bpy.ops.motion_editing
BONE = "head"
VALUES = {"torso_parent": {1.0, 3.0}, "stretch": {0.0, 1.0}, "variant": {2.0, 6.0}, "IK_FK": {0.0, 1.0}}


def switching_sample(*, dense: bool) -> bpy.types.Object:
    """The sample motion with switches that change every 25 frames, keyed where they change or on every frame."""
    OPERATORS.load_sample_motion()
    armature = bpy.context.object
    first, last = (int(frame) for frame in armature.animation_data.action.frame_range)
    bone = armature.pose.bones[BONE]
    for name, (one, other) in ((name, sorted(values)) for name, values in VALUES.items()):
        bone[name] = {"stretch": bool, "IK_FK": float}.get(name, int)(one)
        bone.keyframe_insert(f'["{name}"]', frame=first)
        frames = np.arange(first, last + 1, 1 if dense else 25)
        values = np.where((frames - first) // 25 % 2, other, one)
        keys = keys_of_curves.generated_keys(frames, values, interpolation=keys_of_curves.CONSTANT)
        keys_of_curves.write_keys(curve_of(armature, name), keys)
        curve_of(armature, name).update()
    items = [(f"P{number}", name, "", 0, number) for number, name in enumerate(("None", "Root", "Torso", "Chest"))]
    bone.id_properties_ui("torso_parent").update(items=items)
    return armature


def curve_of(armature: bpy.types.Object, name: str) -> bpy.types.FCurve:
    return switch_curve(armature, f'pose.bones["{BONE}"]["{name}"]')


def assert_switches(armature: bpy.types.Object) -> None:
    for name, values in VALUES.items():
        curve = curve_of(armature, name)
        assert {key.interpolation for key in curve.keyframe_points} == {"CONSTANT"}, name
        assert {key.co[1] for key in curve.keyframe_points} <= values, name
        assert len({key.co[1] for key in curve.keyframe_points}) == 2, name


def other_action(armature: bpy.types.Object) -> str:
    """An action in which the switches change at other times."""
    data = armature.animation_data
    own, slot = data.action, data.action_slot.identifier
    data.action = own.copy()
    data.action_slot = data.action.slots[slot]
    OPERATORS.shift_time(offset=10.0)
    name, data.action = data.action.name, own
    data.action_slot = own.slots[slot]
    return name


def blend(armature):
    OPERATORS.blend_action(action=other_action(armature), weight=0.5, profile="IN_OUT")


def bridge(_armature):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 45, 60
    OPERATORS.bridge_gap(range="PREVIEW")


def edit_layer(armature):
    bpy.context.scene.frame_set(63)
    OPERATORS.add_layer(reach=0.2)
    armature.pose.bones[BONE]["torso_parent"] = 3
    OPERATORS.key_layer()
    armature.animation_data.action.motion_editing_layers.layers[0].influence = 0.6


def move_a_pose(armature):
    OPERATORS.extract_poses()
    pose = armature.animation_data.action.motion_editing_staggered.poses[2]
    OPERATORS.retime_pose(pose=2, frame=pose.frame + 2)
    OPERATORS.exaggerate_pose(weight=0.4)


TOOLS = {
    "blend": blend,
    "layer": edit_layer,
    "staggered": move_a_pose,
    "warp": lambda _: OPERATORS.warp_time(length=0.8),
    "reverse": lambda _: OPERATORS.reverse_time(),
    "every frame": lambda _: OPERATORS.convert_keys(keying="EVERY_FRAME"),
    "few keys": lambda _: OPERATORS.convert_keys(keying="REDUCED"),
    "reduce": lambda _: OPERATORS.reduce_keys(),
    "loop": lambda _: OPERATORS.make_loop(),
    "append": lambda armature: OPERATORS.append_transition(action=other_action(armature)),
    "bridge": bridge,
    "smooth": lambda _: OPERATORS.smooth(),
    "mirror": lambda _: OPERATORS.mirror_motion(),
}


@pytest.mark.parametrize("dense", [False, True], ids=["few keys", "baked"])
@pytest.mark.parametrize("tool", TOOLS, ids=str)
def test_switches_of_the_sample_motion_stay_switches(tool, dense):
    armature = switching_sample(dense=dense)
    TOOLS[tool](armature)
    assert_switches(armature)


# What exactly they show


def values_of(armature, path, frames=range(1, 22)):
    curve = switch_curve(armature, path)
    return [curve.evaluate(frame) for frame in frames]


def test_sparse_switches_get_keys_where_they_change():
    armature = switching_rig()
    clip = action_io.read(armature, rate=24.0)
    scalars = np.array(clip.motion.scalars)
    column = clip.motion.scalar_names.index(PARENT)
    scalars[4:8, column] = 2.0
    action_io.write(clip, clip.motion.with_scalars(scalars))
    assert values_of(armature, PARENT) == [1.0] * 4 + [2.0] * 4 + [1.0] * 2 + [3.0] * 10 + [1.0]
    assert len(switch_curve(armature, PARENT).keyframe_points) == 5


def test_a_switch_without_keys_gets_them_where_it_changes():
    armature = switching_rig()
    action_io.channelbag(armature).fcurves.remove(switch_curve(armature, PARENT))
    armature.pose.bones["bone1"]["torso_parent"] = 1
    clip = any_frames.read_frames(
        armature, np.arange(1.0, 22.0), rate=24.0, scalars=[action_io.Property(armature, PARENT)]
    )
    scalars = np.array(clip.motion.scalars)
    scalars[8:12, clip.motion.scalar_names.index(PARENT)] = 3.0
    action_io.write(clip, clip.motion.with_scalars(scalars))
    keys = switch_curve(armature, PARENT).keyframe_points
    assert [(key.co[0], key.co[1], key.interpolation) for key in keys] == [
        (1.0, 1.0, "CONSTANT"),
        (9.0, 3.0, "CONSTANT"),
        (13.0, 1.0, "CONSTANT"),
    ]


def test_a_retimed_motion_takes_its_muted_switches_along():
    armature = switching_rig()
    curve = switch_curve(armature, PARENT)
    keys = keys_of_curves.generated_keys(range(1, 22), [1] * 10 + [3] * 11, interpolation=keys_of_curves.CONSTANT)
    keys_of_curves.write_keys(curve, keys)
    curve.mute = True
    OPERATORS.warp_time(length=1.5, influence=0.0)
    assert {key.co[1] for key in switch_curve(armature, PARENT).keyframe_points} == {1.0, 3.0}


def test_a_tree_of_a_rig_without_keys_bakes_its_switches():
    armature = rigs.chain_armature(3, connected=False)
    bone = armature.pose.bones["bone1"]
    add_switches(bone)
    OPERATORS.add_pose_tree(live=False)
    for place, choice in ((0.0, 1), (1.0, 3)):
        cursor_of(armature).location.x = place
        bone["torso_parent"], bone.location.x = choice, place
        bpy.context.view_layer.update()
        OPERATORS.add_tree_pose()
    OPERATORS.live_pose_tree(state="ON")
    for frame, place in ((1, 0.0), (21, 1.0)):
        bpy.context.scene.frame_set(frame)
        cursor_of(armature).location.x = place
        OPERATORS.key_tree_cursor()
    OPERATORS.bake_pose_tree(use_scene=False, first=1, last=21)
    values = values_of(armature, PARENT)
    assert (values[0], values[-1], set(values)) == (1.0, 3.0, {1.0, 3.0})
    keys = switch_curve(armature, PARENT).keyframe_points
    assert {key.interpolation for key in keys} == {"CONSTANT"}
    assert len(keys) <= 3


def test_what_is_not_edited_stays_bit_for_bit():
    armature = switching_rig()
    before = all_keys(armature.animation_data.action)
    clip = action_io.read(armature, rate=24.0)
    scalars = np.array(clip.motion.scalars)
    scalars[10:, clip.motion.scalar_names.index(PARENT)] = 2.0
    action_io.write(clip, clip.motion.with_scalars(scalars))
    after = all_keys(armature.animation_data.action)
    assert {identity[1] for identity in after if after[identity] != before[identity]} == {PARENT}


def test_a_branch_of_a_path_steps_to_the_choice_of_the_changed_pose():
    armature = switching_rig()
    bone = armature.pose.bones["bone1"]
    OPERATORS.add_pose_tree()
    OPERATORS.embed_action(action=armature.animation_data.action.name)
    name = model.active_node(armature).paths[0].name
    OPERATORS.pick_path_pose(frame=14)
    OPERATORS.go_to_tree_pose(target=f"{name} 14")
    bone["torso_parent"] = 2
    OPERATORS.replace_tree_pose(target=f"{name} 14")
    OPERATORS.make_tree_branch(margin=3)
    bpy.context.scene.frame_set(1)
    OPERATORS.follow_tree_path(path=f"{name} Branch")
    OPERATORS.bake_pose_tree(use_scene=False, first=1, last=21)
    assert values_of(armature, PARENT) == [1.0] * 10 + [3.0] * 4 + [2.0] * 3 + [3.0] * 3 + [1.0]
    assert {key.interpolation for key in switch_curve(armature, PARENT).keyframe_points} == {"CONSTANT"}
