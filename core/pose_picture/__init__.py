"""Pictures of poses: stick figures side by side as an RGBA image, written as PNG without any library."""

from .canvas import write_png
from .strip import StripStyle, pose_strip
from .view import best_view

__all__ = ["StripStyle", "best_view", "pose_strip", "write_png"]
