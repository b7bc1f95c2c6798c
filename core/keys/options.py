"""What is asked of a key reduction."""

from dataclasses import dataclass

# A planted foot may slide by this part of the distance that other joints may be off.
_SLIDE_SHARE = 0.25


@dataclass(frozen=True)
class ReductionOptions:
    """Bounds on the error, and how keys are placed.

    Attributes:
        kind: 'SMOOTH' for aligned handles, 'FEWEST' for free ones.
        degrees: Largest angle between a joint's whole rotation and the fitted one.
        distance: Largest distance of both ends of every bone from where they were, in units of the
            scene. A three-hundredth of the character's height is hard to see in motion.
        slide: Most that a joint may slide during a contact on top of what it did before, in units of
            the scene; a quarter of the distance if not given.
        value: Largest error of scales and of other numbers.
        pose_columns: Key all curves that move at the same times; curves that need more get keys of their
            own between.
        ignore_outliers: Leave out samples that are far from all that surrounds them.
    """

    kind: str = "SMOOTH"
    degrees: float = 0.5
    distance: float = 0.005
    slide: float | None = None
    value: float = 0.002
    pose_columns: bool = False
    ignore_outliers: bool = False

    def __post_init__(self) -> None:
        for name in ("degrees", "distance", "value"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} must be above zero")
        if not self.slide_bound > 0.0:
            raise ValueError("slide must be above zero")

    @property
    def slide_bound(self) -> float:
        """Most slide that is added to a contact."""
        return _SLIDE_SHARE * self.distance if self.slide is None else self.slide
