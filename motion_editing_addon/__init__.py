"""Everything that imports bpy: operators, panels and the border to Blender."""

from . import character, clip, keys, settings

# Modules with register() and unregister(), in the order in which they need each other.
# NumPy and core are imported when a tool is first used: enabling the extension stays quick.
_packages = (settings, clip, character, keys)


def register() -> None:
    """Register the add-on with Blender."""
    for package in _packages:
        package.register()


def unregister() -> None:
    """Take back what register() did."""
    for package in reversed(_packages):
        package.unregister()
