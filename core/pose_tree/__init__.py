"""Spatial pose trees: poses blended by moving through space, part by part."""

from .control_space import ControlSpace, EmptySpaceError

__all__ = ["ControlSpace", "EmptySpaceError"]
