"""Options that several tools have, in the same words."""

from .options import Unit, number, switch

KEEP_CONTACTS = switch(False, "Pin planted feet and hands in place", key="C")
KEEP_PEAKS = switch(False, "Keep the extremes of every swing and filter only between them", key="P")
STRENGTH = number(
    1.0, "Share of the filtered motion; 0 changes nothing", limits=(0.0, 1.0), unit=Unit.FACTOR, drag=(1, 10)
)
