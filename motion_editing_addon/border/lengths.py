"""Lengths as people read them, in the units of the scene."""

import bpy

from ...core.wording import number_text
from .translation import report_text


def length_text(value: float) -> str:
    """A length in the scene's units."""
    units = bpy.context.scene.unit_settings
    if units.system == "NONE":
        return report_text("{number} units", number=number_text(value))
    if units.system == "METRIC":
        millimetres = 1000.0 * value * units.scale_length
        if 0.05 <= abs(millimetres) < 1.0:
            return f"{millimetres:.1f} mm"
        return f"{millimetres:.0f} mm" if abs(millimetres) < 1000.0 else f"{0.001 * millimetres:.2f} m"
    return bpy.utils.units.to_string(units.system, "LENGTH", value * units.scale_length, precision=3)
