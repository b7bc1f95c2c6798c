"""Pose trees in Blender: cursors pose rigs, keys play, baking gives the same, nothing is left behind."""

import bpy
import numpy as np
import pytest
import rigs
from motion_editing.motion_editing_addon.armature import skeleton_of
from motion_editing.motion_editing_addon.pose_tree import evaluation, model
from motion_editing.motion_editing_addon.pose_tree.rig import read_rig

OPERATORS = bpy.ops.motion_editing
PLACES = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.7, 0.6, 0.2))


def pose_at_random(armature, seed):
    random = np.random.default_rng(seed)
    for bone in armature.pose.bones:
        bone.location = random.normal(size=3) * 0.1
        turn(bone, random.normal(size=3) * 0.6)
        bone.scale = 1 + random.normal(size=3) * 0.05


def turn(bone, angles):
    from mathutils import Euler

    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = Euler(angles).to_quaternion()
    elif bone.rotation_mode == "AXIS_ANGLE":
        axis, angle = Euler(angles).to_quaternion().to_axis_angle()
        bone.rotation_axis_angle = (angle, *axis)
    else:
        bone.rotation_euler = angles


def channels(armature):
    """All bones' local matrices as they are set now."""
    return np.array([bone.matrix_basis for bone in armature.pose.bones])


def shown(armature):
    """All bones as Blender shows them."""
    bpy.context.view_layer.update()
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([bone.matrix for bone in seen.pose.bones])


def activate(thing):
    bpy.context.view_layer.objects.active = thing


def cursor_of(armature, node=0):
    return model.tree_of(armature).nodes[node].cursor


def rig_with_tree(*, bones=4, places=PLACES, modes=("QUATERNION",)):
    """An armature whose tree has a target with a random pose at each place; gives the poses too."""
    armature = rigs.chain_armature(bones, connected=False)
    for number, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = modes[number % len(modes)]
    assert OPERATORS.add_pose_tree(live=False) == {"FINISHED"}
    poses = []
    for seed, place in enumerate(places):
        cursor_of(armature).location = place
        pose_at_random(armature, seed)
        bpy.context.view_layer.update()
        poses.append(channels(armature))
        assert OPERATORS.add_tree_pose(name=f"Pose {seed}") == {"FINISHED"}
    return armature, poses


# Live posing


def test_a_cursor_at_a_target_gives_its_pose_in_every_rotation_mode():
    armature, poses = rig_with_tree(bones=8, modes=rigs.ROTATION_MODES)
    OPERATORS.live_pose_tree(state="ON")
    for place, pose in zip(PLACES, poses, strict=True):
        cursor_of(armature).location = place
        bpy.context.view_layer.update()
        np.testing.assert_allclose(channels(armature), pose, atol=2e-6)


def test_between_targets_the_rig_shows_the_blend_that_core_gives():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = (0.3, 0.4, 0.1)
    bpy.context.view_layer.update()
    expected = evaluation.current_pose(armature).pose
    got = read_rig(armature, skeleton_of(armature), ())
    np.testing.assert_allclose(np.abs((got.rotations * expected.rotations).sum(axis=-1)), 1.0, atol=1e-6)
    np.testing.assert_allclose(got.locations, expected.locations, atol=1e-6)
    assert np.abs(channels(armature) - _poses[0]).max() > 0.05


def test_a_moved_target_changes_the_blend_at_once():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = (2, 2, 2)
    bpy.context.view_layer.update()
    bpy.data.objects["Pose 3"].location = (2, 2, 2)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)


def test_scale_and_place_of_a_space_are_free():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    cursor_of(armature).location = (0.2, 0.1, 0.4)
    bpy.context.view_layer.update()
    before = channels(armature)
    space = model.tree_of(armature).nodes[0].space
    space.location, space.scale, space.rotation_euler = (5, 6, 7), (3, 3, 3), (0.3, 0.2, 0.1)
    bpy.context.view_layer.update()
    np.testing.assert_array_equal(channels(armature), before)


def test_a_constrained_cursor_counts_where_it_is_seen():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    constraint = cursor_of(armature).constraints.new("COPY_LOCATION")
    constraint.target = bpy.data.objects["Pose 2"]
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[2], atol=2e-5)


