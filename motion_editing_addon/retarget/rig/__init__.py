"""Rigs in retargeting: shown bones, controls and the mechanism between them."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
