"""How blends, gaps and ways over the ground are edited."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
