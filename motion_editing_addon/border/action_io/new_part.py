"""A motion of another length written over a part of an action, or in place of all of it; endless repetition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ....core.motion import Motion
from ....core.numerics import quaternion
from ..key_options import KeyOptions
from ..steps import finish
from .clip import Clip, read
from .curves.channels import Property, bone_of_path, new_curve
from .curves.curve_keys import replace_keys
from .curves.key_splits import split_at
from .curves.keys import CONSTANT, FREE, LINEAR, SAME_FRAME, generated_keys, key_count, read_keys
from .curves.stepped_keys import is_stepped, steps_of
from .key_forms import plan_rekey
from .timing.new_timing import channel_values
from .write_report import WriteReport
from .written_motion import refuse_protected

if TYPE_CHECKING:
    from bpy.types import FCurve

# Values of channels without keys that differ by less come from rounding.
_SAME = 1e-6


@dataclass(frozen=True)
class FewKeys:
    """Which joints get few keys, and how few.

    Attributes:
        joints: (J,) the others have one key a frame.
        options: How far curves may be off.
        columns: By the names of properties, action frames that are keys in any case.
    """

    joints: np.ndarray
    options: KeyOptions
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)


def write_part(clip: Clip, motion: Motion, *, first: float | None = None, few: FewKeys | None = None) -> WriteReport:
    """Key a motion in place of what the action shows from a frame on.

    Every curve keeps its keys up to the last one at or before that frame; from there on it has one key
    a frame, or few, which show what the motion shows. Curves with modifiers are keyed anew as a whole,
    with what the modifiers did, and lose them. Channels without keys that now move get some.

    Args:
        motion: The same joints and scalars, at the clip's rate, of any length.
        first: Action frame from which on the motion differs; all keys of the action are replaced if not
            given, those outside the motion are gone.
        few: Joints with few keys; none if not given.

    Raises:
        MotionEditError: A channel is locked or linked.
    """
    frames = np.round(motion.times * clip.motion.rate, 3)
    values = {prop: channel_values(clip, prop, motion) for prop in clip.channels.properties()}
    changed = [prop for prop, wanted in values.items() if any(clip.channels.of(prop)) or _moves(clip, prop, wanted)]
    moving = [prop for prop in changed if not clip.channels.is_muted(prop)]
    refuse_protected(clip, moving)
    report = WriteReport(frames=len(frames), frames_before=len(clip.frames))
    report.add_muted(set(changed) - set(moving))
    for prop in moving:
        for index in range(prop.size):
            curve = clip.channels.curves.get((prop, index)) or new_curve(clip.channels, prop, index)
            report.keys_before += key_count(curve)
            if few is not None and first is not None and not len(curve.modifiers):
                split_at(curve, first)
            stepped = prop.name in motion.stepped or is_stepped(prop, curve)
            _write(curve, frames, values[prop][:, index], first, stepped=stepped)
            report.keys_after += key_count(curve)
    report.bones = len({bone_of_path(prop.path) or prop.name for prop in moving})
    if few is not None and few.joints.any():
        _thin_out(clip, first, few, report)
    clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return report


def _thin_out(clip: Clip, first: float | None, few: FewKeys, report: WriteReport) -> None:
    """Put few keys in the place of one a frame, and note how far they are off."""
    dense = read(clip.armature, rate=clip.motion.rate, start=first)
    plan = finish(plan_rekey(dense, few.joints, few.options, columns=few.columns))
    for where, (_frames, keys) in plan.fitted.items():
        present = read_keys(dense.channels.curves[where], "co", "handle_left")
        joint = int(np.searchsorted(present["co"][:, 0], dense.frames[0] - SAME_FRAME))
        if joint > 0:  # What comes before keeps its shape.
            keys["handle_left"][0] = present["handle_left"][joint]
            keys["handle_left_type"][0] = keys["handle_right_type"][0] = FREE
    written = plan.carry_out()
    report.keys_after += written.keys_after - written.keys_before
    now = read(clip.armature, rate=clip.motion.rate, start=first).motion
    report.misses = {
        "rotation": float(quaternion.angle_between(now.rotations, dense.motion.rotations).max()),
        "location": float(np.linalg.norm(now.locations - dense.motion.locations, axis=-1).max()),
    }


def repeat_endlessly(clip: Clip, travelling: Iterable[Property]) -> int:
    """Let every curve repeat before and after its keys; gives how many do.

    Args:
        clip: Its curves are those of a loop.
        travelling: Properties of which every round begins where the last one ended.
    """
    onward = set(travelling)
    for (prop, _index), curve in clip.channels.curves.items():
        for old in [each for each in curve.modifiers if each.type == "CYCLES"]:
            curve.modifiers.remove(old)
        cycles = curve.modifiers.new("CYCLES")
        cycles.mode_before = cycles.mode_after = "REPEAT_OFFSET" if prop in onward else "REPEAT"
        curve.update()
    clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return len(clip.channels.curves)


def _moves(clip: Clip, prop: Property, wanted: np.ndarray) -> bool:
    """Whether a channel without keys leaves its present value."""
    joint = next((number for number, three in enumerate(clip.channels.joints) if prop == three[0]), None)
    if joint is not None and clip.motion.skeleton.connected[joint]:
        return False
    return bool(np.abs(wanted - clip.raw[prop][:1]).max() > _SAME)


def _write(curve: FCurve, frames: np.ndarray, values: np.ndarray, first: float | None, *, stepped: bool) -> None:
    keys = read_keys(curve, "co")["co"]
    own = keys[:, 0]
    kept = np.empty(0) if first is None or len(curve.modifiers) else own[own <= first + SAME_FRAME]
    while len(curve.modifiers):
        curve.modifiers.remove(curve.modifiers[0])
    # The last kept key stays as it is, with its left handle; the next frame has a key of its own.
    new = frames > kept[-1] + SAME_FRAME if len(kept) else np.ones(len(frames), dtype=np.bool_)
    start = frames[new][0] if len(kept) and new.any() else -np.inf
    if stepped and new.any():
        new[new] = steps_of(frames[new], values[new], float(keys[len(kept) - 1, 1]) if len(kept) else None)
    kind = CONSTANT if stepped else LINEAR
    replace_keys(curve, np.array([start, np.inf]), generated_keys(frames[new], values[new], interpolation=kind))
