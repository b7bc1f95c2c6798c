"""The equalizer: its board, picture and operators."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
