"""One stick figure: segments sorted from far to near, tapered, coloured by side, head as a disc."""

from dataclasses import dataclass

import numpy as np

from ...analysis import head_joint, points_of, side_of
from ...motion import Motion
from ...numerics import Array
from .canvas import Canvas, Colour

# Radii of strokes as parts of the figure's height.
_LIMB, _TRUNK, _THIN, _HEAD = 0.0165, 0.023, 0.011, 0.062
_HALO = 1.6


@dataclass(frozen=True)
class Segment:
    """A line of the figure between two rows of its points, with a radius at each end."""

    start: int
    end: int
    radii: tuple[float, float]
    side: str


@dataclass(frozen=True)
class Figure:
    """What is drawn of a motion: points (F, P, 3), the segments between them, the head's place.

    Attributes:
        points: Joints first, then the tips of the bones that end there.
        segments: Lines of the figure.
        head: (F, 3) centre of the head, or none.
        height: Height of the figure, in the motion's units.
    """

    points: Array
    segments: tuple[Segment, ...]
    head: Array | None
    height: float


def figure_of(motion: Motion, vertical: Array) -> Figure:
    """Take apart what is drawn of a motion."""
    skeleton = motion.skeleton
    joints = len(skeleton)
    points = points_of(motion)
    tall = points @ vertical
    height = float(np.percentile(tall.max(axis=1) - tall.min(axis=1), 90)) or 1.0
    head = head_joint(skeleton)
    below_head = set() if head is None else {head, *skeleton.descendants(head)}
    segments = []
    for joint in range(joints):
        if joint in below_head:
            continue
        side = side_of(skeleton.names[joint])
        radii = _radii(side, leaf=not skeleton.children[joint])
        parent = int(skeleton.parents[joint])
        if parent >= 0 and not (skeleton.has_placement and parent == 0):
            segments.append(Segment(parent, joint, _radii(side, leaf=False), side))
        if not skeleton.children[joint] and skeleton.tips[joint].any():
            segments.append(Segment(joint, joints + joint, radii, side))
    if head is not None and skeleton.parents[head] >= 0:
        segments.append(Segment(int(skeleton.parents[head]), head, _radii("middle", leaf=False), "middle"))
    centre = None if head is None else _head_centre(points, head, joints, skeleton.children[head])
    return Figure(points, tuple(segments), centre, height)


def _radii(side: str, *, leaf: bool) -> tuple[float, float]:
    if leaf:
        return _LIMB, _THIN
    return (_TRUNK, _TRUNK) if side == "middle" else (_LIMB, _LIMB)


def _head_centre(points: Array, head: int, joints: int, children: tuple[int, ...]) -> Array:
    """Middle of the head's bone; where it has no length, its first child's place ends it."""
    has_tip = bool(np.any(points[0, joints + head] != points[0, head]))
    end = joints + head if has_tip or not children else children[0]
    middle: Array = 0.5 * (points[:, head] + points[:, end])
    return middle


def draw_figure(
    canvas: Canvas, figure: Figure, frame: int, place: Array, depth: Array, scale: float, colours: dict[str, Colour]
) -> None:
    """Draw one frame of the figure.

    Args:
        frame: Which row of its points.
        place: (P + 1, 2) pixels of the points, then of the head.
        depth: (P + 1,) nearness to the viewer of the same.
        scale: Pixels per unit.
        colours: By side, and 'background' for the rim that keeps crossing limbs apart.
    """
    size = figure.height * scale
    marks = [(depth[s.start] + depth[s.end], s) for s in figure.segments]
    order = sorted(marks, key=lambda mark: mark[0])
    head_depth = 2.0 * depth[-1]
    drawn_head = figure.head is None
    for nearness, segment in order:
        if not drawn_head and nearness > head_depth:
            _draw_head(canvas, place[-1], size, colours)
            drawn_head = True
        _draw_segment(canvas, segment, place, size, colours)
    if not drawn_head:
        _draw_head(canvas, place[-1], size, colours)


def _draw_segment(canvas: Canvas, segment: Segment, place: Array, size: float, colours: dict[str, Colour]) -> None:
    start, end = place[segment.start], place[segment.end]
    first, last = (max(radius * size, 0.8) for radius in segment.radii)
    halo = 0.35 * first + _HALO * 0.5
    # The rim stops short of the joints, where the neighbouring segments go on.
    length = float(np.hypot(*(end - start)))
    inset = max(first, last) + halo
    if length > 2.0 * inset:
        step = (end - start) * (inset / length)
        canvas.stroke(start + step, end - step, first + halo, colours["background"], end_radius=last + halo)
    canvas.stroke(start, end, first, colours[segment.side], end_radius=last)


def _draw_head(canvas: Canvas, place: Array, size: float, colours: dict[str, Colour]) -> None:
    radius = _HEAD * size
    canvas.disc(place, radius + _HALO, colours["background"])
    canvas.disc(place, radius, colours["middle"])
