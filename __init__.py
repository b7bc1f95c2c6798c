"""Motion Editing: edit captured and keyframed motion as a whole."""

from .motion_editing_addon import register as register, unregister as unregister
