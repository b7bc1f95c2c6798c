"""How data of earlier versions become those of the next one."""

from __future__ import annotations

from typing import Any

Values = dict[str, Any]


def without(name: str) -> Any:
    """A migration that drops a number of a version which is kept elsewhere now; it was 1, where it was there."""

    def migrate(values: Values) -> Values:
        kept = dict(values)
        if kept.pop(name, 1) != 1:
            raise ValueError(f"'{name}' is {values[name]}")
        return kept

    return migrate


def named_header(values: Values) -> Values:
    """Version, frames and stride of a match web were three numbers in an array."""
    kept = dict(values)
    version, frames, stride = (int(value) for value in kept.pop("header"))
    if version != 1:
        raise ValueError(f"there is no version {version} of a match web")
    return {**kept, "frames": frames, "stride": stride}
