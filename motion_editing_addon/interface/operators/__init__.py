"""Bases of operators: one-shot, following the mouse, and working for long."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "long_work",
    "operator",
    "polls",
    "pose_preview",
    "preview_trails",
    "running_tools",
    "slider_drag",
    "slider_gesture",
    "take_run",
    "whole_character",
]
