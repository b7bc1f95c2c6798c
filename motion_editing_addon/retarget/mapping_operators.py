"""Which bones correspond: proposed, corrected, mirrored, saved to files and loaded from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Operator
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...core.errors import MotionEditError
from ...core.wording import counted
from ..document import scope
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsArmature
from ..interface.reports import guarded
from ..interface.shared_options import ALL_OF_THEM, CHOSEN_BONE
from .settings import bones_of_source, empty_list

if TYPE_CHECKING:
    from bpy.types import Context, Event, PropertyGroup

    from ..border.steps import Steps

_ONLY_NOW = {"SKIP_SAVE"}


def settings_of(context: Context) -> PropertyGroup:
    """What the target keeps."""
    return scope.armatures(context)[0].motion_editing_retarget


class NeedsSource(NeedsArmature):
    """Mixin of operators that need a target with a source."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature whose source is chosen."""
        if not super().poll(context):
            return False
        if settings_of(context).source is None:
            cls.poll_message_set("Choose the source that the motion is taken from")
            return False
        return True


class NeedsList(NeedsArmature):
    """Mixin of operators that need a mapping in the list."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Needs an armature with a list."""
        if not super().poll(context):
            return False
        if not len(settings_of(context).pairs):
            cls.poll_message_set("Propose a mapping first")
            return False
        return True


class MOTIONEDIT_OT_propose_mapping(LongWorkOperator, NeedsSource, Operator):
    """Map bones to those of the source by body parts and names"""

    bl_idname = "motion_editing.propose_mapping"
    bl_label = "Propose Mapping"
    bl_options = {"REGISTER", "UNDO"}

    keep_chosen: BoolProperty(name="Keep Chosen", description="Keep pairs that were set by hand", default=True)

    def work(self, context: Context) -> Steps[None]:
        """Look at both characters and list who follows whom."""
        from .pairs import cleared_bones, list_mapping, proposed, with_chosen_kept
        from .source import read_source, source_named
        from .target import Target

        armature = scope.armatures(context)[0]
        settings = armature.motion_editing_retarget
        player, action = source_named(settings.source.name, "", armature)
        source = yield from read_source(context, player, action, choice="ACTION", in_scene=False)
        target = Target.of(armature, in_scene=False)
        mapping = target.shown_by_controls(proposed(source.body, target.body))
        cleared = cleared_bones(settings) if self.keep_chosen else ()
        if self.keep_chosen:
            mapping = with_chosen_kept(mapping, settings)
        list_mapping(settings, mapping, target.skeleton, cleared=cleared)
        lacking = sum(1 for pair in settings.pairs if not pair.source)
        self.report({"INFO"}, f"Paired {counted(len(settings.pairs) - lacking, 'bone')}, {lacking} without a partner")


class MOTIONEDIT_OT_clear_mapping(NeedsList, Operator):
    """Clear the source bone of the active pair"""

    bl_idname = "motion_editing.clear_mapping"
    bl_label = "Clear Pair"
    bl_options = {"REGISTER", "UNDO"}

    bone: StringProperty(**CHOSEN_BONE, options=_ONLY_NOW)
    everything: BoolProperty(**ALL_OF_THEM, options=_ONLY_NOW)

    def execute(self, context: Context) -> set[str]:
        """Clear one pair, or the list."""
        return guarded(self, lambda: self._clear(settings_of(context)))

    def _clear(self, settings: PropertyGroup) -> str:
        if self.everything:
            count = len(settings.pairs)
            empty_list(settings)
            return f"Removed the list of {counted(count, 'bone')}"
        active = settings.pairs[settings.active] if 0 <= settings.active < len(settings.pairs) else None
        pair = next((each for each in settings.pairs if each.bone == self.bone), None) if self.bone else active
        if pair is None:
            raise MotionEditError(f"The list has no bone '{self.bone}'")
        pair.source = ""
        return f"'{pair.bone}' follows nothing"


