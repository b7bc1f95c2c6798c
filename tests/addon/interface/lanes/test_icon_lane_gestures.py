"""What drags, clicks and strokes on the lane of pose icons do, and the words about them."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from made_icon_lane import CHEST, HIP, icon, lane_data, shown
from motion_editing.motion_editing_addon.interface.strip.gestures.drag import Drag
from motion_editing.motion_editing_addon.timeline.lane.icon_data import IconItem, IconPart


def test_dragging_across_the_ground_makes_a_window_of_whole_frames():
    lane = shown(lane_data())
    for item in (IconItem(IconPart.GROUND), IconItem(IconPart.WINDOW, 1)):
        held = lane.grabbed(item, 50.3)
        assert held.part is IconPart.NEW_WINDOW
        drag = Drag(lane.frame_of(held), start_x=263.8, pixels_per_frame=6.0, can_move=lane.can_drag(held))
        assert drag.moved_to(263.8 - 120.0)
        lane.dragged(bpy.context, held, drag.frame)
        edges = [shape.places[:, 0] for shape in lane.highlight(held).shapes]
        assert (min(map(np.min, edges)), max(map(np.max, edges))) == (30.0, 50.0)
        assert lane.tooltip(held) == "New window: frames 30 to 50, 20 frames"
        assert lane.progress(held, drag.distance) == "", "how long it is was said"
        lane.dropped(bpy.context, held, drag.frame)
        assert lane._provider.calls == [("set_window", 30.0, 50.0)]
        assert lane.highlight(held) is None
        lane._provider.calls.clear()


def test_a_new_window_is_at_least_one_frame_long_and_can_be_given_up():
    lane = shown(lane_data())
    held = lane.grabbed(IconItem(IconPart.GROUND), 50.3)
    lane.dropped(bpy.context, held, 50.4)
    lane.dragged(bpy.context, held, 70.0)
    lane.cancelled(bpy.context)
    assert lane.highlight(held) is None
    assert lane._provider.calls == [("set_window", 50.0, 51.0), ("cancel",)]


def test_drags_of_icons_joints_and_window_ends_reach_the_provider():
    lane = shown(lane_data())
    joint, end = IconItem(IconPart.JOINT, 103, CHEST), IconItem(IconPart.WINDOW_END, 0)
    assert (lane.frame_of(joint), lane.frame_of(end)) == (55.0, 40.0)
    assert lane.grabbed(joint, 12.0) is joint
    assert lane.tooltip(joint) == "chest, frame 55"
    lane.dragged(bpy.context, joint, 56.5)
    assert lane.tooltip(joint) == "Pose at frame 55", "the whole pose moves, not the joint"
    lane.cancelled(bpy.context)
    assert lane.tooltip(joint) == "chest, frame 55"
    lane._provider.calls.remove(("cancel",))
    lane.dropped(bpy.context, IconItem(IconPart.ICON, 103), 57.0)
    lane.dragged(bpy.context, end, 44.0)
    lane.dropped(bpy.context, end, 45.0)
    assert lane._provider.calls == [
        ("drag_icon", 103, 56.5, False),
        ("drag_icon", 103, 57.0, True),
        ("drag_window_end", 0, 44.0, False),
        ("drag_window_end", 0, 45.0, True),
    ]


def test_clicks_paint_joints_and_turn_ticks_over_and_elsewhere_leave_no_undo_step():
    lane = shown(lane_data())
    edits = {
        IconItem(IconPart.JOINT, 100, HIP): [("paint", 100, HIP)],
        IconItem(IconPart.TICK_BOX, 1): [("toggle_window", 1)],
        IconItem(IconPart.ICON, 100): [],
        IconItem(IconPart.NEW_WINDOW, frame=3.0): [],
        IconItem(IconPart.WINDOW_END, 0): [],
    }
    for item, calls in edits.items():
        lane._provider.calls.clear()
        assert lane.clicked(bpy.context, item) == bool(calls)
        assert lane._provider.calls == calls
    assert not lane.can_drag(IconItem(IconPart.TICK_BOX, 1))


def test_a_stroke_paints_or_takes_paint_away_but_never_both():
    painted = np.arange(7) == CHEST
    lane = shown(lane_data(icons=(icon(1, 10.0, painted=painted), icon(2, 60.0))))
    chest, hip = (IconItem(IconPart.JOINT, 1, joint) for joint in (CHEST, HIP))
    assert lane.brush(hip)
    assert [lane.brushed(bpy.context, item) for item in (hip, chest, IconItem(IconPart.GROUND))] == [True, False, False]
    assert lane.brush(chest)
    assert [lane.brushed(bpy.context, item) for item in (chest, hip)] == [True, False]
    assert lane._provider.calls == [("paint", 1, HIP), ("paint", 1, CHEST)]
    assert not lane.brush(IconItem(IconPart.GROUND))
    assert not lane.brush(IconItem(IconPart.TICK_BOX, 1))


def test_features_are_offered_and_carried_over():
    lane = shown(lane_data())
    source, target = IconItem(IconPart.WINDOW, 0), IconItem(IconPart.WINDOW, 2)
    assert lane.menu(bpy.context, source) == (("TIMING", "Timing of 0"),)
    lane.chosen(bpy.context, "TIMING", source, target)
    lane.chosen(bpy.context, "TIMING", source, None)
    assert lane._provider.calls == [("drop", "TIMING", 0, 2), ("drop", "TIMING", 0, None)]


def test_a_feature_over_the_empty_strip_lights_all_windows_that_it_would_change():
    lane = shown(lane_data())
    lit = [lane.highlight(lane.everything(IconItem(IconPart.WINDOW, source))) for source in (0, 1)]
    edges = [sorted({x for shape in each.shapes for x in shape.places[:, 0].tolist()}) for each in lit]
    assert edges == [[60.0, 82.0], [20.0, 40.0]], "ticked windows without the source; the last one has no tick"
    assert lane.tooltip(lane.everything(IconItem(IconPart.WINDOW, 0))) == ""


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (IconItem(IconPart.ICON, 101), "Pose at frame 25"),
        (IconItem(IconPart.JOINT, 101, CHEST), "chest, frame 25"),
        (IconItem(IconPart.WINDOW, 0), "Step: frames 20 to 40, 20 frames"),
        (IconItem(IconPart.TICK_BOX, 1), "Similar: frames 60 to 82, 22 frames, 93% similar, edited alike"),
        (IconItem(IconPart.WINDOW, 2), "Similar: frames 100 to 119, 19 frames, 71% similar, left alone"),
        (IconItem(IconPart.ICON, 999), ""),
        (IconItem(IconPart.WINDOW, 9), ""),
        (IconItem(IconPart.GROUND), ""),
    ],
)
def test_tooltips_name_what_is_there(item, text):
    assert shown(lane_data()).tooltip(item) == text


def test_flags_of_a_joint_are_named():
    lane = shown(lane_data(icons=(icon(1, 10.0, in_contact=np.arange(7) == 5, colliding=np.arange(7) == 3),)))
    assert lane.tooltip(IconItem(IconPart.JOINT, 1, 5)) == "foot.L, frame 10, in contact"
    assert lane.tooltip(IconItem(IconPart.JOINT, 1, 3)) == "hand.L, frame 10, colliding"


def test_hints_offer_only_what_is_possible():
    lane = shown(lane_data())
    assert lane.hint(IconItem(IconPart.GROUND)) == "Drag: New Window"
    assert "Click: Paint Bone" in lane.hint(IconItem(IconPart.JOINT, 100, 1))
    assert "Paint Bone " not in lane.hint(IconItem(IconPart.ICON, 100))
