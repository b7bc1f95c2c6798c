"""What tools of staggered poses work on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ...body import Body
    from ...numerics import Array
    from ...rig import BodyOrder
    from ..model import StaggeredMotion


class PosedTake(Protocol):
    """Staggered poses, and which of them and of their joints are meant."""

    @property
    def model(self) -> StaggeredMotion:
        """The poses as they are."""

    @property
    def active(self) -> int:
        """Number of the pose that is picked."""

    @property
    def poses(self) -> Sequence[int] | None:
        """Numbers of the poses to change; None for all."""

    @property
    def joints(self) -> Array:
        """(J,) joints that may change."""

    @property
    def order(self) -> BodyOrder | None:
        """How the controls of a rig come one after another down the body; None where bones do by themselves."""

    def joints_in_place(self) -> Array:
        """(J,) the same; if nobody picked them without the root, whose travel is not a pose."""

    def joint_named(self, bone: str) -> int:
        """The joint of a bone, of the active bone if no name is given."""

    def body(self) -> Body:
        """The character's parts."""

    def seconds(self, scene_frame: float) -> float:
        """A frame that people see as time of the motion."""
