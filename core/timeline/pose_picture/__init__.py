"""Pictures of poses: stick figures side by side as an RGBA image, written as PNG without any library."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .canvas import Canvas, Colour, write_png
    from .figure import figure_of
    from .lettering import draw_text, text_width
    from .stick_figure import StickFigure, figure_of_body, figure_of_motion
    from .strip import StripStyle, pose_strip
else:
    __getattr__ = lazy_door(__name__)
