"""Holding contacts through an edit: feet and hands stay where they were (staggered poses, section 3)."""

from .foot_lock import LockReport, lock_feet
from .holding import hold_contacts
from .report import HoldReport, MissedContact
from .sliding import foot_slide, ground_under, largest_slide, on_ground_that_stands

__all__ = [
    "HoldReport",
    "LockReport",
    "MissedContact",
    "foot_slide",
    "ground_under",
    "hold_contacts",
    "largest_slide",
    "lock_feet",
    "on_ground_that_stands",
]
