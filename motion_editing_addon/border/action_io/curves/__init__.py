"""F-curves: their channels, keys, handles and modifiers."""

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
