"""F-curves of an action as arrays. The judge's own, so that it does not trust the extension's reading and writing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import bpy
import numpy as np

from ..laws.case import Curve

CONSTANT, LINEAR, BEZIER = 0, 1, 2
AUTO_CLAMPED = 4
_HANDLES = ("handle_left", "handle_right")
_KINDS = ("interpolation", "easing", "handle_left_type", "handle_right_type", "type")


def channelbag(armature: bpy.types.Object) -> bpy.types.ActionChannelbag:
    """Where the curves of the object's own slot are."""
    data = armature.animation_data
    return data.action.layers[0].strips[0].channelbag(data.action_slot)


def curves(armature: bpy.types.Object) -> Iterator[tuple[Curve, bpy.types.FCurve]]:
    """The curves of the object's own slot."""
    if armature.animation_data and armature.animation_data.action:
        for curve in channelbag(armature).fcurves:
            yield (curve.data_path, curve.array_index), curve


def bone_of(path: str) -> str:
    """The bone that a data path belongs to, "" for the object."""
    found = re.match(r'pose\.bones\["(.+?)"\]', path)
    return bpy.utils.unescape_identifier(found[1]) if found else ""


def all_keys(armature: bpy.types.Object) -> dict[Curve, tuple[np.ndarray, bytes]]:
    """Frame and value of every key, and everything else of the keys as bytes."""
    return {name: (_pairs(curve, "co"), _rest(curve)) for name, curve in curves(armature)}


def _pairs(curve: bpy.types.FCurve, attribute: str) -> np.ndarray:
    pairs = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get(attribute, pairs)
    return pairs.reshape(-1, 2)


def bits(curve: bpy.types.FCurve) -> bytes:
    """Everything of a curve's keys."""
    return _pairs(curve, "co").tobytes() + _rest(curve)


def _rest(curve: bpy.types.FCurve) -> bytes:
    kinds = np.empty((len(_KINDS), len(curve.keyframe_points)), np.int32)
    for row, kind in zip(kinds, _KINDS, strict=True):
        curve.keyframe_points.foreach_get(kind, row)
    return b"".join([*(_pairs(curve, handle).tobytes() for handle in _HANDLES), kinds.tobytes()])


def ends(armature: bpy.types.Object) -> tuple[int, int]:
    """First and last whole frame that the keys of the object's own slot cover."""
    frames = [keys[:, 0] for keys, _rest in all_keys(armature).values() if len(keys)]
    return int(np.floor(min(row[0] for row in frames))), int(np.ceil(max(row[-1] for row in frames)))


def sampled(armature: bpy.types.Object, frames: np.ndarray) -> dict[Curve, np.ndarray]:
    """Every curve at the given frames."""
    return {name: np.array([curve.evaluate(frame) for frame in frames.tolist()]) for name, curve in curves(armature)}


def write(curve: bpy.types.FCurve, frames: np.ndarray, values: np.ndarray, interpolation: int) -> None:
    """Give a curve other keys."""
    points = curve.keyframe_points
    points.clear()
    points.add(len(frames))
    points.foreach_set("co", np.column_stack([frames, values]).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.full(len(frames), interpolation, np.uint8))
    if interpolation == BEZIER:
        for side in ("handle_left_type", "handle_right_type"):
            points.foreach_set(side, np.full(len(frames), AUTO_CLAMPED, np.uint8))
    curve.update()


def rewrite(armature: bpy.types.Object, frames: np.ndarray, *, start: int = 1) -> None:
    """Sample all curves at some frames and put the samples on whole frames one after the other."""
    values = sampled(armature, frames)
    places = np.arange(start, start + len(frames), dtype=float)
    for name, curve in curves(armature):
        write(curve, places, values[name], LINEAR)


def new_curves(
    armature: bpy.types.Object, path: str, frames: np.ndarray, values: np.ndarray, kind: int = LINEAR
) -> None:
    """Make curves for all components of a property; values are (F, components)."""
    bag = channelbag(armature)
    for index, column in enumerate(values.T):
        curve = bag.fcurves.find(path, index=index) or bag.fcurves.new(path, index=index)
        write(curve, frames, column, kind)


def bone_path(bone: str, what: str) -> str:
    """Data path of a bone's property."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{what}'


def remove(armature: bpy.types.Object, unwanted: Callable[[Curve], bool]) -> None:
    """Delete some of the curves."""
    bag = channelbag(armature)
    for _name, curve in [pair for pair in curves(armature) if unwanted(pair[0])]:
        bag.fcurves.remove(curve)
