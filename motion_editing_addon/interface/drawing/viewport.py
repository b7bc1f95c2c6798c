"""What tools show in the 3D View: trails and ghosts by name, and the modes that are on.

Handlers are added with the first thing shown and removed with the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from ...border.redraw import tag_redraw
from . import mode_text, painter, shapes, theme
from . import trails as scene_trails
from .batches import Kept

if TYPE_CHECKING:
    from bpy.types import Context

    from .shapes import Picture
    from .trails import Ghost, SceneContent, Trail

_TEXT_SIZE = 11.0
# Blender's own lines in the upper left corner, in pixels at a UI scale of 1.
_MARGIN, _LINE_HEIGHT, _STATISTICS_LINES = 12.0, 18.0, 7

_shown: dict[str, SceneContent] = {}
_modes: dict[str, str] = {}
_handles: dict[str, object] = {}
_pictures: Kept[Picture] = Kept()


def show(
    name: str,
    *,
    trails: Iterable[Trail | tuple[Any, ...]] = (),
    ghosts: Iterable[Ghost | tuple[Any, ...]] = (),
    skins: Iterable[tuple[Any, Any]] = (),
) -> None:
    """Show trails and ghosts under a name, in the place of what it showed before.

    Quick enough to be called at every move of the mouse; batches are built at the next redraw.

    Args:
        name: Whose they are, such as the tool's.
        trails: Trails, or (positions (F, 3), colour, width) tuples.
        ghosts: Ghosts, or (positions (J, 3), parents (J,), colour, width) tuples.
        skins: (corners of triangles (3 N, 3), colour) tuples.
    """
    _shown[name] = scene_trails.content_of(
        (trail if isinstance(trail, scene_trails.Trail) else scene_trails.Trail(*trail) for trail in trails),
        (ghost if isinstance(ghost, scene_trails.Ghost) else scene_trails.Ghost(*ghost) for ghost in ghosts),
        (scene_trails.Skin(*skin) for skin in skins),
    )
    _refresh()


def hide(name: str) -> None:
    """Take away what is shown under a name; nothing happens if that is nothing."""
    if _shown.pop(name, None) is None:
        return

    painter.kept.forget(_batch_name(name))
    for kept in (painter.kept, _pictures):
        kept.forget_all(f"dots {name} ")
    _refresh()


def shown() -> dict[str, SceneContent]:
    """What is shown, by name."""
    return dict(_shown)


def show_mode(name: str, text: str) -> None:
    """Say in every 3D View that a mode is on and how to leave it, in the place of what was said under the name."""
    _modes[name] = text
    _refresh()


def hide_mode(name: str) -> None:
    """Say no more about a mode; nothing happens if it is not on."""
    if _modes.pop(name, None) is not None:
        _refresh()


def shown_modes() -> dict[str, str]:
    """What is said about the modes that are on, by name."""
    return dict(_modes)


def clear() -> None:
    """Show nothing."""
    for name in list(_shown):
        hide(name)
    for name in list(_modes):
        hide_mode(name)


def _batch_name(name: str) -> str:
    return f"scene {name}"


def _refresh() -> None:
    _handle("POST_VIEW", _draw_scene, wanted=bool(_shown))
    _handle("POST_PIXEL", _draw_flat, wanted=bool(_modes) or any(content.dots for content in _shown.values()))
    tag_redraw("VIEW_3D")


def _handle(stage: str, draw: Callable[[], None], *, wanted: bool) -> None:
    """Add or remove a draw handler."""
    if wanted and stage not in _handles:
        _handles[stage] = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", stage)
    elif not wanted and stage in _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(stage), "WINDOW")


def handled_stages() -> set[str]:
    """Stages of drawing that have a handler now."""
    return set(_handles)


def _draw_scene() -> None:
    for name, content in _shown.items():
        painter.paint_in_scene(_batch_name(name), content.lines, theme.ui_scale(bpy.context))


def _draw_flat() -> None:
    for name, content in _shown.items():
        if content.dots:
            _draw_dots(bpy.context, name, content)
    if _modes:
        _draw_modes(bpy.context)


def _draw_dots(context: Context, name: str, content: SceneContent) -> None:
    region, view = context.region, context.region_data.perspective_matrix
    size, key = (region.width, region.height), f"dots {name} {region.as_pointer()}"
    seen = tuple(number for row in view for number in row)
    picture = _pictures.get(key, (content, seen, size), lambda: scene_trails.dots_on_screen(content, view, size))
    painter.paint_flat(
        key, picture, shapes.Placement((0.0, 0.0), (1.0, 1.0), theme.ui_scale(context)), width=region.width
    )


def _draw_modes(context: Context) -> None:
    """One box below the other."""
    pixel, colours = theme.ui_scale(context), theme.palette(context)
    left, top = _free_corner(context, pixel)
    for row, text in enumerate(_modes.values()):
        wide = painter.text_width(text, _TEXT_SIZE * pixel) / pixel
        key = f"mode {row}"
        picture = _pictures.get(key, (text, pixel, colours), partial(mode_text.mode_picture, text, wide, colours))
        placement = shapes.Placement((left, top - row * mode_text.ROW * pixel), (pixel, pixel), pixel)
        painter.paint_flat(key, picture, placement, width=context.region.width)


def _free_corner(context: Context, pixel: float) -> tuple[float, float]:
    """Left edge and top of the free space below Blender's own text in the upper left corner."""
    view = context.region
    left, top = view.x, view.y + view.height
    # Without region overlap the view begins beside them.
    for region in context.area.regions:
        if region.type == "TOOLS" and region.alignment == "LEFT" and region.width > 1:
            left = max(left, region.x + region.width)
        elif region.type in {"HEADER", "TOOL_HEADER"} and region.alignment == "TOP" and region.height > 1:
            top = min(top, region.y)
    margin = _MARGIN * pixel
    return left - view.x + margin, top - view.y - margin - _own_lines(context) * _LINE_HEIGHT * pixel


def _own_lines(context: Context) -> int:
    """How many lines Blender writes into the corner."""
    overlay, view = context.space_data.overlay, context.preferences.view
    if not overlay.show_overlays:
        return 0
    text = (view.show_view_name + view.show_object_info) if overlay.show_text else 0
    return text + (_STATISTICS_LINES if overlay.show_stats else 0)
