"""F-curves: their channels, keys, handles and modifiers."""

from ...lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "channels",
    "fingerprint",
    "handles",
    "key_arrays",
    "keys",
    "mutes",
    "numbers",
    "stepped_keys",
]
