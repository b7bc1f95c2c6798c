"""What of the lane of pose icons is near the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .icon_data import IconItem, IconPart, WindowKind
from .icon_geometry import FIGURE, HEAD_RADIUS, HEADER, TICK_HALF, TICK_MIDDLE, figure_points

if TYPE_CHECKING:
    from ...interface.drawing.shapes import Placement
    from .icon_data import IconRow, PoseIcon
    from .icon_geometry import Array, IconGeometry

# Pixels at a UI scale of 1.
_NEAR_POINT, _NEAR_BONE, _NEAR_EDGE, _AROUND = 5.0, 3.5, 4.0, 3.0


def item_at(geometry: IconGeometry, x: float, y: float, placement: Placement) -> IconItem:
    """The smallest thing at a pixel: tick box, end of the operation window, joint, icon, window, ground."""
    return (
        _tick_box_at(geometry, x, y, placement)
        or _window_end_at(geometry, x, placement)
        or _icon_at(geometry, x, y, placement)
        or window_at(geometry, x, placement)
        or IconItem(IconPart.GROUND)
    )


def zoom_of(placement: Placement) -> float:
    """Width of a frame in units of the lane's height."""
    return placement.scale[0] / placement.scale[1]


def window_at(geometry: IconGeometry, x: float, placement: Placement) -> IconItem | None:
    """The window at a pixel across; of several the operation window, else the shortest."""
    frame = placement.place_across(x)
    under = [
        (window.kind is not WindowKind.OPERATION, window.end - window.start, number)
        for number, window in enumerate(geometry.data.windows)
        if window.start <= frame <= window.end
    ]
    return IconItem(IconPart.WINDOW, min(under)[2]) if under else None


def _tick_box_at(geometry: IconGeometry, x: float, y: float, placement: Placement) -> IconItem | None:
    size, zoom = placement.scale[1], zoom_of(placement)
    if abs(y - placement.up(geometry.header_bottom + 0.5 * HEADER)) > 0.5 * HEADER * size:
        return None
    reach = (TICK_HALF + _AROUND) * size
    for number in np.flatnonzero(geometry.tick_zooms <= zoom):
        if abs(x - placement.across(geometry.data.windows[number].start) - TICK_MIDDLE * size) <= reach:
            return IconItem(IconPart.TICK_BOX, int(number))
    return None


def _window_end_at(geometry: IconGeometry, x: float, placement: Placement) -> IconItem | None:
    for number, window in enumerate(geometry.data.windows):
        near = abs(x - placement.across(window.end)) <= _NEAR_EDGE * placement.pixel
        if near and window.kind is WindowKind.OPERATION:
            return IconItem(IconPart.WINDOW_END, number)
    return None


def _icon_at(geometry: IconGeometry, x: float, y: float, placement: Placement) -> IconItem | None:
    """The joint nearest to the mouse of all icons shown, else the icon whose box it is in."""
    size = placement.scale[1]
    tolerance = placement.pixel / size
    across = (x - placement.across(geometry.frames)) / size
    around = _AROUND * tolerance
    shown = geometry.icon_zooms <= zoom_of(placement)
    inside = (across >= geometry.reach[:, 0] - around) & (across <= geometry.reach[:, 1] + around) & shown
    nearest: tuple[float, IconItem] | None = None
    for number in np.flatnonzero(inside):
        icon = geometry.data.icons[number]
        place = np.array([across[number], (y - placement.shift[1]) / size - geometry.ground(icon)])
        if not -around <= place[1] <= FIGURE + HEAD_RADIUS + around:
            continue
        found = _part_of_icon(icon, geometry.data.rows[icon.row], place, tolerance)
        nearest = found if nearest is None else min(nearest, found)
    return nearest[1] if nearest else None


def _part_of_icon(icon: PoseIcon, row: IconRow, place: Array, tolerance: float) -> tuple[float, IconItem]:
    """How near the mouse is to an icon's next joint, with that joint; far from all of them the icon itself."""
    joint = joint_near(icon, row, place, tolerance)
    if joint is None:
        return 1e6 + abs(float(place[0])), IconItem(IconPart.ICON, icon.identifier)
    distance = float(np.linalg.norm(figure_points(icon)[joint] - place))
    return distance, IconItem(IconPart.JOINT, icon.identifier, joint)


def joint_near(icon: PoseIcon, row: IconRow, place: Array, tolerance: float = 1.0) -> int | None:
    """The point of a figure that is near a place, else the joint whose bone is.

    Args:
        icon: With the figure.
        row: Its bones.
        place: (2,) from the icon's frame and ground, in units of the lane's height.
        tolerance: Units of the lane's height for a pixel at a UI scale of 1.
    """
    points = np.nan_to_num(figure_points(icon), nan=np.inf)
    distances = np.linalg.norm(points - place, axis=1)
    nearest = int(np.argmin(distances)) if len(distances) else 0
    if len(distances) and distances[nearest] <= _NEAR_POINT * tolerance:
        return nearest
    if row.head is not None and distances[row.head] <= HEAD_RADIUS:
        return row.head
    return _bone_near(points, row, place, _NEAR_BONE * tolerance)


def _bone_near(points: Array, row: IconRow, place: Array, reach: float) -> int | None:
    bones = np.array(row.bones, dtype=np.intp).reshape(-1, 2)
    bones = bones[np.isfinite(points[bones]).all(axis=(1, 2))]
    starts, ends = points[bones[:, 0]], points[bones[:, 1]]
    along = ends - starts
    lengths = np.maximum((along * along).sum(axis=1), 1e-12)
    share = np.clip(((place - starts) * along).sum(axis=1) / lengths, 0.0, 1.0)
    distances = np.linalg.norm(starts + share[:, None] * along - place, axis=1)
    if not len(distances) or distances.min() > reach:
        return None
    return int(bones[np.argmin(distances), 0])
