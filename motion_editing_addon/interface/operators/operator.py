"""What every editing operator has in common: read, edit, keep to the scope, write, report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, FloatProperty

from ....core.editing import LOCATION_ERROR, ROTATION_ERROR, options_of
from ....core.errors import MotionEditError
from ...border import action_io
from ...border.key_options import AUTOMATIC, KEY_CHOICES, KeyOptions
from ...border.lazy_modules import np
from ...border.tool_properties import draw_option, property_of
from ...border.translation import report_text, tool_text
from ...document import scope
from ...document.action_users import is_shared, layered_animation
from ...document.stack import recorder
from ...document.take import edit_report
from ..shared_options import IF_SHARED, KEYING, RANGE
from . import take_run
from .long_work import LongWork, take_beforehand
from .polls import NeedsClip
from .running_tools import RunningTool
from .slider_gesture import SliderGesture
from .tool_sliders import slider_of, switches_of

if TYPE_CHECKING:
    from bpy.types import Context, Event, Object, UILayout

    from ...border.action_io import Clip, WriteReport
    from ...border.steps import Steps
    from .slider_drag import Slider

    # Writes what was planned and says what it did.
    Carry = Callable[[], WriteReport]


# Options of operators whose values the mouse sets.
SLIDING = {"REGISTER", "UNDO", "PRESET", "BLOCKING", "GRAB_CURSOR_X"}


class MotionEditOperator(RunningTool, NeedsClip):
    """Base of operators that change a motion: one has a `tool`, from which its properties come.

    What a tool does not tell is how it is run: `run` gives a plain object for that. With sliders the mouse sets
    values while the rig shows the result.
    """

    bl_options = {"REGISTER", "UNDO", "PRESET"}
    tool = None  # type: Any  # a class of tools, or None
    verb = "Changed"
    offers_keys = True
    offers_range = True
    # Whether the action is a new one, whose stack begins with what made it.
    begins_stack = False
    # Whether what it does is added to the stack otherwise, see `recorder.noting`.
    notes_itself = False
    # Whether curves get modifiers, which keys in memory do not have.
    adds_modifiers = False

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _work = None
    _gesture = None

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION")
    # Not called `keys`: that is a method of every property group.
    keying: EnumProperty(**KEYING, items=KEY_CHOICES, default=AUTOMATIC)
    rotation_error: property_of("rotation_error", ROTATION_ERROR)
    location_error: property_of("location_error", LOCATION_ERROR)
    if_shared: EnumProperty(**IF_SHARED)

    def gesture(self) -> SliderGesture | None:
        """How mouse and keys set values; None if they do not."""
        return SliderGesture(self, self.run()) if self.slid() else None

    def slid(self) -> tuple[Slider, ...]:
        """The sliders as they are with the present values of the properties."""
        names = () if self.tool is None else self.present_tool().sliders
        return tuple(slider_of(self.tool, name) for name in names)

    def switches(self) -> dict[str, str]:
        """Keys that switch options while the mouse sets a value."""
        return {} if self.tool is None else switches_of(self.tool)

    def present_tool(self) -> Any:
        """The tool with the present values of the properties."""
        return self.tool(**{name: getattr(self, name) for name in options_of(self.tool)})

    # What Blender calls

    def execute(self, context: Context) -> set[str]:
        """Do all the work at once: for scripts, redo and background."""
        self._work = LongWork(self, self.recorded_work(context))
        return self._work.finish(context)

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask first when the animation has other users; then follow the mouse, or start the work."""
        gesture = self.gesture()
        if gesture is not None and (bpy.app.background or context.window is None):
            return self.execute(context)
        if self.changes_others(context):
            return context.window_manager.invoke_props_dialog(self, title=self.bl_label)
        if gesture is not None:
            return self.follow_mouse(context, event, gesture)
        self._work = LongWork(self, self.recorded_work(context), take_beforehand())
        return self._work.start(context)

    def follow_mouse(self, context: Context, event: Event, gesture: SliderGesture) -> set[str]:
        """Let a gesture set the values."""
        try:
            gesture.begin(context)
        except MotionEditError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._gesture = gesture
        return self.step(context, lambda: gesture.start(context, event))

    def answer(self, context: Context, event: Event) -> set[str]:
        """Hand the event to the gesture, or to the work that goes on."""
        running = self._gesture or self._work
        assert running is not None
        return running.answer(context, event)

    def leave(self, context: Context) -> None:
        """Take back what the gesture shows, or forget the work."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.leave(context)
        elif self._work is not None:
            self._work.leave()

    def commit(self, context: Context) -> set[str]:
        """Do what the properties say, the same way as a script or a redo does; long work shows its progress."""
        self._work = LongWork(self, self.recorded_work(context))
        return self._work.go_on(context)

    # What is done

    def run(self) -> take_run.TakeRun:
        """How the edit is done: a tool on the takes of all chosen armatures."""
        return take_run.TakeRun(self)

    def recorded_work(self, context: Context) -> Steps[None]:
        """Do what the properties say, and add it to the stacks of the actions that it changes."""
        with recorder.recorded(context, self, () if self.begins_stack or self.notes_itself else self.chosen(context)):
            yield from self.work(context)

    def work(self, context: Context) -> Steps[None]:
        """Do what the properties say, from the beginning: a redo runs on the same operator."""
        return self.run().work(context)

    def changes_others(self, context: Context) -> bool:
        """Whether what is edited is the animation of other objects too."""
        return any(is_shared(armature) for armature in self.chosen(context))

    def chosen(self, context: Context) -> list[Object]:
        """The objects to edit, the active one first."""
        return scope.edited_armatures(context, any_object=self.any_object)

    def key_options(self) -> KeyOptions:
        """The operator's properties as the border to Blender takes them."""
        return KeyOptions(keys=self.keying, rotation_error=self.rotation_error, location_error=self.location_error)

    def joints(self, armature: Object, clip: Clip) -> np.ndarray:
        """(J,) joints in scope: all, or the chosen bones; with no bone picked the object itself too."""
        if self.tool is not None and self.tool.is_whole:
            return np.ones(len(clip.motion.skeleton), dtype=np.bool_)
        names = scope.chosen_bones(armature) | (set() if scope.picked_bones(armature) else {""})
        return np.array([name in names for name in clip.motion.skeleton.names])

    def tell_edit(self, reports: list[WriteReport], chosen: list[Object], remarks: str = "") -> None:
        """Report what was done to which objects."""
        text = edit_report.edit_text(self.verb, reports, remarks)
        nothing = report_text("{tool} changed nothing", tool=tool_text(self))
        self.tell(text or nothing, reports, chosen if text else ())

    def tell(self, text: str, reports: list[WriteReport], chosen: Iterable[Object] = ()) -> None:
        """Report what was done, what was left out, and of the changed objects whether something else moves them."""
        warnings = filter(None, (action_io.muted_text(reports), next(filter(None, map(layered_animation, chosen)), "")))
        texts = (text, *warnings)
        self.report({"WARNING"} if len(texts) > 1 else {"INFO"}, ". ".join(texts))

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
        if (self.offers_keys and self.keying == "REDUCED") or getattr(self, "breakdowns", False):
            layout.prop(self, "rotation_error")
            layout.prop(self, "location_error")
        if self.changes_others(context):
            layout.prop(self, "if_shared", expand=True)

    def draw_own(self, layout: UILayout) -> None:
        """The properties of the tool itself, but those without effect as the others are."""
        if self.tool is not None:
            unused = self.present_tool().unused
            for name, option in options_of(self.tool).items():
                if name not in unused:
                    draw_option(layout, self, name, option)


class StackStep:
    """Mixin of operators that the stack calls to do again what was done otherwise: they show no options."""

    bl_options = {"INTERNAL", "UNDO"}
    offers_keys = False
    offers_range = False

    range: EnumProperty(**RANGE, items=scope.RANGES, default="ACTION", options={"HIDDEN"})
    keying: EnumProperty(**KEYING, items=KEY_CHOICES, default=AUTOMATIC, options={"HIDDEN"})
    rotation_error: FloatProperty(options={"HIDDEN"})
    location_error: FloatProperty(options={"HIDDEN"})
    if_shared: EnumProperty(**IF_SHARED, options={"HIDDEN"})


# What a mixin of such operators stands on: only who checks types has to know.
if TYPE_CHECKING:
    OperatorMixin = MotionEditOperator
else:
    OperatorMixin = object
