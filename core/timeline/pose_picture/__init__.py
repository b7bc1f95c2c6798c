"""Pictures of poses: stick figures side by side as an RGBA image, written as PNG without any library."""

from .canvas import Canvas, Colour, write_png
from .figure import figure_of
from .lettering import draw_text, text_width
from .strip import StripStyle, pose_strip
from .view import best_view, head_joint, points_of, screen_axes

__all__ = [
    "Canvas",
    "Colour",
    "StripStyle",
    "best_view",
    "draw_text",
    "figure_of",
    "head_joint",
    "points_of",
    "pose_strip",
    "screen_axes",
    "text_width",
    "write_png",
]
