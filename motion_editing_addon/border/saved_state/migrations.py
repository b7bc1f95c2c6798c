"""How data of earlier versions become those of the next one."""

from __future__ import annotations

import re
from typing import Any

Values = dict[str, Any]

_FITTED_DETAIL = re.compile(r"model\.fitted\.\w+\.(detail\.|measured)")


def without(name: str) -> Any:
    """A migration that drops a number of a version which is kept elsewhere now; it was 1, where it was there."""

    def migrate(values: Values) -> Values:
        kept = dict(values)
        if kept.pop(name, 1) != 1:
            raise ValueError(f"'{name}' is {values[name]}")
        return kept

    return migrate


def unchanged(values: Values) -> Values:
    """What was new in a version need not be there."""
    return values


def in_one_layer(values: Values) -> Values:
    """Staggered poses had layers of curves; of more than one the motion itself tells the rest."""
    layers = max((int(values[name]) for name in values if name.endswith(".layers")), default=1)
    if layers > 1:
        return {name: value for name, value in values.items() if not name.startswith("model.")}
    kept = {name.replace(".0.", "."): value for name, value in values.items() if not name.endswith(".layers")}
    # Displacement maps are those that were fitted.
    return {name: value for name, value in kept.items() if not _FITTED_DETAIL.match(name)}


def named_header(values: Values) -> Values:
    """Version, frames and stride of a match web were three numbers in an array."""
    kept = dict(values)
    version, frames, stride = (int(value) for value in kept.pop("header"))
    if version != 1:
        raise ValueError(f"there is no version {version} of a match web")
    return {**kept, "frames": frames, "stride": stride}
