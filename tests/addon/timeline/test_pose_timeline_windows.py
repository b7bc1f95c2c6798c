"""Windows of the pose timeline lie where they say, or it is said that they do not; edits reach what was chosen."""

import bpy
import numpy as np
import pytest
from motion_editing.core.numerics import quaternion
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.document import scope, watched_keys
from motion_editing.motion_editing_addon.timeline.lane.icons_on_strip import IconsOnStrip
from motion_editing.motion_editing_addon.timeline.windows import window_contents
from rigs import all_keys, chain_armature
from test_pose_timeline import END, START, motion_of, paint, punches, sample, ticked, timeline

__all__ = ["punches", "sample"]

REPETITIONS, APART = 24, 8
POSE = 10  # in the window below, at frame 81


@pytest.fixture
def repeated(empty_scene):
    """Four poses over and over, a key every 8 frames, with a window around the third repetition."""
    armature, random = chain_armature(4), np.random.default_rng(0)
    bpy.context.scene.render.fps = 30
    poses = [[quaternion.exp(random.normal(size=3) * 0.5) for _ in armature.pose.bones] for _ in range(4)]
    for number in range(REPETITIONS):
        for bone, rotation in zip(armature.pose.bones, poses[number % 4], strict=True):
            bone.rotation_mode, bone.rotation_quaternion = "QUATERNION", rotation
            bone.keyframe_insert("rotation_quaternion", frame=1 + APART * number)
    bpy.ops.motion_editing.find_similar(start=65, end=97)
    assert len(ticked(armature)) >= 3
    return armature


def key_frames(armature):
    return np.array([key.co[0] for key in action_io.channels_of(armature).curves.popitem()[1].keyframe_points])


def spans(armature):
    settings = timeline(armature)
    return np.array([(settings.start, settings.end), *((item.start, item.end) for item in settings.windows)])


def changed(armature):
    return window_contents.changed_text(scope.read_clip(bpy.context, armature))


# Following


