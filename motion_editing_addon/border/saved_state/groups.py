"""Values that are kept straight with a property group or a data-block, beside others that it has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..lazy_modules import np
from .damage import checked_version, reading
from .id_arrays import put_array
from .schema import check, form_of

if TYPE_CHECKING:
    from bpy.types import ID, PropertyGroup

    from .schema import Form, Kind, Values

_TYPES = {"i": "i4", "f": "f4", "d": "f8"}


def put(holder: PropertyGroup | ID, kind: Kind, values: Values) -> None:
    """Keep values of a kind in the place of those that there were; arrays are flat, those without numbers nothing."""
    flat = {name: value.reshape(-1) if isinstance(value, np.ndarray) else value for name, value in values.items()}
    check(kind, {name: form_of(value) for name, value in flat.items()})
    for name in (*kind.fields, _version(kind)):
        if name in holder:
            del holder[name]
    for name, value in flat.items():
        if isinstance(value, np.ndarray):
            put_array(holder, name, value)
        else:
            holder[name] = value.item() if isinstance(value, np.generic) else value
    if kind.version > 1:  # what says nothing is of the first
        holder[_version(kind)] = kind.version


def take(holder: PropertyGroup | ID, kind: Kind, *names: str, **sizes: int) -> Values:
    """Values of a kind; arrays are flat copies: Blender's own memory may go at the next undo.

    Args:
        kind: What they should be.
        names: Of some fields alone.
        sizes: Numbers that letters stand for in the sizes of fields. Nothing is allocated before these fit.

    Raises:
        DamagedDataError: They are not what was kept, or of a later version.
    """
    with reading(kind):
        version = checked_version(kind, holder.get(_version(kind), 1))
        stored = {name: value for name in names or kind.fields if (value := holder.get(name)) is not None}
        chosen = replace(kind, fields={name: kind.fields[name] for name in names}) if names else kind
        check(chosen, {name: _form(value) for name, value in stored.items()}, sizes)
        values = {name: _value(value) for name, value in stored.items()}
        if not all(np.isfinite(value).all() for value in values.values() if not isinstance(value, str)):
            raise ValueError("numbers are missing")
        return kind.migrated(values, version)


def _version(kind: Kind) -> str:
    return f"{kind.name} version"


def _form(stored: Any) -> Form:
    if hasattr(stored, "typecode"):
        return _TYPES.get(stored.typecode, stored.typecode), (len(stored),)
    return form_of(stored)


def _value(stored: Any) -> Any:
    return np.frombuffer(stored, dtype=stored.typecode).copy() if hasattr(stored, "typecode") else stored
