"""What was done to keys between two states of an action, and doing it again where the keys have become others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.numerics import quaternion
from .channel_values import rotation_values
from .curves.channels import bone_of_path, channelbag
from .curves.key_arrays import pack_keys, unpack_keys
from .curves.keys import ATTRIBUTES, SAME_FRAME, CurveInMemory, KeyArrays, evaluated, merged, read_keys, write_keys
from .memory.slots import curves_by_place, identity_of, owner_of, place_of, slots_of
from .samples import rotations_from_raw

if TYPE_CHECKING:
    from bpy.types import Action, FCurve, Object

    from .memory.slots import Identity, Slot

# What tells whether a curve is as it was; what is selected does not count.
_SHAPE = tuple(name for name in ATTRIBUTES if not name.startswith("select_"))

Move = Callable[[np.ndarray], np.ndarray]


def key_edit(armature: Object, before: Mapping[Identity, FCurve]) -> dict[str, Any] | None:
    """What was done to the keys of an armature's slot since they were those of some curves; None if nothing was.

    Kept are the keys of all curves that are others now, and of each of their properties the values before and after
    at the keys that were added or changed: what a hand did is the way from one to the other.
    """
    old, new = before, curves_of(slots_of(armature))
    changed = sorted(key for key in old.keys() | new.keys() if not _is_same(old.get(key), new.get(key)))
    if not changed:
        return None
    places = {path: _touched(old, new, [key for key in changed if key[0] == path]) for path, _index in changed}
    table: list[Any] = [[path, len(frames), _width(old, new, path)] for path, frames in places.items()]
    sides = [[_values(side, path, width, places[path]) for path, _count, width in table] for side in (old, new)]
    return {
        **_flat(pack_keys({key: new[key] for key in changed if key in new})),
        "digests": json.dumps([[*key, _digest(old.get(key))] for key in changed]),
        "removed": json.dumps([[*key, _frames_without(old.get(key), new.get(key))] for key in changed]),
        "properties": json.dumps(table),
        "frames": np.concatenate(list(places.values())).astype(np.float64),
        **{
            name: np.concatenate([each.ravel() for each in side])
            for name, side in zip(("before", "after"), sides, strict=True)
        },
    }


def do_again(armature: Object, edit: dict[str, Any], moved: Move) -> None:
    """Do to the keys of an armature's slot what was done to others.

    Curves that are as they were then get the very keys that they got then. Of others, keys are changed where the same
    moments are now, by as much: rotations are turned, numbers shifted.

    Args:
        armature: Whose action gets other keys.
        edit: Of `key_edit`.
        moved: Gives the frames of moments whose frames then are given.
    """
    slots = slots_of(armature)
    bags: Any = {slot: channelbag(owner_of(armature, slot)) for slot in slots}
    here = {
        identity_of((slot, curve.data_path, curve.array_index)): curve
        for slot, bag in bags.items()
        for curve in bag.fcurves
    }
    after = unpack_keys(_shaped(edit))
    digests = {(path, index): digest for path, index, digest in json.loads(edit["digests"])}
    values = dict(_values_by_property(armature, edit, here, moved))
    removed = {(path, index): frames for path, index, frames in json.loads(edit["removed"])}
    others = {key[0] for key, digest in digests.items() if digest != _digest(here.get(key))}
    for key in digests:
        curve = here.get(key)
        keys = after.get(key)
        if key[0] in others:
            keys = _carried(curve, keys, values[key[0]], key[1], moved, removed[key])
        place = place_of(*key, slots)
        if place is None:  # what was animated along is gone
            continue
        bag = bags[place[0]]
        if keys is not None and len(keys["co"]):
            write_keys(curve or bag.fcurves.new(place[1], index=place[2]), keys)
        elif curve is not None:
            bag.fcurves.remove(curve)
    for path in filter(_is_rotation, others):
        _turn_rest(here, path, {index for each, index in digests if each == path}, values[path], moved)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def _turn_rest(
    here: dict[Identity, FCurve], path: str, done: set[int], values: tuple[np.ndarray, np.ndarray], moved: Move
) -> None:
    """Give the other components of a rotation their part of it, where they have keys at the same frames."""
    frames, wanted = values
    for (each, index), curve in here.items():
        if each != path or index in done:
            continue
        keys = read_keys(curve, "co", "handle_left", "handle_right")
        away = np.abs(keys["co"][:, :1] - moved(frames)[None])
        for row in np.flatnonzero(away.min(axis=1, initial=np.inf) < SAME_FRAME):
            rise = wanted[away[row].argmin(), index] - keys["co"][row, 1]
            for name in keys:
                keys[name][row, 1] += rise
        write_keys(curve, keys)


def _is_rotation(path: str) -> bool:
    return path.rpartition(".")[2].startswith("rotation_")


def _flat(arrays: dict[str, Any]) -> dict[str, Any]:
    """Arrays of keys as properties can hold them: flat, whole numbers of 32 bits."""
    return {
        name: values
        if isinstance(values, str)
        else values.ravel().astype(np.float32 if values.dtype.kind == "f" else np.int32)
        for name, values in arrays.items()
    }


def _shaped(arrays: dict[str, Any]) -> dict[str, Any]:
    """The same as Blender has them."""
    shaped = {
        name: np.asarray(arrays[name], dtype=kind).reshape(-1, *([2] if width == 2 else []))
        for name, (kind, width) in ATTRIBUTES.items()
        if name in arrays
    }
    return {"curves": arrays["curves"], **shaped}


def _carried(
    curve: FCurve | None,
    after: KeyArrays | None,
    values: tuple[np.ndarray, np.ndarray],
    index: int,
    moved: Move,
    removed: list[float],
) -> KeyArrays | None:
    """Keys of a curve that is another one now, with what was done to it then."""
    frames, wanted = values
    now = read_keys(curve) if curve is not None else None
    if after is None:
        return None if now is None else _without(now, moved(np.array(removed)))
    rows = [
        number
        for number, frame in enumerate(after["co"][:, 0])
        if np.abs(frames - frame).min(initial=np.inf) < SAME_FRAME
    ]
    own = np.array([int(np.abs(frames - after["co"][row, 0]).argmin()) for row in rows], dtype=np.intp)
    new = {name: np.array(each[rows]) for name, each in after.items()}
    places = np.round(moved(frames[own]), 3) if len(own) else np.empty(0)
    shift = np.column_stack([places, wanted[own, index]]) - new["co"] if len(own) else np.empty((0, 2))
    for name in ("co", "handle_left", "handle_right"):
        new[name] = (new[name] + shift).astype(np.float32)
    if now is None:
        return new
    gone = np.concatenate([moved(np.array(removed)), places])
    return merged(_without(now, gone), new)


def _without(keys: KeyArrays, frames: np.ndarray) -> KeyArrays:
    """Keys but those at some frames."""
    away = np.abs(keys["co"][:, :1] - frames[None]).min(axis=1, initial=np.inf)
    return {name: values[away >= 0.5] for name, values in keys.items()}


def _values_by_property(
    armature: Object, edit: dict[str, Any], here: dict[Identity, FCurve], moved: Move
) -> Iterator[tuple[str, tuple[np.ndarray, np.ndarray]]]:
    """By path: the frames then (N,), and the values (N, width) that the edit leads to at the same moments now."""
    start = first = 0
    edit = {name: np.empty(0) for name in ("frames", "before", "after")} | edit  # no numbers are not kept
    for path, count, width in json.loads(edit["properties"]):
        frames = np.asarray(edit["frames"][start : start + count])
        before, after = (
            np.asarray(edit[name][first : first + count * width]).reshape(count, width) for name in ("before", "after")
        )
        start, first = start + count, first + count * width
        now = _values(here, path, width, moved(frames)) if count else np.empty((0, width))
        yield path, (frames, _edited(armature, path, before, after, now))


def _edited(armature: Object, path: str, before: np.ndarray, after: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Values changed as others were: rotations by the same turn, told in the axes of the parent; numbers by as much."""
    if not _is_rotation(path) or not len(now):
        shifted: np.ndarray = now + (after - before)
        return shifted
    bone = bone_of_path(path)
    mode = armature.pose.bones[bone].rotation_mode if bone else armature.rotation_mode
    turns = [rotations_from_raw(each, mode) for each in (before, after, now)]
    turned = quaternion.multiply(quaternion.multiply(turns[1], quaternion.conjugate(turns[0])), turns[2])
    return quaternion.aligned(turned, now) if mode == "QUATERNION" else rotation_values(mode, turned, now[0])


