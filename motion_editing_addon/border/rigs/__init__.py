"""Rigs as Blender evaluates them: channels, poses, and which bones follow which others."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "rig_channels",
    "rig_followers",
    "rig_model",
    "rig_pose",
    "skins",
]
