"""Drawing in Blender's editors; the only package that touches gpu and blf.

`shapes` holds what is drawn as plain arrays, built and tested without a window; `painter` turns it
into batches that are kept until the data changes; `viewport` shows trails, ghosts and the name of a
mode in the 3D View. Nothing here imports NumPy before something is drawn.
"""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from . import viewport

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "batches",
    "figures",
    "level_areas",
    "original_ghost",
    "painter",
    "rig_figure",
    "scene_shapes",
    "scene_theme",
    "screen_places",
    "shapes",
    "theme",
    "trails",
    "viewport",
]


def register() -> None:
    """Nothing is drawn until a tool asks for it."""


def unregister() -> None:
    """Stop all drawing in the 3D View."""
    viewport.clear()
