"""Staggered poses through the operators."""

import bpy
import numpy as np
import pytest
from motion_editing.core import quaternion
from motion_editing.core.staggered.pose_edits import non_staggered_pose
from motion_editing.motion_editing_addon import action_io, saved_model
from motion_editing.motion_editing_addon.compatibility import select
from motion_editing.motion_editing_addon.staggered import session
from rigs import all_keys, chain_armature


@pytest.fixture
def sample(empty_scene):
    """The sample motion with all its poses extracted."""
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    assert bpy.ops.motion_editing.extract_poses() == {"FINISHED"}
    return armature


def motion_of(armature):
    return action_io.read(armature, rate=30.0).motion


def poses_of(armature):
    return armature.animation_data.action.motion_editing_staggered


def test_extracting_changes_no_key(empty_scene):
    bpy.ops.motion_editing.load_sample_motion(rate=30)
    armature = bpy.context.object
    before = all_keys(armature.animation_data.action)
    bpy.ops.motion_editing.extract_poses()
    assert all_keys(armature.animation_data.action) == before
    listed = poses_of(armature).poses
    assert 10 < len(listed) < 80
    assert [pose.frame for pose in listed] == sorted(pose.frame for pose in listed)


def test_culling_shows_fewer_poses_and_changes_no_key(sample):
    before, count = all_keys(sample.animation_data.action), len(poses_of(sample).poses)
    poses_of(sample).share = 0.3
    assert len(poses_of(sample).poses) == pytest.approx(0.3 * count, abs=1.5)
    poses_of(sample).share = 1.0
    assert len(poses_of(sample).poses) == count
    assert all_keys(sample.animation_data.action) == before


def test_picking_a_pose_moves_the_playhead(sample):
    poses_of(sample).active = 5
    assert bpy.context.scene.frame_current == round(poses_of(sample).poses[5].frame)


def test_unstagger_and_restagger_bring_back_every_key(sample):
    before = all_keys(sample.animation_data.action)
    motion = motion_of(sample)
    assert bpy.ops.motion_editing.unstagger(all_poses=True) == {"FINISHED"}
    assert quaternion.angle_between(motion.rotations, motion_of(sample).rotations).max() > 0.01
    assert bpy.ops.motion_editing.restagger(all_poses=True) == {"FINISHED"}
    after = all_keys(sample.animation_data.action)
    for identity, keys in before.items():
        old, new = (np.frombuffer(each["co"], dtype=np.float32) for each in (keys, after[identity]))
        np.testing.assert_allclose(new, old, atol=2e-6)


def test_succession_touches_only_what_is_below_the_bone(sample):
    before = motion_of(sample)
    assert bpy.ops.motion_editing.succession(bone="upper_arm.L", offset=0.05, all_poses=True) == {"FINISHED"}
    after = motion_of(sample)
    names = before.skeleton.names
    changed = (before.rotations != after.rotations).any(axis=(0, 2))
    assert {names[joint] for joint in np.flatnonzero(changed)} == {"forearm.L", "hand.L", "fingers.L"}
    np.testing.assert_array_equal(before.locations, after.locations)


def test_only_selected_bones_are_staggered(sample):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name == "hand.R")
    before = motion_of(sample)
    bpy.ops.motion_editing.random_stagger(reach=0.08, all_poses=True)
    changed = (before.rotations != motion_of(sample).rotations).any(axis=(0, 2))
    assert {before.skeleton.names[joint] for joint in np.flatnonzero(changed)} == {"hand.R"}


