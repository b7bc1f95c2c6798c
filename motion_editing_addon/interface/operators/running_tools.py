"""Tools that follow mouse and keys, or work in the background: what they hold, and the one place where they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import bpy
from bpy.app.handlers import persistent

from ...border.translation import report_text, tool_text
from ...document import handlers, scope
from .. import status_bar

if TYPE_CHECKING:
    from bpy.types import ID, Context, Event, Object

_running: list[RunningTool] = []


def is_gone(thing: ID) -> bool:
    """Whether a data-block was deleted since somebody took hold of it."""
    try:
        return not thing.session_uid
    except ReferenceError:
        return True


class Subjects:
    """The objects that a tool works on, and how they were when it began."""

    def __init__(self, things: Iterable[Object]) -> None:
        """Look at them."""
        self._scene = bpy.context.scene
        self._known = [(thing, thing.name, scope.action_of(thing), _bones(thing)) for thing in things]

    def loss(self) -> str:
        """What has become of them that keeps the tool from going on; empty if they are as they were."""
        if bpy.context.scene != self._scene:
            return "another scene is shown"
        for thing, name, action, bones in self._known:
            if is_gone(thing):
                return f"'{name}' was deleted"
            if action is not None and is_gone(action):
                return f"the action of '{name}' was deleted"
            if _bones(thing) != bones:
                return f"the bones of '{name}' were changed"
        return ""


def _bones(thing: Object) -> list[str]:
    return thing.pose.bones.keys() if thing.pose is not None else []


class Held:
    """What a tool has taken of the window: timers, the cursor, texts. `release` gives all of it back."""

    def __init__(self, context: Context) -> None:
        """Nothing is taken yet."""
        self._window, self._workspace, self._area = context.window, context.workspace, context.area
        self._back = ExitStack()
        self._texts: set[str] = set()

    def timer(self, seconds: float) -> None:
        """Have Blender send an event again and again."""
        timer = bpy.context.window_manager.event_timer_add(seconds, window=self._window)
        self._give_back(lambda: bpy.context.window_manager.event_timer_remove(timer))

    def cursor(self, name: str) -> None:
        """Show another cursor."""
        self._window.cursor_modal_set(name)
        self._give_back(self._window.cursor_modal_restore)

    def header(self, text: str) -> None:
        """Say something in the header of the editor that the tool was called in."""
        if self._area is not None:
            self._area.header_text_set(text)
            self._give_back_once("header", lambda: self._area.header_text_set(None))

    def status(self, text: str) -> None:
        """Say in the status bar what mouse and keys do."""
        workspace = self._workspace
        if workspace is not None:
            status_bar.show(workspace, text)
            self._give_back_once("status", lambda: status_bar.clear(workspace))

    def release(self) -> None:
        """Give everything back, each whatever happens to the others; more can be taken afterwards."""
        self._texts.clear()
        self._back.close()

    def _give_back_once(self, what: str, give_back: Callable[[], None]) -> None:
        if what not in self._texts:
            self._texts.add(what)
            self._give_back(give_back)

    def _give_back(self, give_back: Callable[[], None]) -> None:
        def unless_gone() -> None:
            with suppress(ReferenceError):  # the editor was closed meanwhile
                give_back()

        self._back.callback(unless_gone)


class RunningTool:
    """Mixin of operators that run until they are done or somebody ends them.

    A tool answers events in `answer` and takes back what it shows in `leave`. However it ends, by an error, undo,
    another file or because the extension is disabled, that and what it holds of the window is over then.
    """

    # Without types here: Blender evaluates a class's annotations and would look for their names.
    _held = None
    _subjects = None

    def answer(self, context: Context, event: Event) -> set[str]:
        """Answer one event."""
        raise NotImplementedError

    def leave(self, context: Context) -> None:
        """Take back what the tool shows besides texts and cursor; may be called when nothing is shown."""

    def subjects(self, context: Context) -> list[Object]:
        """What the tool works on."""
        return scope.armatures(context, any_object=True)

    def hold(self, context: Context) -> Held:
        """What the tool holds of the window, from now on until it stops."""
        if self._held is None:
            self._held, self._subjects = Held(context), Subjects(self.subjects(context))
            _running.append(self)
        return self._held

    def is_lost(self) -> bool:
        """Whether what the tool works on is not there any more, or not as it was."""
        return self._subjects is None or bool(self._subjects.loss())

    def modal(self, context: Context, event: Event) -> set[str]:
        """Answer an event, unless the tool has been stopped or what it works on is not there any more."""
        if self._held is None or self._subjects is None:
            return {"CANCELLED"}
        loss = self._subjects.loss()
        if loss:
            self.stop(context)
            self.report({"WARNING"}, report_text("{tool} has ended: {loss}", tool=tool_text(self), loss=loss))
            return {"CANCELLED"}
        return self.step(context, lambda: self.answer(context, event))

    def step(self, context: Context, answer: Callable[[], set[str]]) -> set[str]:
        """Do something that may end the tool."""
        goes_on = False
        try:
            result = answer()
            goes_on = bool(result & {"RUNNING_MODAL", "PASS_THROUGH"})
            return result
        finally:
            if not goes_on:
                self.stop(context)

    def cancel(self, context: Context) -> None:
        """Blender ends the operator, for example because the window is closed."""
        self.stop(context)

    def stop(self, context: Context) -> None:
        """End; the second time there is nothing left to do."""
        held, self._held = self._held, None
        if held is None:
            return
        _running[:] = [tool for tool in _running if tool is not self]
        try:
            self.leave(context)
        finally:
            held.release()


def running() -> int:
    """How many tools run now."""
    return len(_running)


@persistent
def stop_all(*_arguments: object) -> None:
    """End every tool: what they work on is about to be replaced."""
    for tool in list(_running):
        with suppress(ReferenceError):  # Blender has ended it without a word
            tool.stop(bpy.context)
    _running.clear()


_HANDLERS = dict.fromkeys(("undo_pre", "redo_pre", "load_pre"), stop_all)


def register() -> None:
    """End tools before undo and other files replace what they work on."""
    handlers.add(_HANDLERS)


def unregister() -> None:
    """End all tools, and take back what register() did."""
    stop_all()
    handlers.remove(_HANDLERS)
