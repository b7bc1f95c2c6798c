"""The mouse sets values of a tool, the rig shows the result, a click keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....core.errors import MotionEditError
from . import pose_preview
from .slider_drag import Slider, SliderDrag
from .value_drag import Outcome, ValueDrag

if TYPE_CHECKING:
    from bpy.types import Context, Event

    from ...border.action_io import Clip
    from ..drawing.original_ghost import OriginalGhost
    from .operator import MotionEditOperator
    from .pose_preview import PosePreview
    from .take_run import TakeRun

# Held, this key shows the motion as it was.
ORIGINAL = "O"


class SliderGesture:
    """What runs between the call of an operator and the click that keeps its values."""

    # Whether paths are shown that bones take; with another timing alone they stay.
    leaves_trails = True

    def __init__(self, operator: MotionEditOperator, run: TakeRun) -> None:
        """Nothing is shown yet."""
        self.operator, self.run = operator, run
        self.drag: Any = None  # what `new_drag` gives
        self._previews: dict[str, PosePreview] = {}
        self._ghosts: Sequence[OriginalGhost] = ()
        self._shows_original = False

    def begin(self, context: Context) -> None:
        """Read what is needed; raise MotionEditError to refuse."""
        self.run.begin(context)
        # Before anything is shown on the rigs: control rigs are taken as they stand.
        self._ghosts = self.run.ghosts()

    def start(self, context: Context, event: Event) -> set[str]:
        """Take over mouse and keys."""
        held = self.operator.hold(context)
        self.drag = self.new_drag(context, event)
        held.cursor("SCROLL_X")
        context.window_manager.modal_handler_add(self.operator)
        return self.show(context)

    def answer(self, context: Context, event: Event) -> set[str]:
        """Hand the event to the slider and show what came of it."""
        if self._ghosts and event.type == ORIGINAL:
            return self.show_original(context, event.value != "RELEASE")
        if self._shows_original:
            return {"RUNNING_MODAL"}
        switches = self.operator.switches()
        if event.value == "PRESS" and event.type in switches:
            self._switch(context, event, switches[event.type])
            return self.show(context)
        return self.respond(context, event)

    def respond(self, context: Context, event: Event) -> set[str]:
        """What mouse and typed numbers do."""
        outcome = self.taken(event)
        if outcome is Outcome.CHANGED:
            return self.show(context)
        if outcome is Outcome.CANCELLED:
            return {"CANCELLED"}
        if outcome is Outcome.CONFIRMED:
            return self.confirm(context)
        return {"PASS_THROUGH"} if outcome is Outcome.PASSED_ON else {"RUNNING_MODAL"}

    def confirm(self, context: Context) -> set[str]:
        """Do what the values say."""
        # The keys are read anew, and what has no keys is read from the pose: it must be the true one.
        self.operator.leave(context)
        self.operator.hold(context).release()
        return self.operator.commit(context)

    def leave(self, _context: Context) -> None:
        """Take back what is shown."""
        self.drag = None
        try:
            self.restore()
        finally:
            self._previews, self._ghosts = {}, ()

    def new_drag(self, context: Context, event: Event) -> ValueDrag:
        """The tool's sliders at the present values of their properties."""
        sliders = tuple(self._completed(slider) for slider in self.operator.slid())
        values = tuple(getattr(self.operator, slider.name) for slider in sliders)
        scale = context.preferences.system.ui_scale
        return SliderDrag(self.operator.bl_label, sliders, values, x=event.mouse_x, ui_scale=scale)

    def taken(self, event: Event) -> Outcome:
        """What the slider makes of an event."""
        drag: ValueDrag = self.drag
        return drag.take(
            event.type,
            pressed=event.value == "PRESS",
            character=event.unicode,
            x=event.mouse_x,
            y=event.mouse_y,
            shift=event.shift,
            ctrl=event.ctrl,
            oskey=event.oskey,
        )

    def show(self, context: Context) -> set[str]:
        """Show the present values in text and on the rig; values that cannot be are told in the text."""
        for slider, value in zip(self.drag.sliders, self.drag.values, strict=True):
            self._set(slider.name, value)
        error = self.show_motion(context)
        held = self.operator.hold(context)
        held.header(self.drag.values_text() + (f"   {error}" if error else ""))
        held.status("    ".join(filter(None, (self.drag.keys_text(), self.keys_text()))))
        return {"RUNNING_MODAL"}

    def show_motion(self, context: Context) -> str:
        """Show on the rigs what the present values give; the reason if they cannot be."""
        reason = ""
        try:
            for clip, motion in self.run.preview(context):
                self._preview_of(clip).show(motion)
        except MotionEditError as error:
            self.restore()
            reason = str(error)
        for ghost in self._ghosts:
            ghost.show()
        return reason

    def show_original(self, context: Context, wanted: bool) -> set[str]:
        """Show the motion as it was, or as it is again."""
        self._shows_original = wanted
        if not wanted:
            return self.show(context)
        self.restore()
        self.operator.hold(context).header("Original")
        return {"RUNNING_MODAL"}

    def keys_text(self) -> str:
        """What keys switch, and how it is now; empty if there are none."""
        operator = self.operator
        properties = operator.properties.bl_rna.properties
        told = [f"{key}: {properties[name].name} {self._state(name)}" for key, name in operator.switches().items()]
        return "    ".join([*told, *(["Hold O: original"] if self._ghosts else [])])

    def restore(self) -> None:
        """The rigs and the figures as they were."""
        for ghost in self._ghosts:
            ghost.hide()
        for preview in self._previews.values():
            preview.restore()

    def _switch(self, context: Context, event: Event, name: str) -> None:
        """Turn an option on or off, or go on to its next choice; the sliders may be others then."""
        operator, before = self.operator, self.operator.slid()
        prop = operator.properties.bl_rna.properties[name]
        if prop.type == "ENUM":
            choices = [item.identifier for item in prop.enum_items]
            setattr(operator, name, choices[(choices.index(getattr(operator, name)) + 1) % len(choices)])
        else:
            setattr(operator, name, not getattr(operator, name))
        if operator.slid() != before:
            self.drag = self.new_drag(context, event)

    def _state(self, name: str) -> str:
        value, prop = getattr(self.operator, name), self.operator.properties.bl_rna.properties[name]
        return prop.enum_items[value].name if prop.type == "ENUM" else "on" if value else "off"

    def _completed(self, slider: Slider) -> Slider:
        """The slider with its label and limits taken from the operator's property."""
        prop = self.operator.properties.bl_rna.properties[slider.name]
        limits, soft = (prop.hard_min, prop.hard_max), (prop.soft_min, prop.soft_max)
        return replace(slider, label=slider.label or prop.name, limits=limits, soft_limits=soft)

    def _set(self, name: str, value: float) -> None:
        is_whole = self.operator.properties.bl_rna.properties[name].type == "INT"
        setattr(self.operator, name, round(value) if is_whole else value)

    def _preview_of(self, clip: Clip) -> pose_preview.PosePreview:
        name = clip.armature.name
        if name not in self._previews:
            self._previews[name] = pose_preview.PosePreview(clip, trails=self.leaves_trails)
        return self._previews[name]
