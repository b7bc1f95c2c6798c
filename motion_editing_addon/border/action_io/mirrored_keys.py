"""Mirroring keys as they are: every curve takes the keys of its partner on the other side, with their times.

Mirroring turns channels into sums of channels: quaternions, axis-angle, locations and scales always, Euler
angles where the bones' axes mirror each other. Handles go the same way, so curves keep their shape. A channel
whose partner has no keys has none afterwards either, but the value that the partner held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.editing import Mirror, mirrored_names
from ....core.numerics import quaternion
from .clip import Clip
from .curves.channels import Property, bone_of_path, new_curve, remove_curve
from .curves.keys import LINEAR, SAME_FRAME, KeyArrays, generated_keys, key_count, merged, read_keys, write_keys
from .curves.numbers import number_at, put_number
from .samples import rotation_mode_of
from .write_report import WriteReport
from .written_motion import refuse_protected

if TYPE_CHECKING:
    from bpy.types import FCurve

# What matrices may be away from numbers that are meant: 0, 1 and -1.
_ROUNDING = 1e-5
# Values of channels without keys that differ by less come from rounding.
_SAME = 1e-6
_PLACES = ("co", "handle_left", "handle_right")

# Keys of a channel, or the value that it holds without any.
NewKeys = dict[tuple[Property, int], KeyArrays | float]


@dataclass(frozen=True)
class MirroredKeys:
    """Keys that are worked out, but not yet written.

    Attributes:
        clip: Where they go.
        keys: By channel.
        exact: Properties that come back bit for bit when they are mirrored again.
    """

    clip: Clip
    keys: NewKeys
    exact: frozenset[Property]

    def carry_out(self) -> WriteReport:
        """Write the keys; channels that lose theirs come last, so that no action is left without a curve."""
        report, changed = WriteReport(), set()
        for key, arrays in sorted(self.keys.items(), key=lambda item: isinstance(item[1], float)):
            curve = self.clip.channels.curves.get(key)
            before = None if curve is None else read_keys(curve, "co")["co"].tobytes()
            report.keys_before += 0 if curve is None else key_count(curve)
            now = None if isinstance(arrays, float) else self._keyed(key, arrays)
            if isinstance(arrays, float):
                self._hold(key, arrays)
            report.keys_after += 0 if now is None else key_count(now)
            if before != (None if now is None else read_keys(now, "co")["co"].tobytes()) or now is None:
                changed.add(bone_of_path(key[0].path) or key[0].name)
        report.bones = len(changed)
        report.frames = len(self.clip.frames) if changed else 0
        self.clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
        return report

    def _keyed(self, key: tuple[Property, int], arrays: KeyArrays) -> FCurve:
        curve = self.clip.channels.curves.get(key) or new_curve(self.clip.channels, *key)
        write_keys(curve, arrays)
        curve.update()
        return curve

    def _hold(self, key: tuple[Property, int], value: float) -> None:
        (prop, index), curve = key, self.clip.channels.curves.pop(key, None)
        if curve is not None:
            remove_curve(prop.owner, curve)
        put_number(prop.owner, prop.path if prop.size == 1 else f"{prop.path}[{index}]", value)


def plan_mirrored_keys(
    clip: Clip, mirror: Mirror, joints: np.ndarray, scalars: np.ndarray
) -> tuple[MirroredKeys, np.ndarray, np.ndarray]:
    """Work out the keys of joints (J,) and scalars (N,) whose curves can be exchanged; also gives which these are.

    Keys outside the clip's frames stay. Joints with a muted channel, and their partners, are not taken.

    Raises:
        MotionEditError: A channel is locked or linked.
    """
    found = {int(joint): _keys_of(clip, mirror, int(joint)) for joint in np.flatnonzero(joints & ~mirror.kept)}
    taken = np.array([found.get(joint) is not None for joint in range(len(joints))])
    # Two partners are exchanged together or not at all.
    taken &= taken[mirror.partner]
    keys: NewKeys = {}
    for joint in np.flatnonzero(taken):
        keys |= found[int(joint)] or {}
    partners = np.array(mirrored_names(clip.motion.scalar_names), dtype=np.intp)
    numbers = {int(each): _keys_of_number(clip, int(each), int(partners[each])) for each in np.flatnonzero(scalars)}
    exchanged = np.array([numbers.get(each) is not None for each in range(len(scalars))], dtype=bool)
    exchanged &= exchanged[partners]
    for each in np.flatnonzero(exchanged):
        keys |= numbers[int(each)] or {}
    refuse_protected(clip, list(dict.fromkeys(prop for prop, _index in keys)))
    exact = [clip.channels.scalars[each] for each in np.flatnonzero(exchanged)]
    exact += [
        prop
        for joint in np.flatnonzero(taken)
        for prop, other in _pairs(clip, mirror, int(joint))
        if _is_exchange(_matrix(clip, mirror, int(joint), prop, other))
    ]
    return MirroredKeys(clip, keys, frozenset(exact)), taken, exchanged


def _pairs(clip: Clip, mirror: Mirror, joint: int) -> list[tuple[Property, Property]]:
    """A joint's properties and those of its partner."""
    partner = int(mirror.partner[joint])
    return list(zip(clip.channels.joints[joint], clip.channels.joints[partner], strict=True))


