"""What is asked about clips whose edit has other contacts than the clip itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.contact_lock import foot_slide
from ...core.contacts import ContactSpans, detect_contacts
from ..clean_filter.clip_facts import ClipFacts
from .saved_contacts import mirrored_contacts

if TYPE_CHECKING:
    import numpy as np

    from ...core.motion import Motion


class EditFacts(ClipFacts):
    """Facts about a clip; the slide of its edit is measured in the contacts that the edit has."""

    def contacts_of_edit(self, motion: Motion, positions: np.ndarray | None = None) -> ContactSpans:
        """The contacts of the edited motion: found anew."""
        return detect_contacts(motion, self.body, positions=positions)

    def slide_of(self, motion: Motion, positions: np.ndarray | None = None) -> float | None:
        """Largest slide of a foot in contact, in units; None if there is no contact."""
        if motion is self.clip.motion:
            return super().slide_of(motion, positions)
        feet = {self.body.skeleton.names[foot] for foot in self.body.feet}
        slides = foot_slide(motion, self.contacts_of_edit(motion, positions), positions=positions)
        return max((slide for joint, own in slides.items() if joint in feet for slide in own), default=None)


class MirroredFacts(EditFacts):
    """Facts about a clip that is mirrored: contacts go over to the other side with their feet."""

    def contacts_of_edit(self, _motion: Motion, _positions: np.ndarray | None = None) -> ContactSpans:
        """The contacts of the other side."""
        return mirrored_contacts(self.contacts, self.body)
