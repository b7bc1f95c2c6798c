"""The lane of pose icons: thinning, hits, drags, painting, windows; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.drawing.shapes import Placement
from motion_editing.motion_editing_addon.drawing.theme import palette
from motion_editing.motion_editing_addon.strip import IconLane, IconLaneData, chrome, layout
from motion_editing.motion_editing_addon.strip import icon_geometry as places
from motion_editing.motion_editing_addon.strip.drag import Drag
from motion_editing.motion_editing_addon.strip.icon_data import (
    IconItem,
    IconPart,
    IconRow,
    IconWindow,
    PoseIcon,
    WindowKind,
)
from motion_editing.motion_editing_addon.strip.icon_geometry import IconGeometry, least_zooms
from motion_editing.motion_editing_addon.strip.icon_hits import zoom_of
from motion_editing.motion_editing_addon.strip.picking import Picked

# Hip, chest, head, two hands, two feet; the chest's bones go to the hands and the head.
ROW = IconRow(
    "Dancer",
    ("hip", "chest", "head", "hand.L", "hand.R", "foot.L", "foot.R"),
    ((0, 1), (1, 2), (1, 3), (1, 4), (0, 5), (0, 6)),
    head=2,
)
POINTS = np.array([(0.0, 0.5), (0.0, 0.75), (0.0, 0.92), (-0.25, 0.6), (0.25, 0.6), (-0.12, 0.0), (0.12, 0.0)])
HIP, CHEST, HEAD, LEFT_HAND = 0, 1, 2, 3


def icon(identifier: int, frame: float, rank: int = 0, **changes: object) -> PoseIcon:
    return replace(PoseIcon(identifier, frame, POINTS.copy(), rank), **changes)


def windows() -> tuple[IconWindow, ...]:
    return (
        IconWindow(20.0, 40.0, WindowKind.OPERATION, label="Step"),
        IconWindow(60.0, 82.0, similarity=0.93),
        IconWindow(100.0, 119.0, ticked=False, similarity=0.71),
    )


def lane_data(**changes: object) -> IconLaneData:
    icons = tuple(icon(100 + number, 10.0 + 15.0 * number, number % 3) for number in range(8))
    return replace(IconLaneData(icons, (ROW,), windows()), **changes)


def view(across: float = 6.0, pixel: float = 1.0, squeeze: float = 1.0) -> Placement:
    """A scrolled and zoomed region."""
    return Placement((-37.0, 12.0), (across, squeeze * pixel), pixel)


class Recorder:
    """Keeps what the lane asks for."""

    def __init__(self, data: IconLaneData | None) -> None:
        self.given, self.calls = data, []

    def data(self, _context):
        return self.given

    def menu(self, _context, window):
        return (("TIMING", f"Timing of {window}"),)

    def set_window(self, _context, start, end):
        self.calls.append(("set_window", start, end))

    def drag_window_end(self, _context, window, frame, *, final):
        self.calls.append(("drag_window_end", window, frame, final))

    def drag_icon(self, _context, icon, frame, *, final):
        self.calls.append(("drag_icon", icon, frame, final))

    def toggle_window(self, _context, window):
        self.calls.append(("toggle_window", window))

    def paint(self, _context, icon, joint):
        self.calls.append(("paint", icon, joint))

    def drop(self, _context, identifier, source_window, target_window):
        self.calls.append(("drop", identifier, source_window, target_window))

    def cancel(self, _context):
        self.calls.append(("cancel",))


def shown(data: IconLaneData) -> IconLane:
    lane = IconLane(Recorder(data))
    assert lane.update(bpy.context, palette(bpy.context))
    return lane


# Thinning


def random_icons(seed: int) -> IconGeometry:
    random = np.random.default_rng(seed)
    frames = random.choice(np.arange(300.0), 40)
    icons = tuple(
        icon(number, frame, int(rank), points=POINTS * random.uniform(0.5, 2.0), row=int(random.integers(2)))
        for number, (frame, rank) in enumerate(zip(frames, random.permutation(40), strict=True))
    )
    return IconGeometry(IconLaneData(icons, (ROW, ROW)))


def overlapping(geometry: IconGeometry, zoom: float, one: int, other: int) -> bool:
    first, second = geometry.data.icons[one], geometry.data.icons[other]
    edges = [geometry.frames[each] * zoom + geometry.reach[each] for each in (one, other)]
    return first.row == second.row and edges[0][0] < edges[1][1] and edges[1][0] < edges[0][1]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("zoom", [0.05, 0.3, 1.0, 4.0, 20.0])
def test_icons_never_overlap_and_none_is_left_out_without_a_reason(seed, zoom):
    geometry = random_icons(seed)
    seen = np.flatnonzero(geometry.icon_zooms <= zoom)
    assert not any(overlapping(geometry, zoom, one, other) for one in seen for other in seen if one < other)
    # An icon waits only for others that are shown at the zoom that it waits for, or soon after it.
    for number in np.flatnonzero(geometry.icon_zooms > zoom):
        just_before = geometry.icon_zooms[number] * (1.0 - 1e-9)
        if np.isinf(just_before):
            continue
        rivals = [
            other
            for other in range(len(geometry.frames))
            if other != number and geometry.icon_zooms[other] <= places._PATIENCE * just_before
        ]
        gaps = places._zoom_apart(geometry.frames, geometry.reach, np.array(rivals, dtype=int), number)
        same_row = [geometry.data.icons[other].row == geometry.data.icons[number].row for other in rivals]
        assert (gaps[same_row] > just_before).any()


def test_zooming_in_never_takes_an_icon_away_and_the_first_rank_always_stays():
    geometry, before = random_icons(9), set()
    for zoom in np.geomspace(1e-4, 50.0, 60):
        seen = set(np.flatnonzero(geometry.icon_zooms <= zoom))
        assert before <= seen
        before = seen
    best = [
        min((icon for icon in geometry.data.icons if icon.row == row), key=lambda each: each.rank) for row in (0, 1)
    ]
    assert all(geometry.icon_zooms[geometry.numbers[icon.identifier]] == 0.0 for icon in best)


def test_an_icon_is_not_hidden_by_one_that_is_itself_hidden_until_there_is_room_for_both():
    frames, reach = np.array([0.0, 10.0, 20.0]), np.array([(-8.0, 8.0), (-8.0, 8.5), (-8.0, 8.0)])
    first, second, third = least_zooms(frames, reach, [0, 1, 2], [0, 0, 0])
    assert first == 0.0
    assert third < 0.6 * second, "there is room for the first and the third long before the second fits between them"
    assert second == (8.5 + 8.0 + 5.0) / 10.0, "the second appears as soon as it meets neither"


def test_of_two_icons_at_one_frame_only_the_more_important_is_ever_shown():
    zooms = least_zooms(np.array([5.0, 5.0]), np.array([(-8.0, 8.0)] * 2), [1, 0], [0, 0])
    assert zooms.tolist() == [np.inf, 0.0]


@pytest.mark.parametrize("pixel", [1.0, 1.5])
def test_thinning_follows_zoom_and_ui_scale_but_not_scrolling(pixel):
    lane = shown(lane_data())
    counts = [len(lane.pictures(view(across, pixel))[1].figures) for across in (0.2, 1.0, 3.0, 12.0)]
    assert counts == sorted(counts)
    assert counts[0] < 8 <= counts[-1]
    placement = view(1.0, pixel)
    scrolled = replace(placement, shift=(500.0, 12.0))
    assert lane.pictures(placement)[1] is lane.pictures(scrolled)[1]


# Pictures


def test_an_unchanged_redraw_and_every_zoom_take_the_same_pictures_and_figures():
    lane, colours = shown(lane_data()), palette(bpy.context)
    ground, figures = lane.pictures(view(3.0))
    lane._provider.given = lane_data()
    lane.update(bpy.context, colours)
    assert lane.pictures(view(3.0))[0] is ground
    assert lane.pictures(view(3.0))[1] is figures
    near, far = (lane.pictures(view(across)) for across in (12.0, 0.2))
    assert near[0] is ground
    assert {placed.figure for placed in far[1].figures} <= {placed.figure for placed in near[1].figures}
    assert all(shape.offsets is None for shape in ground.shapes), "a zoom would build shapes with offsets anew"


def test_moving_an_icon_keeps_its_figure_and_painting_it_makes_only_its_own_anew():
    data, colours = lane_data(windows=()), palette(bpy.context)
    lane = shown(data)
    before = [placed.figure for placed in lane.pictures(view(12.0))[1].figures]
    moved = tuple(icon(100 + number, 11.5 + 15.0 * number, number % 3) for number in range(8))
    lane._provider.given = replace(data, icons=moved)
    lane.update(bpy.context, colours)
    after = lane.pictures(view(12.0))[1].figures
    assert [placed.figure for placed in after] == before
    assert [placed.place[0] for placed in after] == [each.frame for each in moved]
    painted = np.arange(7) == CHEST
    lane._provider.given = replace(data, icons=(replace(moved[0], painted=painted), *moved[1:]))
    lane.update(bpy.context, colours)
    figures = [placed.figure for placed in lane.pictures(view(12.0))[1].figures]
    assert figures[0] is not before[0]
    assert figures[1:] == before[1:]


@pytest.mark.parametrize(
    "change",
    [
        {"selected": (101,)},
        {"preview": True},
        {"windows": windows()[:2]},
        {"beats": (3.0, 6.0)},
        {"contact_times": (4.0,)},
        {"waveform_frames": (0.0, 1.0), "waveform_low": (0.0, -1.0), "waveform_high": (0.0, 1.0)},
        {"rows": (ROW._replace(name="Other"),)},
        {"icons": lane_data().icons[:-1]},
    ],
)
def test_any_change_makes_a_new_picture(change):
    lane = shown(lane_data())
    before = lane.content()
    lane._provider.given = lane_data(**change)
    lane.update(bpy.context, palette(bpy.context))
    assert lane.content() is not before


def inked(figure: object, colour: object) -> np.ndarray:
    """Places of a figure's vertices that have a colour."""
    return np.vstack([shape.places[np.isclose(shape.colours, colour).all(axis=1)] for shape in figure.shapes])


