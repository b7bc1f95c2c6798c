"""New timing for F-curves: sparse keys and handles move, baked curves are resampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .....core.errors import NotInvertibleError
from .....core.motion import Ends, Motion, TimeMap
from ..channel_values import rotation_values
from ..clip import Clip
from ..curves.breakdowns import Following, bound_of, follow
from ..curves.channels import Property, bone_of_path
from ..curves.keys import (
    SAME_FRAME,
    CurveInMemory,
    KeyArrays,
    evaluated,
    key_count,
    key_frames,
    merged,
    read_keys,
    write_keys,
)
from ..curves.stepped_keys import is_stepped
from ..memory.baked_rows import BakedRows, are_baked, part_shown, resampled, rows_in_memory
from ..memory.curve_state import CurveState
from ..memory.draft import draft_of
from ..memory.pending_motion import deferred_timing, has_more_keys
from ..reduction.scene_sizes import location_sizes
from ..samples import rotation_mode_of
from ..write_report import WriteReport
from ..written_motion import is_locked, refuse_protected
from .key_columns import on_whole_frames, reaches_of

if TYPE_CHECKING:
    from bpy.types import FCurve

    from ...key_options import KeyOptions


# Breakdown keys that a new timing may add, as a share of the keys that there are: few keys stay few.
_MOST_BREAKDOWNS = 0.1


def retime(
    clip: Clip,
    time_map: TimeMap,
    joints: Any,
    *,
    prefilter: bool = False,
    keep_accents: bool = True,
    snap: bool = False,
    scalars: Any = None,
    options: KeyOptions | None = None,
    held: int = 0,
) -> WriteReport:
    """Show the clip with another timing.

    Args:
        clip: What was read. Keys outside its frames stay where they are.
        time_map: From new to old time, in seconds of the clip's rate.
        joints: (J,) which joints; their scalar channels follow, and so do their muted curves: they stay in step.
        prefilter: Average baked poses where time is compressed.
        keep_accents: Of what is averaged keep all that is larger than noise.
        snap: Put sparse keys on whole frames.
        scalars: (N,) which scalar channels, if not those of the joints.
        options: Errors above which sparse curves get breakdown keys; none are added if not given.
        held: Moments between keys that every curve may get a breakdown key for, beside a few for all.

    Raises:
        NotInvertibleError: The map does not show the whole clip; or there are sparse keys, and it shows some moments
            never or twice.
    """
    _refuse_loss(clip, time_map)
    retiming = _retiming(clip, time_map, prefilter, keep_accents)

    def write() -> WriteReport:
        return _write(retiming, _curves(clip, joints, scalars), snap, options, held)

    draft = draft_of(clip.armature)
    if draft is None or not draft.is_loose or not np.all(joints) or has_more_keys(clip):
        return write()
    frames, old_frames = retiming.frames, retiming.old_frames
    draft.defer(deferred_timing(draft.deferred, clip, frames, old_frames, retiming.shown, write))
    return WriteReport(bones=1, frames=len(frames), muted_follow=True)


def _retiming(clip: Clip, time_map: TimeMap, prefilter: bool, keep_accents: bool) -> _Retiming:
    motion, rate = clip.motion, clip.motion.rate
    start, end = (round(time * rate) for time in time_map.covering(float(motion.times[0]), float(motion.times[-1])))
    frames = np.arange(start, end + 1, dtype=np.float64)
    shown = time_map.apply(motion, frames / rate, prefilter=prefilter, keep_accents=keep_accents)
    return _Retiming(clip, time_map, frames, time_map(frames / rate) * rate, shown)


def _write(
    retiming: _Retiming,
    curves: dict[tuple[Property, int], FCurve],
    snap: bool,
    options: KeyOptions | None,
    held: int,
) -> WriteReport:
    """Bring a new timing into curves."""
    clip, frames = retiming.clip, retiming.frames
    # All new keys are worked out before the first is written, so that a refusal changes nothing.
    planned = [_planned(retiming, *key, curve, snap) for key, curve in curves.items()]
    report = WriteReport(
        bones=len({bone_of_path(prop.path) or prop.name for prop, _index in curves}),
        frames=_covered([each.frames for each in planned]),
        frames_before=_covered([key_frames(each.curve) for each in planned]),
        sizes=location_sizes(clip),
        muted_follow=True,
    )
    for each in planned:
        _carry_out(each, report)
    if options is not None:
        _add_breakdowns(clip, [each for each in planned if each.wanted is not None], frames, options, held, report)
    report.keys_after = sum(key_count(each.curve) for each in planned)
    clip.armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return report


def _refuse_loss(clip: Clip, time_map: TimeMap) -> None:
    """Raise if a map that holds its ends shows a part of the clip alone: the keys of the rest would be gone."""
    low, high = (float(each) * clip.motion.rate for each in (time_map.old_times.min(), time_map.old_times.max()))
    if time_map.ends is Ends.HOLD and (low > clip.frames[0] + 1.0 or high < clip.frames[-1] - 1.0):
        raise NotInvertibleError(
            f"The new timing shows frames {low:.4g} to {high:.4g} of {clip.frames[0]:g} to {clip.frames[-1]:g}: "
            "the keys of the others would be lost; limit the edit to these frames or extend the timing"
        )


def _curves(clip: Clip, joints: Any, scalars: Any) -> dict[tuple[Property, int], FCurve]:
    """The curves of the joints and scalars that have keys, the muted ones included unless they are locked."""
    properties = [prop for joint in np.flatnonzero(joints) for prop in clip.channels.joints[joint]]
    followers = clip.scalars_of(joints) if scalars is None else scalars
    properties += [clip.channels.scalars[index] for index in np.flatnonzero(followers)]
    refuse_protected(clip, properties)
    curves = {(prop, index): curve for prop in properties for index, curve in enumerate(clip.channels.of(prop))}
    for key, curve in clip.muted_of(joints).items():
        if not is_locked(curve) and (scalars is None or key[0] in properties):
            curves[key] = curve
    return {key: curve for key, curve in curves.items() if curve is not None and key_count(curve)}


def _covered(keys: list[np.ndarray]) -> int:
    """Frames from the first to the last of all keys (K,); those of a reversed motion are not in order yet."""
    distinct = {id(each): each for each in keys if len(each)}.values()
    ends = [(float(each.min()), float(each.max())) for each in distinct]
    return round(max(last for _, last in ends) - min(first for first, _ in ends)) + 1 if ends else 0


class _Planned(NamedTuple):
    """New keys of a curve, in memory as its state; a sparse one also has the values that it should show."""

    prop: Property
    curve: FCurve
    keys: KeyArrays | CurveState
    wanted: np.ndarray | None

    @property
    def frames(self) -> np.ndarray:
        """(K,) of the new keys."""
        return self.keys.frames if isinstance(self.keys, CurveState) else self.keys["co"][:, 0]


@dataclass(frozen=True, eq=False)
class _Retiming:
    """What is the same for all curves: new frames, the old ones shown there, and the motion at these."""

    clip: Clip
    time_map: TimeMap
    frames: np.ndarray
    old_frames: np.ndarray
    shown: Motion
    # What was asked for so far: values of properties, and how keys in memory move, whose frames curves share.
    values: dict[Property, np.ndarray] = field(default_factory=dict)
    rows: dict[int, BakedRows | None] = field(default_factory=dict)

    def of(self, prop: Property) -> np.ndarray:
        """(F, components) of a property at the new frames."""
        if prop not in self.values:
            self.values[prop] = channel_values(self.clip, prop, self.shown)
        return self.values[prop]

    def rows_of(self, keys: np.ndarray) -> BakedRows | None:
        """How the keys of a baked curve in memory move; None of a sparse one."""
        if id(keys) not in self.rows:
            self.rows[id(keys)] = rows_in_memory(
                keys, self.clip.frames, self.frames, self.old_frames, self.time_map.direction
            )
        return self.rows[id(keys)]


def _planned(retiming: _Retiming, prop: Property, index: int, curve: FCurve, snap: bool) -> _Planned:
    state = _state_in_memory(retiming, prop, index, curve)
    if state is not None:
        return _Planned(prop, curve, state, None)
    baked = are_baked(key_frames(curve), retiming.clip.frames)
    keys = _new_keys(retiming, prop, index, curve, baked)
    if baked:
        return _Planned(prop, curve, keys, None)
    if snap:
        moved = on_whole_frames(keys["co"][:, 0]) - keys["co"][:, 0]
        for name in ("co", "handle_left", "handle_right"):
            keys[name][:, 0] += moved
    return _Planned(prop, curve, keys, _evaluated(curve, retiming.old_frames))


def _state_in_memory(retiming: _Retiming, prop: Property, index: int, curve: FCurve) -> CurveState | None:
    """The new state of a baked curve in memory with all its keys in the clip; None for others."""
    if not isinstance(curve, CurveInMemory) or curve.mute or curve.state.further.has_own_handles:
        return None
    rows = retiming.rows_of(curve.state.frames)
    return None if rows is None else rows.state(curve.state, retiming.of(prop)[:, index])


def _carry_out(planned: _Planned, report: WriteReport) -> None:
    curve: Any = planned.curve
    report.keys_before += key_count(curve)
    if isinstance(planned.keys, CurveState):
        curve.state = planned.keys
    else:
        write_keys(curve, planned.keys)
        curve.update()


def _add_breakdowns(
    clip: Clip, planned: list[_Planned], frames: np.ndarray, options: KeyOptions, held: int, report: WriteReport
) -> None:
    """Let sparse curves show what they should with few more keys: of all misses the worst that are seen get one."""
    reaches = reaches_of(clip)
    budget = max(held * len(planned), int(_MOST_BREAKDOWNS * sum(key_count(each.curve) for each in planned)))
    following = [
        Following(each.curve, each.wanted, bound_of(each.prop, options, report.sizes.get(each.prop, 1.0)), reach)
        for each in planned
        if each.wanted is not None
        for reach in [reaches.get(each.prop, 0.0)]
    ]
    report.breakdown_keys += follow(following, frames, budget)
    for each, done in zip(planned, following, strict=True):
        report.add_miss(each.prop, float(np.abs(done.errors(frames)).max(initial=0.0)))


def _new_keys(retiming: _Retiming, prop: Property, index: int, curve: FCurve, baked: bool) -> KeyArrays:
    clip, time_map, frames, old_frames = retiming.clip, retiming.time_map, retiming.frames, retiming.old_frames
    arrays = read_keys(curve)
    own = arrays["co"][:, 0]
    inside = (own >= clip.frames[0] - SAME_FRAME) & (own <= clip.frames[-1] + SAME_FRAME)
    moving = {name: values[inside] for name, values in arrays.items()}
    if baked:
        first, last = moving["co"][[0, -1], 0]
        part = part_shown(old_frames, float(first), float(last), time_map.direction)
        if (prop, index) in clip.channels.muted:  # it is not part of what is shown
            values = _muted_values(clip, prop, curve, old_frames)
        else:
            values = retiming.of(prop)[:, index]
        moved = resampled(moving, old_frames[part], frames[part], values[part])
    else:
        moved = _moved(moving, time_map, clip.motion.rate)
    if baked and inside.all():  # sparse keys of a reversed motion are not in order yet
        return moved
    reached = moved["co"][:, 0]
    # A key left outside gives way to one that arrives on its frame.
    outside = np.flatnonzero(~inside)
    free = np.abs(own[outside, None] - reached).min(axis=1, initial=np.inf) > SAME_FRAME
    return merged({name: values[outside[free]] for name, values in arrays.items()}, moved)


def _muted_values(clip: Clip, prop: Property, curve: FCurve, frames: np.ndarray) -> np.ndarray:
    """A muted curve at frames as if it were shown: straight between the clip's frames, switches held."""
    if is_stepped(prop, curve):
        return _evaluated(curve, np.clip(frames, *clip.frames[[0, -1]]))
    return np.interp(frames, clip.frames, _evaluated(curve, clip.frames))


