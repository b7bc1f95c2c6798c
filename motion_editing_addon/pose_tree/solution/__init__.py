"""A tree solved: shares of targets, groups, and the result as keys."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