def test_windows_follow_a_shift_and_what_is_remembered_with_them(punches):
    before = spans(punches)
    bpy.ops.motion_editing.shift_time(offset=0.5)
    assert spans(punches) == pytest.approx(before + 15.0, abs=1e-3)
    keys = all_keys(punches.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(punches.animation_data.action) == keys, "a shift is no edit of the window"


def test_windows_follow_warp_time(punches):
    before, hand = motion_of(punches), motion_of(punches).skeleton.index["hand.R"]
    old = spans(punches)
    bpy.ops.motion_editing.warp_time(length=0.8)
    after, new = motion_of(punches), spans(punches)
    assert len(after) < len(before)
    assert not changed(punches)
    for (start, end), (new_start, new_end) in zip(old, new, strict=True):
        for frame, new_frame in ((start, new_start), (end, new_end)):
            places = [
                motion.at((float(at) - 1.0) / 30.0 + motion.times[0]).poses.positions[0, hand]
                for motion, at in ((before, frame), (after, new_frame))
            ]
            np.testing.assert_allclose(*places, atol=0.03)


def test_windows_of_a_motion_that_runs_backward_are_where_they_are_seen_now(punches):
    before, (first, last) = spans(punches), action_io.key_ends(punches)
    bpy.ops.motion_editing.reverse_time()
    assert spans(punches) == pytest.approx(first + last - before[:, ::-1], abs=1e-3)
    assert not changed(punches)
    keys = all_keys(punches.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(punches.animation_data.action) == keys, "running backward is no edit of the window"


def test_a_window_that_was_edited_alone_is_noticed(punches, capsys):
    scene, (start, end) = bpy.context.scene, spans(punches)[1]
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, round(start), round(end)
    bpy.ops.motion_editing.exaggerate_motion(amount=1.5, range="PREVIEW")
    assert "has changed since: use Find Similar" in changed(punches)
    assert window_contents.seen_text(bpy.context, punches) == changed(punches)
    keys = all_keys(punches.animation_data.action)
    assert bpy.ops.motion_editing.propagate_edit() == {"FINISHED"}
    assert "use Find Similar if they do not fit any more" in capsys.readouterr().out
    assert all_keys(punches.animation_data.action) == keys
    bpy.ops.motion_editing.remember_window()
    assert not changed(punches), "the user says that they fit"


def test_an_edit_of_the_operation_window_alone_is_no_change_of_the_others(repeated):
    for curve in action_io.channels_of(repeated).curves.values():
        key = curve.keyframe_points[POSE]
        key.co[1] += 0.1
        curve.update()
    assert not changed(repeated)
    bpy.ops.motion_editing.propagate_edit()
    assert not changed(repeated)


def test_an_edit_that_reaches_into_one_window_is_carried_to_the_others(repeated, capsys):
    windows = [item for item in timeline(repeated).windows if item.ticked]
    reached = min(windows, key=lambda item: abs(item.start - 97))
    for curve in action_io.channels_of(repeated).curves.values():
        for key in curve.keyframe_points:
            if key.co[0] == 1 + APART * POSE or reached.start + 8 < key.co[0] < reached.end - 8:
                key.co[1] += 0.1
        curve.update()
    before = motion_of(repeated)
    assert bpy.ops.motion_editing.propagate_edit() == {"FINISHED"}
    assert "has changed since: use Find Similar" in capsys.readouterr().out
    turned = quaternion.angle_between(before.rotations, motion_of(repeated).rotations).max(axis=1)
    frames = before.times * before.rate
    for item in windows:
        inside = turned[(frames > item.start + 8) & (frames < item.end - 8)].max()
        assert inside < 1e-6 if item == reached else inside > 0.05


def test_windows_belong_to_one_slot_of_the_action(punches):
    action, before = punches.animation_data.action, spans(punches)
    bpy.ops.motion_editing.load_sample_motion()
    other = bpy.context.object
    slot = action.slots.new("OBJECT", "Other")
    other.animation_data.action, other.animation_data.action_slot = action, slot
    for bone in other.pose.bones:
        for frame in range(1, 40):
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    with pytest.raises(RuntimeError, match="Set a window first"):
        bpy.ops.motion_editing.stretch_windows()
    bpy.ops.motion_editing.shift_time(offset=1.0)
    assert (spans(punches) == before).all(), "the other motion alone was shifted"
    bpy.context.view_layer.objects.active = punches
    assert bpy.ops.motion_editing.stretch_windows() == {"FINISHED"}


# Frames as the user counts them


def test_errors_name_frames_of_the_scene(punches):
    with pytest.raises(RuntimeError, match="Frames 50 to 50 are no part of the motion's frames 1 to 355"):
        bpy.ops.motion_editing.find_similar(start=50, end=50)
    item = timeline(punches).windows[0]
    item.start, item.ticked = END - 4, True
    with pytest.raises(RuntimeError, match=f"Frames {END - 4} to .* overlap frames {START} to {END}"):
        bpy.ops.motion_editing.stretch_windows()
    bpy.ops.motion_editing.find_similar(start=60, end=61)
    paint(punches, "hand.R")
    with pytest.raises(RuntimeError, match="Frames 60 to 61 hold less than 3 whole frames"):
        bpy.ops.motion_editing.transfer_mean(target=0 if timeline(punches).windows else -1)


# Only what was chosen


def test_nothing_happens_to_the_whole_body_when_a_painted_bone_was_renamed(punches):
    paint(punches, "hand.R")
    punches.data.bones["hand.R"].name = "paw.R"
    keys = all_keys(punches.animation_data.action)
    for name in ("stretch_windows", "transfer_mean", "propagate_edit"):
        with pytest.raises(RuntimeError, match=r"painted bone 'hand.R' is gone"):
            getattr(bpy.ops.motion_editing, name)()
    assert all_keys(punches.animation_data.action) == keys
    bpy.ops.motion_editing.paint_bones(how="CLEAR")
    assert bpy.ops.motion_editing.stretch_windows() == {"FINISHED"}


def test_a_factor_of_one_and_a_pose_that_stays_change_nothing(punches):
    keys, action = all_keys(punches.animation_data.action), punches.animation_data.action
    bpy.ops.motion_editing.stretch_windows(factor=1.0)
    bpy.ops.motion_editing.move_pose(frame=START + 8, to_frame=START + 8)
    assert all_keys(action) == keys
    assert action.motion_editing.original is None, "nothing was edited"


def test_the_least_factor_is_possible_and_a_frame_out_of_reach_is_refused(punches):
    with pytest.raises(RuntimeError, match=r"choose a factor from 0.01 to 100"):
        bpy.ops.motion_editing.stretch_windows(end_frame=50000)
    bpy.ops.motion_editing.stretch_windows(factor=0.01)
    assert timeline(punches).end - timeline(punches).start == pytest.approx(0.01 * (END - START), rel=1e-3)


def test_a_punch_ticks_punches_of_its_side_alone_at_any_frame_rate(empty_scene):
    for rate in (24, 25, 60):
        bpy.context.scene.render.fps = rate
        bpy.ops.motion_editing.load_sample_motion()
        for side in "LR":
            events = [1 + time * rate for arm, time in sample_events().punches if arm == side]
            middle, half = round(events[0]), round(0.25 * rate)
            bpy.ops.motion_editing.find_similar(start=middle - half, end=middle + half)
            found = ticked(bpy.context.object)
            assert len(found) == len(events) - 1
            assert all(start < event < end for (start, end), event in zip(found, events[1:], strict=True))


# Drags


def test_an_undo_in_the_middle_of_a_drag_leaves_no_drag_behind(sample):
    bpy.ops.ed.undo_push(message="without window")
    bpy.ops.motion_editing.find_similar(start=START, end=END)
    bpy.ops.ed.undo_push(message="window")
    icons, keys = IconsOnStrip(), all_keys(sample.animation_data.action)
    icons.data(bpy.context)
    icons.drag_window_end(bpy.context, 0, END + 10, final=False)
    bpy.ops.ed.undo()
    icons.drag_window_end(bpy.context, 0, END + 12, final=False)
    icons.cancel(bpy.context)
    assert icons.data(bpy.context) is not None
    assert not timeline(bpy.context.object).has_window
    assert all_keys(bpy.context.object.animation_data.action) == keys


@pytest.mark.parametrize("deleted", [0, 1])
def test_a_character_deleted_while_dragging_ends_the_drag(sample, deleted):
    bpy.ops.motion_editing.load_sample_motion()
    second = bpy.context.object
    bpy.context.view_layer.objects.active = sample
    timeline(sample).second = second
    bpy.ops.motion_editing.find_similar(start=START, end=END)
    icons = IconsOnStrip()
    icons.data(bpy.context)
    icons.drag_window_end(bpy.context, 0, END + 10, final=False)
    bpy.data.objects.remove((sample, second)[deleted])
    if deleted == 1:
        icons.drag_window_end(bpy.context, 0, END + 12, final=False)
        assert len(icons.data(bpy.context).rows) == 1
    icons.cancel(bpy.context)
    icons.data(bpy.context)


# Staggered poses


@pytest.mark.parametrize("poses_first", [True, False])
def test_the_new_time_of_a_staggered_pose_moves_the_keys_of_its_fellows(repeated, poses_first):
    bpy.ops.motion_editing.poses_from_keys()
    if poses_first:
        bpy.ops.motion_editing.remember_window()
    bpy.ops.motion_editing.retime_pose(pose=POSE, frame=84)
    before = key_frames(repeated)
    bpy.ops.motion_editing.propagate_edit()
    moved = key_frames(repeated) - before
    expected = np.zeros(REPETITIONS)
    for start, end in ticked(repeated):
        expected[[number for number in range(2, REPETITIONS, 4) if start < 1 + APART * number < end]] = 3.0
    assert expected.sum() >= 9.0
    assert moved == pytest.approx(expected, abs=1e-3)
    keys = all_keys(repeated.animation_data.action)
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(repeated.animation_data.action) == keys, "once is enough"


def test_a_staggered_pose_that_looks_otherwise_changes_the_keys_of_its_fellows_alone(repeated):
    bpy.ops.motion_editing.poses_from_keys()
    bpy.ops.motion_editing.exaggerate_pose(pose=POSE, weight=0.5)
    before = motion_of(repeated).rotations
    bpy.ops.motion_editing.propagate_edit()
    after = motion_of(repeated).rotations
    assert len(key_frames(repeated)) == REPETITIONS, "sparse keys stay sparse"
    for start, end in ticked(repeated):
        for row in range(int(start) - 1, int(end) - 1, APART):
            if row % (4 * APART) == 2 * APART:
                np.testing.assert_allclose(np.abs((after[row] * after[80]).sum(axis=-1)), 1.0, atol=1e-6)
            else:
                np.testing.assert_array_equal(after[row], before[row])


# Speed


def test_keys_are_not_looked_at_again_while_nothing_was_told_of(punches, monkeypatch):
    looks, fingerprint = [], action_io.fingerprint
    monkeypatch.setattr(action_io, "fingerprint", lambda armature: looks.append(armature) or fingerprint(armature))
    bpy.ops.motion_editing.find_similar()
    looks.clear()
    bpy.ops.motion_editing.find_similar()
    assert not looks
    key = next(iter(action_io.channels_of(punches).curves.values())).keyframe_points[3]
    key.co[1] += 0.01
    assert watched_keys.fingerprint_now(punches) == fingerprint(punches)
    assert looks


def test_the_most_repeated_part_becomes_the_window(repeated):
    bpy.ops.motion_editing.find_similar(window="REPEATED")
    start, end = spans(repeated)[0]
    assert 1 <= start < end
    assert len(ticked(repeated)) >= 3


def test_without_repetitions_there_is_no_window_to_choose(empty_scene):
    armature = chain_armature(4)
    armature.pose.bones[0].keyframe_insert("location", frame=1)
    armature.pose.bones[0].keyframe_insert("location", frame=20)
    with pytest.raises(RuntimeError, match="No part of this motion is repeated"):
        bpy.ops.motion_editing.find_similar(window="REPEATED")