def _evaluated(curve: FCurve, frames: np.ndarray) -> np.ndarray:
    return evaluated(curve, frames).astype(np.float64)


def channel_values(clip: Clip, prop: Property, shown: Motion) -> np.ndarray:
    """Channels (F, components) of a property in the retimed motion."""
    for joint, (location, rotation, scale) in enumerate(clip.channels.joints):
        if prop == rotation:
            start = clip.raw[prop][0].astype(np.float64)
            values = rotation_values(rotation_mode_of(clip.armature, prop), shown.rotations[:, joint], start)
            return values if values.shape[1] < 4 or values[0] @ start >= 0.0 else -values
        if prop in (location, scale):
            return (shown.locations if prop == location else shown.scales)[:, joint]
    return shown.scalars[:, [clip.channels.scalars.index(prop)]]


def _moved(keys: KeyArrays, time_map: TimeMap, rate: float) -> KeyArrays:
    """Sparse keys at their new times; handles go through the map too, which keeps the curve's shape."""
    moved = {name: values.copy() for name, values in keys.items()}
    first, last = sorted(time_map.old_times[[0, -1]])
    for name in ("co", "handle_left", "handle_right"):
        times = keys[name][:, 0].astype(np.float64) / rate
        # The outer handles of the first and last key reach beyond what the map covers.
        covered = times if name == "co" else np.clip(times, first, last)
        beyond = (times - covered) * (time_map.direction or 1)
        moved[name][:, 0] = (time_map.map_key_times(covered) + beyond) * rate
    if time_map.direction < 0:
        for left, right in (("handle_left", "handle_right"), ("handle_left_type", "handle_right_type")):
            moved[left], moved[right] = moved[right], moved[left]
        # The way between two keys belongs to the earlier one, which was the later one before.
        moved["interpolation"] = np.concatenate([keys["interpolation"][:1], keys["interpolation"][:-1]])
    return moved
