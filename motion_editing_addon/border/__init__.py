"""The border to Blender: the only code that knows F-curves, bones at rest, versions and saved data."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "action_io",
    "armature",
    "compatibility",
    "curve_points",
    "hidden_objects",
    "key_options",
    "lengths",
    "new_armature",
    "redraw",
    "registration",
    "saved_state",
    "sound_samples",
    "steps",
    "translation",
]
