"""Pictures of poses: stick figures side by side as an RGBA image, written as PNG without any library."""

from .canvas import Canvas, Colour, write_png
from .figure import figure_of
from .lettering import draw_text, text_width
from .strip import StripStyle, pose_strip

__all__ = [
    "Canvas",
    "Colour",
    "StripStyle",
    "draw_text",
    "figure_of",
    "pose_strip",
    "text_width",
    "write_png",
]
