"""Operators that find and correct the body's parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.props import StringProperty
from bpy.types import Operator

from ... import core
from ..border import armature as rig
from ..border.compatibility import is_selected
from ..border.translation import counted_text, report_text
from ..document import scope
from ..document.character import joint_positions, saved_body
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsArmature
from ..interface.shared_options import BODY_PART

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ..border.steps import Steps


class MOTIONEDIT_OT_find_character(LongWorkOperator, NeedsArmature, Operator):
    """Find body parts from bone names, hierarchy and motion"""

    bl_idname = "motion_editing.find_character"
    bl_label = "Find Body Parts"
    bl_options = {"REGISTER", "UNDO"}

    def work(self, context: Context) -> Steps[None]:
        """Find the parts of every chosen armature anew."""
        for armature in scope.armatures(context):
            if scope.action_of(armature) is None:
                body = core.body.find_body(rig.skeleton_of(armature))
            else:
                clip = scope.read_clip(context, armature)
                positions = yield from joint_positions.sample_in_steps(context, clip)
                body = core.body.find_body(clip.motion.skeleton, motion=clip.motion, positions=positions)
            saved_body.save_body(armature, body)
            found = ", ".join(
                counted_text(len(parts), *words)
                for parts, words in (
                    (body.limbs, ("limb",)),
                    (body.hands, ("hand",)),
                    (body.feet, ("foot", "feet")),
                    (body.pairs, ("left and right pair",)),
                )
            )
            self.report({"INFO"}, f"'{armature.name}': {found}")


class MOTIONEDIT_OT_set_role(NeedsArmature, Operator):
    """Assign the selected bones to this body part"""

    bl_idname = "motion_editing.set_role"
    bl_label = "Set Body Part"
    bl_options = {"REGISTER", "UNDO"}

    role: StringProperty(**BODY_PART)
    bones: StringProperty(
        name="Bones", description="Bone names separated by commas; the selected bones if empty", options={"SKIP_SAVE"}
    )

    def execute(self, context: Context) -> set[str]:
        """Correct the body and save it."""
        armature = scope.armatures(context)[0]
        names = [name.strip() for name in self.bones.split(",") if name.strip()] or _selected(armature)
        if not names:
            self.report({"ERROR"}, "Select the bones of this body part in pose mode first")
            return {"CANCELLED"}
        single = self.role in {"root", "head"}
        if single and len(names) > 1:
            told = "The {part} is one bone, and {count} are chosen: select one"
            self.report({"ERROR"}, report_text(told, part=report_text(self.role), count=len(names)))
            return {"CANCELLED"}
        try:
            saved_body.save_body(
                armature, saved_body.body_of(armature).with_role(self.role, names[0] if single else names)
            )
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{self.role.capitalize()}: {', '.join(names)}")
        return {"FINISHED"}


class MOTIONEDIT_OT_clear_role(NeedsArmature, Operator):
    """Mark the body part as absent from the character"""

    bl_idname = "motion_editing.clear_role"
    bl_label = "Clear Body Part"
    bl_options = {"REGISTER", "UNDO"}

    role: StringProperty(**BODY_PART)

    def execute(self, context: Context) -> set[str]:
        """Correct the body and save it."""
        armature = scope.armatures(context)[0]
        try:
            saved_body.save_body(armature, saved_body.body_of(armature).with_role(self.role, None))
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def _selected(armature: Object) -> list[str]:
    """Selected bones from the top of the hierarchy downward."""
    if armature.mode != "POSE":
        return []
    return [bone.name for bone in armature.pose.bones if is_selected(bone)]