def test_an_edited_extreme_pose_is_met_and_the_rest_stays(sample):
    poses_of(sample).share = 0.5
    pose = len(poses_of(sample).poses) // 2
    before = motion_of(sample)
    old = session.require(bpy.context, sample).model
    assert bpy.ops.motion_editing.edit_staggered_pose(kind="EXTREME", pose=pose) == {"FINISHED"}
    shown = [quaternion.normalize(bone.rotation_quaternion) for bone in sample.pose.bones]
    expected = non_staggered_pose(old, pose).rotations[0, 1:]
    assert quaternion.angle_between(np.array(shown), expected).max() < 1e-5
    bone = sample.pose.bones["upper_arm.R"]
    bone.rotation_quaternion = quaternion.multiply(
        np.array(bone.rotation_quaternion), quaternion.from_axis_angle([1.0, 0, 0], 0.5)
    )
    wanted = np.array(bone.rotation_quaternion)
    assert bpy.ops.motion_editing.apply_staggered_pose() == {"FINISHED"}
    after, new = motion_of(sample), session.require(bpy.context, sample).model
    joint = before.skeleton.index["upper_arm.R"]
    assert quaternion.angle_between(non_staggered_pose(new, pose).rotations[0, joint], wanted) < 1e-5
    changed = (before.rotations != after.rotations).any(axis=2)
    assert set(np.flatnonzero(changed.any(axis=0))) == {joint}
    neighbours = old.timing.extreme_times[[pose - 1, pose + 1], joint]
    moving = before.times[changed[:, joint]]
    assert moving.min() > neighbours[0]
    assert moving.max() < neighbours[1]
    assert len(bpy.data.actions) == 2, "the posing action must be gone; the original is kept"


def test_cancelling_a_pose_leaves_everything(sample):
    before = all_keys(sample.animation_data.action)
    action = sample.animation_data.action
    bpy.ops.motion_editing.edit_staggered_pose(kind="TRUE", pose=3)
    sample.pose.bones["head"].rotation_quaternion = (0, 1, 0, 0)
    bpy.ops.motion_editing.cancel_staggered_pose()
    assert sample.animation_data.action == action
    assert all_keys(action) == before
    assert len(bpy.data.actions) == 1
    assert not sample.motion_editing_posing.action


def test_poses_survive_saving_and_loading(sample, tmp_path):
    bpy.ops.motion_editing.unstagger(all_poses=True)
    frames = [pose.frame for pose in poses_of(sample).poses]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "poses.blend"))
    session.forget()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "poses.blend"))
    armature = bpy.data.objects["Sample"]
    bpy.context.view_layer.objects.active = armature
    assert [pose.frame for pose in poses_of(armature).poses] == frames
    before = motion_of(armature)
    assert bpy.ops.motion_editing.restagger(all_poses=True) == {"FINISHED"}
    assert quaternion.angle_between(before.rotations, motion_of(armature).rotations).max() > 0.01


def test_keys_changed_from_outside_are_noticed_and_taken_up(sample):
    curve = action_io.channelbag(sample).fcurves[3]
    curve.keyframe_points[40].co[1] += 0.2
    curve.update()
    assert saved_model.state(sample, "staggered", exact=True) is saved_model.State.CHANGED
    with pytest.raises(RuntimeError, match="use Rebuild Poses"):
        bpy.ops.motion_editing.succession(bone="upper_arm.L")
    assert bpy.ops.motion_editing.rebuild_poses() == {"FINISHED"}
    assert bpy.ops.motion_editing.succession(bone="upper_arm.L") == {"FINISHED"}


def test_inserting_and_deleting_a_pose_changes_no_key(sample):
    before, count = all_keys(sample.animation_data.action), len(poses_of(sample).poses)
    frames = {round(pose.frame) for pose in poses_of(sample).poses}
    free = next(frame for frame in range(60, 120) if not frames & {frame - 2, frame - 1, frame, frame + 1, frame + 2})
    bpy.context.scene.frame_set(free)
    assert bpy.ops.motion_editing.insert_staggered_pose() == {"FINISHED"}
    assert len(poses_of(sample).poses) == count + 1
    number = poses_of(sample).active
    assert round(poses_of(sample).poses[number].frame) == free
    assert bpy.ops.motion_editing.delete_staggered_pose() == {"FINISHED"}
    assert len(poses_of(sample).poses) == count
    assert all_keys(sample.animation_data.action) == before


def test_retiming_a_pose_moves_only_its_two_intervals(sample):
    poses_of(sample).share = 0.4
    poses, before = poses_of(sample).poses, motion_of(sample)
    pose = len(poses) // 2
    old = session.require(bpy.context, sample).model
    bpy.ops.motion_editing.retime_pose(pose=pose, frame=poses[pose].frame + 2)
    after = motion_of(sample)
    moving = before.times[(before.rotations != after.rotations).any(axis=(1, 2))]
    assert moving.min() > old.timing.extreme_times[pose - 1].min()
    assert moving.max() < old.timing.extreme_times[pose + 1].max()