def test_figures_show_what_is_painted_in_contact_and_colliding():
    painted, contact, colliding = (np.arange(7) == joint for joint in (CHEST, 5, LEFT_HAND))
    given = icon(1, 10.0, painted=painted, in_contact=contact, colliding=colliding)
    figure = shown(lane_data(icons=(given,), windows=())).pictures(view())[1].figures[0].figure
    colours, points = palette(bpy.context), POINTS * places.FIGURE
    bones = inked(figure, colours.painted)
    for joint in (CHEST, HEAD, LEFT_HAND, 4):
        assert np.isclose(bones, points[joint]).all(axis=1).any(), "the bones of the chest end here"
    for flag, ink in ((5, colours.contact), (LEFT_HAND, colours.warning)):
        assert np.abs(inked(figure, ink) - points[flag]).max() < 4.0
    assert len(inked(figure, palette(bpy.context).key_selected)) == 0


def test_picked_icons_and_icons_in_reached_windows_stand_out():
    data = lane_data(icons=(icon(1, 5.0), icon(2, 30.0), icon(3, 70.0), icon(4, 110.0), icon(5, 150.0)), selected=(5,))
    figures = shown(data).pictures(view(20.0))[1].figures[:5]
    colours = palette(bpy.context)
    strong = [len(inked(placed.figure, colours.text_strong)) > 0 for placed in figures]
    assert strong == [False, True, True, False, False], "the last window is not ticked"
    assert len(inked(figures[4].figure, colours.key_selected)) > 0


