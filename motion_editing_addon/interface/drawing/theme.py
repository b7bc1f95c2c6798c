"""Colours from Blender's theme, and its UI scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpy.types import Context, Theme

Colour = tuple[float, float, float, float]

# Bone colour sets that stand out from the colours of keys and of the windows: magenta and light blue.
_VIVID_SET, CONTACT_SET = 11, 4


@dataclass(frozen=True)
class MenuColours:
    """The theme's colours of menus."""

    back: Colour
    edge: Colour
    title: Colour
    text: Colour
    chosen_back: Colour
    chosen_text: Colour


@dataclass(frozen=True)
class Palette:
    """The theme's colours of an animation editor; equal where the theme has not changed."""

    back: Colour
    grid: Colour
    text: Colour
    text_strong: Colour
    key: Colour
    key_selected: Colour
    key_extreme: Colour
    key_breakdown: Colour
    key_bar: Colour
    tip_back: Colour
    tip_text: Colour
    accent: Colour
    operation: Colour
    propagation: Colour
    warning: Colour
    painted: Colour
    contact: Colour
    menu: MenuColours


def palette(context: Context) -> Palette:
    """Colours of the Dope Sheet and of tooltips."""
    theme = context.preferences.themes[0]
    editor, keys = theme.dopesheet_editor, _key_colours(theme)
    tip = theme.user_interface.wcol_tooltip
    return Palette(
        back=opaque(editor.space.back),
        grid=opaque(editor.grid),
        text=opaque(editor.space.text),
        text_strong=opaque(editor.space.text_hi),
        key=opaque(keys.keyframe),
        key_selected=opaque(keys.keyframe_selected),
        # Of the selected ones: the others are pale, and hard to tell apart as areas.
        key_extreme=opaque(keys.keyframe_extreme_selected),
        key_breakdown=opaque(keys.keyframe_breakdown_selected),
        key_bar=tuple(keys.long_key),
        tip_back=opaque(tip.inner),
        tip_text=opaque(tip.text),
        accent=opaque(theme.user_interface.wcol_regular.inner_sel),
        # The axes' colours are the clearest blue, green and red of every theme.
        operation=opaque(theme.user_interface.axis_z),
        propagation=opaque(theme.user_interface.axis_y),
        warning=opaque(theme.user_interface.axis_x),
        painted=bone_colour(context, _VIVID_SET),
        contact=bone_colour(context, CONTACT_SET),
        menu=_menu_colours(theme),
    )


def _menu_colours(theme: Theme) -> MenuColours:
    back, item = theme.user_interface.wcol_menu_back, theme.user_interface.wcol_menu_item
    return MenuColours(
        back=opaque(back.inner),
        edge=opaque(back.outline),
        title=opaque(back.text),
        text=opaque(item.text),
        chosen_back=opaque(item.inner_sel),
        chosen_text=opaque(item.text_sel),
    )


def _key_colours(theme: Theme) -> Any:
    """Where the theme keeps the colours of keys: all animation editors share them from 5.0 on."""
    return theme.common.anim if hasattr(theme, "common") else theme.dopesheet_editor


def bone_colour(context: Context, number: int, shade: str = "active") -> Colour:
    """A colour of a bone colour set; sets are counted from 1 as in the theme's settings.

    Args:
        number: Of the set.
        shade: "normal", "select" or "active", from dark to bright.
    """
    return opaque(getattr(context.preferences.themes[0].bone_color_sets[number - 1], shade))


def opaque(colour: Iterable[float]) -> Colour:
    """A colour of the theme, with or without alpha, as an opaque one."""
    red, green, blue = tuple(colour)[:3]
    return red, green, blue, 1.0


def faded(colour: Colour, alpha: float) -> Colour:
    """The same colour, more transparent."""
    return (*colour[:3], colour[3] * alpha)


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """A colour between two others; a share of 0 gives the first."""
    one, two = first, second
    red, green, blue, alpha = ((1.0 - share) * one[each] + share * two[each] for each in range(4))
    return red, green, blue, alpha


def ui_scale(context: Context) -> float:
    """Pixels on the screen for a pixel at a UI scale of 1."""
    return context.preferences.system.ui_scale
