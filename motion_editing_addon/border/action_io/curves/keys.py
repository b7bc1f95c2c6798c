"""Keyframes of an F-curve as whole arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from bpy.types import FCurve

    from ..memory.curve_state import CurveState

# The types match Blender's own storage, which makes whole-array access ten times faster.
ATTRIBUTES: dict[str, tuple[Any, int]] = {
    "co": (np.float32, 2),
    "handle_left": (np.float32, 2),
    "handle_right": (np.float32, 2),
    "interpolation": (np.uint8, 1),
    "easing": (np.uint8, 1),
    "handle_left_type": (np.uint8, 1),
    "handle_right_type": (np.uint8, 1),
    "type": (np.uint8, 1),
    "select_control_point": (np.bool_, 1),
    "select_left_handle": (np.bool_, 1),
    "select_right_handle": (np.bool_, 1),
    "amplitude": (np.float32, 1),
    "back": (np.float32, 1),
    "period": (np.float32, 1),
}

CONSTANT, LINEAR, BEZIER = range(3)
FREE, AUTO, VECTOR, ALIGNED, AUTO_CLAMPED = range(5)
KEYFRAME, GENERATED = 0, 5

# Keys closer than this, in frames, are one key to Blender.
SAME_FRAME = 1e-3

KeyArrays = dict[str, np.ndarray]


class CurveInMemory:
    """Stands in for an F-curve whose keys are in memory; see `memory.memory_curve`.

    Attributes:
        state: What it holds.
    """

    state: CurveState

    @property
    def frames(self) -> np.ndarray:
        """(K,) of its keys, the array that curves with keys at the same frames share."""
        raise NotImplementedError

    def read_arrays(self, names: tuple[str, ...]) -> KeyArrays:
        """As `read_keys`."""
        raise NotImplementedError

    def write_arrays(self, arrays: KeyArrays) -> None:
        """As `write_keys`."""
        raise NotImplementedError

    def evaluated(self, frames: np.ndarray) -> np.ndarray:
        """As `evaluated`."""
        raise NotImplementedError


def is_sampled(curve: FCurve) -> bool:
    """Whether a curve has samples in the place of keys, as Blender's Keys to Samples makes them.

    Samples lie on whole frames side by side, with straight lines between them and nothing but the first and the
    last value outside. Linear keys show exactly the same, so that is what they are read and written as.
    """
    return len(curve.sampled_points) > 0


def key_count(curve: FCurve) -> int:
    """Number of keys, or of samples."""
    return len(curve.keyframe_points) or len(curve.sampled_points)


def key_frames(curve: FCurve | CurveInMemory) -> np.ndarray:
    """(K,) frames of all keys; in memory the array that curves share."""
    return curve.frames if isinstance(curve, CurveInMemory) else read_keys(curve, "co")["co"][:, 0]


def places_of_keys(curve: FCurve | CurveInMemory) -> np.ndarray:
    """(K, 2) frames and values of all keys, only to be looked at."""
    return curve.state.co if isinstance(curve, CurveInMemory) else read_keys(curve, "co")["co"]


def read_keys(curve: FCurve | CurveInMemory, *names: str) -> KeyArrays:
    """The named attributes of every key, all of them if none is named; vectors are (K, 2)."""
    if isinstance(curve, CurveInMemory):
        return curve.read_arrays(names)
    if is_sampled(curve):
        keys = _samples_as_keys(curve)
        return {name: keys[name] for name in names or ATTRIBUTES}
    points = curve.keyframe_points
    arrays = {}
    for name in names or ATTRIBUTES:
        kind, width = ATTRIBUTES[name]
        values = np.empty(len(points) * width, dtype=kind)
        points.foreach_get(name, values)
        arrays[name] = values.reshape(-1, 2) if width == 2 else values
    return arrays


def _samples_as_keys(curve: FCurve) -> KeyArrays:
    places = np.empty((len(curve.sampled_points), 2), dtype=np.float32)
    curve.sampled_points.foreach_get("co", places.ravel())
    keys = generated_keys(*places.T)
    keys["type"][:] = KEYFRAME
    return keys


def write_keys(curve: FCurve | CurveInMemory, arrays: KeyArrays) -> None:
    """Set the given attributes; the number of keys is changed to fit, handles are not recalculated.

    Samples become keys: Blender cannot put keys beside them.
    """
    if isinstance(curve, CurveInMemory):
        curve.write_arrays(arrays)
        return
    if is_sampled(curve):
        first, last = curve.range()[:]
        curve.convert_to_keyframes(int(first), int(last) + 1)
        curve.extrapolation = "CONSTANT"
    points = curve.keyframe_points
    count = len(next(iter(arrays.values())))
    if len(points) != count:
        points.clear()
        points.add(count)
    for name, values in arrays.items():
        kind, _ = ATTRIBUTES[name]
        points.foreach_set(name, np.ascontiguousarray(values, dtype=kind).ravel())


def evaluated(curve: FCurve | CurveInMemory, frames: np.ndarray) -> np.ndarray:
    """(F,) what a curve gives at frames, as float32."""
    if isinstance(curve, CurveInMemory):
        return curve.evaluated(frames)
    return np.fromiter(map(curve.evaluate, frames.tolist()), np.float32, len(frames))


def rows_of_samples(keys: np.ndarray, frames: np.ndarray) -> slice | None:
    """The keys (K,) at frames, where there is exactly one key per frame."""
    first = int(np.searchsorted(keys, frames[0] - SAME_FRAME))
    part = keys[first : first + len(frames)]
    if len(part) < len(frames) or np.abs(part - frames).max() > SAME_FRAME:
        return None
    return slice(first, first + len(frames))


def generated_keys(frames: Any, values: Any, *, interpolation: int = LINEAR) -> KeyArrays:
    """New keys as a tool makes them: marked as generated, not selected, automatic handles."""
    count = len(frames)
    arrays: KeyArrays = {
        name: np.zeros((count, width) if width == 2 else count, dtype=kind)
        for name, (kind, width) in ATTRIBUTES.items()
    }
    for name in ("co", "handle_left", "handle_right"):
        arrays[name][:, 0], arrays[name][:, 1] = frames, values
    arrays["interpolation"][:] = interpolation
    arrays["handle_left_type"][:] = arrays["handle_right_type"][:] = AUTO_CLAMPED
    arrays["type"][:] = GENERATED
    arrays["amplitude"][:], arrays["back"][:], arrays["period"][:] = 0.8, 1.70158, 4.1
    return arrays


def merged(kept: KeyArrays, new: KeyArrays) -> KeyArrays:
    """Two sets of keys in one, in order of time."""
    order = np.argsort(np.concatenate([kept["co"][:, 0], new["co"][:, 0]]), kind="stable")
    return {name: np.concatenate([kept[name], new[name]])[order] for name in ATTRIBUTES}


def copy_keys(source: FCurve, target: FCurve) -> None:
    """Give a curve the keys, or samples, of another, bit for bit. `FCurve.update` would change handles."""
    write_keys(target, read_keys(source))
    if is_sampled(source):
        first, last = source.range()[:]
        target.convert_to_samples(int(first), int(last) + 1)
        target.extrapolation = source.extrapolation