def test_everything_lies_in_the_lane():
    frames = np.arange(50.0)
    data = lane_data(
        rows=(ROW, ROW),
        waveform_frames=frames,
        waveform_low=-1.5 * np.ones(50),
        waveform_high=np.sin(frames),
        beats=frames[::10],
        contact_times=(3.0,),
    )
    lane = shown(data)
    for shape in lane.content().shapes:
        assert shape.places[:, 1].min() >= 0.0
        assert shape.places[:, 1].max() <= lane.height
    assert [row.name for row in lane.rows()] == ["Dancer", "Dancer", "Sound"]
    first, second, sound = lane.rows()
    assert (sound.bottom, sound.height, second.bottom + second.height) == (0.0, second.bottom, first.bottom)
    assert lane.height == first.bottom + first.height + places.HEADER


def test_windows_say_how_similar_they_are_where_there_is_room():
    titles = [label.text for label in shown(lane_data()).content().labels]
    assert titles == ["Step", "93%", "71%"]
    assert [label.room for label in shown(lane_data()).content().labels] == [20.0, 22.0, 19.0]


def test_broken_poses_leave_gaps_instead_of_lines_to_nowhere():
    points = POINTS.copy()
    points[LEFT_HAND] = np.nan
    lane = shown(lane_data(icons=(icon(1, 10.0, points=points, in_contact=np.ones(7, dtype=bool)),)))
    for shape in lane.pictures(view())[1].figures[0].figure.shapes:
        assert np.isfinite(shape.places).all()
    assert lane.hit(0.0, 40.0, view()).part is not None


def test_nothing_to_show_shows_nothing():
    colours = palette(bpy.context)
    assert not IconLane(Recorder(None)).update(bpy.context, colours)
    assert not IconLane(Recorder(IconLaneData((), ()))).update(bpy.context, colours)


# Hits


def at(lane: IconLane, placement: Placement, icon_number: int, point: np.ndarray) -> IconItem:
    """What is at a point of an icon."""
    geometry = lane._picture.geometry
    given = geometry.data.icons[icon_number]
    x = placement.across(given.frame) + point[0] * places.FIGURE * placement.scale[1]
    y = placement.up(geometry.ground(given) + point[1] * places.FIGURE)
    return lane.hit(float(x), float(y), placement)


