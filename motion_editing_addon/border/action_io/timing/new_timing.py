"""New timing for F-curves: sparse keys and handles move, baked curves are resampled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .....core.errors import NotInvertibleError
from .....core.motion import Ends, Motion, TimeMap
from ..channel_values import rotation_values
from ..clip import Clip, rotation_mode_of
from ..curves.breakdowns import Following, bound_of, follow
from ..curves.channels import Property
from ..curves.keys import SAME_FRAME, KeyArrays, key_count, merged, read_keys, write_keys
from ..curves.stepped_keys import is_stepped
from ..reduction.scene_sizes import location_sizes
from ..write_report import WriteReport
from ..written_motion import is_locked, refuse_protected
from .key_columns import is_baked, on_whole_frames, reaches_of

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
    motion, rate = clip.motion, clip.motion.rate
    curves = _curves(clip, joints, scalars)
    start, end = (round(time * rate) for time in time_map.covering(float(motion.times[0]), float(motion.times[-1])))
    frames = np.arange(start, end + 1, dtype=np.float64)
    _refuse_loss(clip, time_map)
    shown = time_map.apply(motion, frames / rate, prefilter=prefilter, keep_accents=keep_accents)
    retiming = _Retiming(clip, time_map, frames, time_map(frames / rate) * rate, shown)
    # All new keys are worked out before the first is written, so that a refusal changes nothing.
    planned = [_planned(retiming, *key, curve, snap) for key, curve in curves.items()]
    report = WriteReport(
        bones=int(np.count_nonzero(joints)),
        frames=_covered([each.keys["co"] for each in planned]),
        frames_before=_covered([read_keys(each.curve, "co")["co"] for each in planned]),
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
    """Frames from the first to the last of all keys (K, 2)."""
    frames = np.concatenate([np.empty(0), *(each[:, 0] for each in keys)])
    return round(float(np.ptp(frames))) + 1 if len(frames) else 0


class _Planned(NamedTuple):
    """New keys of a curve; a sparse one also has the values that it should show."""

    prop: Property
    curve: FCurve
    keys: KeyArrays
    wanted: np.ndarray | None


class _Retiming(NamedTuple):
    """What is the same for all curves: new frames, the old ones shown there, and the motion at these."""

    clip: Clip
    time_map: TimeMap
    frames: np.ndarray
    old_frames: np.ndarray
    shown: Motion


def _planned(retiming: _Retiming, prop: Property, index: int, curve: FCurve, snap: bool) -> _Planned:
    baked = is_baked(retiming.clip, curve)
    keys = _new_keys(retiming, prop, index, curve, baked)
    if baked:
        return _Planned(prop, curve, keys, None)
    if snap:
        moved = on_whole_frames(keys["co"][:, 0]) - keys["co"][:, 0]
        for name in ("co", "handle_left", "handle_right"):
            keys[name][:, 0] += moved
    return _Planned(prop, curve, keys, _evaluated(curve, retiming.old_frames))


def _carry_out(planned: _Planned, report: WriteReport) -> None:
    report.keys_before += key_count(planned.curve)
    write_keys(planned.curve, planned.keys)
    planned.curve.update()


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
    clip, time_map, frames, old_frames, shown = retiming
    arrays = read_keys(curve)
    own = arrays["co"][:, 0]
    inside = (own >= clip.frames[0] - SAME_FRAME) & (own <= clip.frames[-1] + SAME_FRAME)
    moving = {name: values[inside] for name, values in arrays.items()}
    if baked:
        # A curve that is shorter than the clip stays so.
        first, last = moving["co"][[0, -1], 0]
        part = slice(*np.searchsorted(old_frames, (first - 0.5, last + 0.5)))
        if time_map.direction < 0:
            part = slice(None)
        if (prop, index) in clip.channels.muted:  # it is not part of what is shown
            values = _muted_values(clip, prop, curve, old_frames)
        else:
            values = channel_values(clip, prop, shown)[:, index]
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
    return np.fromiter(map(curve.evaluate, frames.tolist()), np.float64, len(frames))


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


def resampled(
    keys: KeyArrays, shown: np.ndarray, frames: np.ndarray, values: np.ndarray, *, keep_still: bool = True
) -> KeyArrays:
    """One key per frame, each with the attributes of the old key at the frame that is shown there.

    With keep_still a frame that shows what it showed before keeps its key bit for bit.
    """
    nearest = np.clip(np.searchsorted(keys["co"][:, 0], shown - 0.5), 0, len(keys["co"]) - 1)
    resampled = {name: attribute[nearest] for name, attribute in keys.items()}
    for name in ("handle_left", "handle_right"):
        resampled[name] = resampled[name] - resampled["co"] + np.stack([frames, values], axis=1)
    resampled["co"] = np.stack([frames, values], axis=1)
    still = keep_still & (np.abs(keys["co"][nearest, 0] - frames) + np.abs(shown - frames) < SAME_FRAME)
    for name in ("co", "handle_left", "handle_right"):
        resampled[name][still] = keys[name][nearest[still]]  # Where time is as before, so is the key.
    return resampled
