"""Windows of the pose timeline: found, ticked, painted, saved, and moved by edits of time."""

import bpy
import numpy as np
import pytest
from motion_editing.core.sample_motion import sample_events
from motion_editing.motion_editing_addon.border import action_io
from motion_editing.motion_editing_addon.border.compatibility import select
from motion_editing.motion_editing_addon.border.saved_state import MATCH_WEB, WINDOW
from motion_editing.motion_editing_addon.document import scope, watched_keys
from rigs import all_keys

RATE = 30.0
PUNCHES = [1 + time * RATE for side, time in sample_events().punches if side == "R"]
START, END = round(PUNCHES[0]) - 8, round(PUNCHES[0]) + 8


@pytest.fixture
def sample(empty_scene):
    bpy.context.scene.render.fps = int(RATE)
    bpy.ops.motion_editing.load_sample_motion()
    return bpy.context.object


@pytest.fixture
def punches(sample):
    """The sample motion with a window around the first punch of the right hand, the other ones ticked."""
    bpy.ops.motion_editing.find_similar(start=START, end=END)
    settings = timeline(sample)
    for item in settings.windows:
        item.ticked = any(item.start < punch < item.end for punch in PUNCHES)
    return sample


def timeline(armature):
    return armature.animation_data.action.motion_editing_timeline


def motion_of(armature):
    return scope.read_clip(bpy.context, armature).motion


def ticked(armature):
    return [(item.start, item.end) for item in timeline(armature).windows if item.ticked]


def paint(armature, *names):
    bpy.ops.motion_editing.paint_bones(how="CLEAR")
    for name in names:
        bpy.ops.motion_editing.paint_bones(how="ADD", bone=name)


# Finding


def test_all_punches_of_the_hand_are_found(sample):
    assert bpy.ops.motion_editing.find_similar(start=START, end=END) == {"FINISHED"}
    settings = timeline(sample)
    assert (settings.has_window, settings.start, settings.end) == (True, START, END)
    for punch in PUNCHES[1:]:
        assert any(item.start < punch < item.end for item in settings.windows)
    for item in settings.windows:
        assert item.end <= START or item.start >= END, "windows share no frames"
        assert 0.0 < item.similarity < 1.0
        assert np.all(np.diff(item.own_frames) > 0.0)


def test_a_window_by_preview_range_and_markers(sample):
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, START, END
    bpy.ops.motion_editing.find_similar(window="PREVIEW")
    assert (timeline(sample).start, timeline(sample).end) == (START, END)
    for frame in (START + 1, END - 1):
        scene.timeline_markers.new("punch", frame=frame).select = True
    bpy.ops.motion_editing.find_similar(window="MARKERS")
    assert (timeline(sample).start, timeline(sample).end) == (START + 1, END - 1)
    found = [item.start for item in timeline(sample).windows]
    bpy.ops.motion_editing.find_similar()
    assert [item.start for item in timeline(sample).windows] == found, "the present window once more"


def test_a_missing_or_empty_window_is_refused_with_the_fix(sample):
    with pytest.raises(RuntimeError, match="drag across the strip"):
        bpy.ops.motion_editing.find_similar()
    with pytest.raises(RuntimeError, match="no part of the motion"):
        bpy.ops.motion_editing.find_similar(start=4000, end=4100)
    for name in ("stretch_windows", "align_windows", "propagate_edit", "remember_window", "transfer_mean"):
        with pytest.raises(RuntimeError, match="Set a window first"):
            getattr(bpy.ops.motion_editing, name)()
    assert not timeline(sample).has_window


def test_ticks(punches):
    count = len(timeline(punches).windows)
    assert count >= 2
    bpy.ops.motion_editing.tick_all_windows(ticked=False)
    assert not ticked(punches)
    bpy.ops.motion_editing.tick_window(window=1)
    assert [item.ticked for item in timeline(punches).windows] == [number == 1 for number in range(count)]
    bpy.ops.motion_editing.tick_window(window=1, state="ON")
    bpy.ops.motion_editing.tick_all_windows()
    assert len(ticked(punches)) == count
    with pytest.raises(RuntimeError, match=f"no window with number {count} among {count}"):
        bpy.ops.motion_editing.tick_window(window=count)


def test_clearing_forgets_windows_and_memory_but_no_key(punches):
    before = all_keys(punches.animation_data.action)
    bpy.ops.motion_editing.clear_windows()
    assert not timeline(punches).has_window
    assert not timeline(punches).windows
    assert watched_keys.state(punches, WINDOW) is watched_keys.State.NONE
    assert all_keys(punches.animation_data.action) == before


