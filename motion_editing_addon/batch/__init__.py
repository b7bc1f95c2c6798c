"""Edits without a window: `blender --command motion_edit`, recipes, many clips, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from ..border.registration import classes_of, register_classes, unregister_classes
from . import command, operators

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = "motion_edit"
classes = classes_of(operators)

# What Blender gives for the command; it is needed to take the command back.
_handle: Any = None


def register() -> None:
    """Register the operators, and add the command to Blender's command line."""
    global _handle
    register_classes(classes)
    _handle = bpy.utils.register_cli_command(COMMAND, _run_command)


def unregister() -> None:
    """Take both back."""
    global _handle
    bpy.utils.unregister_cli_command(_handle)
    _handle = None
    unregister_classes(classes)


def _run_command(arguments: Sequence[str]) -> int:
    """Called by `blender --command motion_edit ...`; what it gives is the exit code."""
    # Jobs, not Blender's threads, share the cores.
    return command.main(list(arguments), start=(bpy.app.binary_path, "--threads", "1", "--command", COMMAND))
