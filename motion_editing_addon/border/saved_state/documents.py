"""Saved data that are a JSON text: in a property, or in a file of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .damage import checked_version, reading
from .schema import check, form_of

if TYPE_CHECKING:
    from .schema import Kind

_VERSION = "version"


def to_text(kind: Kind, values: dict[str, Any], *, indent: int | None = None, ensure_ascii: bool = True) -> str:
    """The text of a document, with its version."""
    check(kind, {name: form_of(value) for name, value in values.items()})
    return json.dumps({_VERSION: kind.version, **values}, indent=indent, ensure_ascii=ensure_ascii)


def from_text(kind: Kind, text: str) -> dict[str, Any]:
    """The values of a document, as this version has them.

    Raises:
        DamagedDataError: The text is not what was written, or of a later version.
    """
    with reading(kind):
        values = dict(json.loads(text))
        version = checked_version(kind, values.pop(_VERSION, 1))
        values = kind.migrated(values, version)
        check(kind, {name: form_of(value) for name, value in values.items()})
        return values