def test_a_keyed_cursor_plays_and_baking_gives_the_same():
    armature, _poses = rig_with_tree(modes=("QUATERNION", "XYZ"))
    OPERATORS.live_pose_tree(state="ON")
    scene = bpy.context.scene
    for frame, place in ((1, PLACES[0]), (10, PLACES[3]), (20, PLACES[1])):
        scene.frame_set(frame)
        cursor_of(armature).location = place
        assert OPERATORS.key_tree_cursor() == {"FINISHED"}
    played = {}
    for frame in range(1, 21):
        scene.frame_set(frame)
        played[frame] = shown(armature)
    assert np.abs(played[5] - played[12]).max() > 0.05
    scene.frame_set(7)
    assert OPERATORS.bake_pose_tree(use_scene=False, first=1, last=20) == {"FINISHED"}
    assert scene.frame_current == 7
    assert not model.tree_of(armature).live
    for frame, pose in played.items():
        scene.frame_set(frame)
        np.testing.assert_allclose(shown(armature), pose, atol=5e-6)


def test_baking_leaves_frames_outside_and_other_bones_alone():
    armature, _poses = rig_with_tree()
    OPERATORS.limit_tree_node(what="NAMED", names="bone1, bone2")
    rigs.key_bones(armature, list(range(1, 41)))
    before = rigs.all_keys(armature.animation_data.action)
    curves = {frame: rigs.evaluated_matrices(armature, frame) for frame in (5, 15, 30)}
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.bake_pose_tree(use_scene=False, first=10, last=20) == {"FINISHED"}
    after = rigs.all_keys(armature.animation_data.action)
    for name, keys in before.items():
        if "bone1" not in name[1] and "bone2" not in name[1]:
            assert after[name] == keys
    for frame in (5, 30):
        np.testing.assert_allclose(rigs.evaluated_matrices(armature, frame), curves[frame], atol=1e-6)
    assert np.abs(rigs.evaluated_matrices(armature, 15) - curves[15]).max() > 0.01


@pytest.mark.parametrize("keying", ["AUTOMATIC", "EVERY_FRAME", "REDUCED"])
def test_every_choice_of_keys_bakes_the_motion(keying):
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    scene = bpy.context.scene
    for frame, place in ((1, PLACES[0]), (30, PLACES[1])):
        scene.frame_set(frame)
        cursor_of(armature).location = place
        OPERATORS.key_tree_cursor()
    scene.frame_set(15)
    expected = shown(armature)
    OPERATORS.bake_pose_tree(
        use_scene=False, first=1, last=30, keying=keying, rotation_error=0.001, location_error=0.001
    )
    scene.frame_set(1)
    scene.frame_set(15)
    np.testing.assert_allclose(shown(armature), expected, atol=0.01 if keying == "REDUCED" else 5e-6)


def test_a_still_pose_is_baked_too():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 3")
    assert OPERATORS.bake_pose_tree(use_scene=False, first=1, last=5) == {"FINISHED"}
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    bpy.context.scene.frame_set(3)
    np.testing.assert_allclose(channels(armature), poses[3], atol=2e-6)


# Curves


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


HANDLERS = [name for name in dir(bpy.app.handlers) if isinstance(getattr(bpy.app.handlers, name), list)]


def pose_tree_handlers():
    found = [(place, handler) for place in HANDLERS for handler in getattr(bpy.app.handlers, place)]
    return {place for place, handler in found if handler.__module__.endswith("pose_tree.live")}


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
    warn = next(each for each in bpy.app.handlers.render_init if each.__module__.endswith("pose_tree.live"))
    warn(scene)
    assert "Warning" not in capsys.readouterr().out
    OPERATORS.live_pose_tree(state="ON")
    warn(scene)
    assert "Rendering while the pose tree of Rig is live: bake first" in capsys.readouterr().out


# Trees


