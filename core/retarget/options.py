"""What can be chosen when a motion is retargeted."""

from dataclasses import dataclass
from typing import Any

from ..motion import Motion


@dataclass(frozen=True, eq=False)
class RetargetOptions:
    """What can be chosen.

    Attributes:
        scale_root: The way along the ground scales with the legs; False keeps it, and steps become longer or shorter.
        way_scale: Factor on the way along the ground that stands in for that of the legs.
        source_pose: Motion whose first frame shows the source standing as the target's standing pose does. The rest
            pose if not given, or the first frame where the rest pose does not stand.
        target_pose: The same of the target; also places its object in the scene, says what joints without partner
            do, and which scalar channels the target has.
        size: (F,) the target's size over its own, where it changes over time; or one number.
        lowering: Body heights to which the root may go down so that legs reach their contacts.
        fade: Seconds beside a contact over which its correction dies away.
    """

    scale_root: bool = True
    way_scale: float | None = None
    source_pose: Motion | None = None
    target_pose: Motion | None = None
    size: Any = 1.0
    lowering: float = 0.2
    fade: float = 0.1

    @property
    def path_scale(self) -> float | None:
        """Factor on the way along the ground; None takes that of the legs."""
        if self.way_scale is not None:
            return self.way_scale
        return None if self.scale_root else 1.0
