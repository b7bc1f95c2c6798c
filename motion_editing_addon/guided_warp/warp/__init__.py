"""One call of Warp Time: what it reads, shows, does and tells."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
