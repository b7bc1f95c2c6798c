"""What lies behind pose icons: windows with their headers, contact times, beats and the sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...interface.drawing.shapes import TRIANGLES, Label, Picture, Shape, boxes, polyline, segments
from ...interface.drawing.theme import faded, mixed
from .icon_data import WindowKind
from .icon_geometry import FOOT, HEADER, TICKED_WIDTH
from .icon_text import window_title

if TYPE_CHECKING:
    from ...interface.drawing.theme import Colour, Palette
    from .icon_data import IconLaneData, IconWindow
    from .icon_geometry import IconGeometry

# Pixels at a UI scale of 1.
_TITLE_SIZE, _TITLE_DROP, _TITLE_INSET = 9.0, 3.2, 5.0
_SOUND_INSET, _CONTACT_TICK = 2.0, 5.0
# Opacities of a window's body, header and edges; of all of them without a tick; of the light on it.
_BODY, _HEADER, _EDGE, _UNTICKED, _LIGHT = 0.16, 0.42, 0.8, 0.35, 0.1


def ground_picture(geometry: IconGeometry, colours: Palette) -> Picture:
    """Everything behind the figures, in the order in which it is drawn."""
    data = geometry.data
    shapes = [
        *(shape for window in data.windows for shape in window_shapes(geometry, window, colours)),
        *_sound(geometry, colours),
        _uprights(data.beats, (geometry.sound_height, geometry.header_bottom), faded(colours.text, 0.16)),
        _uprights(data.beats, (0.0, geometry.sound_height), faded(colours.key_selected, 0.85)),
        *_contacts(geometry, colours),
    ]
    return Picture(tuple(shapes), tuple(_title(geometry, window, colours) for window in data.windows))


def window_colour(window: IconWindow, colours: Palette) -> Colour:
    """Blue where the user edits, green where the edit is repeated."""
    return colours.operation if window.kind is WindowKind.OPERATION else colours.propagation


def window_shapes(geometry: IconGeometry, window: IconWindow, colours: Palette) -> tuple[Shape, ...]:
    """A translucent window with a header and edges."""
    ink = window_colour(window, colours)
    seen = faded(ink, 1.0 if window.reached else _UNTICKED)
    body = boxes([(window.start, 0.0, window.end, geometry.header_bottom)], faded(seen, _BODY))
    header = boxes([(window.start, geometry.header_bottom, window.end, geometry.height)], faded(seen, _HEADER))
    edges = _uprights([window.start, window.end], (0.0, geometry.height), faded(seen, _EDGE))
    return (body, header, edges, *_handle(geometry, window, ink))


def lit_window(geometry: IconGeometry, window: IconWindow, colours: Palette) -> tuple[Shape, ...]:
    """Light on a window under the mouse and a frame around it; what is in it stays readable."""
    corners = [(window.start, 0.0), (window.end, 0.0), (window.end, geometry.height), (window.start, geometry.height)]
    light = boxes([(*corners[0], *corners[2])], faded(colours.text_strong, _LIGHT))
    frame = mixed(window_colour(window, colours), colours.text_strong, 0.35)
    return (light, polyline(corners, frame, 2.0, closed=True))


def lit_end(geometry: IconGeometry, window: IconWindow, colours: Palette) -> tuple[Shape, ...]:
    """The edge that changes the duration, under the mouse."""
    return (_uprights([window.end], (0.0, geometry.height), colours.text_strong, 3.0),)


def _handle(geometry: IconGeometry, window: IconWindow, ink: Colour) -> tuple[Shape, ...]:
    """The end of the operation window can be dragged: a stronger line."""
    if window.kind is not WindowKind.OPERATION:
        return ()
    return (_uprights([window.end], (0.0, geometry.height), ink, 2.5),)


def _uprights(frames: Any, edges: tuple[float, float], colour: Colour, width: float = 1.0) -> Shape:
    frames = np.asarray(frames, dtype=np.float64)
    low, high = (np.column_stack([frames, np.full(len(frames), edge)]) for edge in edges)
    return segments(low, high, colour, width)


def _title(geometry: IconGeometry, window: IconWindow, colours: Palette) -> Label:
    """The header's words at its right end: the tick box is at the left one."""
    ink = colours.text_strong if window.reached else faded(colours.text, 0.7)
    place = (float(window.end), geometry.header_bottom + 0.5 * HEADER)
    has_box = window.kind is WindowKind.PROPAGATION
    margin = 0.5 * (_TITLE_INSET + (TICKED_WIDTH if has_box else _TITLE_INSET))
    offset, room = (-_TITLE_INSET, -_TITLE_DROP), float(window.end - window.start)
    return Label(place, window_title(window), ink, offset, _TITLE_SIZE, 1.0, room=room, margin=margin)


def _sound(geometry: IconGeometry, colours: Palette) -> tuple[Shape, ...]:
    """The waveform in its own row: the area between its lowest and highest samples."""
    data, middle = geometry.data, 0.5 * geometry.sound_height
    if len(data.waveform_frames) < 2:
        return ()
    frames = np.asarray(data.waveform_frames, dtype=np.float64)
    low, high = (_clipped(each) * (middle - _SOUND_INSET) + middle for each in (data.waveform_low, data.waveform_high))
    ink = mixed(mixed(colours.text, colours.key_breakdown, 0.5), colours.back, 0.3)
    # Areas have jagged edges, lines do not.
    rims = [polyline(np.column_stack([frames, edge]), ink) for edge in (low, high)]
    return (_area_between(frames, low, high, ink), *rims)


def _clipped(samples: Any) -> np.ndarray:
    return np.clip(np.asarray(samples, dtype=np.float64), -1.0, 1.0)


def _area_between(frames: np.ndarray, low: np.ndarray, high: np.ndarray, colour: Colour) -> Shape:
    below, above = np.column_stack([frames, low]), np.column_stack([frames, high])
    corners = (below[:-1], below[1:], above[1:], below[:-1], above[1:], above[:-1])
    return Shape(TRIANGLES, np.stack(corners, axis=1).reshape(-1, 2), np.array(colour))


def _contacts(geometry: IconGeometry, colours: Palette) -> tuple[Shape, ...]:
    """Contacts as ticks at the figures' feet, and through the sound so that they can be compared with beats."""
    data: IconLaneData = geometry.data
    feet = [
        _uprights(data.contact_times, (bottom, bottom + min(_CONTACT_TICK, FOOT)), colours.contact, 2.0)
        for bottom in (geometry.row_bottom(row) for row in range(len(data.rows)))
    ]
    through = _uprights(data.contact_times, (0.0, geometry.sound_height), faded(colours.contact, 0.7), 1.0)
    return (*feet, *((through,) if geometry.sound_height else ()))