@pytest.mark.parametrize("placement", [view(12.0), view(12.0, 1.5), view(12.0, squeeze=0.7), view(30.0, 2.0, 0.6)])
def test_joints_bones_and_icons_are_hit_at_every_scale(placement):
    lane = shown(lane_data(windows=()))
    for number in range(8):
        for joint, point in enumerate(POINTS):
            assert at(lane, placement, number, point) == IconItem(IconPart.JOINT, 100 + number, joint)
        upper_arm = 0.5 * (POINTS[CHEST] + POINTS[LEFT_HAND])
        assert at(lane, placement, number, upper_arm) == IconItem(IconPart.JOINT, 100 + number, CHEST)
        beside = np.array([-0.2, 0.2])
        assert at(lane, placement, number, beside) == IconItem(IconPart.ICON, 100 + number)


def test_icons_that_are_not_shown_are_not_hit():
    close = (icon(1, 10.0, rank=0), icon(2, 12.0, rank=1))
    lane = shown(lane_data(icons=close, windows=()))
    assert at(lane, view(2.0), 1, POINTS[CHEST]).number == 1
    assert at(lane, view(40.0), 1, POINTS[CHEST]).number == 2


def test_of_two_rows_each_has_its_own_icons():
    lane = shown(lane_data(icons=(icon(1, 10.0), icon(2, 10.0, row=1)), rows=(ROW, ROW), windows=()))
    for number in (0, 1):
        assert at(lane, view(12.0), number, POINTS[CHEST]) == IconItem(IconPart.JOINT, number + 1, CHEST)


def spot(frame: float, height: float, beside: float = 0.0, **changes: object) -> IconItem:
    lane, placement = shown(lane_data(icons=(), **changes)), view()
    return lane.hit(placement.across(frame) + beside, placement.up(height), placement)


def test_windows_are_hit_by_their_parts():
    header = places.ROW + 0.5 * places.HEADER
    assert spot(60.0, header, places.TICK_MIDDLE) == IconItem(IconPart.TICK_BOX, 1)
    assert spot(60.0, 20.0, places.TICK_MIDDLE) == IconItem(IconPart.WINDOW, 1)
    assert spot(20.0, header, places.TICK_MIDDLE) == IconItem(IconPart.WINDOW, 0), "it has no tick box"
    assert spot(40.0, 30.0, 3.0) == IconItem(IconPart.WINDOW_END, 0)
    assert spot(82.0, 30.0, -1.0) == IconItem(IconPart.WINDOW, 1), "only the operation window's end moves"
    assert spot(50.0, 30.0) == IconItem(IconPart.GROUND)


def test_a_window_without_room_for_a_tick_box_has_none():
    narrow = (IconWindow(60.0, 62.0),)
    header = places.ROW + 0.5 * places.HEADER
    assert spot(60.0, header, places.TICK_MIDDLE, windows=narrow).part is IconPart.WINDOW
    lane = shown(lane_data(icons=(), windows=narrow))
    assert [len(lane.pictures(view(across))[1].figures) for across in (6.0, 12.0)] == [0, 1]


def test_a_right_click_is_about_the_window_even_over_an_icon():
    lane, placement = shown(lane_data()), view()
    assert lane.target(placement.across(70.0), placement) == IconItem(IconPart.WINDOW, 1)
    assert lane.target(placement.across(50.0), placement) is None
    inside = replace(lane_data(), windows=(*windows(), IconWindow(25.0, 30.0)))
    assert shown(inside).target(placement.across(27.0), placement).number == 0, "the operation window comes first"


# What the mouse does


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


def test_names_of_characters_stand_on_plates_in_the_upper_corner():
    lane, colours = shown(lane_data()), palette(bpy.context)
    stack = layout.stack([lane], 400.0, 1.0)
    bare, plated = (
        chrome.row_names(stack, 500.0, 1.0, colours, text_width=each)
        for each in (None, lambda text, _size: 6.0 * len(text))
    )
    assert len(plated.shapes) > len(bare.shapes)
    row = lane.rows()[0]
    assert row.bottom + 0.8 * row.height < plated.labels[0].place[1] - stack.bottom < row.bottom + row.height


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
    assert "Click: Paint Joint" in lane.hint(IconItem(IconPart.JOINT, 100, 1))
    assert "Paint Joint " not in lane.hint(IconItem(IconPart.ICON, 100))


def test_what_is_gone_is_not_highlighted_and_windows_are_ground():
    lane = shown(lane_data())
    for gone in (IconItem(IconPart.ICON, 999), IconItem(IconPart.WINDOW, 9), IconItem(IconPart.GROUND)):
        assert lane.highlight(gone) is None
    joint = IconItem(IconPart.JOINT, 101, CHEST)
    assert lane.highlight(joint) is lane.highlight(joint)
    assert lane.highlight(joint).figures[0].place[0] == 25.0
    grounds = [Picked(lane, IconItem(part, 1), view()).is_empty for part in (IconPart.WINDOW, IconPart.TICK_BOX)]
    assert grounds == [True, False]


def test_zoom_is_the_width_of_a_frame_in_heights():
    assert zoom_of(view(6.0, 1.5, 0.8)) == pytest.approx(5.0)
