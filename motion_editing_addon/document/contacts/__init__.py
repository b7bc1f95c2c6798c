"""The contacts saved with an action, for whoever keeps feet where they stand."""

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "floor_keys",
    "foot_slide",
    "saved_contacts",
    "standing_keys",
]
