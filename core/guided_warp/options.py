"""What can be chosen about a guided warp, and what comes out of it."""

from dataclasses import dataclass

from ..motion import TimeMap

# Speed of old time at every keytime; None leaves it to the warp.
Speeds = tuple[float | None, ...]


@dataclass(frozen=True)
class GuidedWarpOptions:
    """How strongly, how smoothly and within which limits the reference guides the timing.

    Attributes:
        influence: 0 is the smooth warp through the keytimes alone, 1 follows the reference,
            between is the mean of both timings.
        smoothness: Seconds over which the timing is averaged on each side. 0 shows the bare
            search, with a jerk at every change of speed; half a second flattens single steps.
        speed_limit: Time runs at most so many times faster, and a part between two keytimes gets at
            most so many times longer. Raise it where a pause is to be passed over quickly. With a
            reference or a free length, twice the old speed is the limit unless keytimes ask for
            more; fewer samples (`upsampling`) raise that.
        free_length: The last keytime's new time is free: the length that suits the reference.
        keep_unlike: What is like nothing in the reference keeps its own timing. For a reference that is
            a part of the same motion; another person's motion is unlike everywhere, and would have no
            say.
        speeds: Seconds of old time in a second of new time at each keytime, None where it does
            not matter; nothing leaves all of them open.
        upsampling: Input samples for each thirtieth of a second; None chooses as many as the
            slowest part needs. Raise it for finer slow motion.
        coarse_to_fine: Search near a coarse solution only; None does so in long motions alone.
    """

    influence: float = 1.0
    smoothness: float = 0.07
    speed_limit: float = 4.0
    free_length: bool = False
    keep_unlike: bool = False
    speeds: Speeds = ()
    upsampling: int | None = None
    coarse_to_fine: bool | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.influence <= 1.0:
            raise ValueError("influence must lie between 0 and 1")
        if not self.smoothness >= 0.0:
            raise ValueError("smoothness must not be below zero")
        if not self.speed_limit >= 1.0:
            raise ValueError("speed_limit must be 1 or more")
        if self.upsampling is not None and self.upsampling < 1:
            raise ValueError("upsampling must be 1 or more")


@dataclass(frozen=True)
class WarpReport:
    """What was searched.

    Attributes:
        input_samples: Samples of the input that the search could choose from.
        output_samples: Samples that it chose.
        reference_samples: Samples of the reference.
        upsampling: Input samples in a thirtieth of a second.
        most_steps: Most input samples between neighbouring output samples.
        coarse_to_fine: The search stayed near a coarse solution.
    """

    input_samples: int = 0
    output_samples: int = 0
    reference_samples: int = 0
    upsampling: int = 1
    most_steps: int = 1
    coarse_to_fine: bool = False


@dataclass(frozen=True, eq=False)
class WarpResult:
    """A timing and how it was found.

    Attributes:
        time_map: New to old time, in seconds.
        cost: Sum of the output samples' distances to the reference before smoothing, in body
            heights; 0 where nothing was searched. Of a free length each distance counts as much
            as the input that the sample stands for.
        report: What was searched.
    """

    time_map: TimeMap
    cost: float
    report: WarpReport
