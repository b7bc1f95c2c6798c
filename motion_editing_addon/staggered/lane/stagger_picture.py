"""Pictures of staggered poses: probability, lines, knots, names."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...interface.drawing.figures import Figure, PlacedFigure
from ...interface.drawing.shapes import Label, Picture, Shape, area_below, discs, polyline, rounded_boxes, segments
from ...interface.drawing.theme import faded
from ...interface.strip.lane import Row
from .stagger_data import BoxItem, CandidateItem, StaggerItem
from .stagger_geometry import FOOT, ICONS_HEIGHT, geometry_of, item_at

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Array, Placement
    from ...interface.drawing.theme import Palette
    from .stagger_data import StaggerLaneData

# Pixels at a UI scale of 1.
_LINE, _PICKED_LINE, _HALO, _DOT, _STRONG_DOT = 1.3, 2.0, 6.0, 2.3, 3.6
_NAME_SIZE, _NAME_DROP, _TAG = 10.0, 4.5, (17.0, 13.0)
_PLAIN, _PINNED, _PICKED = 0, 1, 2  # ranks of names where they are crowded
_ICON_ROOM, _ICON_LINE, _CANDIDATE = 26.0, 1.5, (2.0, 4.0)
_ARRAYS = (
    "pose_frames",
    "knot_frames",
    "joint_rows",
    "probability_frames",
    "probability",
    "pinned",
    "chosen",
    "candidate_frames",
    "candidates",
)


class StaggerPicture:
    """All pictures of one state of the poses."""

    def __init__(self, data: StaggerLaneData, colours: Palette) -> None:
        """Lay the poses out."""
        self.data = data
        self._colours = colours
        self._geometry = geometry_of(data)
        self._highlights: dict[object, Picture | None] = {}
        self._icons: dict[tuple[int, ...], Picture] = {}

    def shows(self, data: StaggerLaneData, colours: Palette) -> bool:
        """Whether this is the picture of the same poses in the same colours."""
        return colours == self._colours and (data is self.data or _same(data, self.data))

    @property
    def height(self) -> float:
        """Of the lane."""
        return self._geometry.height

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The limbs with their places."""
        edges = self._geometry.row_edges
        return tuple(
            Row(row.name, row.colour, float(low), float(high - low))
            for row, (low, high) in zip(self.data.rows, edges, strict=True)
        )

    @cached_property
    def content(self) -> Picture:
        """Everything but what follows the mouse."""
        geometry, picked = self._geometry, self.data.selected_pose
        lines = self._lines(np.arange(len(geometry.knots)), _LINE, 0.85)
        halo = tuple(shape for pose in self._chosen() for shape in (self._halo(pose, 0.2), *self._strong(pose)))
        halo += () if picked is None else (self._halo(picked), *self._strong(picked))
        dots = discs(geometry.knots, _DOT, self._knot_colours(geometry.knot_joints))
        behind = (*self._probability(), self._pose_times(), *self._candidate_marks(), *self._tags())
        return Picture((*behind, *halo, lines, *dots), self._names())

    def _chosen(self) -> list[int]:
        """Poses that are selected besides the picked one."""
        flags = np.asarray(self.data.chosen, dtype=bool)
        return [int(pose) for pose in np.flatnonzero(flags) if pose != self.data.selected_pose]

    def _candidate_marks(self) -> tuple[Shape, ...]:
        """Poses that were found and are not shown: faint dots that a click promotes."""
        frames = np.asarray(self.data.candidate_frames, dtype=np.float64)
        if not len(frames):
            return ()
        places = np.column_stack([frames, np.full(len(frames), self._name_middle())])
        size = 2.0 * _CANDIDATE[0], 2.0 * _CANDIDATE[1]
        return rounded_boxes(places, size, faded(self._colours.text, 0.3), radius=2.0)

    def icons(self, frame_width: float) -> Picture:
        """Figures of the poses that have room where a frame is so many pixels, at a UI scale of 1, wide."""
        shown = self._with_room(frame_width)
        if shown not in self._icons:
            placed = tuple(PlacedFigure(self._figures[pose], self._icon_place(pose)) for pose in shown)
            self._icons = {shown: Picture(figures=placed)}  # zooming shows one at a time
        return self._icons[shown]

    def _icon_place(self, pose: int) -> tuple[float, float]:
        return float(self.data.pose_frames[pose]), self._geometry.icons_bottom

    @cached_property
    def _figures(self) -> tuple[Figure, ...]:
        """A figure for every pose, as high as their place allows."""
        ranks, high = self._ranks(), ICONS_HEIGHT - 4.0
        made = []
        for pose, icon in enumerate(self.data.icons):
            ink = self._colours.key_selected if ranks[pose] == _PICKED else faded(self._colours.text, 0.8)
            lines = high * np.asarray(icon, dtype=np.float64) / max(1.0, float(np.max(icon, initial=1.0)))
            made.append(Figure((segments(lines[:, 0], lines[:, 1], ink, _ICON_LINE),)))
        return tuple(made)

    def _with_room(self, frame_width: float) -> tuple[int, ...]:
        """Poses whose figures are far enough apart, the picked and pinned ones first, then in order."""
        frames, ranks = np.asarray(self.data.pose_frames, dtype=np.float64), self._ranks()
        kept: list[int] = []
        for pose in np.lexsort((np.arange(len(frames)), -ranks))[: len(self.data.icons)].tolist():
            if all(abs(frames[pose] - frames[other]) * frame_width >= _ICON_ROOM for other in kept):
                kept.append(pose)
        return tuple(sorted(kept))

    def _probability(self) -> tuple[Shape, ...]:
        """The pose probability as a hill behind the rows, as high as they are at its maximum."""
        values = np.asarray(self.data.probability, dtype=np.float64)
        if len(values) < 2 or not values.max() > 0.0:
            return ()
        heights = FOOT + (self._geometry.names_bottom - FOOT) * values / values.max()
        curve = np.column_stack([self.data.probability_frames, heights])
        ink = self._colours.text
        return (area_below(curve, FOOT, faded(ink, 0.07)), polyline(curve, faded(ink, 0.22), 1.0))

    def _pose_times(self) -> Shape:
        """A faint upright at every pose's own time: what its knots are early or late against."""
        frames = np.asarray(self.data.pose_frames, dtype=np.float64)
        low, high = np.full(len(frames), FOOT), np.full(len(frames), self._geometry.names_bottom)
        ink = faded(self._colours.text, 0.28)
        return segments(np.column_stack([frames, low]), np.column_stack([frames, high]), ink, 1.0)

    def _lines(self, knots: np.ndarray, width: float, alpha: float) -> Shape:
        """Lines through the chosen knots, from limb to limb in their colours."""
        geometry = self._geometry
        starts = geometry.links[np.isin(geometry.links, knots)]
        inks = self._knot_colours(geometry.knot_joints) * (1.0, 1.0, 1.0, alpha)
        return segments(
            geometry.knots[starts], geometry.knots[starts + 1], inks[starts], width, end_colours=inks[starts + 1]
        )

    def _knot_colours(self, joints: np.ndarray) -> Array:
        paints = np.array([row.colour for row in self.data.rows])
        return paints[np.asarray(self.data.joint_rows, dtype=np.intp)[joints]]

    def _knots_of(self, pose: int) -> np.ndarray:
        return np.flatnonzero(self._geometry.knot_poses == pose)

    def _halo(self, pose: int, alpha: float = 0.3) -> Shape:
        return polyline(self._geometry.knots[self._knots_of(pose)], faded(self._colours.key_selected, alpha), _HALO)

    def _strong(self, pose: int) -> tuple[Shape, ...]:
        """The upright of a pose in the colour of selected keys."""
        frame = float(self.data.pose_frames[pose])
        ink = faded(self._colours.key_selected, 0.7)
        return (polyline([(frame, FOOT), (frame, self._geometry.names_bottom)], ink, 1.0),)

    def _tags(self) -> tuple[Shape, ...]:
        """Boxes behind the names of pinned poses and of the picked one."""
        frames = np.asarray(self.data.pose_frames, dtype=np.float64)
        ranks = self._ranks()
        marked = np.flatnonzero(ranks > _PLAIN)
        picked = ranks[marked, None] == _PICKED
        paints = np.where(picked, self._colours.key_selected, faded(self._colours.text, 0.3))
        places = np.column_stack([frames[marked], np.full(len(marked), self._name_middle())])
        return rounded_boxes(places, _TAG, paints) if len(marked) else ()

    def _name_middle(self) -> float:
        return 0.5 * (self._geometry.names_bottom + self._geometry.icons_bottom)

    def _ranks(self) -> np.ndarray:
        ranks = np.full(len(self.data.pose_frames), _PLAIN)
        if len(self.data.pinned):
            ranks[np.asarray(self.data.pinned, dtype=bool)] = _PINNED
        if len(self.data.chosen):
            ranks[np.asarray(self.data.chosen, dtype=bool)] = _PICKED
        if self.data.selected_pose is not None:
            ranks[self.data.selected_pose] = _PICKED
        return ranks

    def _names(self) -> tuple[Label, ...]:
        return tuple(self._name(pose, int(rank)) for pose, rank in enumerate(self._ranks()))

    def _name(self, pose: int, rank: int) -> Label:
        """A pose's name; dark on the bright tag of the picked pose."""
        ink = self._colours.back if rank == _PICKED else self._colours.text
        place = (float(self.data.pose_frames[pose]), self._name_middle())
        return Label(place, self.data.label(pose), ink, (0.0, -_NAME_DROP + 1.0), _NAME_SIZE, 0.5, rank)

    def highlight(self, item: StaggerItem) -> Picture | None:
        """A pose's line and dots, stronger; a single knot ringed."""
        if item not in self._highlights:
            self._highlights[item] = self._highlighted(item) if self.data.has(item) else None
        return self._highlights[item]

    def _highlighted(self, item: StaggerItem | CandidateItem | BoxItem) -> Picture:
        if isinstance(item, BoxItem):
            return self._frame(item)
        if isinstance(item, CandidateItem):
            place = [(self.data.frame_of(item), self._name_middle())]
            return Picture(tuple(rounded_boxes(place, (7.0, 11.0), self._colours.text_strong)))
        geometry, ink = self._geometry, self._colours.text_strong
        knots = self._knots_of(item.pose)
        frame = float(self.data.pose_frames[item.pose])
        upright = polyline([(frame, FOOT), (frame, geometry.names_bottom)], faded(ink, 0.6), 1.0)
        dots = discs(geometry.knots[knots], _DOT + 0.7, self._knot_colours(geometry.knot_joints[knots]))
        shapes = [upright, self._lines(knots, _PICKED_LINE, 1.0), *dots]
        if item.joint is not None:
            place = [(self.data.frame_of(item), geometry.joint_heights[item.joint])]
            shapes += [
                *discs(place, _STRONG_DOT + 1.6, ink),
                *discs(place, _STRONG_DOT, self._knot_colours(np.array([item.joint]))),
            ]
        return Picture(tuple(shapes))

    def _frame(self, box: BoxItem) -> Picture:
        """What is being framed."""
        low, high = sorted((box.first, box.last))
        corners = [(low, FOOT), (high, FOOT), (high, self._geometry.height), (low, self._geometry.height)]
        return Picture((polyline(corners, self._colours.key_selected, 1.0, closed=True),))

    def hit(self, x: float, y: float, placement: Placement) -> StaggerItem | CandidateItem | None:
        """What is under the mouse."""
        return item_at(self._geometry, self.data, x, y, placement)

    def tooltip(self, item: StaggerItem | CandidateItem | BoxItem) -> str:
        """Pose and frame, or joint, frame and how early or late it is."""
        if not self.data.has(item) or isinstance(item, BoxItem):
            return ""
        if isinstance(item, CandidateItem):
            return f"Pose that is not shown · frame {_short(self.data.frame_of(item))}"
        text = f"Pose {self.data.label(item.pose)}"
        frame = self.data.frame_of(item)
        if item.joint is None:
            return f"{text} · frame {_short(frame)}"
        late = frame - float(self.data.pose_frames[item.pose])
        refinement = "on time" if abs(late) < 0.05 else f"{_short(abs(late))} {'later' if late > 0 else 'earlier'}"
        return f"{text} · {self.data.joint_names[item.joint]} · frame {_short(frame)}, {refinement}"


def _short(frame: float) -> str:
    """A frame with a tenth where it has one."""
    return f"{frame:.1f}".removesuffix(".0")


def _same(one: StaggerLaneData, other: StaggerLaneData) -> bool:
    """Whether two states are equal; quicker than making the pictures anew."""
    plain = all(
        getattr(one, name) == getattr(other, name)
        for name in ("joint_names", "rows", "selected_pose", "pose_labels", "is_fixed")
    )
    return (
        plain
        and one.icons is other.icons
        and all(
            np.array_equal(
                np.asarray(getattr(one, name), dtype=np.float64),
                np.asarray(getattr(other, name), dtype=np.float64),
                True,
            )
            for name in _ARRAYS
        )
    )