# Painting


def test_painting_from_selected_bones(sample):
    bpy.ops.object.mode_set(mode="POSE")
    for bone in sample.pose.bones:
        select(bone, bone.name in {"hand.R", "foot.L"})
    bpy.ops.motion_editing.paint_bones()
    assert {item.name for item in timeline(sample).painted} == {"hand.R", "foot.L"}
    for bone in sample.pose.bones:
        select(bone, bone.name == "foot.L")
    bpy.ops.motion_editing.paint_bones(how="REMOVE")
    assert [item.name for item in timeline(sample).painted] == ["hand.R"]
    bpy.ops.motion_editing.paint_bones(how="ADD", bone="hand.L")
    assert len(timeline(sample).painted) == 2
    bpy.ops.motion_editing.paint_bones(how="CLEAR")
    assert not timeline(sample).painted


def test_painting_nothing_is_refused(sample):
    with pytest.raises(RuntimeError, match="Select bones in pose mode"):
        bpy.ops.motion_editing.paint_bones()
    with pytest.raises(RuntimeError, match="no bone 'wing'"):
        bpy.ops.motion_editing.paint_bones(bone="wing")


# The match web


def test_the_web_is_saved_with_the_action_and_noticed_when_keys_change(punches, tmp_path):
    assert watched_keys.state(punches, MATCH_WEB, exact=True) is watched_keys.State.CURRENT
    found = [(item.start, item.end, item.distance) for item in timeline(punches).windows]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    armature = bpy.context.object
    assert [(item.start, item.end, item.distance) for item in timeline(armature).windows] == found
    from motion_editing.motion_editing_addon.border.steps import finish
    from motion_editing.motion_editing_addon.timeline import web
    from motion_editing.motion_editing_addon.timeline.subject import subject_of

    web.forget()
    subject = finish(subject_of(bpy.context, armature))
    with pytest.raises(StopIteration) as at_once:  # the saved one: no step of weaving
        next(web.web_of(subject, action_io.fingerprint(armature)))
    assert at_once.value.value.frames == len(subject.clip.frames)
    bpy.ops.motion_editing.smooth()
    assert watched_keys.state(armature, MATCH_WEB, exact=True) is watched_keys.State.CHANGED
    weaving = web.web_of(finish(subject_of(bpy.context, armature)), action_io.fingerprint(armature))
    assert 0.0 < next(weaving) <= 1.0, "woven anew"


# Time


def test_windows_stretch_by_one_factor_and_all_else_is_shifted(punches):
    before, others = motion_of(punches), ticked(punches)
    assert bpy.ops.motion_editing.stretch_windows(factor=1.5) == {"FINISHED"}
    after = motion_of(punches)
    lengths = [END - START, *(end - start for start, end in others)]
    assert len(after) == pytest.approx(len(before) + 0.5 * sum(lengths), abs=1.0)
    settings = timeline(punches)
    assert settings.end - settings.start == pytest.approx(1.5 * (END - START), abs=1e-3)
    for (start, end), (old_start, old_end) in zip(ticked(punches), others, strict=True):
        assert end - start == pytest.approx(1.5 * (old_end - old_start), abs=1e-2)
    first = round(settings.start) - 1
    np.testing.assert_array_equal(after.rotations[: first - 1], before.rotations[: first - 1])
    shift = len(after) - len(before)
    np.testing.assert_allclose(
        after.poses.positions[-1], before.poses.positions[-1], atol=0.02, err_msg=f"shifted by {shift}"
    )


def test_the_end_of_a_window_by_frame(punches):
    number = next(n for n, item in enumerate(timeline(punches).windows) if item.ticked)
    item = timeline(punches).windows[number]
    end, length = item.end, item.end - item.start
    bpy.ops.motion_editing.stretch_windows(end_frame=end + 20.0, window=number)
    item = timeline(punches).windows[number]
    assert item.end == pytest.approx(end + 20.0, abs=0.01), "the windows before it push it on"
    factor = (timeline(punches).end - timeline(punches).start) / (END - START)
    assert item.end - item.start == pytest.approx(factor * length, abs=0.01)
    with pytest.raises(RuntimeError, match="end before it starts"):
        bpy.ops.motion_editing.stretch_windows(end_frame=START - 5)
    bpy.ops.motion_editing.tick_all_windows(ticked=False)
    with pytest.raises(RuntimeError, match="enable it to stretch it"):
        bpy.ops.motion_editing.stretch_windows(end_frame=end + 40.0, window=number)


