"""Which bones correspond: proposed, corrected, mirrored, saved to files and loaded from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Operator
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ...core.errors import MotionEditError
from ..border.translation import counted_text, label_text, report_text
from ..document import scope
from ..interface.operators.long_work import LongWorkOperator
from ..interface.operators.polls import NeedsArmature
from ..interface.reports import guarded
from ..interface.shared_options import ALL_OF_THEM, CHOSEN_BONE
from . import figure, pairs
from . import source as sources
from . import target as targets
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
            cls.poll_message_set(label_text("Choose the source that the motion is taken from"))
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
            cls.poll_message_set(label_text("Propose a mapping first"))
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
        armature = scope.armatures(context)[0]
        settings = armature.motion_editing_retarget
        player, action = sources.source_named(settings.source.name, "", armature)
        source = yield from sources.read_source(context, player, action, choice="ACTION", in_scene=False)
        target = targets.Target.of(armature, in_scene=False)
        mapping = target.shown_by_controls(pairs.proposed(source.body, target.body))
        cleared = pairs.cleared_bones(settings) if self.keep_chosen else ()
        if self.keep_chosen:
            mapping = pairs.with_chosen_kept(mapping, settings)
        pairs.list_mapping(settings, mapping, target.skeleton, cleared=cleared)
        lacking = sum(1 for pair in settings.pairs if not pair.source)
        bones = counted_text(len(settings.pairs) - lacking, "bone")
        self.report({"INFO"}, report_text("Paired {bones}, {count} without a partner", bones=bones, count=lacking))


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
            return report_text("Removed the list of {bones}", bones=counted_text(count, "bone"))
        active = settings.pairs[settings.active] if 0 <= settings.active < len(settings.pairs) else None
        pair = next((each for each in settings.pairs if each.bone == self.bone), None) if self.bone else active
        if pair is None:
            raise MotionEditError(f"The list has no bone '{self.bone}'")
        pair.source = ""
        return _follows(pair)


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
        return _follows(pair)


def _follows(pair: PropertyGroup) -> str:
    """What became of a pair."""
    text = "'{bone}' follows '{source}'" if pair.source else "'{bone}' follows nothing"
    return report_text(text, bone=pair.bone, source=pair.source)


class MOTIONEDIT_OT_mirror_mapping(NeedsList, Operator):
    """Copy pairs set by hand to the other side"""

    bl_idname = "motion_editing.mirror_mapping"
    bl_label = "Mirror Chosen Pairs"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Mirror the chosen pairs."""
        settings = settings_of(context)
        count = pairs.mirror_chosen(settings, bones_of_source(settings))
        mirrored = report_text("Mirrored {pairs}", pairs=counted_text(count, "pair"))
        self.report({"INFO"}, mirrored if count else "There is no chosen pair to mirror")
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
        mapping = pairs.listed_alone(settings_of(context))
        pairs.write_mapping(Path(bpy.path.abspath(self.filepath)), mapping)
        written = counted_text(len(mapping.pairs), "pair")
        return report_text("Wrote {pairs} to {file}", pairs=written, file=self.filepath)


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
        armature = scope.armatures(context)[0]
        settings = armature.motion_editing_retarget
        saved = pairs.saved_mapping(Path(bpy.path.abspath(self.filepath)))
        target = figure.figure_of(armature)
        mapping, dropped = pairs.fitting(saved, figure.figure_of(settings.source), target)
        pairs.list_mapping(settings, mapping, target)
        text = report_text("Loaded {pairs}", pairs=counted_text(len(mapping.pairs) - 1, "pair"))
        if dropped:
            text += report_text(", {count} left out: their bones are not there", count=dropped)
        return text
