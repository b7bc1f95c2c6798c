"""Few keys of one window carried to others: added, moved, removed and changed keys, on whole frames."""

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from motion_editing.motion_editing_addon.border import action_io
from rigs import all_keys
from test_pose_timeline import motion_of, paint, ticked, timeline
from test_pose_timeline_windows import repeated

__all__ = ["repeated"]

# The window holds frames 65 to 97, a key on every eighth; the others lie 32 frames before and after each other.
PERIOD, LAST = 32, 185


@pytest.fixture
def cycles(repeated):
    """All windows that were found are enabled; they adjoin."""
    bpy.ops.motion_editing.tick_all_windows()
    spans = sorted(ticked(repeated))
    assert len(spans) >= 3
    assert any(abs(start - 97.0) < 1.0 for start, _end in spans), "one adjoins the operation window"
    return repeated


def curve_of(armature, bone="bone2", index=1, path="rotation_quaternion"):
    return action_io.channelbag(armature).fcurves.find(f'pose.bones["{bone}"].{path}', index=index)


def frames_of(armature, **curve):
    return [round(key.co[0], 3) for key in curve_of(armature, **curve).keyframe_points]


def values_of(armature, **curve):
    return {key.co[0]: key.co[1] for key in curve_of(armature, **curve).keyframe_points}


def turn(armature, frame, angle=0.5, bone="bone2"):
    """Turn a bone at a frame and key it, as an animator does."""
    bpy.context.scene.frame_set(frame)
    posed = armature.pose.bones[bone]
    posed.rotation_quaternion = posed.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), angle)
    posed.keyframe_insert("rotation_quaternion", frame=frame)


def angle_at(armature, before, frame, bone="bone2"):
    """By how much a bone is turned at a frame."""
    joint = before.skeleton.index[bone]
    one, other = before.rotations[frame - 1, joint], motion_of(armature).rotations[frame - 1, joint]
    return 2.0 * np.arccos(min(1.0, abs(float(one @ other))))


def alike(frame, spans):
    """The frames that belong to one of the operation window in others, where the same poses follow each other."""
    places = [frame + PERIOD * count for count in range(-3, 4) if count]
    return [place for place in places if any(start <= place <= end for start, end in spans)]


def test_a_changed_key_changes_its_fellows_and_no_key_comes_or_goes(cycles):
    before, keys = motion_of(cycles), all_keys(cycles.animation_data.action)
    turn(cycles, 81)
    edited = values_of(cycles)
    bpy.ops.motion_editing.propagate_edit()
    assert frames_of(cycles) == [1.0 + 8 * number for number in range(24)]
    places = alike(81, ticked(cycles))
    assert len(places) >= 3
    for place in places:
        assert angle_at(cycles, before, place) == pytest.approx(0.5, abs=1e-3)
    assert {frame: value for frame, value in values_of(cycles).items() if 65 <= frame <= 97} == {
        frame: value for frame, value in edited.items() if 65 <= frame <= 97
    }, "the window's own keys stay"
    after = all_keys(cycles.animation_data.action)
    assert {each for each in after if after[each] != keys[each]} == {each for each in after if "bone2" in each[1]}
    bpy.ops.motion_editing.propagate_edit()
    assert all_keys(cycles.animation_data.action) == after, "an edit is carried once"


def test_a_key_at_a_new_phase_is_a_key_there_in_every_window(cycles):
    before = motion_of(cycles)
    turn(cycles, 85)
    bpy.ops.motion_editing.propagate_edit()
    places = alike(85, ticked(cycles))
    assert set(frames_of(cycles)) == {*(1.0 + 8 * number for number in range(24)), 85.0, *map(float, places)}
    for place in places:
        assert angle_at(cycles, before, place) == pytest.approx(0.5, abs=0.02)


def test_a_removed_key_is_removed_in_every_window(cycles):
    for index in range(4):
        curve = curve_of(cycles, index=index)
        curve.keyframe_points.remove(next(key for key in curve.keyframe_points if key.co[0] == 73.0))
        curve.update()
    bpy.ops.motion_editing.propagate_edit()
    gone = {73, *alike(73, ticked(cycles))}
    assert frames_of(cycles) == [1.0 + 8 * number for number in range(24) if 1 + 8 * number not in gone]


def test_a_moved_key_moves_its_fellows_with_the_values_they_have(cycles):
    values = values_of(cycles)
    for index in range(4):
        curve = curve_of(cycles, index=index)
        next(key for key in curve.keyframe_points if key.co[0] == 73.0).co[0] = 76.0
        curve.update()
    bpy.ops.motion_editing.propagate_edit()
    places = alike(73, ticked(cycles))
    found = values_of(cycles)
    for place in places:
        assert place not in found
        assert found[place + 3.0] == pytest.approx(values[place], abs=1e-5)


