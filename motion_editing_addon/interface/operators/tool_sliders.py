"""Sliders and keys of a tool, made of its options."""

from __future__ import annotations

from ....core.editing import options_of
from .slider_drag import Slider


def slider_of(tool: type, name: str) -> Slider:
    """The slider that sets an option with the mouse."""
    option = options_of(tool)[name]
    step, snap = option.drag
    return Slider(name, unit=(option.drag_unit or option.unit).value, step=step, snap=snap)


def switches_of(tool: type) -> dict[str, str]:
    """Keys that switch options while the mouse sets another, and which."""
    return {option.key: name for name, option in options_of(tool).items() if option.key}
