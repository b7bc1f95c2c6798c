"""What the lane of pose icons shows, and what dragging, painting and dropping does."""

import bpy
import numpy as np
import pytest
from motion_editing.core.errors import MotionEditError
from motion_editing.motion_editing_addon.document import watched_keys
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.timeline.lane.icon_data import WindowKind
from motion_editing.motion_editing_addon.timeline.lane.icon_lane import IconLane
from motion_editing.motion_editing_addon.timeline.lane.icons_on_strip import IconsOnStrip
from rigs import all_keys, evaluated_matrices
from test_pose_timeline import END, PUNCHES, START, motion_of, paint, punches, sample, ticked, timeline

__all__ = ["punches", "sample"]


@pytest.fixture
def lane():
    return IconsOnStrip()


def shown(lane):
    bpy.context.view_layer.update()
    return lane.data(bpy.context)


def test_icons_are_as_many_as_asked_for_and_stand_in_their_row(sample, lane):
    timeline(sample).icons = 9
    data = shown(lane)
    assert len(data.icons) == 9
    assert sorted(icon.rank for icon in data.icons) == list(range(9))
    assert data.rows[0].name == sample.name
    count = len(data.rows[0].point_names)
    for icon in data.icons:
        assert icon.points.shape == (count, 2)
        assert icon.points[:, 1].min() > -0.05
        assert icon.points[:, 1].max() < 1.4
        assert icon.frame == 1 + icon.identifier
    assert all(0 <= point < count for bone in data.rows[0].bones for point in bone)
    timeline(sample).icons = 0
    assert shown(lane) is None


def test_an_unchanged_redraw_gives_the_same_data(punches, lane):
    first = shown(lane)
    assert shown(lane) is first
    timeline(punches).icons += 1
    second = shown(lane)
    assert second is not first
    bpy.context.scene.frame_set(20)
    assert shown(lane) is second
    timeline(punches).view = "VELOCITY"
    assert shown(lane) is not second


def test_changed_keys_give_other_icons(sample, lane):
    first = shown(lane)
    bpy.ops.motion_editing.warp_time(length=0.5, use_keytimes=False)
    watched_keys.fingerprint_now(sample)  # a slow machine would look a moment later
    assert max(icon.frame for icon in shown(lane).icons) < 0.7 * max(icon.frame for icon in first.icons)


def test_windows_and_contacts_are_shown(punches, lane):
    data = shown(lane)
    assert data.windows[0].kind is WindowKind.OPERATION
    assert (data.windows[0].start, data.windows[0].end) == (START, END)
    assert [window.ticked for window in data.windows[1:]] == [item.ticked for item in timeline(punches).windows]
    assert len(data.contact_times) > 5
    assert any(np.any(icon.in_contact) for icon in data.icons)


def test_setting_a_window_and_ticking_by_the_lane(sample, lane):
    lane.set_window(bpy.context, START, END)
    assert timeline(sample).has_window
    before = timeline(sample).windows[0].ticked
    lane.toggle_window(bpy.context, 1)
    assert timeline(sample).windows[0].ticked is not before
    with pytest.raises(MotionEditError, match="no part of the motion"):
        lane.set_window(bpy.context, 4000, 4100)


def test_a_dragged_end_shows_the_result_and_esc_restores(punches, lane):
    bpy.context.scene.frame_set(END + 20)
    still = shown(lane)
    keys, pose = all_keys(punches.animation_data.action), evaluated_matrices(punches, END + 20)
    lane.drag_window_end(bpy.context, 0, START + 2 * (END - START), final=False)
    data = shown(lane)
    assert data.preview
    assert data.windows[0].end == pytest.approx(START + 2 * (END - START), abs=0.01)
    assert data.windows[-1].end - data.windows[-1].start == pytest.approx(
        2 * (still.windows[-1].end - still.windows[-1].start), abs=0.05
    )
    later = {icon.identifier: icon.frame for icon in still.icons if icon.frame > END}
    for icon in data.icons:
        if icon.identifier in later:
            assert icon.frame >= later[icon.identifier] + (END - START) - 0.01
    posed = punches.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert np.abs(np.array([b.matrix for b in posed.pose.bones]) - pose).max() > 0.01, "the rig shows it"
    assert all_keys(punches.animation_data.action) == keys
    lane.cancel(bpy.context)
    bpy.context.view_layer.update()
    np.testing.assert_array_equal(evaluated_matrices(punches, END + 20), pose)
    assert not shown(lane).preview
    assert all_keys(punches.animation_data.action) == keys


