"""Time edits through the operators."""

import bpy
import numpy as np
import pytest
from motion_editing.core.analysis.contacts import detect_contacts
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope
from motion_editing.motion_editing_addon.document.character.saved_body import body_of
from motion_editing.motion_editing_addon.guided_warp import kept_maps
from rigs import all_keys, chain_armature, key_bones
from timed_sample import RATE, load_timed_sample, time_of


@pytest.fixture
def sample(empty_scene):
    return load_timed_sample()


def flight_length(armature):
    """Seconds that both feet are off the ground in the jump."""
    clip = scope.read_clip(bpy.context, armature)
    contacts = detect_contacts(clip.motion, body_of(armature, clip))
    grounded = np.zeros(len(clip.frames), dtype=bool)
    for joint in contacts.joints:
        grounded |= contacts.active(joint, clip.motion.times)
    free = np.flatnonzero(~grounded)
    runs = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1)
    return max(len(run) for run in runs) / clip.motion.rate


def test_shorter_but_the_jump_stays(sample):
    length, flight = len(scope.read_clip(bpy.context, sample).frames), flight_length(sample)
    assert bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False) == {"FINISHED"}
    assert len(scope.read_clip(bpy.context, sample).frames) == pytest.approx(0.8 * length, abs=1.5)
    guided = flight_length(sample)
    bpy.ops.motion_editing.restore_original()
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, influence=0.0)
    linear = flight_length(sample)
    assert guided == pytest.approx(flight, abs=1.5 / RATE)
    assert linear < flight - 2.0 / RATE


def test_keys_between_frames_are_warped_too(sample):
    """A file at another rate than the scene has its samples there; the last one is before the next whole frame."""
    for curve in scope.action_of(sample).layers[0].strips[0].channelbags[0].fcurves:
        for key in curve.keyframe_points:
            key.co.x = 1.3 + 1.25 * (key.co.x - 1.0)
        curve.update()
    first, last = scope.action_of(sample).frame_range
    assert bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False) == {"FINISHED"}
    assert np.ptp(scope.action_of(sample).frame_range) == pytest.approx(0.8 * (last - first), abs=1.5)


def test_keytimes_are_hit(sample):
    before = scope.read_clip(bpy.context, sample)
    punch = sample_events().punches[0][1]
    frame = 1 + round(punch * RATE)
    assert bpy.ops.motion_editing.add_keytime(frame=frame) == {"FINISHED"}
    assert bpy.ops.motion_editing.move_keytime(keytime=1, frame=frame - 12) == {"FINISHED"}
    assert [round(item.new) for item in time_of(sample).keytimes] == [1, frame - 12, len(before.frames)]
    assert bpy.ops.motion_editing.warp_time() == {"FINISHED"}
    after = scope.read_clip(bpy.context, sample)
    assert len(after.frames) == len(before.frames)
    hand = before.motion.skeleton.index["hand.R"]
    np.testing.assert_allclose(
        after.motion.poses.positions[frame - 13, hand], before.motion.poses.positions[frame - 1, hand], atol=0.03
    )
    assert not len(time_of(sample).keytimes), "what was applied is no longer to be done"


def test_locked_spans_and_length(sample):
    bpy.ops.motion_editing.add_keytime(frame=100)
    bpy.ops.motion_editing.add_keytime(frame=150)
    bpy.ops.motion_editing.lock_span(keytime=1)
    bpy.ops.motion_editing.set_length(value=70, unit="PERCENT")
    new = [item.new for item in time_of(sample).keytimes]
    assert new[2] - new[1] == pytest.approx(50, abs=1e-3)
    bpy.ops.motion_editing.remove_keytime(keytime=2)
    assert len(time_of(sample).keytimes) == 3


def test_impossible_lengths_are_refused_with_the_range(sample):
    before = all_keys(sample.animation_data.action)
    with pytest.raises(RuntimeError, match=r"\d"):
        bpy.ops.motion_editing.warp_time(length=0.06, use_keytimes=False, speed_limit=2)
    assert all_keys(sample.animation_data.action) == before


def test_sparse_keys_stay_sparse():
    armature = chain_armature(2)
    key_bones(armature, [1, 11, 31])
    assert bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False, influence=0.0, breakdowns=False) == {
        "FINISHED"
    }
    curve = action_io.channelbag(armature).fcurves[0]
    assert len(curve.keyframe_points) == 3
    assert curve.keyframe_points[2].co[0] == pytest.approx(16, abs=0.01)


def test_only_selected_bones_are_retimed(sample):
    from motion_editing.motion_editing_addon.border.compatibility import select

    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name in {"upper_arm.L", "forearm.L"})
    before = all_keys(sample.animation_data.action)
    bpy.ops.motion_editing.add_keytime(frame=100)
    bpy.ops.motion_editing.move_keytime(keytime=1, frame=110)
    bpy.ops.motion_editing.warp_time()
    after = all_keys(sample.animation_data.action)
    changed = {identity[1].split('"')[1] for identity in after if after[identity] != before[identity]}
    assert changed == {"upper_arm.L", "forearm.L"}


