"""What goes with a retimed motion: marks of its action, strips, other objects."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
