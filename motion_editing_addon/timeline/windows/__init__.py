"""Operation and propagation windows."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "windows",
]
