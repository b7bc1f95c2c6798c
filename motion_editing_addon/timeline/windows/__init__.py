"""Operation and propagation windows."""

# Modules that other rooms import are loaded then, not before.
__all__ = [
    "windows",
]
