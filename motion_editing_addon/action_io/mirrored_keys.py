"""Mirroring keys as they are: every curve takes the keys of its partner on the other side, with their times.

Mirroring turns channels into sums of channels: quaternions, axis-angle, locations and scales always, Euler
angles where the bones' axes mirror each other. Handles go the same way, so curves keep their shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import quaternion
from ...core.mirroring import Mirror
from .channels import Property, bone_of_path, new_curve
from .keys import LINEAR, SAME_FRAME, KeyArrays, generated_keys, key_count, merged, read_keys, write_keys
from .read import Clip, rotation_mode_of
from .write import refuse_protected
from .write_report import WriteReport

if TYPE_CHECKING:
    from bpy.types import FCurve

# What matrices may be away from numbers that are meant: 0, 1 and -1.
_ROUNDING = 1e-5
_PLACES = ("co", "handle_left", "handle_right")


@dataclass(frozen=True)
class MirroredKeys:
    """Keys that are worked out, but not yet written."""

    clip: Clip
    keys: dict[tuple[Property, int], KeyArrays]

    def carry_out(self) -> WriteReport:
        """Write the keys."""
        report, changed = WriteReport(), set()
        for (prop, index), arrays in self.keys.items():
            curve = self.clip.channels.curves.get((prop, index)) or new_curve(self.clip.channels, prop, index)
            before = read_keys(curve)
            report.keys_before += len(before["co"])
            write_keys(curve, arrays)
            curve.update()
            report.keys_after += key_count(curve)
            if before["co"].tobytes() != arrays["co"].astype(np.float32).tobytes():
                changed.add(bone_of_path(prop.path) or prop.name)
        report.bones = len(changed)
        report.frames = len(self.clip.frames) if changed else 0
        self.clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
        return report


def plan_mirrored_keys(clip: Clip, mirror: Mirror, joints: np.ndarray) -> tuple[MirroredKeys, np.ndarray]:
    """Work out the keys of the joints (J,) whose curves can be exchanged; also gives which these are.

    Keys outside the clip's frames stay. Joints with a muted channel, and their partners, are not taken.

    Raises:
        MotionEditError: A channel is locked or linked.
    """
    taken, keys = np.zeros(len(joints), dtype=bool), {}
    for joint in np.flatnonzero(joints & ~mirror.kept):
        found = _keys_of(clip, mirror, int(joint))
        if found is not None:
            keys.update(found)
            taken[joint] = True
    # Two partners are exchanged together or not at all.
    taken &= taken[mirror.partner]
    names = {clip.motion.skeleton.names[joint] for joint in np.flatnonzero(taken)}
    keys = {key: arrays for key, arrays in keys.items() if (bone_of_path(key[0].path) or "") in names}
    refuse_protected(clip, list(dict.fromkeys(prop for prop, _index in keys)))
    return MirroredKeys(clip, keys), taken


def _keys_of(clip: Clip, mirror: Mirror, joint: int) -> dict[tuple[Property, int], KeyArrays] | None:
    """New keys of a joint's curves; None where they are no sums of its partner's."""
    partner, found = int(mirror.partner[joint]), {}
    for own, other in zip(clip.channels.joints[joint], clip.channels.joints[partner], strict=True):
        matrix = _matrix(clip, mirror, joint, own, other)
        if matrix is None or clip.channels.is_muted(own) or clip.channels.is_muted(other):
            return None
        sources = [_source(clip, other, index) for index in range(other.size)]
        if None in sources:
            return None
        for index in range(own.size):
            used = np.flatnonzero(matrix[index])
            if clip.channels.curves.get((own, index)) is None and not any(len(sources[k]["co"]) for k in used):
                continue
            keys = _sum(matrix[index], sources, clip.raw[other][0])
            if keys is None or _has_modifiers(clip, own, index):
                return None
            found[own, index] = _within(clip, own, index, keys)
    return found


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


def _source(clip: Clip, prop: Property, index: int) -> KeyArrays | None:
    """The keys of a curve, none where it has none; None where modifiers add to them."""
    curve: FCurve | None = clip.channels.curves.get((prop, index))
    if curve is None:
        return generated_keys([], [])
    return None if len(curve.modifiers) else read_keys(curve)


def _has_modifiers(clip: Clip, prop: Property, index: int) -> bool:
    curve = clip.channels.curves.get((prop, index))
    return curve is not None and len(curve.modifiers) > 0


def _sum(factors: np.ndarray, sources: list[KeyArrays], still: np.ndarray) -> KeyArrays | None:
    """The keys of a weighted sum of curves; None where these are keyed at different times."""
    used = [int(index) for index in np.flatnonzero(factors)]
    keyed = [index for index in used if len(sources[index]["co"])]
    held = sum(float(factors[index]) * float(still[index]) for index in used if index not in keyed)
    if not keyed:
        return {**generated_keys([0.0], [held], interpolation=LINEAR)}
    first = sources[keyed[0]]
    for index in keyed[1:]:
        if len(sources[index]["co"]) != len(first["co"]):
            return None
        if np.abs(sources[index]["co"][:, 0] - first["co"][:, 0]).max() > SAME_FRAME:
            return None
    result = {name: values.copy() for name, values in first.items()}
    for name in _PLACES:
        result[name][:, 1] = sum(factors[index] * sources[index][name][:, 1] for index in keyed) + held
    return result


def _within(clip: Clip, prop: Property, index: int, new: KeyArrays) -> KeyArrays:
    """The new keys within the clip's frames and the curve's own outside them."""
    curve = clip.channels.curves.get((prop, index))
    first, last = clip.frames[0] - SAME_FRAME, clip.frames[-1] + SAME_FRAME
    if curve is None:
        return new
    own = read_keys(curve)
    if not len(own["co"]) or (own["co"][0, 0] >= first and own["co"][-1, 0] <= last):
        return new
    outside = (own["co"][:, 0] < first) | (own["co"][:, 0] > last)
    inside = (new["co"][:, 0] >= first) & (new["co"][:, 0] <= last)
    return merged(
        {name: values[outside] for name, values in own.items()}, {name: values[inside] for name, values in new.items()}
    )
