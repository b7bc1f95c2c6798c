"""What tools of the timeline work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...analysis.contacts import ContactSpans
    from ...body import Body
    from ...motion import Motion
    from ...numerics import Array
    from ..painted_part import Painting
    from ..reference import Reference
    from ..windows import Windows


class WindowedTake(Protocol):
    """A take with windows, painted bones, and what else people have chosen; frames are counted as samples."""

    motion: Motion
    joints: NDArray[np.bool_]

    @property
    def positions(self) -> Array | None:
        """(F, J, 3) where joints are, if the motion alone does not tell."""

    @property
    def body(self) -> Body:
        """The character's parts."""

    @property
    def contacts(self) -> ContactSpans:
        """When feet and hands stand."""

    @property
    def has_windows(self) -> bool:
        """Whether an operation window is set."""

    @property
    def windows(self) -> Windows:
        """The windows; raises `NoWindowError` where none is set."""

    @property
    def painted(self) -> Array:
        """(J,) the painted joints."""

    @property
    def painting(self) -> Painting:
        """What they mean."""

    @property
    def icon_count(self) -> int:
        """How many poses of the motion are shown."""

    @property
    def remembered(self) -> Motion:
        """The motion with the operation window as it was when it was set."""

    def sample_at(self, scene_frame: float) -> float:
        """A frame that people see as sample number."""

    def samples_at(self, times: Any) -> Array:
        """Seconds as sample numbers."""

    def beats(self, sound: str) -> Array:
        """Beats of a sound, as sample numbers."""

    def other_reference(self, kind: str, name: str, start: float, end: float) -> Reference:
        """A part of another action or character, between frames of its action."""
