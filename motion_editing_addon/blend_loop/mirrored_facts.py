"""What is asked about a clip that is mirrored: its contacts go over to the other side with their feet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.contact_lock import foot_slide
from ..clean_filter.clip_facts import ClipFacts
from .saved_contacts import mirrored_contacts

if TYPE_CHECKING:
    from ...core.motion import Motion


class MirroredFacts(ClipFacts):
    """Facts about a clip, of which the edit has its contacts on the other side."""

    def slide_of(self, motion: Motion) -> float | None:
        """Largest slide of a foot in contact; the mirrored foot is measured in the mirrored motion."""
        before = super().slide_of(self.clip.motion)
        if motion is self.clip.motion or before is None:
            return before
        names = {self.body.skeleton.names[foot] for foot in self.body.feet}
        slides = foot_slide(motion, mirrored_contacts(self.contacts, self.body))
        return max((slide for joint, own in slides.items() if joint in names for slide in own), default=None)
