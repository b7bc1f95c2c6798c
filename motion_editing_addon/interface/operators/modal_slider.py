"""Tools with one or a few sliders: the mouse sets the value, the rig shows the result, a click keeps it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy

from ...border.registration import call_if_loaded
from ...document import scope
from ...document.action_users import is_shared
from .long_work import TICK
from .operator import MotionEditOperator
from .slider_drag import Outcome, Slider, SliderDrag

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ....core.motion import Motion
    from ...border.action_io import Clip
    from .pose_preview import PosePreview

# Seconds that the work after a click may take before it shows progress.
_PATIENCE = 0.4


class ModalSliderOperator(MotionEditOperator):
    """Mixin of editing operators whose properties are set with the mouse while the rig shows the result.

    A tool names its `sliders` and implements `edit`. One that does not turn one motion into
    another implements `begin`, `preview_motion` and `commit` instead.
    """

    bl_options = {"REGISTER", "UNDO", "PRESET", "BLOCKING", "GRAB_CURSOR_X"}
    sliders = ()  # of Slider, in the order in which Tab goes through them

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _read = ()
    _drag = None
    _previews = ()

    # What a tool may do in its own way

    def begin(self, context: Context) -> None:
        """Read what is needed and keep it on the operator; raise MotionEditError to refuse."""
        from ....core.errors import MotionEditError

        read, reason = [], None
        for armature in filter(scope.action_of, self.chosen(context)):
            try:
                self._examine(context, armature)
                clip = scope.read_clip(context, armature, choice=self.range)
                read.append((clip, self.joints(armature, clip)))
            except MotionEditError as error:
                reason = reason or error
        if reason and not read:
            raise reason
        self._read = tuple(read)

    def preview_motion(self, _context: Context) -> list[tuple[Clip, Motion]]:
        """The edited motion of every clip for the present values of the properties."""
        from ....core.motion import within_scope

        edited = []
        for clip, joints in self._read:
            after = self.edit(clip.motion, joints)
            edited.append((clip, within_scope(clip.motion, after, joints, scalars=clip.scalars_of(joints))))
        return edited

    def commit(self, context: Context) -> set[str]:
        """Do what the properties say, the same way as a script or a redo does; long work shows its progress."""
        self._steps = self.work(context)
        result = self._run(context, until=time.monotonic() + _PATIENCE)
        if result == {"RUNNING_MODAL"}:
            self.hold(context).timer(TICK)
        return result

    # What Blender calls

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Start the slider; without a window, or with a question to ask first, do as other tools do."""
        from ....core.errors import MotionEditError

        if bpy.app.background or context.window is None:
            return self.execute(context)
        if any(is_shared(armature) for armature in self.chosen(context)):
            return super().invoke(context, event)
        try:
            self.begin(context)
        except MotionEditError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return self.step(context, lambda: self._start(context, event))

    def answer(self, context: Context, event: Event) -> set[str]:
        """Hand the event to the slider and show what came of it."""
        return super().answer(context, event) if self._drag is None else self._respond(context, event)

    # How it is done

    def _start(self, context: Context, event: Event) -> set[str]:
        held = self.hold(context)
        self._drag, self._previews = self._new_drag(context, event), {}
        held.cursor("SCROLL_X")
        context.window_manager.modal_handler_add(self)
        return self._show(context)

    def _new_drag(self, context: Context, event: Event) -> SliderDrag:
        """The tool's sliders at the present values of their properties."""
        sliders = tuple(self._completed(slider) for slider in self.sliders)
        values = tuple(getattr(self, slider.name) for slider in sliders)
        scale = context.preferences.system.ui_scale
        return SliderDrag(self.bl_label, sliders, values, x=event.mouse_x, ui_scale=scale)

    def _completed(self, slider: Slider) -> Slider:
        """The slider with its label and limits taken from the operator's property."""
        prop = self.properties.bl_rna.properties[slider.name]
        limits, soft = (prop.hard_min, prop.hard_max), (prop.soft_min, prop.soft_max)
        return replace(slider, label=slider.label or prop.name, limits=limits, soft_limits=soft)

    def _taken(self, event: Event) -> Outcome:
        """What the slider makes of an event."""
        return self._drag.take(
            event.type,
            pressed=event.value == "PRESS",
            character=event.unicode,
            x=event.mouse_x,
            shift=event.shift,
            ctrl=event.ctrl,
        )

    def _respond(self, context: Context, event: Event) -> set[str]:
        outcome = self._taken(event)
        if outcome is Outcome.CHANGED:
            return self._show(context)
        if outcome is Outcome.CANCELLED:
            return {"CANCELLED"}
        if outcome is Outcome.CONFIRMED:
            return self._confirmed(context)
        return {"PASS_THROUGH"} if outcome is Outcome.PASSED_ON else {"RUNNING_MODAL"}

    def _confirmed(self, context: Context) -> set[str]:
        # The keys are read anew, and what has no keys is read from the pose: it must be the true one.
        self.leave(context)
        self.hold(context).release()
        return self.commit(context)

    def _show(self, context: Context) -> set[str]:
        """Show the present values in text and on the rig; values that cannot be are told in the text."""
        from ....core.errors import MotionEditError

        for slider, value in zip(self._drag.sliders, self._drag.values, strict=True):
            self._set(slider.name, value)
        text = self._drag.values_text()
        try:
            for clip, motion in self.preview_motion(context):
                self._preview_of(clip).show(motion)
        except MotionEditError as error:
            self._restore()
            text += f"   {error}"
        held = self.hold(context)
        held.header(text)
        held.status(self._drag.keys_text())
        return {"RUNNING_MODAL"}

    def _set(self, name: str, value: float) -> None:
        is_whole = self.properties.bl_rna.properties[name].type == "INT"
        setattr(self, name, round(value) if is_whole else value)

    def _preview_of(self, clip: Clip) -> PosePreview:
        from .pose_preview import PosePreview

        name = clip.armature.name
        if name not in self._previews:
            self._previews[name] = PosePreview(clip, trails=True)
        return self._previews[name]

    def _restore(self) -> None:
        for preview in self._previews.values():
            preview.restore()

    def leave(self, context: Context) -> None:
        """Take back the preview, or forget the work that a click has begun."""
        if self._drag is None:
            super().leave(context)
            return
        self._drag = None
        try:
            self._restore()
        finally:
            self._previews, self._read = {}, ()


def register() -> None:
    """Nothing is shown until a tool runs."""


def unregister() -> None:
    """End what a running tool shows on the rig."""
    call_if_loaded(f"{__package__}.pose_preview", "stop_all")
