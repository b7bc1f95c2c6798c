"""Retargeting: the motion of one character on another one (motion editing chapter, 1.7.2.4)."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from .correspondence.mapping import JointMapping, JointPair
    from .correspondence.proposal import name_mapping
    from .feet.foot_roll import rolling_contacts
    from .feet.soles import sole_pitch, with_flat_soles
    from .held_distance import HeldDistance
    from .options import RetargetOptions
    from .partners import Meeting, Partner, retarget_together
    from .paths import PathsFollowed, follow_paths
    from .proportions.measures import chain_length
    from .proportions.proportions import with_proportions
    from .proportions.standing_pose import standing_pose
    from .report import MissedDistance, Retargeted, RetargetReport
    from .tool.cast import Casting, played, played_together
    from .tool.retarget_tool import RetargetMotion
    from .transfer import retarget
else:
    __getattr__ = lazy_door(__name__)
