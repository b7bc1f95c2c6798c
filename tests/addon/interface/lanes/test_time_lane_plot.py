"""The plot of speed and time map in the time lane; all without a window."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from made_time_lane import keytimes, picture_of
from motion_editing.motion_editing_addon.guided_warp.lane.time_geometry import Places, octaves_of
from motion_editing.motion_editing_addon.guided_warp.lane.time_plot import plot_marks, plot_shapes
from motion_editing.motion_editing_addon.interface.drawing.level_areas import areas_from_level
from motion_editing.motion_editing_addon.interface.drawing.theme import palette

PLACES = Places(56.0)
RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def test_equal_factors_are_equal_distances_in_the_plot():
    half, one, two = PLACES.of_speed([0.5, 1.0, 2.0], 2)
    assert one == PLACES.plot_middle
    assert two - one == pytest.approx(one - half)
    assert PLACES.of_speed([4.0], 2)[0] - one == pytest.approx(2.0 * (two - one))


def test_speeds_beyond_the_plot_standing_still_and_backward_stay_in_it():
    heights = PLACES.of_speed([1000.0, 0.0, -2.0, 2.0], 1)
    assert np.all((heights > PLACES.plot_bottom) & (heights < PLACES.plot_top))
    assert heights[2] == heights[3]


@pytest.mark.parametrize(("fastest", "octaves"), [(1.0, 1), (1.9, 1), (2.5, 2), (7.9, 3), (500.0, 4)])
def test_the_plot_reaches_to_whole_doublings(fastest, octaves):
    data = replace(keytimes(), plot_speed=np.full(91, fastest))
    assert octaves_of(data) == octaves
    texts = [mark.text for mark in plot_marks(data)]
    assert texts[octaves - 1 : octaves + 2] == ["50 %", "100 %", "200 %"]


def test_one_frame_of_a_jump_does_not_flatten_the_plot():
    data = keytimes()
    data.plot_speed[40] = 16.0
    assert octaves_of(data) == 1


def test_areas_are_cut_where_the_curve_crosses_the_level():
    shape = areas_from_level([(0.0, 3.0), (4.0, -1.0), (5.0, -1.0)], 0.0, RED, BLUE)
    reds = shape.places[(shape.colours == RED).all(axis=1)]
    blues = shape.places[(shape.colours == BLUE).all(axis=1)]
    assert (reds[:, 0].min(), reds[:, 0].max(), reds[:, 1].min()) == (0.0, 3.0, 0.0)
    assert (blues[:, 0].min(), blues[:, 0].max(), blues[:, 1].max()) == (3.0, 5.0, 0.0)
    assert _area(reds) == pytest.approx(0.5 * 3.0 * 3.0)
    assert _area(blues) == pytest.approx(0.5 + 1.0)


def test_areas_have_gaps_where_nothing_is_known():
    assert len(areas_from_level([(0.0, 1.0), (1.0, np.nan), (2.0, 1.0)], 0.0, RED, BLUE)) == 0


def _area(triangles: np.ndarray) -> float:
    first, second, third = triangles.reshape(-1, 3, 2).transpose(1, 0, 2)
    across, along = second - first, third - first
    return float(np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]).sum() / 2.0)


def test_the_plot_is_warm_where_time_runs_faster_and_cold_where_slower():
    colours = palette(bpy.context)
    areas = plot_shapes(keytimes(), colours)[0]
    warm = np.isclose(areas.colours[:, :3], colours.key_extreme[:3]).all(axis=1)
    assert areas.places[warm][:, 0].max() <= 20.0
    assert areas.places[warm][:, 1].min() == PLACES.plot_middle
    filled = areas.places[~warm][areas.places[~warm][:, 1] < PLACES.plot_middle]
    assert filled[:, 0].min() >= 49.0


def test_the_time_map_goes_from_corner_to_corner():
    lines = [shape.places for shape in plot_shapes(keytimes(), palette(bpy.context))]
    curve = next(each for each in lines if np.ptp(each[:, 1]) == PLACES.plot_top - PLACES.plot_bottom)
    assert curve[0].tolist() == [0.0, PLACES.plot_bottom]
    assert curve[-1].tolist() == [90.0, PLACES.plot_top]
    assert np.all(np.diff(curve[:, 1]) >= 0.0)


def test_the_speed_limit_is_drawn_where_the_plot_reaches_it():
    colours = palette(bpy.context)
    without = plot_shapes(replace(keytimes(), speed_limit=np.inf), colours)
    assert len(plot_shapes(keytimes(), colours)) == len(without), "a limit of 3 is beyond the plot"
    limited = plot_shapes(replace(keytimes(), speed_limit=1.5), colours)
    assert len(limited) == len(without) + 1


def test_keytimes_without_a_map_have_a_scale_but_no_curve():
    data = replace(keytimes(), plot_frames=(), plot_speed=(), map_old_frames=())
    shapes = picture_of(data).content.shapes
    assert len(shapes) == len(picture_of(keytimes()).content.shapes) - 3
    assert [mark.text for mark in plot_marks(data)] == ["50 %", "100 %", "200 %"]
