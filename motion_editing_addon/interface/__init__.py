"""What people see and touch: bases of operators, panels, drawing and the frame of the strip."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "menus",
    "panels",
    "reports",
    "shared_options",
    "strip",
]
