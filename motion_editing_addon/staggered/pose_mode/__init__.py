"""Editing a pose with Blender's own tools."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
