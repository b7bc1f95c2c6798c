"""Colours from Blender's theme for what is drawn among the objects of the 3D View."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .theme import Colour, bone_colour, mixed, opaque

if TYPE_CHECKING:
    from bpy.types import Context

# Bone colour sets: green, light blue, magenta, yellow.
_CHILD_SET, _PATH_SET, _BRANCH_SET, _EDITED_SET = 3, 4, 11, 9
_SHADOW = (0.0, 0.0, 0.0, 0.75)


@dataclass(frozen=True)
class ScenePalette:
    """The theme's colours of the 3D View; equal where the theme has not changed."""

    text: Colour
    text_strong: Colour
    shadow: Colour
    target: Colour
    selected: Colour
    active: Colour
    child: Colour
    link: Colour
    opposing: Colour
    path: Colour
    branch: Colour
    edited: Colour
    relation: Colour


def scene_palette(context: Context) -> ScenePalette:
    """Colours of the 3D View, of its selection and of bones."""
    theme = context.preferences.themes[0]
    view, accent = theme.view_3d, opaque(theme.user_interface.wcol_regular.inner_sel)
    strong = opaque(view.space.text_hi)
    return ScenePalette(
        text=opaque(view.space.text),
        text_strong=strong,
        shadow=_SHADOW,
        # The accent is made for areas behind text and too dark for small things.
        target=mixed(accent, strong, 0.2),
        selected=opaque(view.object_selected),
        active=opaque(view.object_active),
        child=mixed(bone_colour(context, _CHILD_SET, "select"), strong, 0.15),
        link=mixed(accent, strong, 0.6),
        opposing=opaque(theme.user_interface.axis_x),
        path=mixed(bone_colour(context, _PATH_SET), strong, 0.15),
        branch=mixed(bone_colour(context, _BRANCH_SET), strong, 0.15),
        edited=bone_colour(context, _EDITED_SET, "active"),
        relation=mixed(bone_colour(context, _CHILD_SET, "select"), strong, 0.3),
    )
