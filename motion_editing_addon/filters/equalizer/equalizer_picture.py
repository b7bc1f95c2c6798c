"""What the equalizer's board shows, as plain shapes: sliders over the spectrum of every limb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....core.filters import LimbSpectrum, band_names
from ...interface.drawing.shapes import Label, Picture, Shape, boxes, rounded_boxes, segments
from ...interface.drawing.theme import faded, mixed
from .equalizer_board import COLUMN, FLOOR, LEFT, TRACK, Board

if TYPE_CHECKING:
    from ...interface.drawing.theme import Colour, Palette

# Turns, in degrees, at the lower and the upper end of the bars' scale, which is logarithmic.
_SMALLEST, _LARGEST = 0.01, 100.0
_MARKS = ((100.0, "100°"), (10.0, "10°"), (1.0, "1°"), (0.1, "0.1°"))
_BARS = 34.0  # width of all bars of a band
_HANDLE = (36.0, 9.0)
_SMALL = 9.5


def level(degrees: np.ndarray) -> np.ndarray:
    """Part of the board's height that a size of turns is shown at."""
    span = np.log10(_LARGEST / _SMALLEST)
    return np.clip(np.log10(np.maximum(degrees, _SMALLEST) / _SMALLEST) / span, 0.0, 1.0)


def board_picture(
    spectrum: LimbSpectrum,
    limb_colours: Sequence[Colour],
    gains: Sequence[float],
    colours: Palette,
    *,
    hovered: int | None = None,
) -> Picture:
    """The board with its lower left corner at (0, 0), in pixels at a UI scale of 1."""
    board = Board(len(spectrum.cutoffs) + 1)
    shapes = (
        *_ground(board, colours),
        _bars(board, spectrum, limb_colours, np.ones(board.bands), 0.3),
        _bars(board, spectrum, limb_colours, np.asarray(gains[: board.bands]), 0.95),
        *_sliders(board, gains, colours, hovered),
        *_swatches(board, spectrum, limb_colours),
    )
    labels = (*_band_labels(board, spectrum, gains, colours), *_side_labels(board, spectrum, colours))
    return Picture(tuple(shapes), labels)


def _ground(board: Board, colours: Palette) -> tuple[Shape, ...]:
    width, height = board.size
    back = rounded_boxes([(width / 2, height / 2)], (width, height), faded(colours.back, 0.92), radius=6.0)
    right = LEFT + board.bands * COLUMN
    heights = [board.height_of(gain) for gain in (0.0, 0.5, 1.0, 1.5, 2.0)]
    alphas = (0.5, 0.2, 0.7, 0.2, 0.5)
    lines = segments(
        [(LEFT, each) for each in heights],
        [(right, each) for each in heights],
        [faded(colours.text, 0.4 * alpha) for alpha in alphas],
    )
    return (*back, lines)


def _bars(
    board: Board, spectrum: LimbSpectrum, limb_colours: Sequence[Colour], gains: np.ndarray, alpha: float
) -> Shape:
    """One bar for every band and limb, as high as the band is once its gain is applied."""
    bands, limbs = spectrum.sizes.shape
    width = _BARS / max(limbs, 1)
    tops = FLOOR + TRACK * level(spectrum.sizes * gains[:, None])
    lefts = np.array(
        [[board.middle_of(band) - _BARS / 2 + limb * width for limb in range(limbs)] for band in range(bands)]
    )
    corners = np.stack([lefts + 0.5, np.full_like(lefts, FLOOR), lefts + width - 0.5, tops], axis=-1)
    own = np.tile([faded(colour, alpha) for colour in limb_colours], (bands, 1)) if limbs else np.empty((0, 4))
    return boxes(corners.reshape(-1, 4), own)


def _sliders(board: Board, gains: Sequence[float], colours: Palette, hovered: int | None) -> tuple[Shape, ...]:
    middles = [board.middle_of(band) for band in range(board.bands)]
    track = segments(
        [(x, FLOOR) for x in middles], [(x, FLOOR + TRACK) for x in middles], faded(colours.text_strong, 0.55), 1.5
    )
    places = [(x, board.height_of(gain)) for x, gain in zip(middles, gains, strict=False)]
    edges = [colours.text_strong if band == hovered else colours.key_selected for band in range(board.bands)]
    outer = rounded_boxes(places, _HANDLE, np.array(edges), radius=3.0)
    inner_size = (_HANDLE[0] - 4.0, _HANDLE[1] - 4.0)
    inner = rounded_boxes(places, inner_size, mixed(colours.back, colours.key_selected, 0.35), radius=2.0)
    return (track, *outer, *inner)


def _swatches(board: Board, spectrum: LimbSpectrum, limb_colours: Sequence[Colour]) -> tuple[Shape, ...]:
    places = [(x - 9.0, y + 3.5) for x, y in _legend_places(board, spectrum)]
    return rounded_boxes(places, (8.0, 8.0), np.array(limb_colours), radius=2.0) if places else ()


def _legend_places(board: Board, spectrum: LimbSpectrum) -> list[tuple[float, float]]:
    left, top = LEFT + board.bands * COLUMN + 52.0, FLOOR + TRACK - 8.0
    step = min(17.0, TRACK / max(len(spectrum.names), 1))
    return [(left, top - number * step) for number in range(len(spectrum.names))]


def _band_labels(board: Board, spectrum: LimbSpectrum, gains: Sequence[float], colours: Palette) -> tuple[Label, ...]:
    found = []
    for band, name in enumerate(band_names(spectrum.cutoffs)):
        x, text = board.middle_of(band), f"{gains[band]:.0%}"
        found.append(Label((x, FLOOR - 15.0), name, colours.text, size=_SMALL, align=0.5))
        found.append(Label((x, FLOOR + TRACK + 7.0), text, colours.text_strong, size=10.5, align=0.5))
    found.append(Label((LEFT - 8.0, FLOOR - 15.0), "Hz", faded(colours.text, 0.7), size=_SMALL, align=1.0))
    return tuple(found)


def _side_labels(board: Board, spectrum: LimbSpectrum, colours: Palette) -> tuple[Label, ...]:
    quiet = faded(colours.text, 0.7)
    right, height = LEFT + board.bands * COLUMN, board.size[1]
    found = [Label((12.0, height - 19.0), "Equalizer", colours.text_strong, size=12.0)]
    keys = "Enter: apply    Esc: cancel    Double-click: 100 %    Hold O: original"
    found.append(Label((84.0, height - 18.5), keys, quiet, size=_SMALL))
    for gain in (0.0, 1.0, 2.0):
        found.append(Label((LEFT - 8.0, board.height_of(gain) - 3.5), f"{gain:.0%}", quiet, size=_SMALL, align=1.0))
    for degrees, text in _MARKS:
        y = FLOOR + TRACK * float(level(np.array(degrees)))
        found.append(Label((right + 6.0, y - 3.5), text, quiet, size=_SMALL))
    for place, name in zip(_legend_places(board, spectrum), spectrum.names, strict=True):
        found.append(Label(place, name, colours.text, size=_SMALL))
    return tuple(found)
