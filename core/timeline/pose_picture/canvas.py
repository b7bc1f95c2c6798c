"""A small anti-aliased canvas: tapered strokes and discs, and the PNG file format."""

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics import Array

Colour = tuple[float, float, float]
Pixels = NDArray[np.uint8]


class Canvas:
    """An opaque picture; coordinates are pixels, x to the right and y down."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self.pixels: Array = np.empty((height, width, 3))
        self.pixels[...] = background

    def stroke(self, start: Any, end: Any, radius: float, colour: Colour, *, end_radius: float | None = None) -> None:
        """Draw a line with round ends whose radius changes evenly from start to end."""
        first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
        final = radius if end_radius is None else end_radius
        rows, columns = self._window(first, last, max(radius, final) + 1.0)
        y, x = np.mgrid[rows, columns] + 0.5
        along = last - first
        squared = float(along @ along)
        share = ((x - first[0]) * along[0] + (y - first[1]) * along[1]) / (squared if squared > 0.0 else 1.0)
        share = np.clip(share, 0.0, 1.0)
        distance = np.hypot(x - first[0] - share * along[0], y - first[1] - share * along[1])
        self._blend(rows, columns, radius + (final - radius) * share - distance, colour)

    def disc(self, centre: Any, radius: float, colour: Colour) -> None:
        """Draw a filled circle."""
        self.stroke(centre, centre, radius, colour)

    def ellipse(self, centre: Any, radii: tuple[float, float], colour: Colour, *, opacity: float) -> None:
        """Draw an ellipse that fades out towards its rim."""
        middle = np.asarray(centre, dtype=np.float64)
        rows, columns = self._window(middle - radii, middle + radii, 1.0)
        y, x = np.mgrid[rows, columns] + 0.5
        inside = np.clip(1.0 - ((x - middle[0]) / radii[0]) ** 2 - ((y - middle[1]) / radii[1]) ** 2, 0.0, 1.0)
        self._mix(rows, columns, opacity * inside, colour)

    def rgba(self) -> Pixels:
        """(height, width, 4) the picture with an opaque alpha channel."""
        picture = np.full((*self.pixels.shape[:2], 4), 255, dtype=np.uint8)
        picture[..., :3] = np.clip(np.rint(self.pixels * 255.0), 0, 255)
        return picture

    def _window(self, first: Array, last: Array, margin: float) -> tuple[slice, slice]:
        height, width = self.pixels.shape[:2]
        low = np.floor(np.minimum(first, last) - margin).astype(int)
        high = np.ceil(np.maximum(first, last) + margin).astype(int)
        left, right = np.clip([low[0], high[0]], 0, width)
        top, bottom = np.clip([low[1], high[1]], 0, height)
        return slice(int(top), int(bottom)), slice(int(left), int(right))

    def _blend(self, rows: slice, columns: slice, depth: Array, colour: Colour) -> None:
        """Paint where `depth`, the distance inside the shape in pixels, is above zero."""
        self._mix(rows, columns, np.clip(depth + 0.5, 0.0, 1.0), colour)

    def _mix(self, rows: slice, columns: slice, opacity: Array, colour: Colour) -> None:
        area = self.pixels[rows, columns]
        area += opacity[..., None] * (np.asarray(colour) - area)


def write_png(path: str | Path, rgba: Any) -> None:
    """Write an (H, W, 4) array of 8-bit red, green, blue and alpha as a PNG file.

    Raises:
        ValueError: The array has another shape or type.
    """
    pixels = np.asarray(rgba)
    if pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8 or pixels.size == 0:
        raise ValueError(f"A picture must be an (H, W, 4) uint8 array, not {pixels.dtype} {pixels.shape}")
    height, width = pixels.shape[:2]
    # Every row starts with the number of its filter; 0 stands for none.
    rows = np.zeros((height, 1 + 4 * width), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks))


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
