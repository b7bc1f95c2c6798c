"""All that an F-curve holds at one time. States never change: those of two times share whatever stayed the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary, ref

import numpy as np

from .....core.numerics import Recent
from ..curves.keys import ALIGNED, ATTRIBUTES, BEZIER, FREE, VECTOR, KeyArrays, read_keys, rows_of_samples

if TYPE_CHECKING:
    from bpy.types import FCurve

HANDLES = ("handle_left", "handle_right")
# What a key has besides its place and its handles.
FURTHER = tuple(name for name in ATTRIBUTES if name not in ("co", *HANDLES))
_TYPES = ("handle_left_type", "handle_right_type")


@dataclass(frozen=True, eq=False)
class CurveSettings:
    """What a curve has besides its keys.

    Attributes:
        extrapolation: How it goes on beside its keys.
        smoothing: How automatic handles are found.
        is_muted: Whether it has no effect.
        group: Name of its group; empty without one.
    """

    extrapolation: str = "CONSTANT"
    smoothing: str = "NONE"
    is_muted: bool = False
    group: str = ""


class Attributes(dict[str, np.ndarray]):
    """What keys have besides their places and handles: (K,) or (1,) where all have the same. Never changed."""

    @cached_property
    def has_own_handles(self) -> bool:
        """Whether handles do not follow from keys alone: some are free, or aligned with what they were."""
        return self._has_types(FREE, ALIGNED)

    @cached_property
    def keeps_handles(self) -> bool:
        """Whether handles were set by hand, or shape the curve."""
        return self._has_types(FREE, ALIGNED, VECTOR) or bool((self["interpolation"] == BEZIER).any())

    @cached_property
    def is_even(self) -> bool:
        """Whether all keys have the same of everything."""
        return all(len(each) == 1 for each in self.values())

    def _has_types(self, *kinds: int) -> bool:
        return any((self[name] == kind).any() for name in _TYPES for kind in kinds)

    def at_rows(self, rows: np.ndarray) -> Attributes:
        """Those of some keys."""
        if self.is_even:
            return self
        return Attributes({name: each if len(each) == 1 else compact(each[rows]) for name, each in self.items()})


@dataclass(frozen=True, eq=False)
class CurveState:
    """Keys and settings of a curve.

    Attributes:
        co: (K, 2) frames and values of the keys, as float32.
        frames: (K,) the frames once more; the same array for all curves with keys at the same ones.
        further: All other attributes.
        handles: (K, 2) left and right ones; None where they follow from the keys, for Blender to find.
        settings: What the curve has besides.
    """

    co: np.ndarray
    frames: np.ndarray
    further: Attributes
    handles: tuple[np.ndarray, np.ndarray] | None
    settings: CurveSettings = field(default_factory=CurveSettings)

    @property
    def values(self) -> np.ndarray:
        """(K,) of the keys."""
        return self.co[:, 1]

    def rows_of(self, frames: np.ndarray) -> slice | None:
        """The keys at frames, where there is exactly one key per frame."""
        known = _rows.get((id(self.frames), id(frames)))
        if known is None or known[0]() is not self.frames or known[1]() is not frames:
            found = rows_of_samples(self.frames, frames)
            known = _rows.keep((id(self.frames), id(frames)), (ref(self.frames), ref(frames), found))
        return known[2]

    def array(self, name: str) -> np.ndarray:
        """An attribute of all keys, to be changed by whoever asks; handles must be known."""
        if name == "co":
            return self.co.copy()
        if name in HANDLES:
            assert self.handles is not None
            return self.handles[HANDLES.index(name)].copy()
        return np.broadcast_to(self.further[name], len(self.co)).copy()

    def with_values(self, values: np.ndarray) -> CurveState:
        """Other values of the same keys, with handles for Blender to find."""
        return CurveState(_places(self.frames, values), self.frames, self.further, None, self.settings)

    def at_rows(self, rows: np.ndarray, frames: np.ndarray, values: np.ndarray) -> CurveState:
        """Keys at other frames, each as one of these is, with handles for Blender to find."""
        return CurveState(_places(frames, values), frames, self.further.at_rows(rows), None, self.settings)


def _places(frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(K, 2) as float32, not to be changed."""
    places = np.empty((len(frames), 2), dtype=np.float32)
    places[:, 0], places[:, 1] = frames, values
    places.flags.writeable = False
    return places


def read_state(curve: FCurve) -> CurveState:
    """The state of an F-curve without modifiers."""
    keys = read_keys(curve)
    settings = CurveSettings(
        curve.extrapolation, curve.auto_smoothing, bool(curve.mute), curve.group.name if curve.group else ""
    )
    return state_of(keys, settings)


def state_of(keys: KeyArrays, settings: CurveSettings) -> CurveState:
    """The state of a curve with all attributes of all keys."""
    return CurveState(
        frozen(keys["co"]),
        shared(keys["co"][:, 0]),
        Attributes({name: compact(keys[name]) for name in FURTHER}),
        (frozen(keys["handle_left"]), frozen(keys["handle_right"])),
        settings,
    )


def compact(values: np.ndarray) -> np.ndarray:
    """One value where all are the same."""
    same = len(values) > 0 and bool((values == values[0]).all())
    return frozen(values[:1].copy() if same else values)


def frozen(values: Any) -> np.ndarray:
    """An array of its own that nobody changes any more."""
    array: np.ndarray = values if values.base is None else values.copy()
    array.flags.writeable = False
    return array


# Which keys lie at frames, by the identities of two arrays that may be gone by now.
_rows: Recent[tuple[int, int], tuple[Any, Any, slice | None]] = Recent(64)
# By their bytes, as long as a state has them.
_known_frames: WeakValueDictionary[bytes, np.ndarray] = WeakValueDictionary()


def shared(frames: np.ndarray) -> np.ndarray:
    """These frames, as the array that all states with the same ones have."""
    own = np.array(frames, dtype=np.float32)
    own.flags.writeable = False
    return _known_frames.setdefault(own.tobytes(), own)
