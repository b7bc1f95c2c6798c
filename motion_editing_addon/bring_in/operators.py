"""Bring In Motion, from a file dialog, a menu, or files that are dropped on the viewport."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import FileHandler, Operator, OperatorFileListElement
from bpy_extras.io_utils import ImportHelper

from ...core.errors import MotionEditError
from ..document import scope
from ..interface.shared_options import FIT_SCENE, SCALE, UP_AXIS
from . import arrival, view

if TYPE_CHECKING:
    from bpy.types import Context, Event

_SUFFIXES = (".bvh", ".fbx", ".glb", ".gltf", ".npz", ".blend")
# Blender opens files of its own itself when they are dropped.
_DROPPED = ";".join(suffix for suffix in _SUFFIXES if suffix != ".blend")


def _found_targets(_operator: Operator, _context: Context, _text: str) -> list[str]:
    """What the field of the target offers."""
    return [thing.name for thing in bpy.data.objects if scope.is_armature(thing)]


class MOTIONEDIT_OT_bring_in_motion(ImportHelper, Operator):
    """Import motion at real speed, in metres, upright and on the floor"""

    bl_idname = "motion_editing.bring_in_motion"
    bl_label = "Bring In Motion"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".bvh"
    filter_glob: StringProperty(default=";".join(f"*{suffix}" for suffix in _SUFFIXES), options={"HIDDEN"})
    files: CollectionProperty(type=OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    speed: EnumProperty(
        name="Speed",
        description="How the motion gets its real speed",
        items=(
            ("SCENE", "Scene's Rate", "Resample the motion to the scene's frame rate"),
            ("FILE", "File's Rate", "Set the scene's frame rate to that of the first file"),
            ("FRAMES", "Keep Frames", "Leave every sample on a frame, whatever speed that gives"),
        ),
        default="SCENE",
    )
    size: EnumProperty(
        name="Size",
        description="How tall the figure is",
        items=(
            ("METRES", "Metres", "Find the unit of the file from the height of the figure"),
            ("FILE", "As in the File", "Take a unit of the file for a metre"),
        ),
        default="METRES",
    )
    scale: FloatProperty(**SCALE, default=1.0, min=1e-4, soft_max=100.0)
    up: EnumProperty(
        **UP_AXIS,
        items=(
            ("AUTO", "Automatic", "Detect the up axis from the figure"),
            ("Y", "Y Up", "Use the file's Y axis as up, as in most BVH files"),
            ("Z", "Z Up", "Use the file's Z axis as up, in BVH files"),
        ),
        default="AUTO",
    )
    trim_reference: BoolProperty(
        name="Trim Reference Pose", description="Remove a T-pose before the motion", default=True
    )
    place: BoolProperty(
        name="Place at Cursor", description="Put the figure on the floor at the 3D cursor", default=True
    )
    fit_scene: BoolProperty(**FIT_SCENE, default=True)
    target: StringProperty(
        name="Retarget To",
        description="Character that gets the motion; a new figure if empty",
        search=_found_targets,
    )

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Files that were dropped are read at once; otherwise files are chosen."""
        dropped: Any = self
        if dropped.directory and len(dropped.files):
            return self.execute(context)
        return ImportHelper.invoke(self, context, event)

    def execute(self, context: Context) -> set[str]:
        """Read every file; one that cannot be read is reported and does not stop the others."""
        wishes = arrival.Wishes(**{name: getattr(self, name) for name in arrival.WISHES})
        read = 0
        for path in self._paths():
            try:
                brought = arrival.bring_in(context, path, wishes)
            except MotionEditError as error:
                self.report({"ERROR"}, str(error))
                continue
            read += 1
            for warning in brought.warnings:
                self.report({"WARNING"}, warning)
            self.report({"INFO"}, brought.text)
        if read:
            view.frame_selected(context)
        return {"FINISHED"} if read else {"CANCELLED"}

    def _paths(self) -> list[Path]:
        chosen: Any = self
        folder, file = (bpy.path.abspath(text) for text in (chosen.directory, chosen.filepath))
        return [Path(folder) / item.name for item in chosen.files if item.name] or [Path(file)]


class MOTIONEDIT_FH_motion(FileHandler):
    """Files with motion that are dropped on the viewport"""

    bl_idname = "MOTIONEDIT_FH_motion"
    bl_label = "Bring In Motion"
    bl_import_operator = "motion_editing.bring_in_motion"
    bl_file_extensions = _DROPPED

    @classmethod
    def poll_drop(cls, context: Context) -> bool:
        """On the 3D View and where motion is edited."""
        return context.area is not None and context.area.type in {"VIEW_3D", "DOPESHEET_EDITOR", "GRAPH_EDITOR"}


def draw_import(self: bpy.types.Menu, _context: Context) -> None:
    """Entry in File > Import."""
    self.layout.operator(MOTIONEDIT_OT_bring_in_motion.bl_idname, text="Motion (.bvh, .fbx, .glb, .npz, .blend)")
