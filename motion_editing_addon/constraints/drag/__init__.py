"""A joint dragged in the 3D View while the motion follows."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
