"""Blender's own files."""

from __future__ import annotations

from pathlib import Path

import bpy

from .....core.errors import FileFormatError
from ..file_format import FileFormat


class Blend(FileFormat):
    """Everything that there is in Blender."""

    name = "Blender"
    suffixes = (".blend",)
    note = (
        "All actions of armatures are edited, and where several armatures play one action, the part of each; "
        "`--action NAME` chooses, and can be repeated. What is linked from a library, or is not in the view layer of "
        "the scene, is not edited, and a warning says so. Scripts in the file do not run. Results keep the keys from "
        "before, for [Restore Original](clip.md#restore-original)."
    )
    is_whole_scene = True

    def load(self, path: Path) -> None:
        """Open it in place of what is there."""
        # Scripts in a file of a stranger do not run.
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False, use_scripts=False)
        for thing in bpy.data.objects:
            if thing.animation_data is not None and thing.animation_data.use_tweak_mode:
                # While a strip is being tweaked, Blender refuses to let another action be played.
                thing.animation_data.use_tweak_mode = False

    def load_beside(self, path: Path) -> None:
        """Append its objects and actions."""
        try:
            with bpy.data.libraries.load(str(path)) as (there, here):
                here.objects, here.actions = there.objects, there.actions
        except OSError as error:
            raise FileFormatError(f"{path}: {error}") from None
        for thing in here.objects:
            bpy.context.scene.collection.objects.link(thing)

    def save(self, path: Path, like: Path) -> tuple[str, ...]:
        """Save everything."""
        # Relative paths to textures and libraries would no longer lead anywhere: the file is moved after it is
        # written.
        bpy.ops.file.make_paths_absolute()
        bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False, relative_remap=False)
        return ()
