"""What is asked about a clip that is mirrored: its contacts go over to the other side with their feet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.contact_lock import foot_slide
from ...core.contacts import ContactSpans
from ..clean_filter.clip_facts import ClipFacts

if TYPE_CHECKING:
    from ...core.motion import Motion


class MirroredFacts(ClipFacts):
    """Facts about a clip, of which the edit has its contacts on the other side."""

    def slide_of(self, motion: Motion) -> float | None:
        """Largest slide of a foot in contact; the mirrored foot is measured in the mirrored motion."""
        before = super().slide_of(self.clip.motion)
        if motion is self.clip.motion or before is None:
            return before
        names, feet = self.body.skeleton.names, set(self.body.feet)
        partner = {names[joint]: names[other] for joint, other in enumerate(self.body.mirror)}
        spans = {partner[names[foot]]: self.contacts.of(names[foot]) for foot in feet}
        slides = foot_slide(motion, ContactSpans({joint: own for joint, own in spans.items() if own}))
        return max((slide for own in slides.values() for slide in own), default=None)
