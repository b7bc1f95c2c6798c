"""Paths over all frames at once that are as small and as calm as they can be."""

from typing import TYPE_CHECKING

from ...lazy_door import lazy_door

if TYPE_CHECKING:
    from .block_tridiagonal import solve_block_tridiagonal
    from .calm import Calm
    from .fade import Fading
else:
    __getattr__ = lazy_door(__name__)