def test_a_pose_moves_in_all_ticked_windows(punches):
    hand = motion_of(punches).skeleton.index["hand.R"]
    before = motion_of(punches)
    pose = round(PUNCHES[0])
    assert bpy.ops.motion_editing.move_pose(frame=pose, to_frame=pose + 3) == {"FINISHED"}
    after = motion_of(punches)
    assert len(after) == len(before)
    np.testing.assert_allclose(after.poses.positions[pose + 2, hand], before.poses.positions[pose - 1, hand], atol=2e-3)
    assert (timeline(punches).start, timeline(punches).end) == (START, END)
    changed = np.abs(after.poses.positions - before.poses.positions).max(axis=(1, 2)) > 1e-6
    frames = 1 + np.flatnonzero(changed)
    inside = np.zeros(len(frames), dtype=bool)
    for start, end in [(START, END), *ticked(punches)]:
        part = (frames >= start) & (frames <= end)
        assert part.any(), "every ticked window has changed"
        inside |= part
    assert inside.all(), "nothing else has"


def test_a_pose_without_window_moves_between_the_icons_beside_it(sample):
    before = motion_of(sample)
    bpy.ops.motion_editing.move_pose(frame=60, to_frame=62)
    after = motion_of(sample)
    np.testing.assert_allclose(after.poses.positions[61], before.poses.positions[59], atol=2e-3)
    assert len(after) == len(before)
    with pytest.raises(RuntimeError, match="Give the pose's frame"):
        bpy.ops.motion_editing.move_pose()


def test_painted_joints_alone_are_retimed(punches):
    paint(punches, "upper_arm.R", "forearm.R")
    before = all_keys(punches.animation_data.action)
    pose = round(PUNCHES[0])
    bpy.ops.motion_editing.move_pose(frame=pose, to_frame=pose + 3)
    after = all_keys(punches.animation_data.action)
    changed = {identity[1].split('"')[1] for identity in after if after[identity] != before[identity]}
    assert changed == {"upper_arm.R", "forearm.R"}
    with pytest.raises(RuntimeError, match="clear the painting"):
        bpy.ops.motion_editing.stretch_windows(factor=1.5)


def test_a_painted_hand_keeps_its_path(punches):
    paint(punches, "hand.R")
    before = motion_of(punches)
    hand, pose = before.skeleton.index["hand.R"], START + 4  # while the arm is bent: all of the path is in reach
    bpy.ops.motion_editing.move_pose(frame=pose, to_frame=pose + 2)
    after = motion_of(punches)
    np.testing.assert_allclose(after.poses.positions[pose + 1, hand], before.poses.positions[pose - 1, hand], atol=5e-3)
    still = before.skeleton.index["foot.L"]
    np.testing.assert_array_equal(after.rotations[:, still], before.rotations[:, still])


def test_aligned_windows_take_as_long_as_the_operation_window(punches):
    lengths = [end - start for start, end in ticked(punches)]
    bpy.ops.motion_editing.stretch_windows(factor=1.0)
    assert bpy.ops.motion_editing.align_windows() == {"FINISHED"}
    aligned = [end - start for start, end in ticked(punches)]
    assert max(abs(length - (END - START)) for length in aligned) < max(1.0, 0.5 * max(abs(n - 16) for n in lengths))


def test_contacts_follow_a_stretch(punches):
    bpy.ops.motion_editing.find_contacts()
    spans = punches.animation_data.action.motion_editing_contacts.spans
    last = max(span.end for span in spans)
    length = sum(end - start for start, end in [(START, END), *ticked(punches)])
    bpy.ops.motion_editing.stretch_windows(factor=1.5)
    assert max(span.end for span in spans) == pytest.approx(last + 0.5 * length, abs=1.5)


def test_an_undone_edit_brings_windows_and_keys_back(punches):
    bpy.ops.ed.undo_push(message="before")
    keys, windows = all_keys(punches.animation_data.action), ticked(punches)
    bpy.ops.motion_editing.stretch_windows(factor=1.5)
    bpy.ops.ed.undo_push(message="stretched")
    bpy.ops.ed.undo()
    armature = bpy.context.object
    assert ticked(armature) == windows
    assert all_keys(armature.animation_data.action) == keys
    bpy.ops.ed.redo()
    assert timeline(bpy.context.object).end == pytest.approx(START + 1.5 * (END - START), abs=1e-3)


def test_fingerprint_of_an_untouched_motion_stays(punches):
    before = action_io.fingerprint(punches)
    bpy.ops.motion_editing.remember_window()
    bpy.ops.motion_editing.find_similar()
    assert action_io.fingerprint(punches) == before
