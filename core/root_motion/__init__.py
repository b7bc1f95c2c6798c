"""The way of a character over the ground, and moving it elsewhere."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .ground_tools import ChangeHeading, FollowCurve, InPlace
    from .kept_contacts import moved_with_contacts
    from .moves import NoTravelError, along_curve, heading_change
else:
    __getattr__ = lazy_door(__name__)
