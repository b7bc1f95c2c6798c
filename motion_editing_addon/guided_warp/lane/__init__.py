"""Keytimes and the warp plot on the strip."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