def test_a_key_at_the_seam_of_two_windows_changes_all_seams(cycles):
    before = motion_of(cycles)
    turn(cycles, 65)
    bpy.ops.motion_editing.propagate_edit()
    for place in (97, 129):
        assert angle_at(cycles, before, place) == pytest.approx(0.5, abs=1e-3)


def test_a_bone_that_had_no_keys_gets_them_in_every_window(cycles):
    posed = cycles.pose.bones["bone2"]
    for frame, angle in ((69, 0.0), (77, 0.4), (89, 0.0)):
        posed.location = (angle, 0.0, 0.0)
        posed.keyframe_insert("location", frame=frame)
    bpy.ops.motion_editing.propagate_edit()
    wanted = {69.0, 77.0, 89.0, *(float(place) for each in (69, 77, 89) for place in alike(each, ticked(cycles)))}
    assert set(frames_of(cycles, path="location", index=0)) == wanted
    found, places = values_of(cycles, path="location", index=0), alike(77, ticked(cycles))
    assert [found[place] for place in places] == pytest.approx([0.4] * len(places))


def test_a_single_first_key_is_not_carried_twice(cycles):
    """A curve with one key holds its value everywhere."""
    posed = cycles.pose.bones["bone2"]
    posed.scale = (1.5, 1.0, 1.0)
    posed.keyframe_insert("scale", frame=81)
    bpy.ops.motion_editing.propagate_edit()
    assert {key.co[1] for key in curve_of(cycles, path="scale", index=0).keyframe_points} == {1.5}


def test_handles_set_by_hand_are_carried(cycles):
    for index in range(4):
        key = next(key for key in curve_of(cycles, index=index).keyframe_points if key.co[0] == 81.0)
        key.handle_left_type = key.handle_right_type = "FREE"
    curve_of(cycles).update()
    key = next(key for key in curve_of(cycles).keyframe_points if key.co[0] == 81.0)
    key.handle_right = (key.co[0] + 3.0, key.co[1] + 0.3)
    curve_of(cycles).update()
    bpy.ops.motion_editing.propagate_edit()
    fellow = next(key for key in curve_of(cycles).keyframe_points if key.co[0] == alike(81, ticked(cycles))[-1])
    assert fellow.handle_right_type == "FREE"
    assert fellow.handle_right[1] - fellow.co[1] > 0.1


def test_painted_bones_limit_which_keys_are_carried(cycles):
    turn(cycles, 81)
    turn(cycles, 81, bone="bone1")
    keys = all_keys(cycles.animation_data.action)
    paint(cycles, "bone1")
    bpy.ops.motion_editing.propagate_edit()
    after = all_keys(cycles.animation_data.action)
    assert {each[1].split('"')[1] for each in after if after[each] != keys[each]} == {"bone1"}


def test_twice_as_much_and_every_frame(cycles):
    before = motion_of(cycles)
    turn(cycles, 81, angle=0.2)
    bpy.ops.motion_editing.propagate_edit(amount=2.0)
    assert angle_at(cycles, before, alike(81, ticked(cycles))[-1]) == pytest.approx(0.4, abs=1e-3)
    turn(cycles, 81, angle=0.2)
    bpy.ops.motion_editing.propagate_edit(keying="EVERY_FRAME")
    assert len(frames_of(cycles)) > 40


def test_a_stretch_adds_no_key_and_leaves_none_between_frames(cycles):
    assert bpy.ops.motion_editing.stretch_windows(factor=1.27) == {"FINISHED"}
    frames = frames_of(cycles)
    assert len(frames) == 24
    assert all(frame == round(frame) for frame in frames)


def test_locked_channels_are_refused_and_nothing_changes(cycles):
    turn(cycles, 81)
    curve_of(cycles).lock = True
    keys = all_keys(cycles.animation_data.action)
    with pytest.raises(RuntimeError, match="is locked"):
        bpy.ops.motion_editing.propagate_edit()
    assert all_keys(cycles.animation_data.action) == keys


def test_what_earlier_versions_remembered_is_carried_to_the_keys_there_are(cycles):
    from motion_editing.motion_editing_addon.border import saved_state
    from motion_editing.motion_editing_addon.border.saved_state import WINDOW

    place = cycles.animation_data.action, cycles.animation_data.action_slot.identifier
    known = saved_state.load(*place, WINDOW)
    arrays = {name: each for name, each in known.arrays.items() if name in ("rotations", "locations", "scales",
              "scalars", "first frame", "channels")}  # fmt: skip
    saved_state.save(*place, WINDOW, arrays, known.fingerprint)
    turn(cycles, 85)
    assert bpy.ops.motion_editing.propagate_edit() == {"FINISHED"}
    assert len(frames_of(cycles)) == 25
    assert timeline(cycles).has_window
