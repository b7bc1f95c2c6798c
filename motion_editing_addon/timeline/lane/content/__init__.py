"""What the lane of pose icons shows, read from Blender."""

from ....border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
