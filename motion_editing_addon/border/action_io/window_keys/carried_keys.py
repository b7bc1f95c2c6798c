"""Keys of other windows that are worked out, and written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .....core.timeline import KeyChanges, Landing
from ..clip import Clip
from ..curves.channels import Property, bone_of_path
from ..curves.keys import ALIGNED, FREE, SAME_FRAME, KeyArrays, merged, read_keys, write_keys
from ..write_report import WriteReport

if TYPE_CHECKING:
    from bpy.types import FCurve

    Channel = tuple[Property, int]

KINDS = ("interpolation", "easing", "handle_left_type", "handle_right_type")
SIDES = ("handle_left", "handle_right")
# What a value may be off because it was turned into a rotation and back.
_SAME = 1e-6
_SELECTION = ("select_control_point", "select_left_handle", "select_right_handle")


def is_by_hand(keys: KeyArrays, row: int, side: str) -> bool:
    """Whether one of a key's handles was set by hand: others follow from the keys beside it."""
    return bool(keys[f"{side}_type"][row] in (FREE, ALIGNED))


def arm_of(keys: KeyArrays, row: int, side: str) -> np.ndarray:
    """From a key to the end of one of its handles."""
    arm: np.ndarray = keys[side][row] - keys["co"][row]
    return arm


@dataclass(frozen=True)
class Arrival:
    """Changes of a curve's keys in a window, and how much slower it is than the operation window."""

    key: Channel
    changes: KeyChanges
    landing: Landing
    slower: float

    @property
    def moments(self) -> np.ndarray:
        """(3, N) frames of the poses before, after, and of the base."""
        return np.stack([self.landing.before, self.landing.after, self.landing.base])

    def edited(self, change: int, now: KeyArrays, known: KeyArrays | None) -> tuple[KeyArrays | None, KeyArrays | None]:
        """The key that a change has made in the operation window, and what it was before."""
        return _row(now, self.changes.new[change]), _row(known, self.changes.old[change])


@dataclass
class CarriedKeys:
    """Keys that are worked out, but not yet written.

    Attributes:
        clip: Where they go.
        gone: Frames of keys that are others or nowhere then, by channel.
        new: The keys that come.
    """

    clip: Clip
    gone: dict[Channel, list[float]] = field(default_factory=dict)
    new: dict[Channel, list[KeyArrays]] = field(default_factory=dict)

    def add(self, arrival: Arrival, values: np.ndarray, known: KeyArrays | None) -> None:
        """Take up what arrives at a window, with the values that keys then have."""
        now = read_keys(self.clip.channels.curves[arrival.key])
        gone, new = self.gone.setdefault(arrival.key, []), self.new.setdefault(arrival.key, [])
        landing = arrival.landing
        rows = zip(landing.change.tolist(), landing.taken.tolist(), landing.to.tolist(), values.tolist(), strict=True)
        for change, taken, to, value in rows:
            own = _row(now, taken)
            if change < 0 and own is not None and abs(own["co"][0, 1] - value) <= _SAME:
                continue
            gone += [frame for frame in (taken, to) if not np.isnan(frame)]
            made, was = (None, None) if change < 0 else arrival.edited(change, now, known)
            key = own if made is None else _made_like(made, was, own, arrival.slower)
            if key is not None and not np.isnan(to):
                new.append(_at(key, to, value))

    def carry_out(self) -> WriteReport:
        """Write the keys."""
        report = WriteReport(values_only=False)
        bones: set[str] = set()
        frames: set[float] = set()
        for key, new in self.new.items():
            curve = self.clip.channels.curves[key]
            before = read_keys(curve)
            _put(curve, before, np.array(self.gone[key]), new)
            after = read_keys(curve, "co")["co"]
            if np.array_equal(before["co"], after):
                continue
            report.keys_before += len(before["co"])
            report.keys_after += len(after)
            bones.add(bone_of_path(key[0].path) or key[0].name)
            frames.update(float(each["co"][0, 0]) for each in new)
        report.bones, report.frames = len(bones), len(frames)
        if bones:
            self.clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
        return report


def _row(keys: KeyArrays | None, frame: float) -> KeyArrays | None:
    """The key at a frame, alone; None if there is none."""
    if keys is None or np.isnan(frame):
        return None
    rows = np.flatnonzero(np.abs(keys["co"][:, 0] - frame) < SAME_FRAME)
    return {name: values[rows[:1]].copy() for name, values in keys.items()} if len(rows) else None


def _made_like(made: KeyArrays, was: KeyArrays | None, own: KeyArrays | None, slower: float) -> KeyArrays:
    """A key in another window: its own with what was changed, or one like the key of the operation window."""
    key = {name: values.copy() for name, values in (made if own is None or was is None else own).items()}
    if own is None or was is None:
        for name in _SELECTION:
            key[name][:] = False
    for side in SIDES:
        arm = arm_of(made, 0, side)
        if own is not None and was is not None:
            arm = arm_of(own, 0, side) + (arm - arm_of(was, 0, side)) * is_by_hand(made, 0, side)
            slower = 1.0
        key[side] = key["co"] + arm * (slower, 1.0)
    for name in KINDS:
        if was is not None and made[name][0] != was[name][0]:
            key[name][:] = made[name]
    return key


def _at(key: KeyArrays, frame: float, value: float) -> KeyArrays:
    """A key with its handles at another place."""
    shift = (frame, value) - key["co"]
    return key | {name: (key[name] + shift).astype(np.float32) for name in ("co", *SIDES)}


def _put(curve: FCurve, keys: KeyArrays, gone: np.ndarray, new: list[KeyArrays]) -> None:
    """Give a curve keys in the place of others; of two on one frame the later. Handles far from them stay."""
    latest = {round(float(each["co"][0, 0]), 3): each for each in new}
    left = np.abs(keys["co"][:, :1] - gone[None]).min(axis=1, initial=np.inf) >= SAME_FRAME
    kept = {name: values[left] for name, values in keys.items()}
    come = [latest[frame] for frame in sorted(latest)]
    added = {name: np.concatenate([values[:0], *(each[name] for each in come)]) for name, values in keys.items()}
    wanted = merged(kept, added)
    write_keys(curve, wanted)
    curve.update()
    if curve.auto_smoothing == "NONE":
        _keep_far_handles(curve, wanted, gone)


def _keep_far_handles(curve: FCurve, wanted: KeyArrays, changed: np.ndarray) -> None:
    """Undo what recalculating did to automatic handles of keys that are not beside a change."""
    frames = wanted["co"][:, 0].astype(np.float64)
    near = np.zeros(len(frames), dtype=np.bool_)
    for frame in changed.tolist():
        place = int(np.searchsorted(frames, frame - SAME_FRAME))
        near[max(place - 1, 0) : place + 2] = True
    found = read_keys(curve, *SIDES)
    write_keys(curve, {name: np.where(near[:, None], found[name], wanted[name]) for name in SIDES})
