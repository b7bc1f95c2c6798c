"""Poses of the rig and of targets: captured, saved and put back."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)
