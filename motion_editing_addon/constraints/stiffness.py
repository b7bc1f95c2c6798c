"""How much bones resist when constraints are met: saved with each bone of the pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ..border.lazy_modules import np
from ..border.translation import counted_text, report_text
from ..document import scope
from ..interface.operators.polls import NeedsArmature
from ..interface.reports import guarded
from ..interface.shared_options import ALL_OF_THEM, CHOSEN_BONE
from . import figure_clip
from .settings import LOOSEST, STIFFEST, STIFFNESS_TEXT

if TYPE_CHECKING:
    from bpy.types import Context, Object, PoseBone

    from ..border.action_io import Clip

_ONLY_NOW = {"SKIP_SAVE"}


def stiffness_of(armature: Object, names: Sequence[str]) -> np.ndarray:
    """(J,) how much joints resist: 1 is usual, infinite for those that stay; names of no bone resist as usual."""
    bones: Any = armature.pose.bones if armature.pose else {}
    known = [bones[name].motion_editing_stiffness if name in bones else 1.0 for name in names]
    found = np.array(known, dtype=np.float64)
    return np.where(found >= STIFFEST, np.inf, found)


def stiffness_in(clip: Clip) -> np.ndarray:
    """(J,) the same for the joints of a clip; bones of a figure resist as their controls do."""
    skeleton = clip.motion.skeleton
    found = stiffness_of(clip.armature, skeleton.names)
    for bone in unusual_bones(clip.armature):
        shown = figure_clip.shown_bone(clip, bone.name)
        if shown:
            found[skeleton.index[shown]] = stiffness_of(clip.armature, [bone.name])[0]
    return found


def unusual_bones(armature: Object) -> list[PoseBone]:
    """Bones that resist more or less than usual."""
    return [bone for bone in armature.pose.bones if bone.motion_editing_stiffness != 1.0]


class MOTIONEDIT_OT_set_stiffness(NeedsArmature, Operator):
    """Set how much the selected bones resist constraints and dragging"""

    bl_idname = "motion_editing.set_stiffness"
    bl_label = "Set Stiffness"
    bl_options = {"REGISTER", "UNDO"}

    stiffness: FloatProperty(
        name="Stiffness", description=STIFFNESS_TEXT, default=10.0, min=LOOSEST, max=STIFFEST, precision=2
    )
    bone: StringProperty(**CHOSEN_BONE, options=_ONLY_NOW)
    everything: BoolProperty(**ALL_OF_THEM, options=_ONLY_NOW)

    def execute(self, context: Context) -> set[str]:
        """Set it, or say what is missing."""
        return guarded(self, lambda: self._set(scope.armatures(context)[0]))

    def _set(self, armature: Object) -> str:
        bones = armature.pose.bones
        picked = [self.bone] if self.bone else sorted(scope.picked_bones(armature))
        names = bones.keys() if self.everything else picked
        if not names or any(name not in bones for name in names):
            raise MotionEditError(f"There is no bone '{self.bone}'" if self.bone else "Select bones in pose mode")
        for name in names:
            bones[name].motion_editing_stiffness = self.stiffness
        return report_text("Set the stiffness of {bones}", bones=counted_text(len(names), "bone"))