def test_a_pose_that_cannot_go_so_far_stops_beside_its_neighbour_and_says_so(capfd):
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    latest = poses_of(armature).poses[2].frame
    assert bpy.ops.motion_editing.retime_pose(pose=1, frame=80.0) == {"FINISHED"}
    told = capfd.readouterr().out
    assert f"Pose 2 can go no later than frame {poses_of(armature).poses[1].frame:.1f}: pose 3 is there" in told
    assert latest - 1.0 < poses_of(armature).poses[1].frame < latest
    bpy.ops.motion_editing.retime_pose(pose=1, frame=30.0)
    assert "can go no" not in capfd.readouterr().out


def test_removing_leaves_plain_curves(sample):
    before = all_keys(sample.animation_data.action)
    bpy.ops.motion_editing.remove_poses()
    assert all_keys(sample.animation_data.action) == before
    assert session.load(sample) is None
    assert not poses_of(sample).poses


def keyed_chain():
    """Three bones, posed three times, each bone a frame later than its parent."""
    armature = chain_armature(3)
    for index, bone in enumerate(armature.pose.bones):
        for frame, turn in ((10, 0.2), (30, -0.4), (50, 0.3)):
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0.2, 0], turn + 0.1 * index)
            bone.keyframe_insert("rotation_quaternion", frame=frame + index)
    return armature


def test_poses_from_keys_and_sparse_edits():
    armature = keyed_chain()
    assert bpy.ops.motion_editing.poses_from_keys() == {"FINISHED"}
    assert [round(pose.frame) for pose in poses_of(armature).poses] == pytest.approx([10, 30, 50], abs=2)
    bpy.ops.motion_editing.scale_stagger(factor=2.0, all_poses=True)
    frames = {
        curve.data_path.split('"')[1]: [round(key.co[0], 2) for key in curve.keyframe_points]
        for curve in action_io.channelbag(armature).fcurves
    }
    spread = frames["bone2"][1] - frames["bone0"][1]
    assert spread == pytest.approx(4.0, abs=0.01)
    assert all(len(each) == 3 for each in frames.values())


def test_an_edited_pose_of_keys_moves_the_keys_own_values():
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    bpy.ops.motion_editing.edit_staggered_pose(pose=1)
    bone = armature.pose.bones["bone1"]
    wanted = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.7)
    bone.rotation_quaternion = wanted
    bpy.ops.motion_editing.apply_staggered_pose()
    curves = [c for c in action_io.channelbag(armature).fcurves if "bone1" in c.data_path]
    assert all(len(curve.keyframe_points) == 3 for curve in curves)
    values = [curve.keyframe_points[1].co[1] for curve in sorted(curves, key=lambda c: c.array_index)]
    assert quaternion.angle_between(quaternion.normalize(values), wanted) < 1e-4


def test_motion_from_scratch():
    armature = chain_armature(2)
    for frame, turn in ((1, 0.0), (20, 0.8), (40, -0.3)):
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            bone.rotation_quaternion = quaternion.from_axis_angle([1.0, 0, 0], turn)
        assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    assert [round(pose.frame) for pose in poses_of(armature).poses] == [1, 20, 40]
    bpy.ops.motion_editing.succession(bone="bone0", offset=0.1, all_poses=True)
    frames = {c.data_path.split('"')[1]: c.keyframe_points[1].co[0] for c in action_io.channelbag(armature).fcurves}
    assert frames["bone1"] - frames["bone0"] == pytest.approx(2.4, abs=0.01)


def test_key_pose_still_remembers_the_stagger_that_was_taken_away():
    armature = keyed_chain()
    bpy.ops.motion_editing.poses_from_keys()
    before = [key[:2] for key in sorted(keys_of(armature)) if key[1] < 52]
    bpy.ops.motion_editing.unstagger(all_poses=True)
    bpy.context.scene.frame_set(70)
    assert bpy.ops.motion_editing.key_staggered_pose() == {"FINISHED"}
    assert len(poses_of(armature).poses) == 4
    assert bpy.ops.motion_editing.restagger(all_poses=True) == {"FINISHED"}
    after = [key[:2] for key in sorted(keys_of(armature)) if key[1] < 52]
    assert [name for name, _ in after] == [name for name, _ in before]
    np.testing.assert_allclose([frame for _, frame in after], [frame for _, frame in before], atol=0.01)


