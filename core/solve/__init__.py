"""What makes a motion meet conditions."""

from typing import TYPE_CHECKING

from ..lazy_door import lazy_door

if TYPE_CHECKING:
    from . import limb_ik, spacetime
    from .chain_ik import Chain, reach_with_chain
    from .limb_ik import BendRange, Limb, reach_targets
else:
    __getattr__ = lazy_door(__name__)
