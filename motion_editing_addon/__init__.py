"""Everything that imports bpy: operators, panels and the border to Blender."""


def register() -> None:
    """Register the add-on with Blender."""


def unregister() -> None:
    """Take back what register() did."""
