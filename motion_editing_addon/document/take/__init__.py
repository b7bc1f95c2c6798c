"""One reading of an action, and facts about it."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "clip_take",
    "difference",
    "edit_report",
    "examination",
    "other_action",
    "reference_pose",
    "step_result",
    "tool_run",
]