def test_an_end_that_is_let_go_stretches_all_windows(punches, lane):
    shown(lane)
    lengths = [end - start for start, end in ticked(punches)]
    lane.drag_window_end(bpy.context, 0, END + 4, final=False)
    lane.drag_window_end(bpy.context, 0, END + 8, final=True)
    factor = (END + 8 - START) / (END - START)
    for (start, end), length in zip(ticked(punches), lengths, strict=True):
        assert end - start == pytest.approx(factor * length, abs=0.05)


def test_a_dragged_icon_keeps_its_name_and_moves_its_pose(punches, lane):
    timeline(punches).icons = 60
    icon = min(shown(lane).icons, key=lambda each: abs(each.frame - PUNCHES[0]))
    assert START < icon.frame < END
    before = motion_of(punches)
    lane.drag_icon(bpy.context, icon.identifier, icon.frame + 2, final=False)
    dragged = next(each for each in shown(lane).icons if each.identifier == icon.identifier)
    assert dragged.frame == pytest.approx(icon.frame + 2, abs=0.01)
    np.testing.assert_array_equal(dragged.points, icon.points)
    lane.drag_icon(bpy.context, icon.identifier, icon.frame + 2, final=True)
    after = motion_of(punches)
    np.testing.assert_allclose(
        after.poses.positions[icon.identifier + 2], before.poses.positions[icon.identifier], atol=2e-3
    )


def test_a_drag_of_painted_joints_leaves_the_other_icons_in_place(punches, lane):
    timeline(punches).icons = 60
    paint(punches, "upper_arm.R", "forearm.R")
    still = {icon.identifier: icon for icon in shown(lane).icons}
    icon = min(still.values(), key=lambda each: abs(each.frame - PUNCHES[0]))
    assert icon.painted.sum() == sum(name in {"upper_arm.R", "forearm.R"} for name in shown(lane).rows[0].point_names)
    lane.drag_icon(bpy.context, icon.identifier, icon.frame + 2, final=False)
    moved = {each.identifier: each for each in shown(lane).icons}
    others = [name for name in moved if name != icon.identifier]
    assert all(moved[name].frame == still[name].frame for name in others)
    assert any(not np.allclose(moved[name].points, still[name].points, atol=1e-4) for name in others), "poses change"
    lane.cancel(bpy.context)


def test_impossible_drags_show_the_last_possible_state(punches, lane):
    shown(lane)
    lane.drag_window_end(bpy.context, 0, END + 4, final=False)
    last = shown(lane)
    lane.drag_window_end(bpy.context, 0, START - 4, final=False)
    assert shown(lane) is last
    with pytest.raises(MotionEditError, match="end before it starts"):
        lane.drag_window_end(bpy.context, 0, START - 4, final=True)
    assert not shown(lane).preview


def test_painting_a_point_paints_its_bone(sample, lane):
    data = shown(lane)
    icon, row = data.icons[0], data.rows[0]
    point = row.point_names.index("hand.R")
    lane.paint(bpy.context, icon.identifier, point)
    assert [item.name for item in timeline(sample).painted] == ["hand.R"]
    assert shown(lane).icons[0].painted[point]
    lane.paint(bpy.context, icon.identifier, point)
    assert not timeline(sample).painted


def test_the_menu_follows_the_painting(punches, lane):
    shown(lane)
    assert [name for name, _label in lane.menu(bpy.context, 0)] == ["ALIGNMENT"]
    paint(punches, "head")
    assert "MEAN_ROTATION" in dict(lane.menu(bpy.context, 0))
    paint(punches, "hand.R")
    offered = dict(lane.menu(bpy.context, 0))
    assert "TRAJECTORY" in offered
    assert "MEAN_ROTATION" not in offered
    paint(punches, "hand.R", "head")
    assert "LIMB_AND_JOINT_COORDINATION" in dict(lane.menu(bpy.context, 0))