def _keys_of(clip: Clip, mirror: Mirror, joint: int) -> NewKeys | None:
    """New keys of a joint's curves; None where they are no sums of its partner's."""
    found: NewKeys = {}
    for own, other in _pairs(clip, mirror, joint):
        matrix = _matrix(clip, mirror, joint, own, other)
        if matrix is None or clip.channels.is_muted(own) or clip.channels.is_muted(other):
            return None
        sources = [each for index in range(other.size) if (each := _source(clip, other, index)) is not None]
        if len(sources) < other.size:
            return None
        for index in range(own.size):
            keys = _sum(matrix[index], sources, clip.raw[other][0])
            if keys is None or _has_modifiers(clip, own, index):
                return None
            _put(clip, found, (own, index), keys)
    return found


def _keys_of_number(clip: Clip, own: int, other: int) -> NewKeys | None:
    """New keys of a scalar channel that has a partner; None for one that is to be left."""
    scalars, muted = clip.channels.scalars, clip.channels.is_muted
    source = _source(clip, scalars[other], 0)
    if own == other or source is None or muted(scalars[own]) or muted(scalars[other]):
        return None
    if _has_modifiers(clip, scalars[own], 0):
        return None
    found: NewKeys = {}
    held = number_at(scalars[other].owner, scalars[other].path)
    _put(clip, found, (scalars[own], 0), source if len(source["co"]) else float(held or 0.0))
    return found


def _put(clip: Clip, found: NewKeys, key: tuple[Property, int], keys: KeyArrays | float) -> None:
    """Note new keys of a channel; what has no keys and keeps its value needs none.

    In a part of an action nothing without keys changes: it would do so everywhere.
    """
    curve, (prop, index) = clip.channels.curves.get(key), key
    if isinstance(keys, float) and curve is None:
        if abs(keys - clip.raw[prop][0, index]) > _SAME and is_whole(clip):
            found[key] = keys
        return
    found[key] = _within(clip, prop, index, keys)


def is_whole(clip: Clip) -> bool:
    """Whether a clip reaches over all keys of its action."""
    first, last = clip.frames[0] - 1.0, clip.frames[-1] + 1.0
    ends = [keys[[0, -1], 0] for keys in clip.keys.values() if len(keys)]
    return all(first < start and end < last for start, end in ends)


