"""Recipes: what they may say, and doing it to a clip."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
