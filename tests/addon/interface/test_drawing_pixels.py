"""What really lands in the pixels. Blender draws without a window from 5.2 on."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from motion_editing.motion_editing_addon.interface.drawing import painter, shapes
from motion_editing.motion_editing_addon.interface.drawing.figures import Figure, PlacedFigure
from motion_editing.motion_editing_addon.interface.drawing.shapes import Label, Picture, Placement

pytestmark = pytest.mark.skipif(bpy.app.version < (5, 2, 0), reason="Blender draws without a window from 5.2 on")

SIZE = 64
RED, WHITE = (1.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)


def drawn(draw: Callable[[], None]) -> np.ndarray:
    """(64, 64, 4) pixels from the lower left corner."""
    import gpu
    from mathutils import Matrix

    gpu.init()
    target = gpu.types.GPUOffScreen(SIZE, SIZE)
    try:
        with target.bind(), gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            gpu.state.active_framebuffer_get().clear(color=(0.0, 0.0, 0.0, 1.0))
            gpu.matrix.load_matrix(Matrix.Identity(4))
            scale = Matrix.Diagonal((2.0 / SIZE, 2.0 / SIZE, 1.0, 1.0))
            gpu.matrix.load_projection_matrix(Matrix.Translation((-1.0, -1.0, 0.0)) @ scale)
            draw()
            buffer = gpu.state.active_framebuffer_get().read_color(0, 0, SIZE, SIZE, 4, 0, "FLOAT")
        return np.array(buffer.to_list()).reshape(SIZE, SIZE, 4)
    finally:
        target.free()


def paint(picture: Picture, placement: Placement, name: str = "test") -> Callable[[], None]:
    return lambda: painter.paint_flat(name, picture, placement, width=SIZE)


def test_a_box_fills_its_pixels_only():
    picture = Picture((shapes.boxes([(2.0, 10.0, 4.0, 20.0)], RED),))
    pixels = drawn(paint(picture, Placement((5.0, 0.0), (10.0, 1.0))))
    rows, columns = np.nonzero(pixels[..., 0] > 0.5)
    assert (rows.min(), rows.max()) == (10, 19)
    assert (columns.min(), columns.max()) == (25, 44)


def test_a_strided_array_is_drawn_where_it_belongs():
    wide = np.zeros((2, 6))
    wide[:, ::3] = [(10.0, 32.0), (50.0, 32.0)]
    picture = Picture((shapes.polyline(wide[:, ::3], RED, 3.0),))
    pixels = drawn(paint(picture, Placement((0.0, 0.0), (1.0, 1.0))))
    rows, columns = np.nonzero(pixels[..., 0] > 0.5)
    assert set(rows) <= {30, 31, 32, 33}
    assert (columns.min(), columns.max()) == pytest.approx((10, 49), abs=1)


def test_scrolling_moves_the_picture_and_builds_nothing():
    picture = Picture((shapes.boxes([(0.0, 0.0, 4.0, 4.0)], RED),))
    before = drawn(paint(picture, Placement((5.0, 0.0), (2.0, 1.0)), "scrolled"))
    builds = painter.kept.builds
    after = drawn(paint(picture, Placement((15.0, 0.0), (2.0, 1.0)), "scrolled"))
    assert painter.kept.builds == builds
    np.testing.assert_allclose(after[:, 10:], before[:, :-10])


def test_zooming_builds_only_what_has_a_size_in_pixels():
    box, dots = shapes.boxes([(0.0, 0.0, 4.0, 4.0)], RED), shapes.diamonds([(20.0, 30.0)], 4.0, WHITE)
    picture = Picture((box, *dots))
    drawn(paint(picture, Placement((5.0, 0.0), (2.0, 1.0)), "zoomed"))
    builds = painter.kept.builds
    pixels = drawn(paint(picture, Placement((5.0, 0.0), (1.5, 2.0)), "zoomed"))
    assert painter.kept.builds == builds + 1
    rows, columns = np.nonzero((pixels[..., 0] > 0.5) & (pixels[..., 1] < 0.5))
    assert (rows.max(), columns.min(), columns.max()) == (7, 5, 10)
    rows, columns = np.nonzero(pixels[..., 1] > 0.5)
    assert (np.mean(rows), np.mean(columns)) == pytest.approx((59.5, 34.5), abs=0.6)
    assert np.ptp(columns) == pytest.approx(8.0, abs=1.5)
    drawn(paint(picture, Placement((9.0, 0.0), (1.5, 2.0)), "zoomed"))
    assert painter.kept.builds == builds + 1


def test_figures_keep_their_proportions_and_their_batches_at_every_zoom():
    square = Figure((shapes.boxes([(-2.0, 0.0, 2.0, 4.0)], RED),))
    picture = Picture(figures=(PlacedFigure(square, (10.0, 1.0)),))
    builds = painter.figure_batches.builds
    for across in (1.0, 3.0):
        pixels = drawn(paint(picture, Placement((4.0, 8.0), (across, 2.0))))
        rows, columns = np.nonzero(pixels[..., 0] > 0.5)
        assert (rows.min(), rows.max()) == (10, 17)
        assert (columns.min(), columns.max()) == (10 * across, 10 * across + 7)
    assert painter.figure_batches.builds == builds + 1


def test_figures_beyond_the_region_are_not_even_built():
    square = Figure((shapes.boxes([(-2.0, 0.0, 2.0, 4.0)], RED),))
    picture = Picture(figures=(PlacedFigure(square, (100.0, 1.0)), PlacedFigure(square, (-3.0, 1.0))))
    builds = painter.figure_batches.builds
    drawn(paint(picture, Placement((0.0, 0.0), (1.0, 1.0))))
    assert painter.figure_batches.builds == builds


def test_what_follows_text_is_blended():
    faint = Picture((shapes.boxes([(40.0, 0.0, 60.0, 60.0)], (1.0, 0.0, 0.0, 0.5)),))
    label = Picture(labels=(Label((2.0, 10.0), "Hip", WHITE, size=14.0),))
    place = Placement((0.0, 0.0), (1.0, 1.0))

    def both() -> None:
        paint(label, place, "label")()
        paint(faint, place, "faint")()

    pixels = drawn(both)
    assert pixels[:30, 2:35, 1].max() > 0.5, "the text should be there"
    assert pixels[30, 50, 0] == pytest.approx(0.5, abs=0.02)
