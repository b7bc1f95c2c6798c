"""Options that several tools have, in the same words."""

from .options import Unit, number, switch

_BREAKDOWNS = "Add breakdown keys where sparse keys exceed the error below"
BREAKDOWNS = switch(True, _BREAKDOWNS, label="Breakdown Keys")
BREAKDOWNS_IF_ASKED = switch(False, _BREAKDOWNS, label="Breakdown Keys")
KEEP_CONTACTS_TEXT = "Pin planted feet and hands in place"
KEEP_CONTACTS = switch(True, KEEP_CONTACTS_TEXT, key="C")
KEEP_FLOOR_TEXT = "Prevent bones from sinking below the floor"
KEEP_FLOOR = switch(True, KEEP_FLOOR_TEXT, label="Keep Above Floor")
KEEP_PEAKS = switch(False, "Keep the extremes of every swing and filter only between them", key="P")
SNAP = switch(True, "Put sparse keys on whole frames", label="Snap Keys")
SOFTEN = switch(True, "Average poses where time runs faster, against flicker", label="Soften Where Faster")
STRENGTH = number(
    1.0, "Share of the filtered motion; 0 changes nothing", limits=(0.0, 1.0), unit=Unit.FACTOR, drag=(1, 10)
)
# How results become keys: identifier, label and tooltip.
EVERY_FRAME = ("EVERY_FRAME", "Every Frame", "One key on every frame that changed")
REDUCED = ("REDUCED", "Reduced", "Few Bézier keys, within the errors stated below")
ROTATION_ERROR = number(
    0.00872665,
    "Largest rotation error of a bone when keys are reduced",
    limits=(1e-5, None),
    soft_limits=(None, 0.1),
    unit=Unit.ANGLE,
)
LOCATION_ERROR = number(
    0.002,
    "Largest error of a location when keys are reduced",
    limits=(1e-6, None),
    soft_limits=(None, 0.1),
    unit=Unit.DISTANCE,
    precision=4,
)