def test_a_feature_is_dropped_on_one_window_or_on_all(punches, lane):
    paint(punches, "head")
    shown(lane)
    windows = [number + 1 for number, item in enumerate(timeline(punches).windows) if item.ticked]
    before = motion_of(punches)
    lane.drop(bpy.context, "MEAN_ROTATION", 0, windows[0])
    once = motion_of(punches)
    changed = 1 + np.flatnonzero((once.rotations != before.rotations).any(axis=(1, 2)))
    item = timeline(punches).windows[windows[0] - 1]
    assert item.start <= changed[0] <= changed[-1] <= item.end
    lane.drop(bpy.context, "MEAN_ROTATION", 0, None)
    assert (motion_of(punches).rotations != once.rotations).any()
    for name, _label in lane.menu(bpy.context, 0):
        lane.drop(bpy.context, name, 0, None)


def second_character(sample):
    """The same motion, turned round and so near that fists meet."""
    other = sample.copy()
    bpy.context.scene.collection.objects.link(other)
    other.name = "Second"
    other.animation_data.action = sample.animation_data.action.copy()
    other.animation_data.action_slot = other.animation_data.action.slots[0]
    timeline(sample).second = other
    return other


def test_a_second_character_has_a_row_and_touches_are_marked(sample, lane):
    second_character(sample)
    assert bpy.ops.motion_editing.find_collisions() == {"FINISHED"}
    assert len(timeline(sample).collisions) >= 1
    data = shown(lane)
    assert [row.name for row in data.rows] == ["Second", sample.name]
    assert {icon.row for icon in data.icons} == {0, 1}
    assert any(np.any(icon.colliding) for icon in data.icons if icon.row == 1)
    stranger = next(icon for icon in data.icons if icon.row == 0)
    with pytest.raises(MotionEditError, match="Make 'Second' the active object"):
        lane.drag_icon(bpy.context, stranger.identifier, 20, final=False)


def test_collisions_without_second_character_are_refused(sample):
    with pytest.raises(RuntimeError, match="Choose another animated armature"):
        bpy.ops.motion_editing.find_collisions()


def test_every_window_has_the_icon_of_its_pose_and_it_comes_first(punches, lane):
    timeline(punches).icons = 2
    data = shown(lane)
    first = sorted(data.icons, key=lambda icon: icon.rank)[: len(data.windows)]
    assert len(first) > 2, "more windows than icons that were asked for"
    for window in data.windows:
        assert sum(window.start <= icon.frame <= window.end for icon in first) == 1
    timeline(punches).icons = 24
    ranked = sorted(shown(lane).icons, key=lambda icon: icon.rank)
    assert [icon.identifier for icon in ranked[: len(first)]] == [icon.identifier for icon in first]
    inside = [any(window.start < icon.frame < window.end for window in data.windows) for icon in ranked]
    assert inside == sorted(inside, reverse=True), "what is in windows goes before what is not"
    assert len(ranked) == 24


def test_hits_have_icons_in_both_rows_whatever_their_number(sample, lane):
    second_character(sample).location.x += 0.35
    bpy.ops.motion_editing.find_collisions()
    timeline(sample).icons = 2
    data = shown(lane)
    hits = timeline(sample).collisions
    assert len(hits) >= 1
    for row in (0, 1):
        frames = [icon.frame for icon in data.icons if icon.row == row and np.any(icon.colliding)]
        for hit in hits:
            assert any(hit.start <= frame <= hit.end for frame in frames)


def test_touches_follow_a_character_that_is_moved(sample, lane):
    other = second_character(sample)
    assert any(np.any(icon.colliding) for icon in shown(lane).icons)
    other.location.x += 50.0
    assert not any(np.any(icon.colliding) for icon in shown(lane).icons)


def test_only_the_edited_character_is_previewed(punches, lane):
    second_character(punches)
    strip_lane = IconLane(lane)
    assert not shown(lane).preview
    lane.drag_window_end(bpy.context, 0, END + 30, final=False)
    assert strip_lane.update(bpy.context, palette(bpy.context))
    assert [row.name for row in strip_lane.rows()] == ["Second", f"{punches.name} (preview)"]
    lane.cancel(bpy.context)


def test_the_report_says_where_the_scene_ends_if_the_motion_goes_on(punches, lane, capfd):
    scene = bpy.context.scene
    last = round(max(icon.frame for icon in shown(lane).icons))
    scene.frame_end = last
    lane.drag_window_end(bpy.context, 0, END + 20, final=True)
    assert f"; the scene ends at frame {last}" in capfd.readouterr().out
    assert scene.frame_end == last
    scene.frame_end = last + 500
    bpy.ops.motion_editing.stretch_windows(factor=1.1)
    assert "the scene ends" not in capfd.readouterr().out
