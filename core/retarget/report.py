"""What retargeting reached and what is left."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..analysis.contacts import ContactSpans
from ..motion import Motion
from ..solve.contact_lock import MissedContact


@dataclass(frozen=True)
class MissedDistance:
    """Two joints that could not be brought as near to each other, or as far apart, as they should be.

    Attributes:
        first: Name of a target joint.
        second: Name of the other one.
        time: Seconds, where most is missing.
        amount: Units of the scene.
    """

    first: str
    second: str
    time: float
    amount: float


@dataclass(frozen=True)
class RetargetReport:
    """What came of retargeting, in units of the target's scene.

    Attributes:
        unmatched_source: Source joints without partner; their turns count in the joints below them.
        unmatched_target: Target joints without partner; they keep the standing pose or share their neighbours' turn.
        lost_contacts: Source joints in contact whose contacts nothing on the target can hold.
        scale: The target's legs over the source's, at the first frame.
        leg_length: Of the target, at the first frame.
        slide_carried: Largest slide of a contact before contacts were held.
        slide: The same afterwards.
        missed: Contacts that could not be held, worst first.
        missed_distances: Distances that could not be kept, worst first.
        root_lowered: Most that the root went down so that legs reach.
        below_floor: Deepest that a joint of the feet is below where it stands on the floor.
        stuck: Target joints that do not leave their places as the source's do, since they are connected to their
            parents, or do not change their size, since the source's are scaled unevenly.
        contacts: Of target joints, when they stand.
        off_paths: By target joint that should follow a path and is off it, how far at most.
        remaining_error: The largest of what is missed.
    """

    unmatched_source: tuple[str, ...] = ()
    unmatched_target: tuple[str, ...] = ()
    lost_contacts: tuple[str, ...] = ()
    scale: float = 1.0
    leg_length: float = 0.0
    slide_carried: float = 0.0
    slide: float = 0.0
    missed: tuple[MissedContact, ...] = ()
    missed_distances: tuple[MissedDistance, ...] = ()
    root_lowered: float = 0.0
    below_floor: float = 0.0
    stuck: tuple[str, ...] = ()
    contacts: ContactSpans = field(default_factory=ContactSpans)
    off_paths: Mapping[str, float] = field(default_factory=dict)

    @property
    def remaining_error(self) -> float:
        """The largest distance by which a contact or a distance is missed."""
        return max([miss.distance for miss in self.missed] + [miss.amount for miss in self.missed_distances] + [0.0])


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A retargeted motion and what is to say about it.

    Attributes:
        motion: Of the target.
        report: What was reached.
    """

    motion: Motion
    report: RetargetReport
