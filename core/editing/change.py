"""What an edit did to a take."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..analysis.contacts import ContactSpans
    from ..motion import Motion


@dataclass(frozen=True)
class Change:
    """A new motion and what is known about it.

    Attributes:
        motion: As it is now.
        contacts: Those that were held in place; None if none were asked for.
    """

    motion: "Motion"
    contacts: "ContactSpans | None" = None
