"""A curve in memory that stands in for an F-curve: tools that read and write keys do not tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..curves.keys import ATTRIBUTES, CurveInMemory, KeyArrays
from .curve_state import FURTHER, HANDLES, Attributes, CurveState, compact, frozen, shared, state_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpy.types import Action, FCurve

    from .draft import Draft
    from .scratch import Scratch
    from .slots import Place, Slot


class NoModifiers(tuple[Any, ...]):
    """What a curve in memory has in the place of modifiers: none."""

    def new(self, _kind: str) -> Any:
        """Refuse."""
        raise NotImplementedError("Curves in memory have no modifiers")


class MemoryCurve(CurveInMemory):
    """A curve of a draft, with those attributes of `FCurve` that tools use."""

    modifiers = NoModifiers()
    sampled_points: tuple[Any, ...] = ()
    lock = False
    color_mode = ""

    def __init__(self, draft: Draft, place: Place) -> None:
        """Stand for the curve at a place of a draft, which has a state for it."""
        self._draft, self.place = draft, place
        self._slot, self.data_path, self.array_index = place

    @property
    def state(self) -> CurveState:
        """What it holds."""
        return self._draft.curves[self.place]

    @state.setter
    def state(self, state: CurveState) -> None:
        self._draft.put(self.place, state)

    @property
    def frames(self) -> np.ndarray:
        """(K,) of the keys; deferred edits of values leave them."""
        return self._draft.peek(self.place).frames

    @property
    def id_data(self) -> Action:
        """The action."""
        return self._draft.slots[self._slot]

    @property
    def keyframe_points(self) -> range:
        """As many numbers as there are keys."""
        return range(len(self.frames))

    @property
    def is_empty(self) -> bool:
        """Whether there are no keys."""
        return not len(self.frames)

    @property
    def mute(self) -> bool:
        """Whether it has no effect."""
        return self._draft.peek(self.place).settings.is_muted

    @property
    def group(self) -> MemoryGroup | None:
        """The group, if it is in one."""
        name = self._draft.peek(self.place).settings.group
        return MemoryGroup(name) if name else None

    @group.setter
    def group(self, group: MemoryGroup) -> None:
        state = self.state
        self.state = replace(state, settings=replace(state.settings, group=group.name))

    @property
    def extrapolation(self) -> str:
        """How it goes on beside its keys."""
        return self.state.settings.extrapolation

    @property
    def auto_smoothing(self) -> str:
        """How automatic handles are found."""
        return self.state.settings.smoothing

    def range(self) -> tuple[float, float]:
        """Frames of the first and the last key."""
        return float(self.frames[0]), float(self.frames[-1])

    def read_arrays(self, names: tuple[str, ...]) -> KeyArrays:
        """Attributes of all keys, all of them if none is named."""
        chosen = names or tuple(ATTRIBUTES)
        state = self.state
        if state.handles is None and any(name in HANDLES for name in chosen):
            state = self._recalculated(state)
            self._draft.fill_in(self.place, state)
        return {name: state.array(name) for name in chosen}

    def write_arrays(self, arrays: KeyArrays) -> None:
        """Set attributes of all keys; where their number changes all are given."""
        state = self.state
        if not all(name in arrays for name in ATTRIBUTES) and len(next(iter(arrays.values()))) != len(state.frames):
            raise ValueError("Other keys need all their attributes")
        if all(name in arrays for name in ATTRIBUTES):
            self.state = _kept(state, state_of(_typed(arrays), state.settings))
            return
        if any(name in arrays for name in HANDLES) and state.handles is None:
            state = self._recalculated(state)
        self.state = _with_some(state, _typed(arrays))

    def update(self) -> None:
        """Put keys in order and find handles, as Blender does it; when they are asked for, if they follow from keys."""
        state = self.state
        if state.further.has_own_handles or (np.diff(state.frames) < 0.0).any():
            self.state = self._recalculated(state)
        elif state.handles is not None:
            self.state = replace(state, handles=None)

    def evaluate(self, frame: float) -> float:
        """The value at a frame; where there is a key it is the key's."""
        state = self.state
        row = int(np.searchsorted(state.frames, frame))
        if row < len(state.frames) and state.frames[row] == frame:
            return float(state.values[row])
        return float(self._scratch().synchronised(self.place, state).evaluate(frame))

    def evaluated(self, frames: np.ndarray) -> np.ndarray:
        """(F,) the values at frames, as float32."""
        whole = bool((frames == np.round(frames)).all()) and len(frames) > 1 and bool((np.diff(frames) == 1.0).all())
        if whole and not self.is_empty:
            return self._scratch().sampled(self.place, self.state, int(frames[0]), len(frames))
        evaluate: Callable[[float], float] = self._scratch().synchronised(self.place, self.state).evaluate
        return np.fromiter(map(evaluate, frames.tolist()), np.float32, len(frames))

    def _recalculated(self, state: CurveState) -> CurveState:
        """A state with keys and handles as Blender puts them."""
        return self._scratch().updated(self.place, state)

    def _scratch(self) -> Scratch:
        return self._draft.scratch


