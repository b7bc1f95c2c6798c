"""Trails, ghosts and the name of a mode: what is shown, and that nothing is left behind."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface.drawing import viewport
from motion_editing.motion_editing_addon.interface.drawing.batches import Kept
from motion_editing.motion_editing_addon.interface.drawing.shapes import Picture
from motion_editing.motion_editing_addon.interface.drawing.trails import (
    Ghost,
    Trail,
    content_of,
    dots_on_screen,
)

WHITE = (1.0, 1.0, 1.0, 1.0)


@pytest.fixture(autouse=True)
def nothing_shown() -> Iterator[None]:
    """Leave no handler behind."""
    yield
    viewport.clear()


def walk(frames: int = 50) -> np.ndarray:
    """(F, 3) a way that does not end where it starts."""
    return np.cumsum(np.random.default_rng(1).normal(size=(frames, 3)), axis=0)


def test_a_trail_goes_through_all_positions():
    positions = walk()
    shape = content_of([Trail(positions, WHITE, 2.0)], []).lines.shapes[0]
    assert shape.size == 2.0
    np.testing.assert_array_equal(shape.places[::2], positions[:-1])
    np.testing.assert_array_equal(shape.places[1::2], positions[1:])


def test_ticks_are_dots_at_the_poses():
    positions = walk()
    content = content_of([Trail(positions, WHITE, ticks=(0, 20, 49)), Trail(positions, WHITE)], [])
    assert len(content.dots) == 1
    np.testing.assert_array_equal(content.dots[0][0], positions[[0, 20, 49]])


def test_dots_are_round_on_the_screen_and_hidden_behind_the_eye():
    view = np.array([(1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0), (0, 0, -1, 0)], dtype=float)
    positions = np.array([(1.0, 0.5, -4.0), (0.0, 0.0, 3.0)])
    picture = dots_on_screen(content_of([Trail(positions, WHITE, 4.0, ticks=(0, 1))], []), view, (200.0, 100.0))
    place = np.unique(np.vstack([shape.places for shape in picture.shapes]), axis=0)
    assert place.tolist() == [[125.0, 62.5]], "only what is in front of the eye"
    reach = np.linalg.norm(picture.shapes[1].offsets, axis=1)
    np.testing.assert_allclose(reach, 0.5 * content_of([Trail(positions, WHITE, 4.0, ticks=(0,))], []).dots[0][2])


def test_dots_need_a_handler_of_their_own():
    viewport.show("one", trails=[Trail(walk(), WHITE, ticks=(1, 2))])
    assert viewport.handled_stages() == {"POST_VIEW", "POST_PIXEL"}
    viewport.hide("one")
    assert viewport.handled_stages() == set()


def test_a_ghost_has_a_line_for_every_bone_but_the_root():
    positions, parents = walk(5), np.array([-1, 0, 1, 1, 3])
    shape = content_of([], [Ghost(positions, parents, WHITE)]).lines.shapes[0]
    drawn = {(tuple(start), tuple(end)) for start, end in shape.places.reshape(-1, 2, 3)}
    assert drawn == {(tuple(positions[parents[joint]]), tuple(positions[joint])) for joint in range(1, 5)}


def test_handlers_come_with_the_first_and_go_with_the_last():
    assert viewport.handled_stages() == set()
    viewport.show("one", trails=[(walk(), WHITE, 1.0)])
    viewport.show("two", ghosts=[(walk(3), np.array([-1, 0, 1]), WHITE, 1.0)])
    assert viewport.handled_stages() == {"POST_VIEW"}
    viewport.hide("one")
    assert viewport.handled_stages() == {"POST_VIEW"}
    viewport.hide("two")
    viewport.hide("never shown")
    assert viewport.handled_stages() == set()


def test_the_mode_has_a_handler_of_its_own():
    viewport.show_mode("pose", "Editing extreme pose 4")
    viewport.show_mode("layer", "Editing layer 'Wave'")
    assert viewport.handled_stages() == {"POST_PIXEL"}
    viewport.hide_mode("layer")
    viewport.hide_mode("never on")
    assert viewport.shown_modes() == {"pose": "Editing extreme pose 4"}
    viewport.hide_mode("pose")
    assert viewport.handled_stages() == set()


def region(kind, alignment, x, y, width, height):
    return SimpleNamespace(type=kind, alignment=alignment, x=x, y=y, width=width, height=height)


@pytest.mark.parametrize("view", [(0, 100, 1000, 500), (60, 100, 940, 450)], ids=["overlap", "side by side"])
def test_the_mode_stands_beside_the_tools_and_below_the_header(view):
    window = region("WINDOW", "NONE", *view)
    regions = (
        region("HEADER", "TOP", 0, 575, 1000, 25),
        region("TOOL_HEADER", "TOP", 0, 550, 1000, 25),
        region("TOOLS", "LEFT", 0, 100, 60, 450),
        region("UI", "RIGHT", 800, 100, 200, 450),
        window,
    )
    context = SimpleNamespace(
        region=window,
        area=SimpleNamespace(regions=regions),
        space_data=SimpleNamespace(overlay=SimpleNamespace(show_overlays=False)),
        preferences=bpy.context.preferences,
    )
    left, top = viewport._free_corner(context, 1.0)
    assert (window.x + left, window.y + top) == (60 + 12, 550 - 12)


def test_disabling_the_extension_stops_all_drawing(registered_addon):
    viewport.show("one", trails=[(walk(), WHITE, 1.0)])
    viewport.show_mode("pose", "Editing")
    registered_addon.unregister()
    try:
        assert viewport.handled_stages() == set()
        assert viewport.shown() == {}
        assert viewport.shown_modes() == {}
    finally:
        registered_addon.register()


def test_showing_again_replaces_only_that_name():
    viewport.show("one", trails=[(walk(), WHITE, 1.0)])
    viewport.show("two", trails=[(walk(), WHITE, 1.0)])
    before = viewport.shown()
    viewport.show("one", trails=[(walk(60), WHITE, 1.0)])
    assert viewport.shown()["two"] is before["two"]
    assert viewport.shown()["one"] is not before["one"]


def test_what_is_unchanged_is_not_built_again():
    kept: Kept[int] = Kept()
    picture, equal_looking = Picture(), Picture()
    for _redraw in range(3):
        assert kept.get("lane", (picture, 2.0), lambda: 1) == 1
    assert kept.builds == 1
    assert kept.get("lane", (picture, 3.0), lambda: 2) == 2
    assert kept.get("lane", (equal_looking, 3.0), lambda: 3) == 3
    assert kept.builds == 3
    kept.get("dots a", 1, lambda: 4)
    kept.forget_all("dots ")
    kept.forget("lane")
    assert len(kept) == 0
