"""Feet and hands that stand still."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .lock_tool import LockFeet
else:
    __getattr__ = lazy_door(__name__)
