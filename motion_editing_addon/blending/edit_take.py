"""What is asked about clips whose edit has other contacts than the clip itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.analysis.contacts import ContactSpans, detect_contacts
from ..document.take.clip_take import ClipTake
from .saved_contacts import listed_contacts, mirrored_contacts

if TYPE_CHECKING:
    import numpy as np

    from ...core.motion import Motion


class EditTake(ClipTake):
    """Facts about a clip; the slide of its edit is measured in the contacts that the edit has."""

    def contacts_of_edit(self, motion: Motion, positions: np.ndarray | None = None) -> ContactSpans:
        """The contacts of the edited motion: those that are listed now, else found anew."""
        return listed_contacts(self.clip) or detect_contacts(motion, self.body, positions=positions)


class MirroredTake(EditTake):
    """Facts about a clip that is mirrored: contacts go over to the other side with their feet."""

    def contacts_of_edit(self, _motion: Motion, _positions: np.ndarray | None = None) -> ContactSpans:
        """The contacts of the other side."""
        return mirrored_contacts(self.contacts, self.body)
