"""What every editing operator has in common: read, edit, keep to the scope, write, report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from bpy.props import EnumProperty, FloatProperty

from ....core.wording import counted
from ...border.key_options import AUTOMATIC, KEY_CHOICES, KeyOptions
from ...document import scope
from ...document.action_users import is_shared, layered_animation, one_per_animation, original_kept, own_actions
from ..shared_options import KEYING, RANGE
from .long_work import LongWorkOperator
from .polls import NeedsClip

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Context, Event, Object

    from ....core.motion import Motion
    from ...border.action_io import Clip, Property, WriteReport
    from ...border.steps import Steps

    # Writes what was planned and says what it did.
    Carry = Callable[[], WriteReport]


# What sparse keys may miss between them, in radians or units, before it is worth a word.
_VISIBLE_MISS = 0.02


def _frames_text(reports: list[WriteReport]) -> str:
    """Over how many frames, and how many there were before if the timing is new."""
    longest = max(reports, key=lambda report: report.frames)
    if longest.frames_before and longest.frames_before != longest.frames:
        return f" from {longest.frames_before} to {counted(longest.frames, 'frame')}"
    return f" over {counted(longest.frames, 'frame')}"


class MotionEditOperator(LongWorkOperator, NeedsClip):
    """Mixin of operators that change a motion. A tool sets `verb` and implements `edit`.

    A tool that does not turn one motion into another implements `plan` instead.
    """

    bl_options = {"REGISTER", "UNDO", "PRESET"}
    verb = "Changed"
    offers_keys = True
    offers_range = True

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION")
    # Not called `keys`: that is a method of every property group.
    keying: EnumProperty(**KEYING, items=KEY_CHOICES, default=AUTOMATIC)
    rotation_error: FloatProperty(
        name="Rotation Error",
        description="Largest rotation error of a bone when keys are reduced",
        default=0.00872665,
        min=1e-5,
        soft_max=0.1,
        subtype="ANGLE",
    )
    location_error: FloatProperty(
        name="Location Error",
        description="Largest error of a location when keys are reduced",
        default=0.002,
        min=1e-6,
        soft_max=0.1,
        subtype="DISTANCE",
        precision=4,
    )
    if_shared: EnumProperty(
        name="Shared Action",
        description="What to do when other objects use the same action",
        items=(
            ("EDIT", "Edit for All", "Change the animation of every object that uses it"),
            ("COPY", "Make a Copy", "Make a copy of the action for this armature and change that"),
        ),
        default="EDIT",
    )

    def edit(self, motion: Motion, joints: np.ndarray) -> Motion:
        """The edited motion; whatever it does outside the scope is put back afterwards.

        Args:
            motion: What was read.
            joints: (J,) which joints may change.
        """
        raise NotImplementedError

    def plan(self, clip: Clip, joints: np.ndarray) -> Steps[Carry]:
        """Work out what to write, in steps; what it returns writes it. Until then nothing may change."""
        from ....core.motion import within_scope
        from ...border import action_io

        edited = within_scope(clip.motion, self.edit(clip.motion, joints), joints, scalars=clip.scalars_of(joints))
        return (yield from action_io.plan_write(clip, edited, self.key_options())).carry_out

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask first when the animation has other users."""
        if self.changes_others(context):
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        return super().invoke(context, event)

    def work(self, context: Context) -> Steps[None]:
        """Edit all armatures; one that cannot be edited is left as it is, with the reason."""
        chosen = one_per_animation(self.chosen(context))
        reports = []
        # An error on one of them leaves none changed: Blender keeps no undo step of what was not finished.
        with ExitStack() as edits:
            edits.enter_context(own_actions(chosen if self.if_shared == "COPY" else []))
            for armature, muted, carry_out in (yield from self._plan_all(context, chosen)):
                kept = edits.enter_context(original_kept(context, armature))
                reports.append(carry_out())
                kept.needed = reports[-1].bones > 0
                if not reports[-1].muted_follow:
                    reports[-1].add_muted(muted)
        self._report(reports, chosen)

    def changes_others(self, context: Context) -> bool:
        """Whether what is edited is the animation of other objects too."""
        return any(is_shared(armature) for armature in self.chosen(context))

    def _plan_all(self, context: Context, chosen: list[Object]) -> Steps[list[tuple[Object, list[Property], Carry]]]:
        """The armatures that can be edited, with what is muted and how it is written; reasons of others are told."""
        from ....core.errors import MotionEditError

        planned, failures = [], []
        for armature in chosen:
            try:
                self._examine(context, armature)
                clip = scope.read_clip(context, armature, choice=self.range)
                joints = self.joints(armature, clip)
                muted = self.muted(clip, joints)
                planned.append((armature, muted, (yield from self.plan(clip, joints))))
            except MotionEditError as error:
                failures.append(error)
        if failures and not planned:
            raise failures[0]
        for failure in failures:
            self.report({"ERROR"}, str(failure))
        return planned

    def chosen(self, context: Context) -> list[Object]:
        """The objects to edit, the active one first."""
        return scope.edited_armatures(context, any_object=self.any_object)

    def key_options(self) -> KeyOptions:
        """The operator's properties as the border to Blender takes them."""
        return KeyOptions(keys=self.keying, rotation_error=self.rotation_error, location_error=self.location_error)

    def joints(self, armature: Object, clip: Clip) -> np.ndarray:
        """(J,) joints in scope: the chosen bones; with no bone picked the object itself too."""
        import numpy as np

        names = scope.chosen_bones(armature) | (set() if scope.picked_bones(armature) else {""})
        return np.array([name in names for name in clip.motion.skeleton.names])

    def muted(self, clip: Clip, joints: np.ndarray) -> list[Property]:
        """What is left out because it is muted: of all joints in scope, as each may change."""
        return [prop for prop, _index in clip.muted_of(joints)]

    def _examine(self, context: Context, armature: Object) -> None:
        from ...document.take.examination import examine_once

        found = examine_once(context, armature)
        if found:
            self.report({"INFO"}, f"'{scope.action_of(armature).name}': {found}")

    def _report(self, reports: list[WriteReport], chosen: list[Object]) -> None:
        from ...border.action_io import misses_text

        bones = sum(r.bones for r in reports)
        if not bones:
            self.tell(f"{self.bl_label} changed nothing", reports)
            return
        before, after = sum(r.keys_before for r in reports), sum(r.keys_after for r in reports)
        text = f"{self.verb} {counted(bones, 'bone')}{_frames_text(reports)}"
        if before != after:
            text += f", {counted(before, 'key')} became {after}"
        text += self.remarks(reports)
        breakdowns = sum(r.breakdown_keys for r in reports)
        is_seen = max(r.largest_miss for r in reports) > _VISIBLE_MISS
        if breakdowns:
            missed = f", largest error {misses_text(reports)}" if misses_text(reports) else ""
            text += f" ({counted(breakdowns, 'breakdown key')} added{missed})"
        elif is_seen:
            text += f"; between the sparse keys up to {misses_text(reports)} is missed"
        if is_seen:
            text += ", Keys: Every Frame follows exactly"
        self.tell(text, reports, chosen)

    def tell(self, text: str, reports: list[WriteReport], chosen: Iterable[Object] = ()) -> None:
        """Report what was done, what was left out, and of the changed objects whether something else moves them."""
        from ...border.action_io import muted_text

        warnings = filter(None, (muted_text(reports), next(filter(None, map(layered_animation, chosen)), "")))
        texts = (text, *warnings)
        self.report({"WARNING"} if len(texts) > 1 else {"INFO"}, ". ".join(texts))

    def remarks(self, _reports: list[WriteReport]) -> str:
        """What the tool itself has to say about its edit, right after the counts."""
        return ""

    def draw(self, context: Context) -> None:
        """The tool's own properties first, then what all tools share."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        self.draw_own(layout)
        if self.offers_range:
            layout.prop(self, "range")
        if self.offers_keys:
            layout.prop(self, "keying")
        if self.offers_keys and self.keying == "REDUCED":
            layout.prop(self, "rotation_error")
            layout.prop(self, "location_error")
        if self.changes_others(context):
            layout.prop(self, "if_shared", expand=True)

    def draw_own(self, _layout: object) -> None:
        """The properties of the tool itself."""
