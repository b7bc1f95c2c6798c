"""The root of a figure, which gives way so that standing limbs reach what they hold as bent as they were."""

from typing import TYPE_CHECKING

from ....lazy_door import lazy_door

if TYPE_CHECKING:
    from .limb_pull import LimbPull, Pulls
    from .path_search import root_path
    from .root_move import lowered, moved
    from .rooted_figure import STRAIGHT, RootedFigure
    from .shake import root_shake
else:
    __getattr__ = lazy_door(__name__)
