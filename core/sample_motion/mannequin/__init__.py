"""The mannequin: a skinned human for the sample figure and for a character that Rigify builds."""

from .figures import UNUSED_METARIG_BONES, metarig_bones, rigify_weights, sample_weights
from .mesh import MATERIALS, Mannequin, mannequin

__all__ = [
    "MATERIALS",
    "UNUSED_METARIG_BONES",
    "Mannequin",
    "mannequin",
    "metarig_bones",
    "rigify_weights",
    "sample_weights",
]
