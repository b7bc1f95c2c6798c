"""Two characters that are solved together: hands meet, both actions change in one step."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from two_arms import FRAME, LEFT, RIGHT, SPAN, arm, between, keys, listed, path, pose_both, shake, solve


@pytest.fixture
def pair():
    """Two arms in pose mode, the left one active."""
    found = arm(LEFT, 0.0), arm(RIGHT, 1.5)
    pose_both(*found)
    return found


# Solving


def test_hands_meet_and_both_change(pair):
    before = [path(each) for each in pair]
    assert between(pair).max() > 0.3
    item = shake()
    assert solve() == {"FINISHED"}
    assert between(pair).max() < 3e-4 or item.missed == pytest.approx(between(pair).max(), rel=0.6)
    for each, old in zip(pair, before, strict=True):
        assert np.linalg.norm(path(each) - old, axis=1)[FRAME - 1] > 0.05


def test_hands_are_a_distance_apart_and_both_change(pair):
    before = [path(each) for each in pair]
    item = shake("DISTANCE")
    item.distance = 0.4
    solve()
    np.testing.assert_allclose(between(pair), 0.4, atol=2e-3)
    assert item.missed == pytest.approx(np.abs(between(pair) - 0.4).max(), abs=3e-4)
    for each, old in zip(pair, before, strict=True):
        assert np.abs(path(each) - old).max() > 0.05


@pytest.mark.parametrize("distance", [0.0, 0.05])
def test_short_distances_are_met(pair, distance):
    shake("DISTANCE").distance = distance
    solve()
    np.testing.assert_allclose(between(pair), distance, atol=2e-3)


def test_one_that_is_not_in_pose_mode_is_a_target_that_stays(pair):
    pose_both(pair[0])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.select_all(action="DESELECT")
    before = keys(pair[1])
    shake()
    solve()
    assert keys(pair[1]) == before
    assert between(pair)[[0, -1]].max() < 1e-3


def test_what_the_partner_has_to_hold_is_held_too(pair):
    """The partner's own list counts: its hand is where it has to be at one frame, and the other one comes there."""
    shake()
    pose_both(pair[1], pair[0])
    bpy.ops.motion_editing.add_constraint(kind="POSITION", bone="hand", start=FRAME, end=FRAME)
    aim = path(pair[1])[FRAME - 1] + (0.1, 0.1, -0.2)
    listed(pair[1])[0].point = aim
    solve()
    for each in pair:
        np.testing.assert_allclose(path(each)[FRAME - 1], aim, atol=2e-3)


def test_a_tie_in_the_list_of_the_one_that_is_not_active_counts(pair):
    shake()
    pose_both(pair[1], pair[0])
    solve()
    assert between(pair).max() < 2e-3


def test_hands_that_are_together_already_change_no_key(pair):
    shake()
    solve()
    listed(pair[0])[0].kind = "DISTANCE"
    listed(pair[0])[0].distance, listed(pair[0])[0].start = float(between(pair)[5]), FRAME
    listed(pair[0])[0].end = FRAME
    before = keys(*pair)
    solve()
    assert keys(*pair) == before


def test_one_undo_takes_both_back(pair):
    shake()
    bpy.ops.ed.undo_push(message="before")
    before = keys(*pair)
    solve()
    bpy.ops.ed.undo_push(message="solved")
    assert all(now != then for now, then in zip(keys(*pair), before, strict=True))
    bpy.ops.ed.undo()
    assert keys(*(bpy.data.objects[name] for name in (LEFT, RIGHT))) == before


def test_a_locked_partner_leaves_both_as_they_were(pair):
    shake()
    bag = pair[1].animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        curve.lock = True
    before = keys(*pair)
    with pytest.raises(RuntimeError, match="locked"):
        solve()
    assert keys(*pair) == before


def test_a_linked_partner_is_a_target_that_stays(pair, tmp_path):
    file = str(tmp_path / "partner.blend")
    bpy.data.libraries.write(file, {pair[1].animation_data.action})
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.actions = [pair[1].animation_data.action.name]
    linked = next(action for action in bpy.data.actions if action.library is not None)
    data = pair[1].animation_data
    data.action = linked
    data.action_slot = linked.slots[0]
    shake()
    before = keys(*pair)
    solve()
    after = keys(*pair)
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_the_partner_may_have_fewer_frames(pair):
    """After its last key the partner stands still; only the own frames of each get keys."""
    short = arm("Short", 1.5, frames=22)
    pose_both(pair[0], short)
    shake(target="Short")
    ends = short.animation_data.action.frame_range[:]
    solve()
    assert short.animation_data.action.frame_range[:] == ends
    assert between((pair[0], short), slice(SPAN[0] - 1, 21)).max() < 0.02


def test_frames_that_do_not_meet_are_refused(pair):
    bag = pair[1].animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        for key in curve.keyframe_points:
            key.co.x *= 0.8
        curve.update()
    shake()
    before = keys(*pair)
    with pytest.raises(RuntimeError, match="on other frames than"):
        solve()
    assert keys(*pair) == before


def test_frames_outside_the_range_stay_on_both(pair):
    shake()
    scene = bpy.context.scene
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 10, 30
    before = [path(each) for each in pair]
    solve(range="PREVIEW")
    for each, old in zip(pair, before, strict=True):
        now = path(each)
        np.testing.assert_array_equal(now[:10], old[:10])
        np.testing.assert_array_equal(now[29:], old[29:])
        assert np.abs(now - old).max() > 0.05


def test_two_slots_of_one_action_are_two_characters(pair):
    """Both lists are on the one action; each item is about its own slot."""
    action = pair[0].animation_data.action
    other = arm("Third", 1.5)
    data = other.animation_data
    old = data.action
    data.action = action
    data.action_slot = action.slots.new(id_type="OBJECT", name="Third")
    for frame in range(1, 41):
        bpy.context.scene.frame_set(1)
        for bone in other.pose.bones:
            bone.rotation_quaternion = (np.cos(0.01 * frame), 0.0, 0.0, np.sin(0.01 * frame))
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.data.actions.remove(old)
    pose_both(pair[0], other)
    shake(target="Third")
    before = [path(each) for each in (pair[0], other)]
    solve()
    assert between((pair[0], other)).max() < 5e-3
    for each, then in zip((pair[0], other), before, strict=True):
        assert np.abs(path(each) - then).max() > 0.02
