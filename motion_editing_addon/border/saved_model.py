"""Models of a motion saved with its action: arrays, texts and numbers by name, versioned and fingerprinted.

They are ID properties of the action's settings, so they go where the action goes: into the file,
through undo, into copies and other files. They are kept by the handle of the slot, which unlike its
name never changes, and beside the F-curves: without the add-on the file plays the same.
"""

from __future__ import annotations

import json
from enum import Enum
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from idprop.types import IDPropertyGroup

from ..document import scope, watched_keys

if TYPE_CHECKING:
    import numpy as np
    from bpy.types import Action, Object

    Value = np.ndarray | str | int | float

_ROOT = "saved_models"
_LONGEST_NAME = 63  # bytes; Blender's limit for the name of an ID property
_LARGEST_INTEGER = 2**31 - 1


class SavedModel(NamedTuple):
    """What was saved; the arrays are copies that belong to the caller."""

    arrays: dict[str, Value]
    fingerprint: str
    version: int


class State(Enum):
    """How a saved model stands to the keys."""

    NONE = "none"  # nothing was saved
    CURRENT = "current"  # the keys are those that the model was saved with
    CHANGED = "changed"  # keys have been edited since, or an edit undone


# Saving and loading


def save(
    action: Action, slot_identifier: str, name: str, arrays: dict[str, Value], fingerprint: str, *, version: int = 1
) -> None:
    """Save a model in the place of what was saved under this name.

    Args:
        action: Where to save.
        slot_identifier: Identifier of the action's slot that the model describes.
        name: Of the model, such as "staggered".
        arrays: Arrays of any shape, numbers or booleans; integers must fit into 32 bits.
        fingerprint: `action_io.fingerprint` of the keys that the model agrees with.
        version: Of the caller's format, to tell old models apart.

    Raises:
        MotionEditError: The action is linked; what is saved in it would be lost.
        ValueError: A value cannot be saved; what was saved before stays.
    """
    import numpy as np

    from ...core.errors import MotionEditError

    if not action.is_editable:
        raise MotionEditError(f"Action '{action.name}' is linked: make it local first")
    handle = _handle(action, slot_identifier)
    if handle is None:
        raise ValueError(f"Action '{action.name}' has no slot '{slot_identifier}'")
    stored = {_checked_name(key): _to_stored(key, value) for key, value in arrays.items()}
    layout = {key: (value.dtype.str, value.shape) for key, value in arrays.items() if isinstance(value, np.ndarray)}
    root = _group(action.motion_editing, _ROOT) or _new_group(action.motion_editing, _ROOT)
    models = _group(root, handle) or _new_group(root, handle)
    entry = _new_group(models, _checked_name(name))
    entry["version"], entry["fingerprint"], entry["layout"] = version, fingerprint, json.dumps(layout)
    data = _new_group(entry, "data")
    for key, value in stored.items():
        if value is not None:
            data[key] = value
    entry["checksum"] = _checksum(entry)
    watched_keys.look_anew()


def load(action: Action, slot_identifier: str, name: str) -> SavedModel | None:
    """The model saved under a name, or None; to be called within `damage.reading`."""
    entry = _models(action, slot_identifier).get(name)
    if entry is None:
        return None
    # Files of earlier versions have none.
    if entry.get("checksum", "") not in ("", _checksum(entry)):
        raise ValueError(f"'{name}' is not what was saved")
    layout, data = json.loads(entry["layout"]), entry["data"]
    arrays = {key: data[key] for key in data.keys() if key not in layout}  # noqa: SIM118
    arrays |= {key: _from_stored(data.get(key), *each) for key, each in layout.items()}
    return SavedModel(arrays, entry["fingerprint"], entry["version"])


def peek(action: Action, slot_identifier: str, name: str, what: str) -> int | str | None:
    """A whole number or text of a saved model without reading the rest; None if there is none."""
    entry = _group(_models(action, slot_identifier), name)
    value = (_group(entry, "data") or {}).get(what) if entry else None
    return value if isinstance(value, int | str) else None


def remove(action: Action, slot_identifier: str, name: str) -> bool:
    """Delete a model and what held it; gives whether there was one."""
    models = _models(action, slot_identifier)
    if name not in models:
        return False
    del models[name]
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


# What Blender can hold: one-dimensional arrays of 32-bit integers and of both kinds of floats


def _to_stored(name: str, value: Value) -> Any:
    """The value as an ID property holds it; None for an array without elements, whose layout says all."""
    import numpy as np

    if isinstance(value, np.ndarray):
        return _to_stored_array(name, value) if value.size else None
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, (str, int, float)):
        raise ValueError(f"'{name}' cannot be saved: {type(value).__name__} is not an array, text or number")
    if isinstance(plain, int) and abs(plain) > _LARGEST_INTEGER:
        raise ValueError(f"'{name}' cannot be saved: {plain} does not fit into 32 bits")
    return plain


def _to_stored_array(name: str, array: np.ndarray) -> np.ndarray:
    import numpy as np

    if array.dtype in (np.float32, np.float64):
        return np.ascontiguousarray(array).reshape(-1)
    if array.dtype.kind not in "biu":
        raise ValueError(f"'{name}' cannot be saved: arrays of {array.dtype} are not supported")
    if array.dtype.kind != "b" and max(abs(int(array.min())), abs(int(array.max()))) > _LARGEST_INTEGER:
        raise ValueError(f"'{name}' cannot be saved: its integers do not fit into 32 bits")
    return np.ascontiguousarray(array, dtype=np.int32).reshape(-1)


def _from_stored(stored: Any, kind: str, shape: list[int]) -> np.ndarray:
    """A copy: Blender's own memory may go at the next undo. Nothing is made before its size is known to fit."""
    import numpy as np

    if min(shape, default=0) < 0 or prod(shape) != (0 if stored is None else len(stored)):
        raise ValueError(f"an array has the shape {shape}")
    if stored is None:
        return np.empty(shape, dtype=kind)
    return np.frombuffer(stored, dtype=stored.typecode).astype(kind).reshape(shape)


def _checksum(entry: Any) -> str:
    """Of the data and their layout, as they are stored."""
    found, data = crc32(entry["layout"].encode()), entry["data"]
    for key in sorted(data.keys()):
        value = data[key]
        stored = repr(value).encode() if isinstance(value, (str, int, float)) else memoryview(value)
        found = crc32(stored, crc32(key.encode(), found))
    return f"{found:08x}"


# Whether the keys have changed since


def state(armature: Object, name: str, *, exact: bool = False) -> State:
    """How the armature's saved model stands to its keys; cheap enough for every redraw of a panel.

    Args:
        armature: Armature object; one without an action has no model.
        name: Of the model.
        exact: Look at the keys now. Otherwise the answer may be a moment old while keys are
            being edited, and does not know of scripts that change keys and do not tell Blender.
    """
    action = scope.action_of(armature)
    models = _models(action, armature.animation_data.action_slot.identifier) if action else {}
    if name not in models:
        return State.NONE
    known = (_group(models, name) or {}).get("fingerprint")
    return State.CURRENT if known == watched_keys.fingerprint(armature, exact=exact) else State.CHANGED
