"""Bases of operators: one-shot, following the mouse, and working for long."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "long_work",
    "operator",
    "polls",
    "pose_preview",
    "preview_trails",
    "running_tools",
    "slider_gesture",
    "take_run",
    "value_drag",
]
