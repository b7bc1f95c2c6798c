"""Edits without a window: `blender --command motion_edit`, recipes, many clips, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = "motion_edit"

# What Blender gives for the command; it is needed to take the command back.
_handle: Any = None


def register() -> None:
    """Add the command to Blender's command line."""
    global _handle
    _handle = bpy.utils.register_cli_command(COMMAND, _run_command)


def unregister() -> None:
    """Take the command back."""
    global _handle
    bpy.utils.unregister_cli_command(_handle)
    _handle = None


def _run_command(arguments: Sequence[str]) -> int:
    """Called by `blender --command motion_edit ...`; what it gives is the exit code."""
    from .command import main

    # Jobs, not Blender's threads, share the cores.
    return main(list(arguments), start=(bpy.app.binary_path, "--threads", "1", "--command", COMMAND))
