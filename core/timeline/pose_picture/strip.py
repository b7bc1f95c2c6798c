"""Pose strips: chosen frames of one or several motions side by side on a ground line."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...analysis import best_view, screen_axes
from ...motion import Motion
from ...numerics import Array
from .canvas import Canvas, Colour, Pixels
from .figure import Figure, draw_figure, figure_of
from .lettering import draw_text, text_width

_SHADE = (0.55, 0.56, 0.60)


def _usual_colours() -> dict[str, Colour]:
    return {
        "background": (0.972, 0.968, 0.955),
        "middle": (0.20, 0.22, 0.27),
        "left": (0.88, 0.42, 0.20),
        "right": (0.16, 0.45, 0.66),
        "ground": (0.72, 0.71, 0.68),
        "text": (0.36, 0.37, 0.41),
    }


@dataclass(frozen=True)
class StripStyle:
    """How a strip looks.

    Attributes:
        figure_height: Pixels of a standing figure; raise it for print, lower it for many poses.
        spacing: Room between figures as a part of the widest pose; below 0 they overlap.
        up: Axis of the motions that points up; (0, 1, 0) for most BVH files.
        travel: Draw figures where they are in the scene instead of evenly spaced.
        colours: By 'left', 'right', 'middle', 'background', 'ground' and 'text'; 0 to 1.
    """

    figure_height: float = 220.0
    spacing: float = 0.12
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    travel: bool = False
    colours: dict[str, Colour] = field(default_factory=_usual_colours)


@dataclass(frozen=True)
class _Row:
    """A motion's chosen frames in the picture plane, in the motion's units.

    `flat` (N, P, 2) is right and up of every point and the head, from the cell's middle and
    the ground; `depth` (N, P) is nearness; `shift` (N,) is where the cells are in the scene.
    """

    figure: Figure
    frames: list[int]
    flat: Array
    depth: Array
    shift: Array


def pose_strip(
    motions: Motion | Sequence[Motion],
    frames: int | Sequence[int] | Sequence[Sequence[int]] = 12,
    *,
    labels: Sequence[str] = (),
    title: str = "",
    view: float | None = None,
    style: StripStyle | None = None,
) -> Pixels:
    """Draw stick figures of chosen frames side by side, one row for each motion.

    All figures share one scale. Left limbs are warm, right ones cold; what is nearer to the
    viewer covers what is behind it.

    Args:
        motions: One motion, or one for each row.
        frames: How many evenly spaced frames, or which (negative ones count from the end), or
            a list of them for each row.
        labels: A name for each row.
        title: Line above the rows.
        view: Degrees around the vertical, 0 from the front of a figure that faces -y; when
            not given, the side on which the first motion's limbs spread widest.
        style: Sizes and colours.

    Returns:
        (height, width, 4) 8-bit red, green, blue, alpha.

    Raises:
        ValueError: No motion, no frame, a frame outside its motion, or too many labels.
    """
    chosen = style or StripStyle()
    rows = [motions] if isinstance(motions, Motion) else list(motions)
    if not rows:
        raise ValueError("A pose strip needs at least one motion")
    if len(labels) > len(rows):
        raise ValueError(f"{len(labels)} labels for {len(rows)} rows")
    angle = best_view(rows[0], up=chosen.up) if view is None else view
    laid_out = [
        _lay_out(motion, numbers, angle, chosen)
        for motion, numbers in zip(rows, _frame_lists(rows, frames), strict=True)
    ]
    return _Sheet(laid_out, chosen, bool(title), bool(labels)).drawn(list(labels), title)


def _frame_lists(motions: Sequence[Motion], frames: Any) -> list[list[int]]:
    if isinstance(frames, int | np.integer):
        count = max(int(frames), 0)
        lists = [np.rint(np.linspace(0, len(motion) - 1, count)).astype(int).tolist() for motion in motions]
    elif len(frames) and isinstance(frames[0], int | np.integer):
        lists = [list(frames)] * len(motions)
    else:
        lists = [list(row) for row in frames]
    if len(lists) != len(motions) or not all(lists):
        raise ValueError("A pose strip needs at least one frame for each row")
    for motion, numbers in zip(motions, lists, strict=True):
        outside = [number for number in numbers if not -len(motion) <= number < len(motion)]
        if outside:
            raise ValueError(f"Frame {outside[0]} lies outside a motion of {len(motion)} frames")
    return [[int(n) % len(m) for n in numbers] for m, numbers in zip(motions, lists, strict=True)]


def _lay_out(motion: Motion, frames: list[int], angle: float, style: StripStyle) -> _Row:
    right, vertical, towards = screen_axes(angle, style.up)
    figure = figure_of(motion, vertical)
    points = figure.points[frames]
    head = points[:, :1] if figure.head is None else figure.head[frames][:, None]
    points = np.concatenate([points, head], axis=1)
    # Joints and tips of all frames, not only of those shown, tell where the ground is.
    ground = float((figure.points @ vertical).min())
    flat = np.stack([points @ right, points @ vertical - ground], axis=-1)
    shift = 0.5 * (flat[..., 0].min(axis=1) + flat[..., 0].max(axis=1))
    centre = shift if not style.travel else np.full(len(frames), float(shift.mean()))
    flat[..., 0] -= shift[:, None]
    return _Row(figure, frames, flat, points @ towards, shift - centre)


class _Sheet:
    """Sizes of the whole picture, in pixels, and its drawing."""

    def __init__(self, rows: list[_Row], style: StripStyle, titled: bool, labelled: bool) -> None:
        self.rows, self.style, self.labelled = rows, style, labelled
        self.scale = style.figure_height / max(row.figure.height for row in rows)
        self.letter = max(7.0, 0.045 * style.figure_height)
        widest = max(float(np.ptp(row.flat[..., 0], axis=1).max()) for row in rows)
        self.cell = widest * self.scale * (1.0 + style.spacing)
        self.margin = 0.12 * style.figure_height
        tallest = max(float(row.flat[..., 1].max()) + 0.05 * row.figure.height for row in rows)
        self.headroom = tallest * self.scale
        self.row_height = self.headroom + 3.2 * self.letter + (2.4 * self.letter if labelled else 0.0)
        self.top = self.margin + (3.0 * self.letter if titled else 0.0)
        self.width = round(2 * self.margin + max(self._row_width(row) for row in rows))
        self.height = round(self.top + len(rows) * self.row_height + 0.6 * self.margin)

    def _row_width(self, row: _Row) -> float:
        if self.style.travel:
            return float(np.ptp(row.shift)) * self.scale + self.cell
        return len(row.frames) * self.cell

    def drawn(self, labels: list[str], title: str) -> Pixels:
        """The finished picture."""
        canvas = Canvas(self.width, self.height, self.style.colours["background"])
        if title:
            place = (self.margin, self.margin + 1.2 * self.letter)
            self._write(canvas, title, place, size=1.35 * self.letter, colour=self.style.colours["middle"])
        for number, row in enumerate(self.rows):
            top = self.top + number * self.row_height
            if number < len(labels):
                self._write(canvas, labels[number], (self.margin, top + 1.4 * self.letter))
            ground = top + (2.4 * self.letter if self.labelled else 0.0) + self.headroom
            self._draw_row(canvas, row, ground)
        return canvas.rgba()

    def _write(self, canvas: Canvas, text: str, place: tuple[float, float], **options: Any) -> None:
        options = {"size": self.letter, "colour": self.style.colours["text"], **options}
        draw_text(canvas, text, place, **options)

    def _middles(self, row: _Row) -> Array:
        if self.style.travel:
            offset = 0.5 * self.cell + (row.shift - row.shift.min()) * self.scale
        else:
            offset = self.cell * (np.arange(len(row.frames), dtype=np.float64) + 0.5)
        return np.asarray(self.margin + offset, dtype=np.float64)

    def _draw_row(self, canvas: Canvas, row: _Row, ground: float) -> None:
        colours = self.style.colours
        middles = self._middles(row)
        for middle, flat in zip(middles, row.flat, strict=True):
            self._draw_shadow(canvas, flat, middle, ground)
        line = ground + 0.006 * self.style.figure_height + 1.0
        canvas.stroke((self.margin, line), (self.width - self.margin, line), 0.75, colours["ground"])
        for number, frame in enumerate(row.frames):
            place = np.array([middles[number], ground]) + row.flat[number] * [self.scale, -self.scale]
            draw_figure(canvas, row.figure, frame, place, row.depth[number], self.scale, colours)
        self._number_figures(canvas, row, middles, ground + 2.3 * self.letter)

    def _number_figures(self, canvas: Canvas, row: _Row, middles: Array, base: float) -> None:
        """Frame numbers below the figures; one that would touch its neighbour is left out."""
        size = 0.85 * self.letter
        taken = -np.inf
        for number in np.argsort(middles, kind="stable"):
            text, middle = str(row.frames[number]), float(middles[number])
            half = 0.5 * text_width(text, size)
            if middle - half > taken:
                self._write(canvas, text, (middle, base), size=size, align=0.5)
                taken = middle + half + 0.5 * size

    def _draw_shadow(self, canvas: Canvas, flat: Array, middle: float, ground: float) -> None:
        low = flat[flat[:, 1] < flat[:, 1].min() + 0.12 * self.style.figure_height / self.scale]
        centre = middle + self.scale * 0.5 * (low[:, 0].min() + low[:, 0].max())
        lift = float(flat[:, 1].min()) * self.scale / self.style.figure_height
        radius = self.scale * 0.5 * float(np.ptp(low[:, 0])) + 0.05 * self.style.figure_height
        opacity = 0.45 / (1.0 + 8.0 * max(lift, 0.0))
        canvas.ellipse((centre, ground + 2.0), (radius, 0.022 * self.style.figure_height), _SHADE, opacity=opacity)
