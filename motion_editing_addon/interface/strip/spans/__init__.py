"""Lanes of spans, which lists of several capabilities share."""

from ....border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