def keys_of(armature):
    """Bone and frame of every key of the first rotation channel."""
    return [
        (curve.data_path.split('"')[1], float(key.co[0]))
        for curve in action_io.channelbag(armature).fcurves
        if curve.data_path.endswith("rotation_quaternion") and curve.array_index == 0
        for key in curve.keyframe_points
    ]


def test_feet_stay_when_contacts_are_kept(sample):
    from motion_editing.core.contacts import detect_contacts
    from motion_editing.motion_editing_addon.character.saved import body_of

    before = action_io.read(sample, rate=30.0)
    contacts = detect_contacts(before.motion, body_of(sample, before))
    poses_of(sample).share = 0.4
    bpy.ops.motion_editing.exaggerate_pose(weight=0.3, all_poses=True, keep_contacts=True)
    after = motion_of(sample)
    foot = before.motion.skeleton.index["foot.L"]
    for start, end in contacts.of("foot.L"):
        inside = (before.motion.times >= start) & (before.motion.times <= end)
        moved = after.poses.positions[inside, foot] - before.motion.poses.positions[inside, foot]
        assert np.abs(moved).max() < 2e-3


@pytest.mark.clips
def test_captured_motion_with_noise_is_warned_about_and_can_be_smoothed(clips_folder):
    bpy.ops.motion_editing.import_bvh(filepath=str(clips_folder / "dev" / "cmu_09_01_run.bvh"))
    armature = bpy.context.object
    bpy.ops.motion_editing.extract_poses()
    before = motion_of(armature)
    assert bpy.ops.motion_editing.succession(bone="LowerBack", offset=0.02, all_poses=True) == {"FINISHED"}
    rough = motion_of(armature)
    bpy.ops.motion_editing.restore_original()
    bpy.ops.motion_editing.extract_poses()
    bpy.ops.motion_editing.succession(bone="LowerBack", offset=0.02, all_poses=True, smooth_first=True)
    from motion_editing.core.staggered.noise import high_frequency_energy

    head = before.skeleton.index["Head"]
    assert high_frequency_energy(motion_of(armature))[head] < high_frequency_energy(rough)[head]


def test_easing_a_pose_changes_only_the_ways_beside_it(sample):
    poses_of(sample).share = 0.4
    before, old = motion_of(sample), session.require(bpy.context, sample).model
    assert bpy.ops.motion_editing.ease_pose(pose=4, arriving=0.0, leaving=0.0) == {"FINISHED"}
    moving = before.times[(before.rotations != motion_of(sample).rotations).any(axis=(1, 2))]
    assert moving.size
    assert moving.min() > old.timing.extreme_times[3].min()
    assert moving.max() < old.timing.extreme_times[5].max()


@pytest.mark.parametrize(("side", "first", "last"), [("BOTH", 3, 5), ("ARRIVING", 3, 4), ("LEAVING", 4, 5)])
def test_set_tangents_changes_only_its_side_of_the_pose(sample, side, first, last):
    poses_of(sample).share = 0.4
    bpy.ops.motion_editing.unstagger(all_poses=True)
    before, old = motion_of(sample), session.require(bpy.context, sample).model
    assert bpy.ops.motion_editing.set_tangents(pose=4, shape="FLAT", side=side) == {"FINISHED"}
    moving = before.times[(before.rotations != motion_of(sample).rotations).any(axis=(1, 2))]
    assert moving.size
    assert moving.min() > old.pose_times[first]
    assert moving.max() < old.pose_times[last]


