"""Versions of settings: property groups that hang on Blender's data, whose values Blender itself saves by name.

A group that says nothing is of the first version. What groups hold is stamped with its version before a file is saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ....core.errors import NewerDataError
from .damage import checked_version

if TYPE_CHECKING:
    from bpy.types import ID

    from .schema import Kind

_VERSION = "version"


def migrate(owner: ID, kinds: Mapping[str, Kind]) -> list[str]:
    """Bring all settings of a data-block that was loaded to this version; gives a line about each of a later one.

    Args:
        kinds: By type of Blender's data and name of the settings, such as "Action.motion_editing". Their migrations
            change a group in place.
    """
    told = []
    for kind, group in _groups(owner, kinds):
        try:
            version = checked_version(kind, _version(group))
        except NewerDataError as newer:
            told.append(str(newer))
            continue
        for earlier in range(version, kind.version):
            kind.migrations[earlier](group)
        _stamp(group, kind)
    return told


def stamp(owner: ID, kinds: Mapping[str, Kind]) -> None:
    """Let all settings of a data-block tell their version; to be called before the file is saved."""
    later = {place: kind for place, kind in kinds.items() if kind.version > 1}
    for kind, group in _groups(owner, later):
        _stamp(group, kind)


def _groups(owner: ID, kinds: Mapping[str, Kind]) -> Iterator[tuple[Kind, Any]]:
    """The settings that there are, with their kinds."""
    for place, kind in kinds.items():
        type_name, name = place.split(".")
        if type(owner).__name__ == type_name and owner.is_property_set(name):
            group = getattr(owner, name)
            if getattr(group, _VERSION, 1) != 0:  # which says that there is nothing
                yield kind.named(owner.name), group


def _version(group: Any) -> int:
    """The version of a group; one that was damaged counts as the first."""
    stored = getattr(group, _VERSION) if hasattr(group, _VERSION) else group.get(_VERSION, 1)
    return max(stored, 1) if isinstance(stored, int) else 1


def _stamp(group: Any, kind: Kind) -> None:
    if kind.version <= _version(group):  # also what comes from a later one
        return
    if hasattr(group, _VERSION):
        group.version = kind.version
    else:
        group[_VERSION] = kind.version
