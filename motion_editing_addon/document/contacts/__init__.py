"""The contacts saved with an action, for whoever keeps feet where they stand."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "foot_slide",
    "saved_contacts",
    "standing_keys",
]
