"""Values as ID properties hold them, and back: flat arrays of 32-bit integers and of both kinds of floats.

Large arrays are kept as bytes: those of the first byte of every number, then those of the second and so on, compressed.
Numbers that single precision holds are kept in that. All come back bit for bit.
"""

from __future__ import annotations

import zlib
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ..lazy_modules import np

if TYPE_CHECKING:
    from .schema import Form, Kind

_LARGEST_INTEGER = 2**31 - 1
# Bytes from which on an array is worth compressing.
_LARGE = 1024
_LEVEL = 1
# Times that data can become smaller at best.
_BEST_RATIO = 1032
_KINDS = frozenset(["b1", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])


class Stored(NamedTuple):
    """A value as an ID property holds it, and type and shape of an array.

    An array without elements is None: its layout says all. An array that is kept as bytes also has the type that
    these are of in its layout.
    """

    value: Any
    layout: list[Any] | None = None


def to_stored(kind: Kind, name: str, value: Any) -> Stored:
    """The value as it is stored."""
    if isinstance(value, np.ndarray):
        return _to_stored_array(kind, name, value)
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, (str, int, float)):
        raise ValueError(f"'{name}' cannot be saved: {type(value).__name__} is not an array, text or number")
    if isinstance(plain, int) and abs(plain) > _LARGEST_INTEGER:
        raise ValueError(f"'{name}' cannot be saved: {plain} does not fit into 32 bits")
    return Stored(plain)


def _to_stored_array(kind: Kind, name: str, array: np.ndarray) -> Stored:
    layout, rule = [array.dtype.str, array.shape], kind.field_of(name)[1]
    if array.dtype.str[1:] not in _KINDS:
        raise ValueError(f"'{name}' cannot be saved: arrays of {array.dtype} are not supported")
    if rule is not None and rule.compact and array.nbytes >= _LARGE:
        packed, packed_type = _packed(array)
        return Stored(packed, [*layout, packed_type])
    return Stored(_flat(name, array) if array.size else None, layout)


def _flat(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind == "f":
        return np.ascontiguousarray(array).reshape(-1)
    if array.dtype.kind != "b" and max(abs(int(array.min())), abs(int(array.max()))) > _LARGEST_INTEGER:
        raise ValueError(f"'{name}' cannot be saved: its integers do not fit into 32 bits")
    return np.ascontiguousarray(array, dtype=np.int32).reshape(-1)


def stored_forms(layout: Any, data: Any) -> dict[str, Form]:
    """Types and shapes of all that is stored, without reading it.

    Raises:
        ValueError: The layout does not fit what is there.
    """
    forms: dict[str, Form] = {key: (type(data[key]).__name__, None) for key in data.keys() if key not in layout}  # noqa: SIM118
    for name, (kind, shape, *packed) in layout.items():
        if not all(type(size) is int and size >= 0 for size in shape) or kind[1:] not in _KINDS:
            raise ValueError(f"'{name}' has the shape {shape} of {kind}")
        if not _has_size(data.get(name), prod(shape), packed):
            raise ValueError(f"'{name}' has the shape {shape}")
        forms[name] = kind[1:], tuple(shape)
    return forms


def _has_size(stored: Any, count: int, packed: list[str]) -> bool:
    """Whether so many numbers can be in what is stored."""
    if packed:
        known = isinstance(stored, bytes) and packed[0][1:] in _KINDS
        return known and 0 < count * int(packed[0][-1]) <= _BEST_RATIO * len(stored)
    return count == (0 if stored is None else len(stored))


def from_stored(layout: list[Any] | None, stored: Any) -> Any:
    """A value as it was; arrays are copies: Blender's own memory may go at the next undo."""
    if layout is None:
        return stored
    kind, shape, *packed = layout
    if stored is None:
        return np.empty(shape, dtype=kind)
    flat = _unpacked(stored, packed[0], prod(shape)) if packed else np.frombuffer(stored, dtype=stored.typecode)
    return flat.astype(kind).reshape(shape)


# Arrays as bytes


def _packed(array: np.ndarray) -> tuple[bytes, str]:
    """The bytes of an array, and the type that they are of: single precision where that holds all numbers."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.dtype == np.float64:
        with np.errstate(over="ignore"):
            single = flat.astype(np.float32)
        flat = single if single.astype(np.float64).tobytes() == flat.tobytes() else flat
    planes = flat.view(np.uint8).reshape(-1, flat.itemsize).T
    return zlib.compress(planes.tobytes(), _LEVEL), flat.dtype.str


def _unpacked(stored: bytes, kind: str, count: int) -> np.ndarray:
    """So many numbers, or a ValueError; no more than these are ever unpacked."""
    size = np.dtype(kind).itemsize
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(stored, count * size)
        more = unpacking.decompress(unpacking.unconsumed_tail, 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(found) != count * size or more or not unpacking.eof:
        raise ValueError(f"{len(found)} bytes for {count} numbers")
    return np.frombuffer(found, np.uint8).reshape(size, count).T.copy().view(kind).reshape(-1)
