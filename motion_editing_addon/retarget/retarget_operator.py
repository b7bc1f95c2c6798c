"""Retarget Motion: another armature's motion becomes a new action of this one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty
from bpy.types import Operator

from ...core.errors import MotionEditError
from ..border.hidden_objects import is_deleted
from ..border.key_options import AUTOMATIC, EVERY_FRAME, REDUCED
from ..document import scope
from ..document.take.examination import tell_once
from ..document.transaction import edit
from ..interface.operators.operator import MotionEditOperator
from ..interface.operators.polls import NeedsArmature
from ..interface.shared_options import PARTNER
from . import choices
from .options_layout import draw_choices
from .settings import keep_with_override, sources_for

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object, PropertyGroup, UILayout

    from ...core.motion import Motion
    from ..border.key_options import KeyOptions
    from ..border.steps import Steps
    from .retargeted_motion import Cast, Made
    from .source import Source


def _found_sources(_operator: Operator, context: Context, _text: str) -> list[str]:
    """What the field of the source offers."""
    return sources_for(scope.armatures(context)[0])


def _found_partners(_operator: Operator, context: Context, _text: str) -> list[str]:
    """What the field of the partner offers: all other armatures."""
    target = scope.armatures(context)[0]
    return [thing.name for thing in bpy.data.objects if scope.is_armature(thing) and thing != target]


class MOTIONEDIT_OT_retarget_motion(choices.RetargetChoices, NeedsArmature, MotionEditOperator, Operator):
    """Copy the motion of another armature to this one as a new action"""

    bl_idname = "motion_editing.retarget_motion"
    bl_label = "Retarget Motion"

    source: StringProperty(
        name="Source",
        description="Armature to take the motion from; the panel's choice if empty",
        search=_found_sources,
    )
    source_action: StringProperty(
        name="Source Action", description="Action to take; the one that the source plays if empty"
    )
    target: StringProperty(
        name="Target",
        description="Armature that gets the motion; the active one if empty",
    )
    mapping_file: StringProperty(
        name="Mapping File",
        description="Saved mapping; the panel's list or a proposed one if empty",
        subtype="FILE_PATH",
    )
    action_name: StringProperty(name="Name", description="Name of the new action; automatic if empty")
    partner: StringProperty(**PARTNER, search=_found_partners)
    partner_source: StringProperty(
        name="Partner's Source",
        description="Source armature of the partner; the panel's choice if empty",
    )
    # There is nothing shared to ask about: the result is a new action.
    if_shared: StringProperty(options={"HIDDEN"})

    def changes_others(self, _context: Context) -> bool:
        """Nobody else has the new action."""
        return False

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Take what the panel shows; without a source ask for it first."""
        target = scope.armatures(context)[0]
        self._take_from_panel(target.motion_editing_retarget)
        if not (self.source or self.source_action or self.target):
            self.source = _chosen(target)
        if not (self.source or self.source_action or self.target):
            return self._ask_for_source(context, target)
        return super().invoke(context, event)

    def _ask_for_source(self, context: Context, target: Object) -> set[str]:
        candidates = sources_for(target)
        if not candidates:
            self.report(
                {"ERROR"},
                f"No other armature has an action that '{target.name}' could get: import one,"
                " or select the armature that is to get a motion",
            )
            return {"CANCELLED"}
        if len(candidates) == 1:
            self.source = candidates[0]
        return context.window_manager.invoke_props_dialog(self, title=self.bl_label)

    def _take_from_panel(self, settings: PropertyGroup) -> None:
        """What the tool was not told is as in the panel; names from the last time do not count."""
        shown = {name: getattr(settings, name) for name in choices.NAMES}
        shown |= dict.fromkeys(
            ("source", "source_action", "target", "mapping_file", "action_name", "partner_source"), ""
        )
        shown["partner"] = settings.partner.name if settings.partner else ""
        for name, value in shown.items():
            if not self.properties.is_property_set(name):
                setattr(self, name, value)

    def work(self, context: Context) -> Steps[None]:
        """Read, retarget and write; nothing changes before the end."""
        from .retargeted_motion import make, make_together

        armature = self._target(context)
        name = self._source_name(context, armature)
        cast = yield from self._cast(context, armature, name, self.source_action, self.mapping_file)
        yield 0.4
        if not self.partner:
            made = [(cast, make(cast, self))]
        else:
            other = self._partner(armature)
            second = yield from self._cast(context, other, self._partner_source(other), "", "")
            made = list(zip((cast, second), make_together((cast, second), self), strict=True))
        whole = []
        for each, result in made:
            whole.append((yield from each.target.own_channels(result.result.motion, each.mapping.source_of)))
        with edit(*(each.target.armature for each, _result in made)):
            for (each, result), motion in zip(made, whole, strict=True):
                self._give(each, result, motion, self.action_name if each is cast else "")

    def _target(self, context: Context) -> Object:
        return self._object(self.target, "target") if self.target else scope.armatures(context)[0]

    def _object(self, name: str, role: str) -> Object:
        found = bpy.data.objects.get(name)
        if not scope.is_armature(found):
            raise MotionEditError(f"There is no armature '{name}': choose another {role}")
        return found

    def _source_name(self, context: Context, target: Object) -> str:
        if self.source or self.source_action:
            return self.source
        active = scope.armatures(context)[0]
        return active.name if active != target else _chosen(target)

    def _partner(self, target: Object) -> Object:
        other = self._object(self.partner, "partner")
        if other == target:
            raise MotionEditError(f"'{target.name}' is partner and target at once: choose another partner")
        return other

    def _partner_source(self, partner: Object) -> str:
        name = self.partner_source or _chosen(partner)
        if not name:
            raise MotionEditError(f"The partner '{partner.name}' has no source: choose one in its own panel")
        return name

    def _cast(self, context: Context, armature: Object, source: str, action: str, file: str) -> Steps[Cast]:
        """Read one character and find which bones correspond."""
        from ..document.take.other_action import playing
        from . import pairs
        from .retargeted_motion import Cast
        from .source import read_source, source_named
        from .target import Target, refuse_protected

        refuse_protected(armature)
        # Partners are together in the scene, wherever their objects stand.
        in_scene = self.space == "SCENE" or bool(self.partner)
        player, played = source_named(source, action, armature)
        with playing(player, played):
            tell_once(self, context, player)
        read = yield from read_source(context, player, played, choice=self.range, in_scene=in_scene)
        target = Target.of(armature, in_scene=in_scene)
        skeletons = read.motion.skeleton, target.skeleton
        if file:
            saved = pairs.saved_mapping(Path(bpy.path.abspath(file)))
            return Cast(read, target, target.shown_by_controls(pairs.fitting(saved, *skeletons)[0]))
        listed = pairs.listed(armature.motion_editing_retarget, *skeletons)
        mapping = target.shown_by_controls(listed or pairs.proposed(read.body, target.body))
        return Cast(read, target, mapping, proposed=listed is None)

    def _give(self, cast: Cast, made: Made, motion: Motion, name: str) -> None:
        """Write a result and say what came of it."""
        from ..document.contacts.saved_contacts import save_contacts
        from .pairs import list_mapping
        from .reports import is_worrying, keep_report, keep_slide, report_text
        from .target import give_action

        armature, source = cast.target.armature, cast.source
        name = name or f"{source.name} {armature.name}"
        options = self._keys(source)
        action = give_action(cast.target, motion, source.clip, name=name, options=options)
        settings = armature.motion_editing_retarget
        keep_with_override(armature)
        settings.source = source.clip.armature
        if cast.proposed:
            list_mapping(settings, cast.mapping, cast.target.skeleton)
        contacts = cast.contacts_of(made)
        if contacts is not None:
            save_contacts(armature, contacts, source.motion.rate)
        keep_report(settings.report, made, cast.mapping, action.name, has_feet=bool(cast.target.body.feet))
        keep_slide(settings.report, armature, held=bool(made.result.report.contacts.joints))
        worrying = is_worrying(settings.report) or cast.target.remark
        self.report({"WARNING"} if worrying else {"INFO"}, report_text(settings.report) + cast.target.remark)

    def _keys(self, source: Source) -> KeyOptions:
        """Automatic: on every frame where the source is baked, few where its keys are sparse."""
        from ..border.action_io import baked_bones

        options = self.key_options()
        if options.keys != AUTOMATIC:
            return options
        baked = any(baked_bones(source.clip).values())
        return replace(options, keys=EVERY_FRAME if baked else REDUCED)

    def draw_own(self, layout: UILayout) -> None:
        """Source, place and options."""
        layout.prop(self, "source", icon="ARMATURE_DATA")
        layout.prop_search(self, "source_action", bpy.data, "actions")
        layout.prop(self, "partner", icon="ARMATURE_DATA")
        source = bpy.data.objects.get(self.source)
        draw_choices(layout, self, source, with_partner=bool(self.partner))

    def draw(self, _context: Context) -> None:
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


def _chosen(target: Object) -> str:
    """Name of the source that a target's panel shows."""
    source = target.motion_editing_retarget.source
    return "" if source is None or is_deleted(source) else source.name


classes = (MOTIONEDIT_OT_retarget_motion,)
