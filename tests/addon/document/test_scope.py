"""Ranges, bones and several armatures; NLA tweak mode, linked and shared actions."""

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.clip.scope_text import scope_text
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.take.reference_pose import is_reference_deleted, remember
from motion_editing.motion_editing_addon.guided_warp.keytimes import clip_ends
from rigs import all_keys, chain_armature, key_bones
from tweak_mode import in_tweak_mode


def test_ranges_choose_frames():
    armature = chain_armature(2)
    key_bones(armature, [1, 21, 41])
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 15
    assert scope.read_clip(bpy.context, armature, choice="SCENE").frames[[0, -1]].tolist() == [5, 15]
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 8, 9
    assert scope.read_clip(bpy.context, armature, choice="PREVIEW").frames.tolist() == [8, 9]
    for frame in (12, 30):
        scene.timeline_markers.new(str(frame), frame=frame).select = True
    assert scope.read_clip(bpy.context, armature, choice="MARKERS").frames[[0, -1]].tolist() == [12, 30]


def test_an_edit_stays_within_its_range():
    armature = chain_armature(2)
    key_bones(armature, list(range(1, 41)))
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 10, 20
    before = action_io.read(armature, rate=24.0)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", range="SCENE", rotation_error=0.5)
    after = action_io.read(armature, rate=24.0)
    outside = (before.frames < 10) | (before.frames > 20)
    for prop, values in before.raw.items():
        np.testing.assert_array_equal(after.raw[prop][outside], values[outside])


def test_selected_keys_give_a_range():
    armature = chain_armature(1)
    key_bones(armature, [1, 11, 21, 31])
    for curve in action_io.channelbag(armature).fcurves:
        for key in curve.keyframe_points:
            key.select_control_point = key.co[0] in (11, 21)
    assert scope.frame_range(bpy.context, armature, "KEYS") == (11, 21)


def test_reference_frames_are_left_out():
    armature = chain_armature(1)
    action = key_bones(armature, list(range(1, 21)))
    action.motion_editing.skipped_frames = 2
    assert scope.read_clip(bpy.context, armature).frames[0] == 3


def with_reference_pose(count=1):
    """Bones that swing, with keys on every frame, after some frames in a pose far from it."""
    armature = chain_armature(3)
    action = key_bones(armature, list(range(1, 41)))
    for number, curve in enumerate(action_io.channelbag(armature).fcurves):
        for key in curve.keyframe_points:
            swing = 0.3 + 0.1 * np.sin(0.2 * key.co[0] + number)
            key.co[1] = swing if key.co[0] > count else 1.5
        curve.update()
    remember(armature, count)
    return armature, action


def delete_first(armature, count):
    for curve in action_io.channelbag(armature).fcurves:
        for _ in range(count):
            curve.keyframe_points.remove(curve.keyframe_points[0])
        curve.update()


def test_a_reference_pose_that_was_deleted_is_not_looked_for_in_the_motion():
    armature, action = with_reference_pose()
    assert scope.read_clip(bpy.context, armature).frames[0] == 2
    assert clip_ends(armature) == (2, 40)
    delete_first(armature, 1)
    assert scope.read_clip(bpy.context, armature).frames[0] == 2
    assert clip_ends(armature) == (2, 40)
    assert is_reference_deleted(armature)
    delete_first(armature, 10)
    assert scope.read_clip(bpy.context, armature).frames[0] == 12
    assert action.motion_editing.skipped_frames == 1


def test_one_of_two_reference_frames_deleted():
    armature, _ = with_reference_pose(2)
    assert scope.read_clip(bpy.context, armature).frames[0] == 3
    delete_first(armature, 1)
    assert scope.read_clip(bpy.context, armature).frames[0] == 3


KEYED_BEFORE = ((0, 9, 1.5), (0, 1, 1.5), (-7, 9, 1.5), (0, 9, -0.7), (-7, 1, 0.2))


