"""Features of a reference carried to windows."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
