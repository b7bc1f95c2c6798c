"""What operators that follow the mouse in the strip have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Context, Event


class StripGesture:
    """Mixin of modal operators: errors are reported, and however one ends nothing is left behind.

    An operator gives `_handle`, which answers one event, and `_end`, which takes away what it shows.
    """

    def modal(self, context: Context, event: Event) -> set[str]:
        """Follow mouse and keys until the gesture is over."""
        from ...core.errors import MotionEditError

        try:
            return self._handle(context, event)
        except (MotionEditError, RuntimeError) as error:  # the latter from operators that a lane calls
            self.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
            return self._give_up(context)
        except BaseException:
            self._end(context)
            raise

    def cancel(self, context: Context) -> None:
        """Blender ends the operator, for example because the file is closed."""
        self._give_up(context)

    def _give_up(self, context: Context) -> set[str]:
        return self._end(context)
