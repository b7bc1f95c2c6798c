"""Holding contacts through an edit: feet and hands stay where they were (staggered poses, section 3)."""

from .foot_lock import LockReport, lock_feet
from .holding import hold_contacts
from .report import HoldReport, MissedContact, foot_slide

__all__ = ["HoldReport", "LockReport", "MissedContact", "foot_slide", "hold_contacts", "lock_feet"]
