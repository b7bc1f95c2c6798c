"""A copy of an action in which Blender evaluates curves and finds handles, while their keys are in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ..curves.keys import is_sampled, read_keys, write_keys
from .curve_state import HANDLES, Attributes, CurveSettings, frozen, shared
from .slots import bags_by_slot, curves_by_place

if TYPE_CHECKING:
    from bpy.types import Action, FCurve

    from .curve_state import CurveState
    from .slots import Place, Slot


class Scratch:
    """Copies of actions' curves; made when one is first needed.

    Blender rounds values of whole numbers and choices by flags that scripts do not see: copies have them.
    """

    def __init__(self, slots: dict[Slot, Action]) -> None:
        """Copy nothing yet."""
        self._slots = slots
        self._copies: dict[Action, Action] = {}
        self._curves: dict[Place, FCurve] = {}
        self._held: dict[Place, CurveState] = {}

    def remove(self) -> None:
        """Take the copies away."""
        for copy in self._copies.values():
            bpy.data.actions.remove(copy)
        self._copies, self._curves, self._held = {}, {}, {}

    def synchronised(self, place: Place, state: CurveState) -> FCurve:
        """A curve that holds a state; where handles are for Blender to find, it has found them."""
        curve = self._curve(place)
        if self._held.get(place) is not state:
            put_state(curve, state)
            self._held[place] = state
        return curve

    def updated(self, place: Place, state: CurveState) -> CurveState:
        """A state with keys in order and handles as Blender finds them."""
        curve = self.synchronised(place, state)
        if state.handles is not None:
            curve.update()
        keys = read_keys(curve, "co", *HANDLES)
        moved = not np.array_equal(keys["co"][:, 0], state.frames)
        if moved:  # they were out of order
            keys |= read_keys(curve, *state.further)
        found = replace(
            state,
            co=frozen(keys["co"]),
            frames=shared(keys["co"][:, 0]) if moved else state.frames,
            further=Attributes({name: frozen(keys[name]) for name in state.further}) if moved else state.further,
            handles=(frozen(keys["handle_left"].copy()), frozen(keys["handle_right"].copy())),
        )
        self._held[place] = found
        return found

    def sampled(self, place: Place, state: CurveState, start: int, count: int) -> np.ndarray:
        """(count,) values at whole frames, as float32: equal to evaluating each frame, ten times as fast."""
        curve = self.synchronised(place, state)
        del self._held[place]
        curve.convert_to_samples(start, start + count)
        points = np.empty(2 * count, dtype=np.float32)
        curve.sampled_points.foreach_get("co", points)
        return points[1::2].copy()

    def _curve(self, place: Place) -> FCurve:
        if not self._copies:
            self._copies = {action: _copy(action) for action in self._slots.values()}
            self._curves = curves_by_place(self._copied)
        if place not in self._curves:
            slot, path, index = place
            self._curves[place] = bags_by_slot(self._copied)[slot].fcurves.new(path, index=index)
        return self._curves[place]

    @property
    def _copied(self) -> dict[Slot, Action]:
        return {slot: self._copies[action] for slot, action in self._slots.items()}


def _copy(action: Action) -> Action:
    copy = action.copy()
    copy.name = "Keys in Memory"  # leaves the names that Blender would give to new actions
    return copy


def put_state(curve: FCurve, state: CurveState) -> None:
    """Give an F-curve all that a state has, whatever it held."""
    while len(curve.modifiers):
        curve.modifiers.remove(curve.modifiers[0])
    if is_sampled(curve):  # becomes keys, and goes on otherwise beside them
        write_keys(curve, {"co": state.array("co")})
    put_settings(curve, state.settings)
    names = ("co", *state.further, *(HANDLES if state.handles is not None else ()))
    write_keys(curve, {name: state.array(name) for name in names})
    if state.handles is None:
        curve.update()


def put_settings(curve: FCurve, settings: CurveSettings) -> None:
    """Set how a curve goes on, and how handles are found, if that is another."""
    if curve.extrapolation != settings.extrapolation:
        curve.extrapolation = settings.extrapolation  # type: ignore[assignment]
    if curve.auto_smoothing != settings.smoothing:
        curve.auto_smoothing = settings.smoothing  # type: ignore[assignment]
