"""The lane of staggered poses: places, hits, pictures, calls; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.core.body import find_body
from motion_editing.core.sample_motion import sample_skeleton
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip.limb_rows import LimbRow, limb_rows
from motion_editing.motion_editing_addon.staggered.lane.stagger_data import StaggerItem, StaggerLaneData
from motion_editing.motion_editing_addon.staggered.lane.stagger_geometry import geometry_of
from motion_editing.motion_editing_addon.staggered.lane.stagger_lane import StaggerLane
from motion_editing.motion_editing_addon.staggered.lane.stagger_picture import StaggerPicture

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def poses(count: int = 5, joints: int = 6, *, seed: int = 1) -> StaggerLaneData:
    """Poses 20 frames apart, knots up to 4 frames early or late, two limbs, one joint in no row."""
    random = np.random.default_rng(seed)
    frames = 10.0 + 20.0 * np.arange(count)
    return StaggerLaneData(
        pose_frames=frames,
        knot_frames=frames[:, None] + random.uniform(-4.0, 4.0, (count, joints)),
        joint_names=tuple(f"joint{number}" for number in range(joints)),
        rows=(LimbRow("Arm", RED), LimbRow("Leg", BLUE)),
        joint_rows=np.array([-1, *(np.arange(joints - 1) % 2)]),
        probability_frames=np.arange(200.0),
        probability=random.random(200),
    )


def picture_of(data: StaggerLaneData) -> StaggerPicture:
    return StaggerPicture(data, palette(bpy.context))


def view(pixel: float = 1.0, across: float = 6.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (across, 0.8 * pixel), pixel)


def test_joints_lie_in_their_rows_in_order():
    data = poses()
    geometry = geometry_of(data)
    assert np.isnan(geometry.joint_heights[0])
    for joint in range(1, 6):
        low, high = geometry.row_edges[data.joint_rows[joint]]
        assert low < geometry.joint_heights[joint] < high
    for row in (0, 1):
        heights = geometry.joint_heights[data.joint_rows == row]
        assert np.all(np.diff(heights) < 0.0), "the first joint of a limb is on top"


def test_rows_touch_and_the_first_is_on_top():
    edges = geometry_of(poses()).row_edges
    assert edges[0, 0] == edges[1, 1]
    assert geometry_of(poses()).names_bottom == edges[0, 1]


def test_every_pose_is_one_line_through_all_its_knots():
    data = poses(4, 6)
    geometry = geometry_of(data)
    assert len(geometry.knots) == 4 * 5
    assert len(geometry.links) == 4 * 4
    assert np.all(np.diff(geometry.knots[:5, 1]) < 0.0), "from the top row down"
    assert sorted(geometry.knots[:5, 0]) == sorted(data.knot_frames[0, 1:])


def test_a_missing_knot_is_passed_over():
    data = poses(3, 6)
    data.knot_frames[1, 3] = np.nan
    geometry = geometry_of(data)
    assert len(geometry.knots) == 3 * 5 - 1
    assert len(geometry.links) == 3 * 4 - 1
    assert not picture_of(data).data.has(StaggerItem(1, 3))


@pytest.mark.parametrize("pixel", [1.0, 1.5])
def test_every_knot_is_hit_at_its_own_place(pixel):
    data = poses()
    picture, geometry, placement = picture_of(data), geometry_of(data), view(pixel)
    for place, pose, joint in zip(geometry.knots, geometry.knot_poses, geometry.knot_joints, strict=True):
        hit = picture.hit(placement.across(place[0]), placement.up(place[1]), placement)
        assert hit == StaggerItem(pose, joint)


def test_a_line_is_hit_between_its_knots():
    data = poses()
    data = replace(data, knot_frames=np.repeat(data.pose_frames[:, None], 6, axis=1))
    geometry, placement = geometry_of(data), Placement((0.0, 0.0), (6.0, 3.0))
    between = geometry.knots[2:4].mean(axis=0)
    x, y = placement.across(between[0]), placement.up(between[1])
    assert picture_of(data).hit(x + 3.0, y, placement) == StaggerItem(0)
    assert picture_of(data).hit(x + 9.0, y, placement) is None


def test_a_name_above_the_rows_is_hit():
    data, placement = poses(), view()
    y = placement.up(geometry_of(data).names_bottom + 8.0)
    assert picture_of(data).hit(placement.across(data.pose_frames[3]), y, placement) == StaggerItem(3)
    assert picture_of(data).hit(placement.across(data.pose_frames[3] + 10.0), y, placement) is None


def test_reach_grows_with_the_ui_scale():
    data = poses()
    place = geometry_of(data).knots[0]
    results = []
    for pixel in (1.0, 2.0):
        placement = view(pixel)
        results.append(picture_of(data).hit(placement.across(place[0]) - 8.0, placement.up(place[1]), placement))
    assert results[0] is None
    assert results[1] == StaggerItem(0, 1)


def test_lines_and_dots_have_the_colours_of_their_limbs():
    data = poses()
    colours = {tuple(colour) for shape in picture_of(data).content.shapes for colour in shape.colours}
    assert {RED, BLUE} <= colours


def test_the_probability_fills_the_rows_and_no_more():
    data = poses()
    area = picture_of(data).content.shapes[0].places
    geometry = geometry_of(data)
    assert area[:, 1].max() == pytest.approx(geometry.names_bottom)
    assert (area[:, 0].min(), area[:, 0].max()) == (0.0, 199.0)
    without = replace(data, probability=(), probability_frames=())
    assert len(picture_of(without).content.shapes) == len(picture_of(data).content.shapes) - 2


def test_the_picked_and_the_pinned_poses_are_marked():
    plain = picture_of(poses()).content
    marked = picture_of(replace(poses(), selected_pose=2, pinned=np.array([0, 1, 0, 0, 0]))).content
    assert len(marked.shapes) > len(plain.shapes)
    ranks = [label.rank for label in marked.labels]
    assert ranks == [0, 1, 2, 0, 0]
    assert [label.text for label in marked.labels] == ["1", "2", "3", "4", "5"]


def test_tooltips_name_pose_joint_frame_and_refinement():
    data = poses()
    data.knot_frames[2, 3] = data.pose_frames[2] + 2.5
    data.knot_frames[2, 4] = data.pose_frames[2] - 1.0
    data.knot_frames[2, 5] = data.pose_frames[2]
    picture = picture_of(data)
    assert picture.tooltip(StaggerItem(2)) == "Pose 3 · frame 50"
    assert picture.tooltip(StaggerItem(2, 3)) == "Pose 3 · joint3 · frame 52.5, 2.5 later"
    assert picture.tooltip(StaggerItem(2, 4)) == "Pose 3 · joint4 · frame 49, 1 earlier"
    assert picture.tooltip(StaggerItem(2, 5)) == "Pose 3 · joint5 · frame 50, on time"
    assert picture.tooltip(StaggerItem(9)) == ""


class Recorder:
    """Keeps what the lane asks for."""

    def __init__(self, data: StaggerLaneData | None) -> None:
        self.given, self.calls = data, []

    def data(self, _context):
        return self.given

    def drag_pose(self, _context, pose, frame, *, final):
        self.calls.append(("pose", pose, frame, final))

    def drag_knot(self, _context, pose, joint, frame, *, final):
        self.calls.append(("knot", pose, joint, frame, final))

    def cancel(self, _context):
        self.calls.append(("cancel",))

    def pick(self, _context, pose):
        self.calls.append(("pick", pose))


def test_drags_and_clicks_reach_the_provider():
    provider = Recorder(poses())
    lane = StaggerLane(provider)
    lane.dragged(bpy.context, StaggerItem(2), 51.5)
    lane.dropped(bpy.context, StaggerItem(2), 52.0)
    lane.dragged(bpy.context, StaggerItem(1, 4), 33.0)
    lane.dropped(bpy.context, StaggerItem(1, 4), 34.0)
    lane.clicked(bpy.context, StaggerItem(3, 1))
    lane.cancelled(bpy.context)
    assert provider.calls == [
        ("pose", 2, 51.5, False),
        ("pose", 2, 52.0, True),
        ("knot", 1, 4, 33.0, False),
        ("knot", 1, 4, 34.0, True),
        ("pick", 3),
        ("cancel",),
    ]


def test_equal_data_keeps_the_picture_and_any_change_makes_a_new_one():
    provider, colours = Recorder(poses()), palette(bpy.context)
    lane = StaggerLane(provider)
    assert lane.update(bpy.context, colours)
    first = lane.content()
    provider.given = poses()
    assert lane.update(bpy.context, colours)
    assert lane.content() is first
    moved = poses().knot_frames + 0.25
    for change in (
        {"selected_pose": 1},
        {"knot_frames": moved},
        {"pinned": np.ones(5)},
        {"pose_labels": tuple("abcde")},
    ):
        provider.given = replace(poses(), **change)
        lane.update(bpy.context, colours)
        assert lane.content() is not first, change
    provider.given = poses()
    lane.update(bpy.context, replace(colours, text=RED))
    assert lane.content() is not first


def test_nothing_to_show_shows_nothing():
    colours = palette(bpy.context)
    assert not StaggerLane(Recorder(None)).update(bpy.context, colours)
    empty = replace(poses(), pose_frames=np.empty(0), knot_frames=np.empty((0, 6)))
    assert not StaggerLane(Recorder(empty)).update(bpy.context, colours)


def test_hints_tell_a_pose_from_a_bone():
    lane = StaggerLane(Recorder(poses()))
    more = "Click: Select Pose    Shift Click: Select More    Right Click: Menu"
    assert lane.hint(StaggerItem(2)) == f"Drag: Move Pose    {more}"
    assert lane.hint(StaggerItem(2, 3)) == f"Drag: Move One Bone    {more}"


def test_items_that_are_gone_are_not_highlighted():
    lane = StaggerLane(Recorder(poses()))
    lane.update(bpy.context, palette(bpy.context))
    assert lane.highlight(StaggerItem(7)) is None
    assert len(lane.highlight(StaggerItem(2, 3)).shapes) > len(lane.highlight(StaggerItem(2)).shapes)


def test_limbs_of_a_body_become_rows_from_head_to_feet():
    skeleton = sample_skeleton()
    rows, joint_rows = limb_rows(bpy.context, find_body(skeleton))
    names = [row.name for row in rows]
    assert names == ["Head", "Torso", "Left arm", "Right arm", "Left leg", "Right leg"]
    assert len({row.colour for row in rows}) == len(rows), "every limb has a colour of its own"
    assert names[joint_rows[skeleton.names.index("hand.R")]] == "Right arm"
    assert np.all(joint_rows >= 0)
    rows, joint_rows = limb_rows(bpy.context, find_body(skeleton), shapes=2)
    assert [rows[row].name for row in joint_rows[len(skeleton) :]] == ["Face", "Face"]
    assert [row.name for row in rows[:3]] == ["Head", "Face", "Torso"]
