"""Pose icons that would overlap give way to more important ones; all without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_icon_lane import POINTS, ROW, icon, lane_data, shown, view
from motion_editing.motion_editing_addon.timeline.lane import icon_geometry as places
from motion_editing.motion_editing_addon.timeline.lane.icon_data import IconLaneData
from motion_editing.motion_editing_addon.timeline.lane.icon_geometry import IconGeometry, least_zooms


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
