"""Operators on the clip as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Operator

from ... import core
from ..border import action_io, new_armature
from ..border.translation import report_text
from ..document import original_keys, refusals, scope, transaction
from ..document.action_users import linked_actions
from ..document.character import joint_positions
from ..document.take.examination import CONFORMED, judge
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsClip
from ..interface.shared_options import FIT_SCENE
from . import mannequin, rigify_figure

if TYPE_CHECKING:
    from bpy.types import Action, Context, Event, Object

    from ..border.steps import Steps


# Punches and the jump are lost between fewer samples.
_LOWEST_RATE = 10


class MOTIONEDIT_OT_load_sample_motion(Operator):
    """Add a figure that walks, jumps and punches, to try tools on"""

    bl_idname = "motion_editing.load_sample_motion"
    bl_label = "Load Sample Motion"
    bl_options = {"REGISTER", "UNDO"}

    rate: FloatProperty(
        name="Rate",
        description="Samples per second; 0 is the scene's frame rate",
        default=0.0,
        min=0.0,
        max=240.0,
    )
    character: EnumProperty(
        name="Character",
        description="Figure that performs the motion",
        items=(
            ("SKELETON", "Skeleton", "Bones alone", "ARMATURE_DATA", 0),
            ("MANNEQUIN", "Mannequin", "Skinned figure whose face has shape keys", "OUTLINER_OB_MESH", 1),
            ("RIGIFY", "Rigify Mannequin", "Skinned figure with the controls that Rigify builds", "POSE_HLT", 2),
        ),
        default="SKELETON",
    )
    stand_aside: BoolProperty(
        name="Stand Aside", description="Put the figure beside a mesh that is in its place", default=False
    )
    fit_scene: BoolProperty(**FIT_SCENE, default=True)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """A click gives the mannequin, beside what is there; scripts get bones alone, where the motion begins."""
        if not self.properties.is_property_set("character"):
            self.character = "MANNEQUIN"
        if not self.properties.is_property_set("stand_aside"):
            self.stand_aside = True
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        """Make the motion and the figure."""
        rate = self.rate or scope.scene_rate(context)
        if rate < _LOWEST_RATE:
            needed = "The sample motion needs {lowest} samples a second or more, not {rate}"
            self.report({"ERROR"}, report_text(needed, lowest=_LOWEST_RATE, rate=f"{rate:g}"))
            return {"CANCELLED"}
        reason = rigify_figure.why_not(context) if self.character == "RIGIFY" else None
        if reason:
            self.report({"ERROR"}, reason)
            return {"CANCELLED"}
        armature = self._add(context, rate)
        if self.stand_aside:
            mannequin.stand_aside(context, armature)
        ends = action_io.key_ends(armature)
        length = int(ends[1]) if ends else 0
        if self.fit_scene:
            context.scene.frame_end = max(context.scene.frame_end, length)
        counts = {"frames": length, "bones": len(armature.data.bones)}
        self.report({"INFO"}, report_text("Loaded {frames} frames on {bones} bones", **counts))
        return {"FINISHED"}

    def _add(self, context: Context, rate: float) -> Object:
        """The figure of the chosen kind with the motion, active."""
        armature = new_armature.add_armature(context, core.sample_motion.sample_motion(rate=rate), name="Sample")
        settings = scope.own_action(armature).motion_editing
        settings.examined, settings.source_rate_reason = True, "Made at this rate"
        if self.character == "RIGIFY":
            return rigify_figure.add_performer(context, armature)
        if self.character == "MANNEQUIN":
            mannequin.dress_sample(context, armature)
        armature.show_in_front = True
        return armature


class MOTIONEDIT_OT_guess_source_rate(LongWorkOperator, NeedsClip, Operator):
    """Estimate the source rate from the motion"""

    bl_idname = "motion_editing.guess_source_rate"
    bl_label = "Guess Source Rate"
    bl_options = {"REGISTER", "UNDO"}

    def work(self, context: Context) -> Steps[None]:
        """Look at the motion, then set the rate and the number of reference frames."""
        armature = scope.armatures(context)[0]
        clip = scope.read_clip(context, armature, choice="ALL")
        if any(action_io.baked_bones(clip).values()):
            positions = yield from joint_positions.sample_in_steps(context, clip)
            found = judge(clip, positions)
            self.report({"WARNING"} if found.contradicts else {"INFO"}, found.text)
        else:
            settings = scope.own_action(armature).motion_editing
            settings.source_rate, settings.source_rate_reason = 0.0, ""
            self.report({"INFO"}, "Keyed by hand: the scene's own frame rate holds")


class MOTIONEDIT_OT_restore_original(NeedsClip, Operator):
    """Restore the keys from before the first edit"""

    bl_idname = "motion_editing.restore_original"
    bl_label = "Restore Original"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def why_not(cls, context: Context) -> str | None:
        """Needs an action that was edited before."""
        reason = scope.why_not(context)
        if reason is None and scope.own_action(scope.known_object(context)).motion_editing.original is None:
            return "This action has not been edited by Motion Editing"
        return reason

    def execute(self, context: Context) -> set[str]:
        """Give every action its saved keys again; their other users follow."""
        armature = scope.known_object(context)
        restored: list[Action] = []
        with transaction.edit(armature):
            for owner in (armature, *action_io.further_owners(armature)):
                action = owner.animation_data.action if owner.animation_data else None
                original = action.motion_editing.original if action and action.is_editable else None
                if action and original is not None and action_io.restore_keys(owner, original):
                    restored.append(action)
        own = scope.own_action(armature)
        if own in restored:
            _restore_rate(own)
            original_keys.tell(armature, own.motion_editing.original)
        for action in dict.fromkeys(restored):
            original, action.motion_editing.original = action.motion_editing.original, None
            bpy.data.actions.remove(original)
        armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
        self.report({"INFO"}, report_text("Brought back the original keys of '{action}'", action=own.name))
        return {"FINISHED"}


def _restore_rate(action: Action) -> None:
    """An action that was conformed to another rate has its own again; before anything that counts seconds."""
    settings, saved = action.motion_editing, action.motion_editing.original.motion_editing
    if settings.source_rate_reason == CONFORMED:
        settings.source_rate, settings.source_rate_reason = saved.source_rate, saved.source_rate_reason


class MOTIONEDIT_OT_make_action_local(Operator):
    """Make linked actions local, so that tools can change them"""

    bl_idname = "motion_editing.make_action_local"
    bl_label = "Make Action Local"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs a linked action on an object of this file, or on a library override."""
        chosen = scope.armatures(context, any_object=True)
        reason = None
        if not chosen:
            reason = "Select an animated object"
        elif not chosen[0].is_editable:
            reason = refusals.why_linked(chosen[0])
        elif not any(map(linked_actions, chosen)):
            reason = "No action is linked from another file"
        if reason:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: Context) -> set[str]:
        """Blender puts the local action in the place of the linked one, for all objects of this file."""
        chosen = [each for each in scope.armatures(context, any_object=True) if each.is_editable]
        linked = dict.fromkeys(action for each in chosen for action in linked_actions(each))
        names = [action.make_local().name for action in linked]
        self.report({"INFO"}, report_text("Now of this file: {actions}", actions=", ".join(names)))
        return {"FINISHED"}
