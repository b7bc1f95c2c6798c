"""What an entry of the stack may touch when it is made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpy.types import Object


@dataclass(frozen=True)
class Given:
    """What an edit may touch when it is done again, whatever is selected by then.

    Attributes:
        armature: What is edited.
        bones: Names of the bones that were picked; empty for all.
        frames: First and last frame of the action, for edits that are limited to some.
        frame: Frame of the action that people looked at.
        active: Name of the active bone; empty if there was none.
    """

    armature: Object
    bones: frozenset[str]
    frames: tuple[float, float] | None
    frame: float
    active: str