def test_a_kept_map_retimes_a_prop_in_step(sample):
    clip = scope.read_clip(bpy.context, sample)
    hand = clip.motion.skeleton.index["hand.R"]
    prop = bpy.data.objects.new("Prop", None)
    bpy.context.scene.collection.objects.link(prop)
    for frame, place in zip(clip.frames, clip.motion.poses.positions[:, hand], strict=True):
        prop.location = place
        prop.keyframe_insert("location", frame=frame)
    bpy.ops.motion_editing.warp_time(length=0.8, use_keytimes=False, keep_as="Shorter", soften=False)
    assert kept_maps.names(sample) == ("Shorter",)
    prop.select_set(True)
    assert bpy.ops.motion_editing.apply_time_map(map_name="Shorter") == {"FINISHED"}
    warped = scope.read_clip(bpy.context, sample)
    moved = action_io.read(prop, rate=RATE)
    count = min(len(warped.frames), len(moved.frames))
    distance = np.linalg.norm(moved.motion.locations[:count, 0] - warped.motion.poses.positions[:count, hand], axis=1)
    assert distance.max() < 0.05


def test_two_characters_march_in_step(sample):
    bpy.ops.motion_editing.load_sample_motion()
    other = bpy.context.object
    bpy.ops.motion_editing.warp_time(length=1.15, use_keytimes=False, influence=0.0)
    bpy.context.view_layer.objects.active = sample
    assert bpy.ops.motion_editing.keytimes_from_events(source=other.name) == {"FINISHED"}
    assert bpy.ops.motion_editing.warp_time(influence=0.0) == {"FINISHED"}

    def falls(armature):
        clip = scope.read_clip(bpy.context, armature)
        spans = detect_contacts(clip.motion, body_of(armature, clip)).of("foot.L")
        return np.array([start for start, _end in spans]) * RATE

    own, others = falls(sample), falls(other)
    count = min(len(own), len(others))
    assert count >= 3
    assert np.abs(own[1:count] - others[1:count]).max() <= 3.0


def test_reverse_twice_is_nothing(sample):
    before = scope.read_clip(bpy.context, sample).motion
    bpy.ops.motion_editing.reverse_time()
    middle = scope.read_clip(bpy.context, sample).motion
    np.testing.assert_allclose(middle.poses.positions, before.poses.positions[::-1], atol=1e-4)
    bpy.ops.motion_editing.reverse_time()
    np.testing.assert_allclose(
        scope.read_clip(bpy.context, sample).motion.poses.positions, before.poses.positions, atol=1e-4
    )


def test_shift_with_a_hold(sample):
    before = scope.read_clip(bpy.context, sample)
    bpy.ops.motion_editing.shift_time(offset=0.5, ends="HOLD")
    after = scope.read_clip(bpy.context, sample)
    assert after.frames[0] == before.frames[0] + 15
    np.testing.assert_allclose(after.motion.poses.positions, before.motion.poses.positions, atol=1e-4)


def test_shifting_sparse_keys_moves_them():
    armature = chain_armature(1)
    key_bones(armature, [1, 20, 40])
    before = [key.co[1] for key in action_io.channelbag(armature).fcurves[0].keyframe_points]
    bpy.ops.motion_editing.shift_time(offset=0.25)
    keys = action_io.channelbag(armature).fcurves[0].keyframe_points
    assert [key.co[1] for key in keys] == before
    assert [key.co[0] for key in keys] == pytest.approx([7, 26, 46])


def test_keytimes_that_were_not_moved_change_nothing(sample):
    before = scope.read_clip(bpy.context, sample)
    bpy.ops.motion_editing.add_keytime(frame=100)
    bpy.ops.motion_editing.warp_time()
    after = scope.read_clip(bpy.context, sample)
    assert len(after.frames) == len(before.frames)
    np.testing.assert_allclose(after.motion.poses.positions, before.motion.poses.positions, atol=1e-3)


def test_contacts_follow_the_warp(sample):
    bpy.ops.motion_editing.find_contacts()
    bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False, influence=0.0)
    spans = sample.animation_data.action.motion_editing_contacts.spans
    assert max(item.end for item in spans) <= sample.animation_data.action.frame_range[1] + 1


def test_objects_that_share_an_action_are_retimed_once(sample):
    bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False, influence=0.0, keep_as="Half")
    first = bpy.data.objects.new("Prop", None)
    bpy.context.scene.collection.objects.link(first)
    for frame in range(1, 285):
        first.location[0] = frame
        first.keyframe_insert("location", index=0, frame=frame)
    second = first.copy()
    bpy.context.scene.collection.objects.link(second)
    for thing in (first, second):
        thing.select_set(True)
    bpy.context.view_layer.objects.active = sample
    bpy.ops.motion_editing.apply_time_map(map_name="Half")
    assert first.animation_data.action.frame_range[1] == pytest.approx(143, abs=2)


def test_a_camera_is_warped_too():
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.view_layer.objects.active = camera
    for frame in range(1, 101):
        camera.location = (0.02 * frame if frame < 50 else 0.98 + 0.1 * (frame - 49), 0, 1)
        camera.keyframe_insert("location", frame=frame)
    assert bpy.ops.motion_editing.warp_time(length=0.7, use_keytimes=False) == {"FINISHED"}
    assert camera.animation_data.action.frame_range[1] == pytest.approx(70, abs=1.5)
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.motion_editing.extract_poses()


def test_the_speed_at_a_keytime_can_be_set(sample):
    bpy.ops.motion_editing.add_keytime(frame=150)
    bpy.ops.motion_editing.move_keytime(keytime=1, frame=165)
    time_of(sample).keytimes[1].speed = 0.5
    assert bpy.ops.motion_editing.warp_time(keep_as="Slow", influence=0.5) == {"FINISHED"}
    kept = kept_maps.load(sample, "Slow")
    assert kept(165 / RATE) == pytest.approx(150 / RATE, abs=1e-3)
    assert kept.speed(165 / RATE) == pytest.approx(0.5, abs=0.15)
