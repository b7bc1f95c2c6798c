"""The mouse gets somewhere: from one end of every slider to the other in a few widths of a screen."""

from __future__ import annotations

import bpy
from motion_editing.motion_editing_addon.interface.operators.operator import MotionEditOperator
from motion_editing.motion_editing_addon.interface.operators.slider_drag import PIXELS_PER_STEP, Slider
from motion_editing.motion_editing_addon.interface.operators.tool_sliders import slider_of

# Pixels from end to end: five widths of a screen, which the cursor passes round and round.
FARTHEST = 10_000.0
NEAREST = 100.0


def sliders(cls: type) -> list[Slider]:
    """Those that an operator has at its defaults."""
    return [] if cls.tool is None else [slider_of(cls.tool, name) for name in cls.tool().sliders]


def with_sliders() -> list[type]:
    found = [cls for cls in MotionEditOperator.__subclasses__() if issubclass(cls, bpy.types.Operator)]
    return [cls for cls in found if cls.is_registered and sliders(cls)]


def travel(cls: type, slider: Slider) -> float:
    """Pixels from one end of a slider to the other."""
    rna = getattr(bpy.ops.motion_editing, cls.bl_idname.partition(".")[2]).get_rna_type()
    prop = rna.properties[slider.name]
    return PIXELS_PER_STEP * (prop.soft_max - prop.soft_min) * slider.scale / slider.step


def test_the_mouse_gets_from_end_to_end():
    found = {(cls.bl_idname, each.name): travel(cls, each) for cls in with_sliders() for each in sliders(cls)}
    assert len(found) > 20
    assert not {name: pixels for name, pixels in found.items() if not NEAREST <= pixels <= FARTHEST}
