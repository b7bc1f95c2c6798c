"""Overlap of bones in a row, without poses."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
