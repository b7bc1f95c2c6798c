"""The unit of length of a file that states none, told from the height of the body."""

import math
from typing import NamedTuple

# Metres of the units in which people are captured or modelled; 0.45 units an inch is a habit of old capture files.
_UNITS = (1.0, 0.01, 0.0254, 0.0254 / 0.45, 0.1, 0.001, 0.3048)
# Metres: a usual person, those that are believed at once, and those that a unit may give.
_USUAL, _BELIEVED, _GROWN = 1.7, (0.5, 2.5), (1.2, 2.2)
# Metres of creatures of which nobody knows how tall they are, and the size they get where no unit fits.
_CREATURES, _CREATURE = (0.05, 8.0), 1.0


class SourceUnit(NamedTuple):
    """Metres that a unit of the file stands for, and whether that is a unit that somebody uses."""

    factor: float
    is_unit: bool


def find_unit(height: float | None, *, person: bool, stated: bool = False) -> SourceUnit:
    """Find the factor on all lengths with which a body has its true size in metres.

    Args:
        height: Of the standing body in the file's unit; 1 is given where nobody knows it.
        person: It is a human being, of which the height is known roughly.
        stated: The file states its unit, so what is possible at all is believed.
    """
    if not height or not math.isfinite(height):
        return SourceUnit(1.0, True)
    believed = _BELIEVED if person and not stated else _CREATURES
    if believed[0] <= height <= believed[1]:
        return SourceUnit(1.0, True)
    usual, limits = (_USUAL, _GROWN) if person else (_CREATURE, _CREATURES)
    fitting = [unit for unit in _UNITS if limits[0] <= height * unit <= limits[1]]
    if not fitting:
        return SourceUnit(usual / height, False)
    return SourceUnit(min(fitting, key=lambda unit: abs(math.log(height * unit / usual))), True)
