"""Running Retarget Motion: sources are read, played by their targets, and written as new actions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...core.analysis.contacts import ContactSpans
from ...core.errors import MotionEditError
from ...core.retarget import Casting
from ..border.action_io import baked_bones
from ..border.key_options import AUTOMATIC, EVERY_FRAME, REDUCED
from ..document import scope
from ..document.contacts.saved_contacts import save_contacts
from ..document.stack import recorder
from ..document.take.examination import tell_once
from ..document.take.other_action import playing
from ..document.transaction import edit
from ..interface.operators.take_run import TakeRun
from . import pairs
from .reports import is_worrying, keep_report, keep_slide, result_text
from .settings import chosen_source, keep_with_override
from .source import read_source, source_named
from .target import Target, give_action, refuse_protected

if TYPE_CHECKING:
    from bpy.types import Context, Object

    from ...core.motion import Motion
    from ...core.retarget import JointMapping, Retargeted, RetargetMotion
    from ..border.key_options import KeyOptions
    from ..border.steps import Steps
    from .source import Source


@dataclass(frozen=True, eq=False)
class Cast:
    """Who plays what.

    Attributes:
        source: Whose motion is taken.
        target: Who gets it.
        mapping: Which of their bones correspond.
        proposed: Nobody has seen the mapping yet.
    """

    source: Source
    target: Target
    mapping: JointMapping
    proposed: bool = False

    def casting(self, tool: RetargetMotion) -> Casting:
        """The same without Blender."""
        source, target, armature = self.source, self.target, self.source.clip.armature
        start, end = (scope.from_scene(armature, frame) for frame in (tool.carry_start, tool.carry_end))
        return Casting(
            armature.name,
            source.motion,
            source.body,
            target.skeleton,
            target.body,
            self.mapping,
            contacts=source.contacts,
            target_pose=target.standing_pose(tool.stands),
            carried=(start / source.motion.rate, end / source.motion.rate),
        )

    def contacts_of(self, made: Retargeted) -> ContactSpans | None:
        """What of the target stands and when, to be listed with its action; None if that is to be found in it.

        Contacts that are marked in the source go along; those that were found there, if they were held.
        """
        marked, partner = self.source.contacts, self.mapping.target_of
        if marked is not None:
            found = ContactSpans({partner[name]: marked.of(name) for name in marked.joints if name in partner})
            return self.target.on_bones(found)
        held = made.report.contacts
        return self.target.on_bones(held) if any(map(held.of, held.joints)) else None


class RetargetRun(TakeRun):
    """One call of Retarget Motion."""

    def work(self, context: Context) -> Steps[None]:
        """Read, retarget and write; nothing changes before the end."""
        operator, tool = self.operator, self.operator.present_tool()
        armature = self._target(context)
        name = self._source_name(context, armature)
        cast = yield from self._cast(context, armature, name, operator.source_action, operator.mapping_file)
        yield 0.4
        if not operator.partner:
            made = [(cast, tool.apply(cast.casting(tool)))]
        else:
            other = self._partner(armature)
            second = yield from self._cast(context, other, self._partner_source(other), "", "")
            castings = (each.casting(tool) for each in _in_step((cast, second)))
            made = list(zip((cast, second), tool.apply_together(*castings), strict=True))
        yield 0.6
        whole = [each.target.own_channels(result.motion, tool.limbs) for each, result in made]
        with edit(*(each.target.armature for each, _result in made)):
            for (each, result), motion in zip(made, whole, strict=True):
                self._give(each, result, motion, operator.action_name if each is cast else "")
                self._begin_stack(context, each, "" if each is cast else armature.name)

    def _target(self, context: Context) -> Object:
        return _armature(self.operator.target, "target") if self.operator.target else scope.armatures(context)[0]

    def _source_name(self, context: Context, target: Object) -> str:
        if self.operator.source or self.operator.source_action:
            return str(self.operator.source)
        active = scope.armatures(context)[0]
        return active.name if active != target else chosen_source(target)

    def _partner(self, target: Object) -> Object:
        other = _armature(self.operator.partner, "partner")
        if other == target:
            raise MotionEditError(f"'{target.name}' is partner and target at once: choose another partner")
        return other

    def _partner_source(self, partner: Object) -> str:
        name = self.operator.partner_source or chosen_source(partner)
        if not name:
            raise MotionEditError(f"The partner '{partner.name}' has no source: choose one in its own panel")
        return name

    def _cast(self, context: Context, armature: Object, source: str, action: str, file: str) -> Steps[Cast]:
        """Read one character and find which bones correspond."""
        refuse_protected(armature)
        # Partners are together in the scene, wherever their objects stand.
        in_scene = self.operator.space == "SCENE" or bool(self.operator.partner)
        player, played = source_named(source, action, armature)
        with playing(player, played):
            tell_once(self.operator, context, player)
        read = yield from read_source(context, player, played, choice=self.operator.range, in_scene=in_scene)
        target = Target.of(armature, in_scene=in_scene)
        skeletons = read.motion.skeleton, target.skeleton
        if file:
            saved = pairs.saved_mapping(Path(bpy.path.abspath(file)))
            return Cast(read, target, target.shown_by_controls(pairs.fitting(saved, *skeletons)[0]))
        listed = pairs.listed(armature.motion_editing_retarget, *skeletons)
        mapping = target.shown_by_controls(listed or pairs.proposed(read.body, target.body))
        return Cast(read, target, mapping, proposed=listed is None)

    def _give(self, cast: Cast, made: Retargeted, motion: Motion, name: str) -> None:
        """Write a result and say what came of it."""
        armature, source = cast.target.armature, cast.source
        name = name or f"{source.name} {armature.name}"
        options = self._keys(source)
        switches = cast.target.switches(self.operator.limbs)
        action = give_action(cast.target, motion, source.clip, name=name, options=options, switches=switches)
        settings = armature.motion_editing_retarget
        keep_with_override(armature)
        settings.source = source.clip.armature
        if cast.proposed:
            pairs.list_mapping(settings, cast.mapping, cast.target.skeleton)
        contacts = cast.contacts_of(made)
        if contacts is not None:
            save_contacts(armature, contacts, source.motion.rate)
        keep_report(settings.report, made, cast.mapping, action.name, has_feet=bool(cast.target.body.feet))
        keep_slide(settings.report, armature, held=bool(made.report.contacts.joints))
        worrying = is_worrying(settings.report) or cast.target.remark
        self.operator.report({"WARNING"} if worrying else {"INFO"}, result_text(settings.report) + cast.target.remark)

    def _begin_stack(self, context: Context, cast: Cast, leader: str) -> None:
        """The new action can be made anew from its source; one of a partner with that of the other character."""
        source, own = cast.source.clip.armature, cast.target.armature
        values = {"source": source.name, "target": own.name, "partner": leader or self.operator.partner}
        recorder.begin(context, self.operator, own, **values)

    def _keys(self, source: Source) -> KeyOptions:
        """Automatic: on every frame where the source is baked, few where its keys are sparse."""
        options = self.operator.key_options()
        if options.keys != AUTOMATIC:
            return options
        baked = any(baked_bones(source.clip).values())
        return replace(options, keys=EVERY_FRAME if baked else REDUCED)


def _armature(name: str, role: str) -> Object:
    found = bpy.data.objects.get(name)
    if found is None or not scope.is_armature(found):
        raise MotionEditError(f"There is no armature '{name}': choose another {role}")
    return found


def _in_step(casts: tuple[Cast, Cast]) -> tuple[Cast, Cast]:
    """Both cut to the frames that they share."""
    motions = [cast.source.motion for cast in casts]
    if motions[0].rate != motions[1].rate:
        raise MotionEditError(
            f"The sources run at {motions[0].rate:g} and {motions[1].rate:g} samples a second: give them one rate"
        )
    frames = [np.round(cast.source.clip.frames, 3) for cast in casts]
    shared = np.intersect1d(frames[0], frames[1])
    if not shared.size:
        raise MotionEditError("The motions of the two sources have no frames in common: move one of them in time")
    one, other = (_cut(cast, np.isin(own, shared)) for cast, own in zip(casts, frames, strict=True))
    return one, other


def _cut(cast: Cast, kept: np.ndarray) -> Cast:
    if kept.all():
        return cast
    first, last = np.flatnonzero(kept)[[0, -1]]
    source = cast.source
    clip = replace(source.clip, frames=source.clip.frames[first : last + 1])
    return replace(cast, source=replace(source, clip=clip, motion=source.motion.part(first, last + 1)))