def _typed(arrays: KeyArrays) -> KeyArrays:
    return {name: np.array(values, dtype=ATTRIBUTES[name][0]) for name, values in arrays.items()}


def _kept(old: CurveState, new: CurveState) -> CurveState:
    """A new state with those arrays of the old one that are the same."""
    same = all(np.array_equal(old.further[name], new.further[name]) for name in FURTHER)
    return replace(new, further=old.further) if same else new


def _with_some(state: CurveState, arrays: KeyArrays) -> CurveState:
    """A state of as many keys with some attributes changed."""
    if "co" in arrays:
        moved = arrays["co"][:, 0]
        frames = state.frames if np.array_equal(moved, state.frames) else shared(moved)
        state = replace(state, frames=frames, co=frozen(arrays["co"]))
    if any(name in arrays for name in HANDLES):
        assert state.handles is not None
        left, right = (
            frozen(arrays[name]) if name in arrays else known
            for name, known in zip(HANDLES, state.handles, strict=True)
        )
        state = replace(state, handles=(left, right))
    further = {name: compact(arrays[name]) for name in FURTHER if name in arrays}
    return _kept(state, replace(state, further=Attributes({**state.further, **further}))) if further else state


class MemoryGroup:
    """A group of curves: its name alone."""

    lock = False

    def __init__(self, name: str) -> None:
        """Take a name."""
        self.name = name


class MemoryGroups:
    """Groups of curves in memory: any name is one."""

    def get(self, name: str) -> MemoryGroup:
        """A group."""
        return MemoryGroup(name)


class MemoryCurves:
    """The curves of a slot in memory, with those methods of Blender's collection that tools use."""

    def __init__(self, draft: Draft, slot: Slot) -> None:
        """Stand for the curves of a slot."""
        self._draft, self._slot = draft, slot

    def __iter__(self) -> Iterator[MemoryCurve]:
        return (self._draft.curve(place) for place in self._draft.places() if place[0] == self._slot)

    def __len__(self) -> int:
        return sum(place[0] == self._slot for place in self._draft.places())

    def find(self, path: str, *, index: int = 0) -> MemoryCurve | None:
        """The curve of a path and component; None if there is none."""
        place = self._slot, path, index
        return self._draft.curve(place) if place in self._draft.places() else None

    def new(self, path: str, *, index: int = 0) -> MemoryCurve:
        """A curve without keys."""
        place = self._slot, path, index
        self._draft.put(place, self._draft.empty_state(place))
        return self._draft.curve(place)

    def remove(self, curve: MemoryCurve) -> None:
        """Take a curve away."""
        self._draft.drop(curve.place)


class MemoryBag:
    """The curves of a slot in memory, in the place of Blender's `ActionChannelbag`."""

    groups = MemoryGroups()

    def __init__(self, draft: Draft, slot: Slot) -> None:
        """Stand for the curves of a slot."""
        self.draft, self.id_data, self.slot_handle = draft, draft.slots[slot], slot.handle
        self.fcurves = MemoryCurves(draft, slot)


def as_fcurve(curve: MemoryCurve) -> FCurve:
    """A curve in memory where types ask for one of Blender's."""
    return cast("FCurve", curve)