def _matrix(clip: Clip, mirror: Mirror, joint: int, own: Property, other: Property) -> np.ndarray | None:
    """What turns the partner's channels into those of the joint."""
    name = own.path.rpartition(".")[2]
    turn = quaternion.to_matrix(mirror.turns[joint])
    if name == "location":
        return _exact(mirror.moves[joint])
    if name == "scale":
        return _exact(turn**2)
    mode = rotation_mode_of(clip.armature, own)
    if mode != rotation_mode_of(clip.armature, other):
        return None
    if mode in ("QUATERNION", "AXIS_ANGLE"):
        whole = np.eye(4)
        whole[1:, 1:] = turn
        return _exact(whole)
    signs = _exact(turn)
    return signs if np.array_equal(np.abs(signs), np.eye(3)) else None


def _exact(matrix: Any) -> np.ndarray:
    whole = np.round(matrix)
    return np.where(np.abs(matrix - whole) < _ROUNDING, whole, matrix)


def _is_exchange(matrix: np.ndarray | None) -> bool:
    """Whether a matrix only exchanges numbers and turns their signs."""
    return matrix is not None and bool(
        np.isin(np.abs(matrix), (0.0, 1.0)).all() and (np.abs(matrix).sum(axis=1) == 1.0).all()
    )


def _source(clip: Clip, prop: Property, index: int) -> KeyArrays | None:
    """The keys of a curve, none where it has none; None where modifiers add to them."""
    curve: FCurve | None = clip.channels.curves.get((prop, index))
    if curve is None:
        return generated_keys([], [])
    return None if len(curve.modifiers) else read_keys(curve)


def _has_modifiers(clip: Clip, prop: Property, index: int) -> bool:
    curve = clip.channels.curves.get((prop, index))
    return curve is not None and len(curve.modifiers) > 0


def _sum(factors: np.ndarray, sources: list[KeyArrays], still: np.ndarray) -> KeyArrays | float | None:
    """The keys of a weighted sum of curves, its value if it has none; None where these are keyed at different times."""
    used = [int(index) for index in np.flatnonzero(factors)]
    keyed = [index for index in used if len(sources[index]["co"])]
    held = [float(factors[index]) * float(still[index]) for index in used if index not in keyed]
    if not keyed:
        return float(sum(held))
    first = sources[keyed[0]]
    for index in keyed[1:]:
        if len(sources[index]["co"]) != len(first["co"]):
            return None
        if np.abs(sources[index]["co"][:, 0] - first["co"][:, 0]).max() > SAME_FRAME:
            return None
    result = {name: values.copy() for name, values in first.items()}
    for name in _PLACES:
        # Nothing is added to a single curve, not even zero: that would change the sign of zeros.
        values = factors[keyed[0]] * first[name][:, 1]
        for index in keyed[1:]:
            values = values + factors[index] * sources[index][name][:, 1]
        result[name][:, 1] = values + sum(held) if held else values
    return result


def _within(clip: Clip, prop: Property, index: int, new: KeyArrays | float) -> KeyArrays | float:
    """The new keys within the clip's frames and the curve's own outside them."""
    curve = clip.channels.curves.get((prop, index))
    first, last = clip.frames[0] - SAME_FRAME, clip.frames[-1] + SAME_FRAME
    own = generated_keys([], []) if curve is None else read_keys(curve)
    outside = (own["co"][:, 0] < first) | (own["co"][:, 0] > last)
    if isinstance(new, float):
        if not outside.any() and is_whole(clip):
            return new
        new = generated_keys(clip.frames[[0, -1]], [new, new], interpolation=LINEAR)
    if curve is None and not is_whole(clip):  # What was held goes on beside the part.
        own = generated_keys(clip.frames[[0, -1]] + [-1.0, 1.0], clip.raw[prop][[0, -1], index])
        outside = np.ones(2, dtype=np.bool_)
    inside = (new["co"][:, 0] >= first) & (new["co"][:, 0] <= last)
    if inside.all() and not outside.any():
        return new
    return merged(
        {name: values[outside] for name, values in own.items()}, {name: values[inside] for name, values in new.items()}
    )
