"""All that the extension draws, without a window: panels on a stand-in for Blender's layout, and the strip's lanes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy
from motion_editing.motion_editing_addon.interface.drawing.shapes import Placement
from motion_editing.motion_editing_addon.interface.strip.overlay import stack_in

_PLACE = Placement((-37.0, 12.0), (6.0, 0.8), 1.0)
_FUNCTIONS = set(bpy.types.UILayout.bl_rna.functions.keys())
_SETTINGS = {prop.identifier for prop in bpy.types.UILayout.bl_rna.properties if not prop.is_readonly}


class Context:
    """Blender's context with a region, which a Blender without a window has not."""

    region = SimpleNamespace(width=300, height=400, as_pointer=lambda: 0)
    area = SimpleNamespace(type="VIEW_3D", tag_redraw=lambda: None)
    space_data = SimpleNamespace(type="VIEW_3D", mode="TIMELINE", show_markers=True, show_pose_markers=False)

    @property
    def preferences(self) -> Any:
        real = bpy.context.preferences
        return SimpleNamespace(system=SimpleNamespace(ui_scale=1.0), themes=real.themes, addons=real.addons)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


class Layout:
    """Takes what Blender's layout takes, shows every part open, and reads what it is asked to show."""

    def __getattr__(self, name: str) -> Any:
        assert name in _FUNCTIONS, name
        return lambda *_arguments, **_options: Layout()

    def __setattr__(self, name: str, value: object) -> None:
        assert name in _SETTINGS, name
        object.__setattr__(self, name, value)

    def label(self, *, text: str = "", **_options: object) -> None:
        assert isinstance(text, str)

    def operator(self, name: str, **_options: object) -> SimpleNamespace:
        assert name.split(".")[1] in dir(getattr(bpy.ops, name.split(".")[0]))
        return SimpleNamespace()

    def prop(self, owner: Any, name: str, **_options: object) -> None:
        getattr(owner, name)

    def progress(self, *, factor: float, **_options: object) -> None:
        assert isinstance(factor, float)

    def panel(self, _name: str, **_options: object) -> tuple[Layout, Layout]:
        return Layout(), Layout()

    def template_list(
        self, kind: str, _name: str, owner: Any, listed: str, *_others: object, **_options: object
    ) -> None:
        for number, row in enumerate(list(getattr(owner, listed))[:8]):
            itself = SimpleNamespace(layout_type="DEFAULT", bitflag_filter_item=1)
            getattr(bpy.types, kind).draw_item(itself, Context(), Layout(), owner, row, 0, owner, "active", number, 0)


def draw_panels() -> None:
    """Draw every panel of the tab that would be seen."""
    panels = [panel for panel in bpy.types.Panel.__subclasses__() if getattr(panel, "bl_category", "") == "Motion"]
    for panel in (panel for panel in panels if panel.bl_space_type == "VIEW_3D"):
        poll = getattr(panel, "poll", None)
        if poll is None or poll(Context()):
            panel.draw(SimpleNamespace(layout=Layout()), Context())


def draw_lanes() -> None:
    """Draw every lane of the strip, and look what is in its middle."""
    stack = stack_in(Context())
    for lane in (placed.lane for placed in stack.lanes) if stack is not None else ():
        lane.rows(), lane.marks(), lane.pictures(_PLACE)
        item = lane.hit(300.0, 12.0 + lane.height / 2.0, _PLACE)
        if item is not None:
            lane.tooltip(item), lane.hint(item), lane.highlight(item), lane.frame_of(item)
