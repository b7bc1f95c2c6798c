"""What edits did to clips, in numbers and pictures, on one page."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
