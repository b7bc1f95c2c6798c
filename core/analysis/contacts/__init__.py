"""Contacts: when feet, hands or any other joints stand still on something."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .carrying_joints import carrying_frames
    from .contact_changes import following_contacts
    from .detection import ContactOptions, default_joints, detect_contacts, options_from_example
    from .floor import estimate_floor
    from .moving_ground import Stance, ground_velocity, on_still_ground
    from .spans import ContactSpans, Span
else:
    __getattr__ = lazy_door(__name__)
