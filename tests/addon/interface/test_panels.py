"""Which panels of the tab are open at first: those that people begin with, so that the tab is not endless."""

from __future__ import annotations

import bpy
import pytest
from motion_editing.motion_editing_addon.interface.panels import lines_of
from motion_editing.motion_editing_addon.timeline import panel as pose_timeline

OPEN = {"Clip", "Staggered Poses", "Pose Timeline", "Time", "Layers", "Keys"}


@pytest.mark.parametrize("editor", ["VIEW_3D", "DOPESHEET_EDITOR", "GRAPH_EDITOR"])
def test_what_one_begins_with_is_open_and_all_else_is_closed(editor):
    panels = [panel for panel in bpy.types.Panel.__subclasses__() if getattr(panel, "bl_category", "") == "Motion"]
    own = {panel.bl_label: getattr(panel, "bl_options", set()) for panel in panels if panel.bl_space_type == editor}
    assert {label for label, options in own.items() if "DEFAULT_CLOSED" not in options} == OPEN
    assert {"Reduce Keys", "Clean & Filter", "Blend & Loop", "Contacts"} <= set(own)


class RecordedLayout:
    """Stands for Blender's layout: keeps which part is asked for, and shows none of them open."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bool]] = []

    def panel(self, name: str, default_closed: bool = False) -> tuple[RecordedLayout, None]:
        self.asked.append((name, default_closed))
        return self, None

    def label(self, **_text: str) -> None:
        pass

    def prop(self, _owner: object, _name: str, **_text: str) -> None:
        pass


def test_the_second_character_is_closed_until_one_is_chosen():
    bpy.ops.motion_editing.load_sample_motion()
    armature, layout = bpy.context.object, RecordedLayout()
    pose_timeline._draw_others(layout, bpy.context, armature)
    armature.animation_data.action.motion_editing_timeline.second = armature.copy()
    pose_timeline._draw_others(layout, bpy.context, armature)
    (before, closed_before), (after, closed_after) = layout.asked
    assert (closed_before, closed_after) == (True, False)
    assert before != after, "Blender remembers by name what was closed"


def test_notes_in_wide_letters_have_shorter_lines():
    assert lines_of("Found by itself when a tool needs it", 20) == ["Found by itself when", "a tool needs it"]
    assert [len(line) for line in lines_of("ツールが必要とするときに自動で検出されます", 20)] == [10, 10, 1]
    assert lines_of("", 20) == []