@pytest.mark.parametrize(("frame", "bones", "pose"), KEYED_BEFORE)
@pytest.mark.parametrize("count", [1, 2])
def test_frames_keyed_before_the_reference_pose_are_left_out_with_it(count, frame, bones, pose):
    armature, _action = with_reference_pose(count)
    for curve in list(action_io.channelbag(armature).fcurves)[: 4 * bones]:
        curve.keyframe_points.insert(frame, pose)
        curve.update()
    assert scope.read_clip(bpy.context, armature).frames[0] == count + 1
    assert clip_ends(armature) == (count + 1, 40)
    assert not is_reference_deleted(armature)


def test_motion_keyed_before_what_is_left_without_its_reference_pose_belongs_to_it():
    armature, _action = with_reference_pose()
    delete_first(armature, 1)
    for curve in action_io.channelbag(armature).fcurves:
        curve.keyframe_points.insert(-3, curve.evaluate(2))
        curve.update()
    assert scope.read_clip(bpy.context, armature).frames[0] == -3


def test_frames_skipped_by_hand_stay_skipped():
    armature, action = with_reference_pose()
    delete_first(armature, 1)
    action.motion_editing.skipped_frames = 5
    assert scope.read_clip(bpy.context, armature).frames[0] == 7
    action.motion_editing.skipped_frames = 1
    assert scope.read_clip(bpy.context, armature).frames[0] == 3
    assert not is_reference_deleted(armature)


def test_fractional_keys_of_another_rate_are_read_where_they_are():
    armature = chain_armature(1)
    frames = np.round(np.arange(0, 20) * 0.8, 4)
    key_bones(armature, frames.tolist())
    clip = action_io.read(armature, rate=30.0)
    np.testing.assert_allclose(clip.frames, frames, atol=1e-3)
    locations = np.array(clip.motion.locations)
    locations[:, 1] += 1.0
    action_io.write(clip, clip.motion.with_locations(locations))
    again = action_io.read(armature, rate=30.0)
    np.testing.assert_allclose(again.motion.locations, locations, atol=1e-5)
    assert len(again.keys[again.channels.joints[1][0], 0]) == len(frames)


def test_tweak_mode_converts_scene_time_to_action_time():
    armature = chain_armature(2)
    action = key_bones(armature, list(range(1, 21)))
    in_tweak_mode(armature, action)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 105, 110
    clip = scope.read_clip(bpy.context, armature, choice="SCENE")
    assert clip.frames.tolist() == list(range(5, 11))
    np.testing.assert_allclose(scope.to_scene(armature, clip.frames), np.arange(105, 111))
    before = all_keys(action)
    assert bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME", range="SCENE") == {"FINISHED"}
    assert armature.animation_data.use_tweak_mode
    assert all_keys(action) != before


@pytest.mark.parametrize("tool", ["convert_keys", "key_staggered_pose"])
def test_linked_actions_are_refused_with_the_way_out(tmp_path, tool):
    armature = chain_armature(2)
    action = key_bones(armature, [1, 11])
    action.use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    name = action.name
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = chain_armature(2)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_source, target):
        target.actions = [name]
    armature.animation_data_create().action = target.actions[0]
    armature.animation_data.action_slot = target.actions[0].slots[0]
    with pytest.raises(RuntimeError, match="is linked: make it local first"):
        getattr(bpy.ops.motion_editing, tool)()


def test_keys_that_cannot_be_reached_are_refused_with_the_way_to_them():
    armature = chain_armature(2)
    action = key_bones(armature, [1, 11])
    data = armature.animation_data
    data.action_slot = None
    with pytest.raises(RuntimeError, match=f"'{action.name}' has no slot for '{armature.name}': choose one"):
        bpy.ops.motion_editing.convert_keys()
    data.action_slot = action.slots[0]
    in_tweak_mode(armature, action)
    data.use_tweak_mode = False
    with pytest.raises(RuntimeError, match=r"plays NLA strips: select one .* and press Tab"):
        bpy.ops.motion_editing.convert_keys()


def test_a_shared_action_can_be_copied_first():
    armature = chain_armature(2)
    action = key_bones(armature, list(range(1, 21)))
    twin = armature.copy()
    bpy.context.scene.collection.objects.link(twin)
    assert twin.animation_data.action == action
    before = all_keys(action)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", if_shared="COPY", rotation_error=0.2)
    assert all_keys(action) == before
    assert armature.animation_data.action != action
    assert all_keys(armature.animation_data.action) != before
    assert twin.animation_data.action == action


