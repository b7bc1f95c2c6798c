"""Draws pictures with the GPU; call it from draw handlers only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import blf
import gpu
from gpu_extras.batch import batch_for_shader

from . import shapes
from .batches import Kept, KeptWithOwner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .figures import Figure, PlacedFigure
    from .shapes import Label, Picture, Placement, Shape

_FONT = 0
_SOFT_SHADOW = 5  # the wider of the two blurs that blf has
_LABEL_GAP = 4.0  # pixels between two labels side by side
_SHADERS = {shapes.LINES: "POLYLINE_SMOOTH_COLOR", shapes.TRIANGLES: "SMOOTH_COLOR"}

Batches = dict[int, "gpu.types.GPUBatch"]

kept: Kept[Batches] = Kept()
# Of the figures that pictures hold.
figure_batches: KeptWithOwner[Figure, Batches] = KeptWithOwner()


def paint_flat(name: str, picture: Picture, placement: Placement, *, width: float) -> None:
    """Draw a picture in a region's pixels.

    Args:
        name: Its batches are kept under this name.
        placement: Where. A change of its shift builds nothing, of its scale only shapes with offsets.
        width: Of the region: figures and labels beyond it are left out.
    """
    with _Pen(placement.pixel) as pen:
        if picture.parts:
            _paint_shapes(pen, name, picture, placement)
        _paint_figures(pen, picture.figures, placement, width)
    paint_labels(picture.labels, placement, width=width)


def paint_in_scene(name: str, picture: Picture, pixel: float, *, depth: str = "NONE") -> None:
    """Draw a picture whose places are in the scene, its triangles from their front only.

    Args:
        name: Its batches are kept under this name.
        pixel: UI scale.
        depth: NONE draws over everything else, LESS_EQUAL what is in front of objects, GREATER what is behind.
    """
    batches = kept.get(name, picture, lambda: _built(picture.parts))
    gpu.state.depth_test_set(depth)
    with _Pen(pixel) as pen:
        for number, batch in batches.items():
            shape = picture.parts[number]
            gpu.state.face_culling_set("BACK" if shape.kind == shapes.TRIANGLES else "NONE")
            pen.draw(shape, batch)
    gpu.state.face_culling_set("NONE")
    gpu.state.depth_test_set("NONE")


class _Pen:
    """Draws batches; asks the GPU for its viewport and shaders once for all of them."""

    def __init__(self, pixel: float) -> None:
        self._pixel = pixel
        self._viewport = gpu.state.viewport_get()[2:]
        self._shaders = {kind: _shader(kind) for kind in _SHADERS}

    def __enter__(self) -> _Pen:
        gpu.state.blend_set("ALPHA")
        return self

    def __exit__(self, *_error: object) -> None:
        gpu.state.blend_set("NONE")

    def draw(self, shape: Shape, batch: gpu.types.GPUBatch, squeeze: float = 1.0) -> None:
        """Draw one batch as the matrix says; what is squeezed has thinner lines, but none that cannot be seen."""
        shader = self._shaders[shape.kind]
        shader.bind()
        if shape.kind == shapes.LINES:
            shader.uniform_float("viewportSize", self._viewport)
            shader.uniform_float("lineWidth", max(1.0, shape.size * squeeze * self._pixel))
        batch.draw(shader)


def _paint_shapes(pen: _Pen, name: str, picture: Picture, placement: Placement) -> None:
    """Shapes without offsets are scaled by the matrix, so that zooming builds nothing."""
    parts, origin = picture.parts, picture.origin
    plain = kept.get(name, picture, lambda: _built(parts, origin=origin))
    sized: Batches = {}
    if len(plain) < len(parts):
        key = (picture, placement.scale, placement.pixel)
        sized = kept.get(f"{name} sized", key, lambda: _built(parts, placement, origin=origin))
    with gpu.matrix.push_pop():
        gpu.matrix.translate((placement.across(origin), placement.shift[1]))
        for number, shape in enumerate(parts):
            if number in sized:
                pen.draw(shape, sized[number])
            else:
                with gpu.matrix.push_pop():
                    gpu.matrix.scale(placement.scale)
                    pen.draw(shape, plain[number])


def _paint_figures(pen: _Pen, figures: Sequence[PlacedFigure], placement: Placement, width: float) -> None:
    size = placement.scale[1]
    for figure, (frame, height) in figures:
        across, (left, right) = placement.across(frame), figure.reach
        if across + right * size < 0.0 or across + left * size > width:
            continue
        batches = figure_batches.get(figure, partial(_built, figure.shapes))
        with gpu.matrix.push_pop():
            gpu.matrix.translate((across, placement.up(height)))
            gpu.matrix.scale((size, size))
            for number, batch in batches.items():
                pen.draw(figure.shapes[number], batch, size / placement.pixel)


def _built(parts: Sequence[Shape], placement: Placement | None = None, *, origin: float = 0.0) -> Batches:
    """Batches of the shapes with offsets, or, where no placement is known, of those without, by their numbers."""
    return {
        number: _batch(shape, placement, origin)
        for number, shape in enumerate(parts)
        if len(shape) and (shape.offsets is None) == (placement is None)
    }


def _batch(shape: Shape, placement: Placement | None, origin: float) -> gpu.types.GPUBatch:
    content: dict[str, Any] = {"pos": shapes.vertices(shape, placement, origin), "color": shapes.vertex_colours(shape)}
    return batch_for_shader(_shader(shape.kind), shape.kind, content)


def _shader(kind: str) -> gpu.types.GPUShader:
    return gpu.shader.from_builtin(_SHADERS[kind])


def paint_labels(labels: Sequence[Label], placement: Placement, *, width: float) -> None:
    """Draw the labels that are in the region; crowded ones give way to those of higher rank."""
    spans = [label_span(label, placement) for label in labels]
    visible = [
        number
        for number, (left, right) in enumerate(spans)
        if right > 0.0 and left < width and has_room(labels[number], right - left, placement)
    ]
    ranked = [number for number in visible if labels[number].rank is not None]
    fitting = shapes.uncrowded([(*spans[n], labels[n].rank or 0) for n in ranked], _LABEL_GAP * placement.pixel)
    dropped = set(ranked) - {ranked[number] for number in fitting}
    for number in visible:
        if number not in dropped:
            _paint_label(labels[number], spans[number][0], placement)


def label_span(label: Label, placement: Placement) -> tuple[float, float]:
    """First and last pixel across of a label."""
    wide = text_width(label.text, label.size * placement.pixel)
    left = placement.across(label.place[0]) + label.offset[0] * placement.pixel - label.align * wide
    return left, left + wide


def has_room(label: Label, wide: float, placement: Placement) -> bool:
    """Whether a label of this many pixels fits into its room."""
    return label.room is None or wide + 2.0 * label.margin * placement.pixel <= label.room * placement.scale[0]


def _paint_label(label: Label, left: float, placement: Placement) -> None:
    height = placement.up(label.place[1]) + label.offset[1] * placement.pixel
    blf.size(_FONT, label.size * placement.pixel)
    blf.color(_FONT, *label.colour)
    # Whole pixels: letters between two pixels are blurred.
    blf.position(_FONT, round(left), round(height), 0.0)
    if label.shadow is not None:
        blf.enable(_FONT, blf.SHADOW)
        blf.shadow(_FONT, _SOFT_SHADOW, *label.shadow)
        blf.shadow_offset(_FONT, 0, 0)
    blf.draw(_FONT, label.text)
    blf.disable(_FONT, blf.SHADOW)
    gpu.state.blend_set("ALPHA")  # drawing text has switched it off


def text_width(text: str, size: float) -> float:
    """Pixels that a text takes."""
    blf.size(_FONT, size)
    return blf.dimensions(_FONT, text)[0]
