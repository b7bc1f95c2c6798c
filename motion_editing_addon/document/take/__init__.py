"""One reading of an action, and facts about it."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "change",
    "clip_take",
    "edit_report",
    "examination",
    "other_action",
    "reference_pose",
    "tool_run",
]