def curves_of(slots: Mapping[Slot, Action]) -> dict[Identity, FCurve]:
    """The curves that actions have for slots."""
    return {identity_of(place): curve for place, curve in curves_by_place(slots).items()}


def _is_same(old: FCurve | None, new: FCurve | None) -> bool:
    """Whether two curves have the same keys; handles in memory that are for Blender to find are those it has found."""
    if new is None or not isinstance(old, CurveInMemory) or old.state.handles is not None:
        return _digest(old) == _digest(new)
    names = [name for name in _SHAPE if name not in ("handle_left", "handle_right")]
    mine, others = read_keys(old, *names), read_keys(new, *names)
    return old.extrapolation == new.extrapolation and all(np.array_equal(mine[name], others[name]) for name in names)


def _digest(curve: FCurve | None) -> str:
    """Tells whether a curve has the same keys; empty if there is none."""
    if curve is None:
        return ""
    digest = blake2b(curve.extrapolation.encode(), digest_size=8)
    for values in read_keys(curve, *_SHAPE).values():
        digest.update(np.ascontiguousarray(values))
    return digest.hexdigest()


def _touched(old: Mapping[Identity, FCurve], new: Mapping[Identity, FCurve], keys: list[Identity]) -> np.ndarray:
    """(N,) frames at which any of a property's curves has a key that was added or changed."""
    found = [_new_frames(old.get(key), new.get(key)) for key in keys]
    return np.unique(np.concatenate(found).astype(np.float64))


