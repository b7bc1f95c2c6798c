"""The tools that change motion, and how each is tried: by chance, but the same chance for the same seed."""

from __future__ import annotations

from collections.abc import Callable

from ..tool_names import TOOL_NAMES
from . import constraints, filters, keys, layers, pose_tree, retarget, root_motion, staggered, time, timeline
from .subject import Plan, Subject

_MODULES = (filters, keys, root_motion, time, staggered, timeline, layers, constraints, pose_tree, retarget)
_by_name = {tool.__name__: tool for module in _MODULES for tool in module.TOOLS}
TOOLS: dict[str, Callable[[Subject], Plan | None]] = {name: _by_name[name] for name in TOOL_NAMES}

__all__ = ["TOOLS", "Plan", "Subject"]
