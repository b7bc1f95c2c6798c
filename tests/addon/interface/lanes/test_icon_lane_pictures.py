"""What the lane of pose icons shows, and what it does not build twice; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from made_icon_lane import CHEST, HEAD, LEFT_HAND, POINTS, ROW, Recorder, icon, lane_data, shown, view, windows
from motion_editing.motion_editing_addon.interface.drawing.theme import palette
from motion_editing.motion_editing_addon.interface.strip import chrome, layout
from motion_editing.motion_editing_addon.timeline.lane import icon_geometry as places
from motion_editing.motion_editing_addon.timeline.lane.icon_data import IconLaneData
from motion_editing.motion_editing_addon.timeline.lane.icon_lane import IconLane


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
