"""Panel "Character": the body's parts, as found or corrected."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..border import saved_state
from ..border.translation import label_text
from ..document import scope
from ..interface.panels import draw_note, in_every_editor

if TYPE_CHECKING:
    from bpy.types import Context, UILayout

_ALWAYS = ("root", "torso", "head")
_ENDS = {"arm": "hand", "leg": "foot", "fore leg": "fore foot", "hind leg": "hind foot"}


class CharacterPanel:
    """Which bone is which part of the body."""

    bl_label = "Character"
    bl_order = 10
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature."""
        return bool(scope.armatures(context))

    def draw(self, context: Context) -> None:
        """The parts with their bones, or how to find them."""
        layout = self.layout
        text = scope.armatures(context)[0].motion_editing.body
        layout.operator("motion_editing.find_character", icon="ARMATURE_DATA")
        if not text:
            draw_note(layout, context, "Found by itself when a tool needs it")
            return
        with saved_state.reading(saved_state.BODY):
            found, note = rows(text), _measures_text(*measures(text))
        column = layout.column(align=True)
        for role, bones in found:
            _draw_role(column, role, bones)
        draw_note(layout, context, note)


@lru_cache(maxsize=8)
def rows(text: str) -> tuple[tuple[str, str], ...]:
    """(role, bones as text) of a saved body."""
    body = saved_state.from_text(saved_state.BODY, text)
    found = [(role, _span(body.get(role))) for role in _ALWAYS]
    for limb in body["limbs"]:
        side = "" if limb["side"] == "centre" else f"{limb['side']} "
        number = f" {limb['number']}" if limb.get("number", 1) > 1 else ""
        found.append((side + limb["kind"] + number, _span(limb["chain"])))
        if limb["kind"] in _ENDS:
            found.append((side + _ENDS[limb["kind"]] + number, limb["end"] or ""))
    return tuple(found)


@lru_cache(maxsize=8)
def measures(text: str) -> tuple[str | None, float | None]:
    """Up axis and height of a saved body."""
    body = saved_state.from_text(saved_state.BODY, text)
    return body["up"], body["height"]


def _measures_text(up: str | None, height: float | None) -> str:
    axis = label_text("{axis} is up", axis=up) if up else label_text("Up axis not known")
    if height:
        return axis + label_text(", height {height}", height=f"{height:.3g}")
    return axis + label_text(", height not known")


def _span(bones: Any) -> str:
    if not bones:
        return ""
    if isinstance(bones, str):
        return bones
    return bones[0] if len(bones) == 1 else f"{bones[0]} to {bones[-1]}"


def _draw_role(layout: UILayout, role: str, bones: str) -> None:
    row = layout.row(align=True)
    split = row.split(factor=0.35, align=True)
    label = split.row()
    label.alignment = "RIGHT"
    label.label(text=role.title())
    value = split.row(align=True)
    value.active = bool(bones)
    value.label(text=bones or "not set", translate=not bones)
    row.operator("motion_editing.set_role", text="", icon="EYEDROPPER").role = role
    row.operator("motion_editing.clear_role", text="", icon="X").role = role


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.operator("motion_editing.find_character")


panels = in_every_editor(CharacterPanel)
