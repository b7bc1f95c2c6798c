"""Pose trees as the 3D View shows them."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
