"""What was done to few keys of a window, and where that leads in other windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core.numerics import quaternion
from .....core.timeline import KeyChanges, key_changes, landed
from ..channel_values import rotation_values
from ..clip import Clip, changed_motion
from ..curves.channels import Property, bone_of_path
from ..curves.key_arrays import pack_keys
from ..curves.keys import SAME_FRAME, KeyArrays, evaluated, read_keys
from ..memory.curve_state import CurveSettings, state_of
from ..memory.slot_curves import as_curves
from ..memory.slots import place_of, slots_of
from ..samples import rotation_mode_of
from ..written_motion import baked_bones, refuse_protected
from .carried_keys import KINDS, SIDES, Arrival, CarriedKeys, arm_of, is_by_hand

if TYPE_CHECKING:
    from bpy.types import FCurve

    from .....core.editing import PropagationWindow
    from .....core.motion import Motion
    from ..curves.key_arrays import Identity
    from .carried_keys import Channel

    Known = Mapping[Identity, KeyArrays]
    # From moments (3, N), in frames, to N poses.
    Poses = Callable[[np.ndarray], Motion]


def sparse_keys(clip: Clip) -> dict[str, Any]:
    """All keys of bones and numbers with few of them, as flat arrays to be remembered."""
    return pack_keys({(prop.name, index): curve for (prop, index), curve in _sparse_curves(clip).items()})


def _sparse_curves(clip: Clip) -> dict[Channel, FCurve]:
    baked = baked_bones(clip)
    return {
        key: curve
        for key, curve in clip.channels.curves.items()
        if not baked[bone_of_path(key[0].path)] and not clip.channels.is_muted(key[0])
    }


@dataclass(frozen=True)
class EditedKeys:
    """What was done to the keys of the operation window, curve by curve.

    Attributes:
        clip: As it is now.
        known: Keys of all sparse curves before.
        span: First and last frame of the window.
        changes: Of the curves that have any.
    """

    clip: Clip
    known: Known
    span: tuple[float, float]
    changes: dict[Channel, KeyChanges]

    @classmethod
    def since(cls, clip: Clip, known: Known, span: tuple[float, float], joints: np.ndarray) -> EditedKeys:
        """Compare the keys in a window with those that are known; a curve that is not known had none.

        Args:
            joints: (J,) whose keys count; with all of them those of no bone do, too.
        """
        names: set[str | None] = {name for name, own in zip(clip.motion.skeleton.names, joints, strict=True) if own}
        names |= {None} if np.all(joints) else set()
        curves = {key: curve for key, curve in _sparse_curves(clip).items() if bone_of_path(key[0].path) in names}
        found = {key: _changes(curve, known.get((key[0].name, key[1])), span) for key, curve in curves.items()}
        edited = {key[0] for key, each in found.items() if len(each.new)}
        # The components of a rotation are edited together.
        for prop in filter(_is_rotation, edited):
            own = {key: each for key, each in found.items() if key[0] == prop}
            frames = np.concatenate([each.new for each in own.values()])
            found |= {key: _changes(curves[key], known.get((prop.name, key[1])), span, frames) for key in own}
        together = set(filter(_is_rotation, edited))
        return cls(clip, known, span, {key: each for key, each in found.items() if len(each.new) or key[0] in together})

    def without(self, motion: Motion) -> Motion:
        """A motion in which all that has few keys is as it is now: keys carry what was done to it."""
        sparse = {prop for prop, _index in _sparse_curves(self.clip)}
        own = [{*each} & sparse for each in self.clip.channels.joints]
        joints = np.array([bool(each) for each in own])[None, :, None]
        numbers = np.array([each in sparse for each in self.clip.channels.scalars], dtype=np.bool_)
        now = self.clip.motion
        fields: dict[str, Any] = {
            name: np.where(joints, getattr(now, name), getattr(motion, name))
            for name in ("rotations", "locations", "scales")
        }
        return replace(motion, **fields, scalars=np.where(numbers, now.scalars, motion.scalars))

    def base(self, before: Motion) -> Motion:
        """The motion with all curves that were edited as they were.

        Args:
            before: The motion with the window as it was: of channels that had no keys it tells the value.
        """
        return changed_motion(self.clip, dict(self._values_before(before)))

    def _values_before(self, before: Motion) -> Iterable[tuple[Property, np.ndarray]]:
        row = int(np.searchsorted(self.clip.frames, self.span[0]))
        known = self._known_values()
        for prop in dict.fromkeys(prop for prop, _index in self.changes):
            rest = _channels(self.clip, prop, before.part(row, row + 1), np.array([0]), self.clip.frames[[row]])[0]
            values = np.array(self.clip.raw[prop])
            for index in (index for each, index in self.changes if each == prop):
                values[:, index] = known.get((prop.name, index), rest[index])
            yield prop, values

    def _known_values(self) -> dict[Identity, np.ndarray]:
        """What the curves that had keys gave with these; curves with modifiers are taken as they are."""
        values, states, slots = {}, {}, slots_of(self.clip.armature)
        for prop, index in self.changes:
            name, curve = (prop.name, index), self.clip.channels.curves[prop, index]
            place = place_of(*name, slots)
            if name not in self.known or not len(self.known[name]["co"]):
                continue
            if place is None or len(curve.modifiers):
                values[name] = self.clip.raw[prop][:, index]
            else:
                states[place] = state_of(self.known[name], CurveSettings(curve.extrapolation, curve.auto_smoothing))
        with as_curves(self.clip.armature, states) as curves:
            return values | {name: evaluated(curve, self.clip.frames) for name, curve in curves.items()}

    def carried(self, windows: Iterable[PropagationWindow], poses: Poses) -> CarriedKeys:
        """The keys of all curves with the same done in other windows, whose frames are those of the action.

        Raises:
            MotionEditError: A channel is locked or linked.
        """
        refuse_protected(self.clip, list(dict.fromkeys(prop for prop, _index in self.changes)))
        found = [self._arrival(key, each, window) for key, each in self.changes.items() for window in windows]
        arrivals = [each for each in found if len(each.landing.to)]
        plan = CarriedKeys(self.clip)
        if not arrivals:
            return plan
        moments = np.nan_to_num(np.concatenate([each.moments for each in arrivals], axis=1))
        places, rows = np.unique(moments, axis=1, return_inverse=True)
        motion, borders = poses(places), np.cumsum([len(each.landing.to) for each in arrivals])[:-1]
        for arrival, chosen in zip(arrivals, np.split(rows.ravel(), borders), strict=True):
            prop, index = arrival.key
            values = _channels(self.clip, prop, motion, chosen, arrival.landing.base)[:, index]
            plan.add(arrival, values, self.known.get((prop.name, index)))
        return plan

    def _arrival(self, key: Channel, changes: KeyChanges, window: PropagationWindow) -> Arrival:
        """What reaches a window; nothing lands within the operation window, nor on a key that was set there."""
        frames = read_keys(self.clip.channels.curves[key], "co")["co"][:, 0].astype(np.float64)
        start, end = self.span
        inside = (frames > start + SAME_FRAME) & (frames < end - SAME_FRAME)
        near = (frames >= window.start - 0.5) & (frames <= window.end + 0.5)
        landing = landed(changes, window, frames[near & ~inside])
        place = np.where(np.isnan(landing.to), landing.taken, landing.to)
        free = ~((place > start + SAME_FRAME) & (place < end - SAME_FRAME))
        free &= ~np.isin(np.round(place), np.round(changes.new[~np.isnan(changes.new)]))
        slower = window.length / max(end - start, SAME_FRAME)
        return Arrival(key, changes, landing.part(free), slower)


def _is_rotation(prop: Property) -> bool:
    return prop.path.rpartition(".")[2].startswith("rotation_")


def _changes(
    curve: FCurve, known: KeyArrays | None, span: tuple[float, float], further: np.ndarray | tuple[()] = ()
) -> KeyChanges:
    """What was done to the keys of a curve; those at further frames count as changed."""
    now = _within(read_keys(curve), span)
    was = _within(known, span) if known is not None else {name: each[:0] for name, each in now.items()}
    rows = np.searchsorted(was["co"][:, 0], now["co"][:, 0] - SAME_FRAME)
    touched = [row >= len(was["co"]) or not _is_same(was, row, now, number) for number, row in enumerate(rows)]
    along = np.isin(np.round(now["co"][:, 0], 3), np.round(further, 3))
    return key_changes(was["co"][:, 0], now["co"][:, 0], np.array(touched, dtype=np.bool_) | along)


def _within(keys: KeyArrays, span: tuple[float, float]) -> KeyArrays:
    frames = keys["co"][:, 0]
    inside = (frames >= span[0] - SAME_FRAME) & (frames <= span[1] + SAME_FRAME)
    return {name: values[inside] for name, values in keys.items()}


def _is_same(was: KeyArrays, row: int, now: KeyArrays, other: int) -> bool:
    """Whether two keys are alike; automatic handles follow from the keys beside them and do not count."""
    alike = was["co"][row, 1] == now["co"][other, 1]
    alike = alike and all(was[name][row] == now[name][other] for name in KINDS)
    return bool(alike and all(np.array_equal(arm_of(was, row, side), arm_of(now, other, side))
                              for side in SIDES if is_by_hand(now, other, side)))  # fmt: skip


def _channels(clip: Clip, prop: Property, poses: Motion, rows: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """(N, components) of a property in some poses, on the side of what is read near frames."""
    samples = np.searchsorted(clip.frames, np.nan_to_num(frames)).clip(0, len(clip.frames) - 1)
    for joint, (location, rotation, scale) in enumerate(clip.channels.joints):
        if prop == rotation:
            mode = rotation_mode_of(clip.armature, prop)
            return _near(mode, poses.rotations[rows, joint], clip.raw[prop][samples].astype(np.float64))
        if prop in (location, scale):
            values: np.ndarray = (poses.locations if prop == location else poses.scales)[rows, joint]
            return values
    numbers: np.ndarray = poses.scalars[rows][:, [clip.channels.scalars.index(prop)]]
    return numbers


def _near(mode: str, rotations: np.ndarray, raw: np.ndarray) -> np.ndarray:
    if mode == "QUATERNION":
        return quaternion.aligned(rotations, raw)
    rows = [rotation_values(mode, each[None], start)[0] for each, start in zip(rotations, raw, strict=True)]
    return np.array(rows).reshape(len(rotations), -1)
