"""The sliders of the open equalizer. They belong to the window, not to the file: moving one is no step to undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatVectorProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ....core.filters import MOST_BANDS
from ...border.registration import attaching

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Context


# Who is told when a slider moves, while the equalizer is open.
_listener: Callable[[], None] | None = None


def listen(listener: Callable[[], None] | None) -> None:
    """Tell someone of every slider that moves, or nobody any more."""
    global _listener
    _listener = listener


def _moved(_settings: MOTIONEDIT_PG_equalizer, _context: Context) -> None:
    if _listener is not None:
        _listener()


class MOTIONEDIT_PG_equalizer(PropertyGroup):
    """The open equalizer."""

    is_open: BoolProperty(description="The equalizer is open", default=False)
    bands: IntProperty(description="Number of sliders")
    names: StringProperty(description="Frequencies in hertz, separated by bars")
    answer: StringProperty(description="Button that was clicked, APPLY or CANCEL")
    gains: FloatVectorProperty(
        name="Gain",
        description="Factor of the frequency band; 1 changes nothing, 0 removes it",
        size=MOST_BANDS,
        default=(1.0,) * MOST_BANDS,
        min=0.0,
        max=10.0,
        soft_max=2.0,
        precision=2,
        step=5,
        update=_moved,
    )


register, _detach = attaching(
    (MOTIONEDIT_PG_equalizer,),
    {(bpy.types.WindowManager, "motion_editing_equalizer"): PointerProperty(type=MOTIONEDIT_PG_equalizer)},
)


def unregister() -> None:
    """Detach them again."""
    listen(None)
    _detach()
