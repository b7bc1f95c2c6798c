"""Curves and handlers while pose trees are live: muted meanwhile, free and gone afterwards."""

import bpy
import numpy as np
import rigs
from tree_rigs import OPERATORS, PLACES, activate, channels, cursor_of, rig_with_tree

HANDLERS = [name for name in dir(bpy.app.handlers) if isinstance(getattr(bpy.app.handlers, name), list)]


def test_curves_of_driven_bones_are_muted_while_live_and_free_after():
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10, 20])
    OPERATORS.limit_tree_node(what="NAMED", names="bone1")
    bag = action.layers[0].strips[0].channelbags[0]
    bag.fcurves.find('pose.bones["bone1"].scale', index=0).mute = True
    before = [curve.mute for curve in bag.fcurves]
    OPERATORS.live_pose_tree(state="ON")
    muted = [curve.data_path for curve in bag.fcurves if curve.mute]
    assert set(muted) == {f'pose.bones["bone1"].{each}' for each in ("location", "rotation_quaternion", "scale")}
    OPERATORS.live_pose_tree(state="OFF")
    assert [curve.mute for curve in bag.fcurves] == before


def test_a_live_pose_stays_where_bones_have_keys():
    armature, poses = rig_with_tree()
    rigs.key_bones(armature, [1, 10, 20])
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = PLACES[2]
    for frame in (3, 12):
        bpy.context.scene.frame_set(frame)
        np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)
    armature.update_tag(refresh={"TIME"})
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-6)


def test_another_action_is_muted_when_it_comes_and_the_first_one_is_free():
    armature, poses = rig_with_tree()
    first = rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 3")
    second = first.copy()
    for curve in second.layers[0].strips[0].channelbags[0].fcurves:
        curve.mute = False
    armature.animation_data.action = second
    bpy.context.scene.frame_set(4)
    bpy.context.scene.frame_set(5)
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)
    assert all(curve.mute for curve in second.layers[0].strips[0].channelbags[0].fcurves)
    assert not any(curve.mute for curve in first.layers[0].strips[0].channelbags[0].fcurves)


def test_disabling_frees_curves_and_takes_handlers_away(registered_addon):
    armature, _poses = rig_with_tree()
    action = rigs.key_bones(armature, [1, 10])
    OPERATORS.live_pose_tree(state="ON")
    curves = action.layers[0].strips[0].channelbags[0].fcurves
    assert all(curve.mute for curve in curves)
    registered_addon.unregister()
    try:
        assert not any(curve.mute for curve in curves)
        left = [handler.__module__ for place in HANDLERS for handler in getattr(bpy.app.handlers, place)]
        assert not [name for name in left if "pose_tree" in name]
    finally:
        registered_addon.register()
    assert all(curve.mute for curve in curves)
    assert "_on_frame" in {handler.__name__ for handler in bpy.app.handlers.frame_change_post}


def pose_tree_handlers():
    found = [(place, handler) for place in HANDLERS for handler in getattr(bpy.app.handlers, place)]
    return {place for place, handler in found if handler.__module__.endswith("pose_tree.tree_handlers")}


def test_there_is_no_handler_work_without_a_tree():
    idle = pose_tree_handlers()
    assert "depsgraph_update_post" not in idle
    assert "frame_change_post" not in idle
    armature, _poses = rig_with_tree()
    assert {"depsgraph_update_post", "frame_change_post", "render_init"} <= pose_tree_handlers()
    activate(armature)
    assert OPERATORS.remove_pose_tree() == {"FINISHED"}
    assert pose_tree_handlers() == idle
    assert not [thing for thing in bpy.data.objects if thing.motion_editing_control.kind != "NONE"]
    assert "Control Spaces" not in bpy.data.collections


def test_rendering_an_unbaked_tree_warns(capsys):
    rig_with_tree()
    scene = bpy.context.scene
    warn = next(each for each in bpy.app.handlers.render_init if each.__module__.endswith("pose_tree.tree_handlers"))
    warn(scene)
    assert "Warning" not in capsys.readouterr().out
    OPERATORS.live_pose_tree(state="ON")
    warn(scene)
    assert "Rendering while the pose tree of Rig is live: bake first" in capsys.readouterr().out