def two_in_pose_mode() -> tuple[bpy.types.Object, bpy.types.Object]:
    """Two keyed armatures in pose mode without selected bones; the second is active."""
    both = chain_armature(2, name="A"), chain_armature(2, name="B")
    for armature in both:
        key_bones(armature, [1, 11])
        armature.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    for armature in both:
        for bone in armature.pose.bones:
            select(bone, False)
    return both


def test_several_armatures_in_pose_mode_are_edited_together():
    first, second = two_in_pose_mode()
    assert scope_text(bpy.context) == "All visible bones of 2 armatures"
    for armature in (first, second):
        for bone in armature.pose.bones:
            select(bone)
    assert scope_text(bpy.context) == "4 selected bones of 2 armatures"
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    for armature in (first, second):
        assert all(len(curve.keyframe_points) == 11 for curve in action_io.channelbag(armature).fcurves)


@pytest.mark.parametrize(("picked", "text"), [("A", "1 selected bone of 'A'"), ("B", "1 selected bone")])
def test_bones_picked_on_one_armature_leave_the_others_alone(picked, text):
    both = {armature.name: armature for armature in two_in_pose_mode()}
    armature, other = both.pop(picked), both.popitem()[1]
    select(armature.pose.bones[0])
    assert scope_text(bpy.context) == text
    before = all_keys(other.animation_data.action)
    bpy.ops.motion_editing.convert_keys(keying="EVERY_FRAME")
    assert all_keys(other.animation_data.action) == before
    assert {len(curve.keyframe_points) for curve in action_io.channelbag(armature).fcurves} == {2, 11}


def test_one_frame_and_empty_actions():
    armature = chain_armature(1)
    armature.animation_data_create().action = bpy.data.actions.new("Empty")
    with pytest.raises(RuntimeError, match=r"no action|no keyframes"):
        bpy.ops.motion_editing.convert_keys()
    armature.pose.bones[0].keyframe_insert("location", frame=5)
    clip = scope.read_clip(bpy.context, armature)
    assert clip.frames.tolist() == [5]
    assert bpy.ops.motion_editing.convert_keys(keying="REDUCED") == {"FINISHED"}


def test_curves_of_missing_bones_are_left_alone():
    armature = chain_armature(2)
    action = key_bones(armature, list(range(1, 11)))
    bag = action_io.channelbag(armature)
    ghost = bag.fcurves.new('pose.bones["gone"].location', index=0)
    ghost.keyframe_points.insert(3, 1.0)
    before = all_keys(action)
    bpy.ops.motion_editing.convert_keys(keying="REDUCED", rotation_error=0.3)
    after = all_keys(armature.animation_data.action)
    identity = next(key for key in before if "gone" in key[1])
    assert after[identity] == before[identity]


@pytest.mark.parametrize("extrapolation", ["CONSTANT", "LINEAR"])
def test_extrapolation_and_cycles_are_read_as_blender_evaluates_them(extrapolation):
    armature = chain_armature(1)
    key_bones(armature, [5, 10])
    curves = list(action_io.channelbag(armature).fcurves)
    for curve in curves:
        curve.extrapolation = extrapolation
    curves[1].modifiers.new("CYCLES")
    clip = action_io.read(armature, rate=24.0, start=1, end=30)
    for (prop, index), curve in clip.channels.curves.items():
        expected = np.float32([curve.evaluate(frame) for frame in clip.frames])
        np.testing.assert_array_equal(clip.raw[prop][:, index], expected)


def test_a_refused_edit_of_a_shared_action_leaves_no_copy():
    armature = chain_armature(2)
    action = key_bones(armature, list(range(1, 21)))
    twin = armature.copy()
    bpy.context.scene.collection.objects.link(twin)
    action_io.channelbag(armature).fcurves[0].lock = True
    with pytest.raises(RuntimeError, match="locked"):
        bpy.ops.motion_editing.convert_keys(if_shared="COPY")
    assert armature.animation_data.action == action
    assert len(bpy.data.actions) == 1
