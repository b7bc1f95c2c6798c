"""Models of a motion saved with its action: arrays, texts and numbers by name, versioned and fingerprinted.

They are ID properties of the action's settings, so they go where the action goes: into the file,
through undo, into copies and other files. They are kept by the handle of the slot, which unlike its
name never changes, and beside the F-curves: without the add-on the file plays the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from idprop.types import IDPropertyGroup

from ....core.errors import DamagedDataError, MotionEditError
from ..lazy_modules import np
from .damage import checked_version, reading
from .schema import check, form_of
from .stored_values import from_stored, stored_forms, to_stored

if TYPE_CHECKING:
    from bpy.types import Action

    from .schema import Kind, Values

_ROOT = "saved_models"
_LONGEST_NAME = 63  # bytes; Blender's limit for the name of an ID property

# Called after a model was saved.
when_saved: list[Callable[[], None]] = []


class SavedModel(NamedTuple):
    """What was saved, as the present version has it; the arrays are copies that belong to the caller."""

    arrays: Values
    fingerprint: str


# Saving and loading


def save(action: Action, slot_identifier: str, kind: Kind, arrays: Values, fingerprint: str) -> None:
    """Save a model in the place of what was saved of this kind.

    Args:
        slot_identifier: Identifier of the action's slot that the model describes.
        kind: Of the model.
        arrays: What the kind has fields for; integers must fit into 32 bits.
        fingerprint: `action_io.fingerprint` of the keys that the model agrees with.

    Raises:
        MotionEditError: The action is linked; what is saved in it would be lost.
        ValueError: A value cannot be saved; what was saved before stays.
    """
    if not action.is_editable:
        raise MotionEditError(f"Action '{action.name}' is linked: make it local first")
    handle = _handle(action, slot_identifier)
    if handle is None:
        raise ValueError(f"Action '{action.name}' has no slot '{slot_identifier}'")
    stored = {_checked_name(key): to_stored(kind, key, value) for key, value in arrays.items()}
    check(kind, {key: form_of(value) for key, value in arrays.items()})
    root = _group(action.motion_editing, _ROOT) or _new_group(action.motion_editing, _ROOT)
    models = _group(root, handle) or _new_group(root, handle)
    entry = _new_group(models, _checked_name(kind.name))
    entry["version"], entry["fingerprint"] = kind.version, fingerprint
    entry["layout"] = json.dumps({key: each.layout for key, each in stored.items() if each.layout is not None})
    data = _new_group(entry, "data")
    for key, each in stored.items():
        if each.value is not None:
            data[key] = each.value
    entry["checksum"] = _checksum(entry)
    for call in when_saved:
        call()


def load(action: Action, slot_identifier: str, kind: Kind) -> SavedModel | None:
    """The model saved of a kind, whichever version has saved it, or None.

    Raises:
        DamagedDataError: It is not what was saved, or of a later version.
    """
    entry = _models(action, slot_identifier).get(kind.name)
    if entry is None:
        return None
    with reading(kind):
        version = checked_version(kind, entry["version"])
        # Files of earlier versions have none.
        if entry.get("checksum", "") not in ("", _checksum(entry)):
            raise ValueError(f"'{kind.name}' is not what was saved")
        layout, data = json.loads(entry["layout"]), entry["data"]
        # Sizes first: nothing is made before they are known to fit.
        forms = stored_forms(layout, data)
        if version == kind.version:
            check(kind, forms)
        arrays = kind.migrated({key: from_stored(layout.get(key), data.get(key)) for key in forms}, version)
        check(kind, {key: form_of(value) for key, value in arrays.items()})
        _refuse_gaps(kind, arrays)
        return SavedModel(arrays, str(entry["fingerprint"]))


def load_known(action: Action, slot_identifier: str, kind: Kind) -> SavedModel:
    """The model saved of a kind, where there is known to be one.

    Raises:
        DamagedDataError: As with `load`, or there is none.
    """
    saved = load(action, slot_identifier, kind)
    if saved is None:
        raise DamagedDataError(kind.damaged)
    return saved


def _refuse_gaps(kind: Kind, arrays: Values) -> None:
    """Raise a ValueError where a number is missing that may not."""
    for name, value in arrays.items():
        rule = kind.field_of(name)[1]
        if form_of(value)[0].startswith("f") and not (rule and rule.has_gaps) and not np.isfinite(value).all():
            raise ValueError(f"numbers of '{name}' are missing")


def peek(action: Action, slot_identifier: str, kind: Kind, what: str) -> int | str | None:
    """A whole number or text of a saved model without reading the rest; None if there is none."""
    entry = _group(_models(action, slot_identifier), kind.name)
    value = (_group(entry, "data") or {}).get(what) if entry else None
    return value if isinstance(value, int | str) else None


def fingerprint_of(action: Action, slot_identifier: str, kind: Kind) -> str | None:
    """The fingerprint that a model was saved with; None if there is no model, empty if it cannot be read."""
    models = _models(action, slot_identifier)
    if kind.name not in models:
        return None
    known = (_group(models, kind.name) or {}).get("fingerprint")
    return known if isinstance(known, str) else ""


def remove(action: Action, slot_identifier: str, kind: Kind) -> bool:
    """Delete a model, whatever has become of it, and what held it; gives whether there was one."""
    models = _models(action, slot_identifier)
    if kind.name not in models:
        return False
    del models[kind.name]
    settings = action.motion_editing
    if not len(models):
        del settings[_ROOT][_handle(action, slot_identifier)]
    if not len(settings[_ROOT]):
        del settings[_ROOT]
    return True


def names(action: Action, slot_identifier: str) -> tuple[str, ...]:
    """Names of the models saved for a slot, in alphabetical order."""
    return tuple(sorted(_models(action, slot_identifier).keys()))


def _handle(action: Action, slot_identifier: str) -> str | None:
    found = [slot for slot in action.slots if slot.identifier == slot_identifier]
    return str(found[0].handle) if found else None


def _models(action: Action, slot_identifier: str) -> Any:
    """The slot's group of models; an empty dictionary if nothing was saved."""
    root = _group(action.motion_editing, _ROOT)
    models = _group(root, _handle(action, slot_identifier) or "") if root else None
    return {} if models is None else models


def _group(parent: Any, name: str) -> Any:
    """A group that another one holds; None if it holds none of this name."""
    found = parent.get(name)
    return found if isinstance(found, IDPropertyGroup) else None


def _new_group(parent: Any, name: str) -> Any:
    parent[name] = {}
    return parent[name]


def _checked_name(name: str) -> str:
    if not 0 < len(name.encode()) <= _LONGEST_NAME:
        raise ValueError(f"'{name}' must have 1 to {_LONGEST_NAME} bytes to be saved")
    return name


def _checksum(entry: Any) -> str:
    """Of the data and their layout, as they are stored."""
    found, data = crc32(entry["layout"].encode()), entry["data"]
    for key in sorted(data.keys()):
        value = data[key]
        stored = repr(value).encode() if isinstance(value, (str, int, float)) else memoryview(value)
        found = crc32(stored, crc32(key.encode(), found))
    return f"{found:08x}"