@pytest.mark.parametrize(
    ("operator", "properties"),
    [
        ("set_tangents", {"shape": "AUTO", "leaving": 2.0}),
        ("succession", {"bone": "spine", "offset": 0.03}),
        ("random_stagger", {"reach": 0.05, "seed": 3}),
        ("scale_stagger", {"factor": 2.0}),
        ("exaggerate_pose", {"weight": 0.5}),
        ("detail_strength", {"strength": 0.0}),
        ("copy_stagger", {"mirror": True}),
    ],
)
def test_every_edit_is_one_undo_step_and_undoes_exactly(sample, operator, properties):
    bpy.ops.ed.undo_push(message="set up")
    before, frames = all_keys(sample.animation_data.action), [pose.frame for pose in poses_of(sample).poses]
    getattr(bpy.ops.motion_editing, operator)(all_poses=True, **properties)
    bpy.ops.ed.undo_push(message=operator)
    assert all_keys(bpy.data.objects["Sample"].animation_data.action) != before
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Sample"]
    assert all_keys(armature.animation_data.action) == before
    assert [pose.frame for pose in poses_of(armature).poses] == frames
    assert bpy.ops.motion_editing.unstagger(all_poses=True) == {"FINISHED"}, "the poses must fit the keys after undo"


def leg_rig():
    """A body with one leg that follows a control of its own by a real IK constraint; the control stands, then steps."""
    data = bpy.data.armatures.new("Leg")
    armature = bpy.data.objects.new("Leg", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, head, tail, parent in (
        ("root", (0, 0, 0), (0, 0.3, 0), ""),
        ("hips", (0, 0, 1.0), (0, 0, 1.2), "root"),
        ("thigh.L", (0.1, 0, 1.0), (0.1, -0.05, 0.55), "hips"),
        ("shin.L", (0.1, -0.05, 0.55), (0.1, 0, 0.1), "thigh.L"),
        ("foot_ik.L", (0.1, 0, 0.1), (0.1, -0.2, 0.0), "root"),
    ):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = head, tail, data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    constraint = armature.pose.bones["shin.L"].constraints.new("IK")
    constraint.target, constraint.subtarget, constraint.chain_count = armature, "foot_ik.L", 2
    for frame in range(1, 62):
        control, hips = armature.pose.bones["foot_ik.L"], armature.pose.bones["hips"]
        control.location = (0.0, 0.01 * max(frame - 40, 0), 0.0)
        hips.rotation_quaternion = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.2 * np.sin(frame / 7.0))
        for bone in (control, hips):
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    return armature


def control_places(armature):
    """Where Blender has the foot's control, frame after frame."""
    scene, places = bpy.context.scene, []
    for frame in range(1, 62):
        scene.frame_set(frame)
        places.append(np.array(armature.matrix_world @ armature.pose.bones["foot_ik.L"].head))
    return np.array(places)


def test_a_control_of_a_foot_is_held_while_it_stands(empty_scene):
    from motion_editing.core.body import Axis, Body, Limb, LimbKind, Side
    from motion_editing.core.contacts import ContactSpans
    from motion_editing.motion_editing_addon.character.saved import save_body
    from motion_editing.motion_editing_addon.contacts.saved import save_contacts

    armature = leg_rig()
    motion = motion_of(armature)
    hips, *chain, control = (motion.skeleton.index[name] for name in ("hips", "thigh.L", "shin.L", "foot_ik.L"))
    leg = Limb(LimbKind.LEG, Side.LEFT, tuple(chain), control)
    save_body(armature, Body(motion.skeleton, root=hips, limbs=(leg,), up=Axis.PLUS_Z, height=1.2))
    save_contacts(armature, ContactSpans({"foot_ik.L": ((1 / 24, 36 / 24),)}), 24.0)
    assert bpy.ops.motion_editing.extract_poses(use_contacts=False) == {"FINISHED"}
    before, slides = control_places(armature), {}
    for keep in (False, True):
        bpy.ops.motion_editing.exaggerate_pose(weight=0.5, all_poses=True, keep_contacts=keep)
        slides[keep] = np.linalg.norm(control_places(armature) - before, axis=1)
        if not keep:
            bpy.ops.motion_editing.exaggerate_pose(weight=-1.0 / 3.0, all_poses=True)
    assert slides[False][:36].max() > 0.02
    assert slides[True][:36].max() < 1e-4
    assert slides[True][50:].max() > 0.02
