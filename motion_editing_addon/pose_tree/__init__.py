"""Pose trees: poses blended by moving a cursor through space, and motions edited as paths there."""

from . import settings

classes = ()


def register() -> None:
    """Register the saved data."""
    settings.register()


def unregister() -> None:
    """Take back what register() did."""
    settings.unregister()