def test_a_childs_blend_is_a_target_of_its_parent_and_owns_only_its_bones():
    armature, poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    OPERATORS.limit_tree_node(node="Arm", what="NAMED", names="bone3")
    for seed, place in ((11, (0, 0, 0)), (12, (1, 0, 0))):
        cursor_of(armature, 1).location = place
        pose_at_random(armature, seed)
        OPERATORS.add_tree_pose(node="Arm", name=f"Arm {seed}")
    arm = channels(armature)
    OPERATORS.live_pose_tree(state="ON")
    tree = model.tree_of(armature)
    tree.nodes[1].place.location = (3, 3, 3)
    cursor_of(armature).location = (3, 3, 3)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature)[3], arm[3], atol=5e-6)
    cursor_of(armature).location = PLACES[1]
    bpy.context.view_layer.update()
    np.testing.assert_allclose(channels(armature), poses[1], atol=5e-6)


def test_a_new_child_does_not_sit_on_a_target():
    armature, _poses = rig_with_tree()
    cursor_of(armature).location = PLACES[1]
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    place = np.array(model.tree_of(armature).nodes[1].place.location)
    assert min(np.linalg.norm(place - other) for other in PLACES) > 0.05


def test_nodes_at_the_top_pose_their_own_bones():
    armature, poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Head", parent="")
    OPERATORS.limit_tree_node(node="Head", what="NAMED", names="bone3")
    pose_at_random(armature, 21)
    bpy.context.view_layer.update()
    head = channels(armature)[3]
    OPERATORS.add_tree_pose(node="Head")
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 1")
    np.testing.assert_allclose(channels(armature)[:3], poses[1][:3], atol=2e-6)
    np.testing.assert_allclose(channels(armature)[3], head, atol=2e-6)


def test_a_node_cannot_be_its_own_ancestor():
    armature, _poses = rig_with_tree()
    OPERATORS.add_tree_node(name="Arm", parent="Body")
    with pytest.raises(RuntimeError, match="its own ancestor"):
        OPERATORS.set_tree_parent(node="Body", parent="Arm")
    assert [node.parent for node in model.tree_of(armature).nodes] == [0, 1]


def test_clusters_keep_places_and_poses():
    armature, _poses = rig_with_tree()
    bpy.context.view_layer.update()
    before = {f"Pose {n}": np.array(bpy.data.objects[f"Pose {n}"].matrix_world) for n in range(5)}
    assert OPERATORS.cluster_tree_node(count=2) == {"FINISHED"}
    bpy.context.view_layer.update()
    for name, matrix in before.items():
        np.testing.assert_allclose(np.array(bpy.data.objects[name].matrix_world), matrix, atol=1e-6)
    tree = model.tree_of(armature)
    assert sum(len(model.targets_of(node)) for node in tree.nodes) == 5
    assert len(tree.nodes) >= 2


def test_go_to_pose_shows_a_pose_of_a_child():
    armature, _poses = rig_with_tree()
    OPERATORS.cluster_tree_node(count=2)
    child = next(node for node in model.tree_of(armature).nodes if node.parent)
    target = model.targets_of(child)[0]
    number = int(target.name.split()[-1])
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.go_to_tree_pose(target=target.name) == {"FINISHED"}
    np.testing.assert_allclose(channels(armature), _poses[number], atol=1e-5)


def test_arranging_changes_no_pose():
    armature, poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    assert OPERATORS.arrange_tree_node(clusters=2) == {"FINISHED"}
    for number, pose in enumerate(poses):
        OPERATORS.go_to_tree_pose(target=f"Pose {number}")
        np.testing.assert_allclose(channels(armature), pose, atol=1e-5)
    places = np.array([target.matrix_world.translation for target in model.targets_of(model.active_node(armature))])
    assert np.ptp(places[:, 2]) < 1e-5  # the view looks down


def test_a_suggested_place_is_where_the_pose_already_is():
    armature, _poses = rig_with_tree()
    OPERATORS.live_pose_tree(state="ON")
    OPERATORS.go_to_tree_pose(target="Pose 4")
    assert OPERATORS.suggest_tree_place(follow=True) == {"FINISHED"}
    ghost = model.tree_of(armature).ghost
    np.testing.assert_allclose(ghost.location, PLACES[4], atol=1e-3)
    armature.pose.bones[1].rotation_quaternion = (0.9, 0.4, 0.1, 0)
    armature.update_tag(refresh={"DATA"})
    bpy.context.view_layer.update()
    assert np.abs(np.array(ghost.location) - PLACES[4]).max() > 1e-3
    assert OPERATORS.end_suggesting() == {"FINISHED"}
    assert model.tree_of(armature).ghost is None
