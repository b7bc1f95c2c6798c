"""What makes a motion meet conditions."""

from . import limb_ik
from .chain_ik import Chain, reach_with_chain
from .limb_ik import BendRange, Limb, reach_targets

__all__ = [
    "BendRange",
    "Chain",
    "Limb",
    "limb_ik",
    "reach_targets",
    "reach_with_chain",
]
