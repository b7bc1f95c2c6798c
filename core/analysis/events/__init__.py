"""What happens in a motion: flights, strikes, repetitions, stillness."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .course import Course
    from .detection import find_events
    from .event import Event, EventKind
    from .repetitions import regular_beats
else:
    __getattr__ = lazy_door(__name__)
