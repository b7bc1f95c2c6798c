"""Retarget Motion: another armature's motion becomes a new action of this one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Operator

from .. import scope
from ..operator import MotionEditOperator
from ..polls import NeedsArmature

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object, UILayout

    from ...core.retargeting import JointMapping, Retargeted, RetargetOptions
    from ..key_options import KeyOptions
    from ..steps import Steps
    from .source import Source
    from .target import Target


class MOTIONEDIT_OT_retarget_motion(MotionEditOperator, Operator):
    """Put the motion of another armature on this one: feet stand, the way fits its legs; the result is a new action."""

    bl_idname = "motion_editing.retarget_motion"
    bl_label = "Retarget Motion"
    verb = "Retargeted"

    source: StringProperty(
        name="Source", description="Armature that the motion is taken from. Empty takes the one chosen in the panel"
    )
    source_action: StringProperty(
        name="Source Action", description="Action to take. Empty takes what the source plays now"
    )
    target: StringProperty(
        name="Target",
        description="Armature that gets the motion. Empty takes the active one; with a target and no source,"
        " the active one is the source",
    )
    mapping_file: StringProperty(
        name="Mapping File",
        description="Saved mapping of the bones. Empty takes the list in the panel, or proposes one",
        subtype="FILE_PATH",
    )
    action_name: StringProperty(
        name="Name", description="Name of the new action. Empty names it after source action and target"
    )
    space: EnumProperty(
        name="Place",
        description="Where the target moves",
        items=(
            ("OBJECT", "From Its Object", "As the source moves beside its own object, wherever the target's stands"),
            ("SCENE", "In the Scene", "Where the source moves in the scene, scaled from the scene's origin"),
        ),
        default="OBJECT",
    )
    keep_contacts: BoolProperty(
        name="Keep Contacts",
        description="Let feet and hands that stand still in the source stand still again:"
        " contacts marked in its action, or found in its motion",
        default=True,
    )
    way: EnumProperty(
        name="Way",
        description="How far the target travels",
        items=(
            ("LEGS", "Scaled with Legs", "Steps are as long for its legs as the source's are"),
            ("KEPT", "As the Source", "As far as the source; steps become longer or shorter"),
            ("CHOSEN", "Chosen", "Times a factor of your own"),
        ),
        default="LEGS",
    )
    way_scale: FloatProperty(
        name="Factor", description="On the way along the ground", default=1.0, min=0.0, soft_max=3.0
    )
    lowering: FloatProperty(
        name="Lowering",
        description="How far the root may go down so that legs reach their contacts, in body heights",
        default=0.2,
        min=0.0,
        max=1.0,
    )
    fade: FloatProperty(
        name="Fade",
        description="Seconds beside a contact over which its correction dies away",
        default=0.1,
        min=0.0,
        soft_max=1.0,
        unit="TIME_ABSOLUTE",
    )
    size: FloatProperty(
        name="Size", description="Of the target, over its own, at the start", default=1.0, min=0.01, soft_max=3.0
    )
    size_end: FloatProperty(
        name="Size at End",
        description="Of the target at the end, if it grows or shrinks; 0 keeps its size",
        default=0.0,
        min=0.0,
        soft_max=3.0,
    )
    if_shared: StringProperty(options={"HIDDEN"})

    poll = NeedsArmature.__dict__["poll"]

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Without a source ask for it first."""
        target = scope.armatures(context)[0]
        if not (self.source or self.source_action or target.motion_editing_retarget.source):
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        return super(MotionEditOperator, self).invoke(context, event)

    def work(self, context: Context) -> Steps[None]:
        """Read, retarget and write; nothing changes before the end."""
        from .source import read_source, source_named
        from .target import Target, give_action, refuse_protected

        armature = self._target(context)
        refuse_protected(armature)
        player, action = source_named(self._source_name(context, armature), self.source_action, armature)
        in_scene = self.space == "SCENE"
        source = yield from read_source(context, player, action, choice=self.range, in_scene=in_scene)
        yield 0.4
        target = Target.of(armature, in_scene=in_scene)
        mapping = self._mapping(armature, source, target)
        result = self._retargeted(source, target, mapping)
        yield 0.9
        name = self.action_name or f"{action.name} {armature.name}"
        made = give_action(target, result.motion, source.clip, name=name, options=self._keys(source))
        self._remember(armature, player, mapping)
        self._tell(result, made.name, mapping)

    def _target(self, context: Context) -> Object:
        from ...core.errors import MotionEditError

        if not self.target:
            return scope.armatures(context)[0]
        found = bpy.data.objects.get(self.target)
        if not scope.is_armature(found):
            raise MotionEditError(f"There is no armature '{self.target}': choose another target")
        return found

    def _source_name(self, context: Context, target: Object) -> str:
        if self.source or self.source_action:
            return self.source
        active = scope.armatures(context)[0]
        if active != target:
            return active.name
        chosen = target.motion_editing_retarget.source
        return "" if chosen is None else chosen.name

    def _mapping(self, armature: Object, source: Source, target: Target) -> JointMapping:
        from . import pairs

        if self.mapping_file:
            path = Path(bpy.path.abspath(self.mapping_file))
            return pairs.read_mapping(path, source.motion.skeleton, target.skeleton)
        saved = pairs.listed(armature.motion_editing_retarget, source.motion.skeleton, target.skeleton)
        return saved or pairs.proposed(source.body, target.body)

    def _retargeted(self, source: Source, target: Target, mapping: JointMapping) -> Retargeted:
        from ...core.contacts import ContactSpans
        from ...core.retargeting import retarget

        return retarget(
            source.motion,
            target.skeleton,
            mapping,
            source_body=source.body,
            target_body=target.body,
            contacts=source.contacts if self.keep_contacts else ContactSpans(),
            options=self._options(len(source.motion)),
        )

    def _options(self, frames: int) -> RetargetOptions:
        import numpy as np

        from ...core.retargeting import RetargetOptions

        return RetargetOptions(
            scale_root=self.way != "KEPT",
            way_scale=self.way_scale if self.way == "CHOSEN" else None,
            size=np.linspace(self.size, self.size_end or self.size, frames),
            lowering=self.lowering,
            fade=self.fade,
        )

    def _keys(self, source: Source) -> KeyOptions:
        """Automatic: on every frame where the source is baked, few where its keys are sparse."""
        from dataclasses import replace

        from ..action_io import baked_bones
        from ..key_options import AUTOMATIC, EVERY_FRAME, REDUCED

        options = self.key_options()
        if options.keys != AUTOMATIC:
            return options
        baked = any(baked_bones(source.clip).values())
        return replace(options, keys=EVERY_FRAME if baked else REDUCED)

    def _remember(self, armature: Object, source: Object, mapping: JointMapping) -> None:
        from .pairs import list_mapping

        settings = armature.motion_editing_retarget
        settings.source = source
        list_mapping(settings, mapping)

    def _tell(self, result: Retargeted, name: str, mapping: JointMapping) -> None:
        report = result.report
        bones = sum(1 for pair in mapping.pairs if pair.target)
        text = f"Retargeted {bones} bones over {len(result.motion)} frames to '{name}'"
        if report.leg_length > 0.0:
            text += f"; feet slide {report.slide:.2g} ({report.slide / report.leg_length:.1%} of the leg)"
        lacking = [name for name in report.unmatched_source if name], [name for name in report.unmatched_target if name]
        if any(lacking):
            text += f"; without a partner: {len(lacking[0])} bones of the source, {len(lacking[1])} of the target"
        self.report({"WARNING"} if report.missed or report.missed_distances else {"INFO"}, text)

    def draw_own(self, layout: UILayout) -> None:
        """Source, place and options."""
        layout.prop_search(self, "source", bpy.data, "objects", icon="ARMATURE_DATA")
        layout.prop_search(self, "source_action", bpy.data, "actions")
        names = ["space", "keep_contacts", "way", *(["way_scale"] if self.way == "CHOSEN" else [])]
        for name in (*names, "lowering", "fade", "size", "size_end"):
            layout.prop(self, name)

    def draw(self, context: Context) -> None:
        """The tool's own properties first, then range and keys."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.draw_own(layout)
        layout.prop(self, "range")
        layout.prop(self, "keying")
        if self.keying == "REDUCED":
            layout.prop(self, "rotation_error")
            layout.prop(self, "location_error")


def draw_menu(layout: UILayout) -> None:
    """Entry in the menu of all tools."""
    layout.operator("motion_editing.retarget_motion")


classes = (MOTIONEDIT_OT_retarget_motion,)
