"""The border to Blender: the only code that knows F-curves, bones at rest, versions and saved data."""

from .lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "action_io",
    "armature",
    "compatibility",
    "curve_points",
    "hidden_objects",
    "key_options",
    "lazy_modules",
    "lengths",
    "new_armature",
    "redraw",
    "registration",
    "saved_state",
    "sound_samples",
    "steps",
    "tool_properties",
    "translation",
]
