"""Motion Editing: edit captured and keyframed motion as a whole."""

from .motion_editing_addon import register, unregister

__all__ = ["register", "unregister"]
