"""Retargeting: the motion of one character on another one (motion editing chapter, 1.7.2.4)."""

from .mapping import JointMapping, JointPair
from .proposal import name_mapping

__all__ = ["JointMapping", "JointPair", "name_mapping"]
