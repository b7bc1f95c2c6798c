"""What mouse and keys do, in the status bar: texts of tools become pictures of keys and words."""

from __future__ import annotations

import bpy
from motion_editing.motion_editing_addon.constraints.drag.joint_drag import KEYS_TEXT as JOINT_KEYS
from motion_editing.motion_editing_addon.interface import status_bar
from motion_editing.motion_editing_addon.interface.operators.slider_drag import KEYS_TEXT as SLIDER_KEYS


def test_parts_have_keys_and_words():
    text = "Equalizer    Enter, LMB: confirm    Esc or Right Click: cancel    0-9: type"
    assert status_bar.hints(text) == [
        ((), "Equalizer"),
        (("Enter", "LMB"), "Confirm"),
        (("Esc", "Right Click"), "Cancel"),
        (("0-9",), "Type"),
    ]
    assert status_bar.hints("") == []


def test_blender_has_every_picture():
    known = {item.identifier for item in bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items}
    assert set(status_bar._ICONS.values()) <= known


def test_the_keys_of_sliders_and_drags_have_pictures():
    keys = {key for text in (SLIDER_KEYS, JOINT_KEYS) for names, _words in status_bar.hints(text) for key in names}
    assert {key for key in keys if status_bar.icon_of(key) is None} == {"0-9"}


def test_the_text_is_taken_away_again():
    from bl_ui.space_statusbar import STATUSBAR_HT_header

    workspace = bpy.data.workspaces[0] if len(bpy.data.workspaces) else bpy.context.workspace
    blender_draws = STATUSBAR_HT_header.draw
    status_bar.show(workspace, SLIDER_KEYS)
    assert STATUSBAR_HT_header.draw is not blender_draws
    status_bar.clear(workspace)
    assert STATUSBAR_HT_header.draw is blender_draws