class MOTIONEDIT_OT_set_pair(NeedsList, Operator):
    """Map a target bone to a source bone"""

    bl_idname = "motion_editing.set_pair"
    bl_label = "Set Pair"
    bl_options = {"REGISTER", "UNDO"}

    bone: StringProperty(**CHOSEN_BONE)
    source_bone: StringProperty(name="Source Bone", description="Bone of the source; none if empty")

    def execute(self, context: Context) -> set[str]:
        """Set one pair."""
        return guarded(self, lambda: self._set(settings_of(context)))

    def _set(self, settings: PropertyGroup) -> str:
        name = self.bone or settings.pairs[settings.active].bone
        pair = next((each for each in settings.pairs if each.bone == name), None)
        if pair is None:
            raise MotionEditError(f"The list has no bone '{name}'")
        if self.source_bone and self.source_bone not in bones_of_source(settings):
            raise MotionEditError(f"The source has no bone '{self.source_bone}'")
        pair.source = self.source_bone
        return f"'{name}' follows '{self.source_bone}'" if self.source_bone else f"'{name}' follows nothing"


class MOTIONEDIT_OT_mirror_mapping(NeedsList, Operator):
    """Copy pairs set by hand to the other side"""

    bl_idname = "motion_editing.mirror_mapping"
    bl_label = "Mirror Chosen Pairs"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Mirror the chosen pairs."""
        from .pairs import mirror_chosen

        settings = settings_of(context)
        count = mirror_chosen(settings, bones_of_source(settings))
        text = f"Mirrored {counted(count, 'pair')}" if count else "There is no chosen pair to mirror"
        self.report({"INFO"}, text)
        return {"FINISHED"}


class MOTIONEDIT_OT_save_mapping(ExportHelper, NeedsList, Operator):
    """Save the mapping to a file, for other armatures and recipes"""

    bl_idname = "motion_editing.save_mapping"
    bl_label = "Save Mapping"

    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask for a file; it is named after both armatures."""
        if not self.filepath:
            settings = settings_of(context)
            names = [thing.name for thing in (settings.source, settings.id_data) if thing is not None]
            self.filepath = bpy.path.clean_name(" to ".join(names)) + self.filename_ext
        return super().invoke(context, event)

    def execute(self, context: Context) -> set[str]:
        """Write the file."""
        return guarded(self, lambda: self._save(context))

    def _save(self, context: Context) -> str:
        from .pairs import listed_alone, write_mapping

        mapping = listed_alone(settings_of(context))
        write_mapping(Path(bpy.path.abspath(self.filepath)), mapping)
        return f"Wrote {counted(len(mapping.pairs), 'pair')} to {self.filepath}"


class MOTIONEDIT_OT_load_mapping(ImportHelper, NeedsSource, Operator):
    """Load the mapping from a file; missing bones are skipped"""

    bl_idname = "motion_editing.load_mapping"
    bl_label = "Load Mapping"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context: Context) -> set[str]:
        """Read the file."""
        return guarded(self, lambda: self._load(context))

    def _load(self, context: Context) -> str:
        from .pairs import fitting, list_mapping, saved_mapping
        from .rig.shown_bones import figure_of

        armature = scope.armatures(context)[0]
        settings = armature.motion_editing_retarget
        saved = saved_mapping(Path(bpy.path.abspath(self.filepath)))
        target = figure_of(armature)
        mapping, dropped = fitting(saved, figure_of(settings.source), target)
        list_mapping(settings, mapping, target)
        left_out = f", {dropped} left out: their bones are not there" if dropped else ""
        return f"Loaded {counted(len(mapping.pairs) - 1, 'pair')}{left_out}"


classes = (
    MOTIONEDIT_OT_propose_mapping,
    MOTIONEDIT_OT_set_pair,
    MOTIONEDIT_OT_clear_mapping,
    MOTIONEDIT_OT_mirror_mapping,
    MOTIONEDIT_OT_save_mapping,
    MOTIONEDIT_OT_load_mapping,
)
