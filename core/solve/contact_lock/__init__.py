"""Holding contacts through an edit: feet and hands stay where they were (staggered poses, section 3)."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .contact_hold import hold_contacts
    from .eased_needs import eased
    from .foot_lock import LockReport, lock_feet
    from .lock_report import HoldReport, MissedContact, report
    from .slide_measure import foot_slide, ground_under, largest_slide, largest_slide_of, on_ground_that_stands
    from .windows import Mask, contact_frames, contacts_of_limb, faded, frames_of, smooth_fall
else:
    __getattr__ = lazy_door(__name__)
