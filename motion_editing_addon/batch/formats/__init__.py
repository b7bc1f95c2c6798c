"""Files with motion, and the clips in them."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = ["clip_files", "clips", "scene_rate"]