def _new_frames(old: FCurve | None, new: FCurve | None) -> np.ndarray:
    """(N,) frames of a curve's keys that another one has not, or has otherwise."""
    if new is None:
        return np.empty(0, dtype=np.float32)
    keys = read_keys(new, *_SHAPE)
    if old is None:
        return keys["co"][:, 0]
    known = _rows(read_keys(old, *_SHAPE))
    return np.array([row[0] for row in _rows(keys) - known], dtype=np.float32)


def _rows(keys: KeyArrays) -> set[tuple[float, ...]]:
    columns = [keys["co"], *(each.reshape(len(each), -1) for name, each in keys.items() if name != "co")]
    return {tuple(row) for row in np.column_stack(columns).tolist()}


def _frames_without(old: FCurve | None, new: FCurve | None) -> list[float]:
    """Frames of keys that are no longer there."""
    if old is None:
        return []
    was = read_keys(old, "co")["co"][:, 0]
    now = read_keys(new, "co")["co"][:, 0] if new is not None else np.empty(0)
    return [float(frame) for frame in was if np.abs(now - frame).min(initial=np.inf) >= SAME_FRAME]


def _width(old: Mapping[Identity, FCurve], new: Mapping[Identity, FCurve], path: str) -> int:
    name = path.rpartition(".")[2]
    known = {"rotation_quaternion": 4, "rotation_axis_angle": 4, "rotation_euler": 3, "location": 3, "scale": 3}
    return known.get(name, 1 + max(index for each, index in old.keys() | new.keys() if each == path))


def _values(curves: Mapping[Identity, FCurve], path: str, width: int, frames: np.ndarray) -> np.ndarray:
    """(N, width) of a property at frames; what has no curve is at rest."""
    rest = {
        "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
        "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
        "scale": (1.0,) * 3,
    }
    still = rest.get(path.rpartition(".")[2], (0.0,) * width)
    columns = [
        evaluated(curves[path, index], frames) if (path, index) in curves else [still[index]] * len(frames)
        for index in range(width)
    ]
    return np.array(columns, dtype=np.float64).reshape(width, len(frames)).T
