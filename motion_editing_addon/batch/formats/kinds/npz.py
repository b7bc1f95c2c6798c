"""NPZ files of the SMPL family: one body with one motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from .....core.body import find_body, from_file_axes, to_file_axes
from .....core.files import read_smpl, write_smpl
from ....border.new_armature import add_armature
from ....document import scope
from ....document.take.examination import STATED
from ..file_format import FileFormat
from ..scene_rate import play_at

if TYPE_CHECKING:
    from pathlib import Path


class Npz(FileFormat):
    """Turns of the joints of SMPL, SMPL-H or SMPL-X, and the places of the pelvis."""

    name = "NPZ"
    suffixes = (".npz",)
    note = (
        "Files of the SMPL family, as AMASS and text-to-motion programs write them. The body is of average proportions "
        "unless the file has its joints at rest. Only bodies that came from such a file can be written, with y up."
    )
    holds_one_clip = True

    def load(self, path: Path) -> None:
        """Read it at its own rate, on a skeleton of its own."""
        motion = read_smpl(path)
        up = find_body(motion.skeleton, motion=motion).up
        armature = add_armature(bpy.context, motion if up is None else from_file_axes(motion, up=up), name=path.stem)
        action = scope.own_action(armature)
        action.motion_editing.source_rate_reason = STATED
        play_at(motion.rate)

    def save(self, path: Path, like: Path) -> tuple[str, ...]:
        """Write the active armature's whole action."""
        clip = scope.read_clip(bpy.context, scope.armatures(bpy.context)[0], choice="ALL")
        write_smpl(path, to_file_axes(clip.motion))
        return ()
