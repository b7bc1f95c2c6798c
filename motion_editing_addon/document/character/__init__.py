"""The character: its body, what carries it over the ground, and where its joints are."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "carried_figure",
    "carriers",
    "character",
    "joint_positions",
    "saved_body",
    "shown_figure",
]
