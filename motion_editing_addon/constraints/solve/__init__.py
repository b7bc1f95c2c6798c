"""Constraints met: what core is given, and what came of it."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
