"""Composing, inverting and blending time maps, piece by piece.

Each operation cuts time into stretches in which every map involved is one cubic piece. Sums of
cubics and straight lines of cubics are cubics again and exact; what is not is followed by as many
pieces as the tolerance asks for.
"""

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from ...errors import MotionEditError, NotInvertibleError
from ...numerics import Array, Pieces, PiecewiseCubic, Sampled, fit, from_pieces

if TYPE_CHECKING:
    from .time_map import TimeMap

# Seconds; at 240 frames a second a forty-thousandth of a frame.
TOLERANCE = 1e-7
# A motion of hours looped every frame is a mistake, not an edit.
_MOST_CYCLES = 100_000


class Ends(Enum):
    """What a map does before its first and after its last knot."""

    HOLD = "HOLD"  # Time stands still at the end's old time.
    EXTEND = "EXTEND"  # Time goes on at the end's speed.
    CYCLE = "CYCLE"  # The map starts again; at the seam its first old time is shown.


def _with(time_map: "TimeMap", curve: PiecewiseCubic, ends: Ends) -> "TimeMap":
    return type(time_map)(curve, ends)


def unrolled(time_map: "TimeMap", start: float, end: float) -> "TimeMap":
    """The same map with knots that reach at least from start to end."""
    first, last = time_map.new_times[0], time_map.new_times[-1]
    if start >= first and end <= last:
        return time_map
    if time_map.ends is Ends.CYCLE:
        return _with(time_map, _repeated(time_map.curve, start, end), Ends.CYCLE)
    outer = np.array([min(start, first), max(end, last)])
    curve, values = time_map.curve, time_map(outer)
    rates = time_map.speed(np.array([first - 1.0, last + 1.0]))
    if start < first:
        curve = PiecewiseCubic(
            np.append(outer[0], curve.knots),
            np.append(values[0], curve.values),
            np.concatenate([[[rates[0], rates[0]]], curve.slopes]),
        )
    if end > last:
        curve = PiecewiseCubic(
            np.append(curve.knots, outer[1]),
            np.append(curve.values, values[1]),
            np.concatenate([curve.slopes, [[rates[1], rates[1]]]]),
        )
    return _with(time_map, curve, time_map.ends)


def _repeated(curve: PiecewiseCubic, start: float, end: float) -> PiecewiseCubic:
    """Copies of a cycle side by side, cut from each other, over the range and the cycle itself."""
    first, period = curve.knots[0], curve.knots[-1] - curve.knots[0]
    before = max(0, int(np.ceil((first - start) / period)))
    after = max(1, int(np.ceil((end - first) / period)))
    if before + after > _MOST_CYCLES:
        raise MotionEditError(f"The cycle of {period:.4g} s would repeat {before + after} times; shorten the range")
    offsets = period * np.arange(-before, after)
    knots = (offsets[:, None] + curve.knots).ravel()
    values = np.tile(curve.values, len(offsets))
    cut = np.zeros((1, 2))
    slopes = np.concatenate([np.concatenate([cut, curve.slopes])] * len(offsets))[1:]
    # The end of one copy and the start of the next round differently; they are one place.
    seams = np.arange(1, len(offsets)) * len(curve.knots)
    knots[seams] = knots[seams - 1]
    if curve.values[-1] == curve.values[0]:
        knots, values = np.delete(knots, seams), np.delete(values, seams)
        slopes = np.delete(slopes, seams - 1, axis=0)
    return PiecewiseCubic(knots, values, slopes)


def compose(outer: "TimeMap", inner: "TimeMap") -> "TimeMap":
    """outer(inner(time)) as one map."""
    ends = inner.ends
    if ends is Ends.EXTEND:
        inner, ends = _put_on(outer, inner), outer.ends
    places = _cuts(inner.curve, inner.curve.turning_points())
    values = inner.curve.value(places)
    whole = unrolled(outer, values.min(), values.max())
    curve = _compose_curves(whole, inner.curve, places)
    # An inner map that ends on a seam holds what comes after it.
    return _with(inner, _ending_with(curve, float(outer(values[-1]))) if ends is Ends.HOLD else curve, ends)


def _ending_with(curve: PiecewiseCubic, value: float) -> PiecewiseCubic:
    if abs(curve.values[-1] - value) <= TOLERANCE:
        return curve
    return PiecewiseCubic(
        np.append(curve.knots, curve.knots[-1]),
        np.append(curve.values, value),
        np.concatenate([curve.slopes, np.zeros((1, 2))]),
    )


def _put_on(outer: "TimeMap", inner: "TimeMap") -> "TimeMap":
    """An inner map that goes on for ever, with knots wherever the outer one has something to show."""
    if outer.ends is not Ends.CYCLE or not inner.curve.slopes[[0, -1], [0, 1]].any():
        return _reaching(inner, outer.new_times[[0, -1]])
    if (inner.curve.slopes != inner.curve.slopes[0, 0]).any() or inner.curve.has_jumps:
        raise MotionEditError("A warp that goes on for ever cannot be put on a cycle; hold the warp's ends")
    bounds = (outer.new_times[[0, -1]] - inner.old_times[0]) / inner.curve.slopes[0, 0] + inner.new_times[0]
    return _with(inner, PiecewiseCubic.straight(np.sort(bounds), inner(np.sort(bounds))), Ends.EXTEND)


def _reaching(time_map: "TimeMap", old_times: Array) -> "TimeMap":
    """A map that goes on for ever, with knots that reach until it has shown the old times."""
    (start, end), slopes = time_map.new_times[[0, -1]], time_map.curve.slopes
    if slopes[0, 0]:
        start = min(start, *(start + (old_times - time_map.old_times[0]) / slopes[0, 0]))
    if slopes[-1, 1]:
        end = max(end, *(end + (old_times - time_map.old_times[-1]) / slopes[-1, 1]))
    return unrolled(time_map, start, end)


def _cuts(curve: PiecewiseCubic, extra: Array) -> Array:
    return np.unique(np.concatenate([curve.knots, extra]))


def _compose_curves(outer: "TimeMap", inner: PiecewiseCubic, places: Array) -> PiecewiseCubic:
    crossings = _crossings(inner, places, outer.curve.knots)
    places = np.unique(np.concatenate([places, crossings]))
    starts, widths = places[:-1], np.diff(places)
    middles = 0.5 * (starts + places[1:])
    inner_piece = inner.piece_at(middles)
    outer_piece = outer.curve.piece_at(inner.value(middles, inner_piece))

    def sample(share: Array, stretch: Pieces) -> Sampled:
        place = np.where(share == 1.0, places[stretch + 1], starts[stretch] + share * widths[stretch])
        first, second = inner_piece[stretch], outer_piece[stretch]
        between = inner.value(place, first)
        speed = outer.curve.slope(between, second) * inner.slope(place, first)
        return place, outer.curve.value(between, second), speed

    return fit(sample, len(starts), tolerance=TOLERANCE)


def _crossings(curve: PiecewiseCubic, places: Array, levels: Array) -> Array:
    """Places at which the curve, monotone between the given places, crosses the levels."""
    middles = 0.5 * (places[:-1] + places[1:])
    piece = curve.piece_at(middles)
    first, last = curve.value(places[:-1], piece), curve.value(places[1:], piece)
    levels = np.unique(levels)
    low = np.searchsorted(levels, np.minimum(first, last), side="right")
    count = np.maximum(np.searchsorted(levels, np.maximum(first, last), side="left") - low, 0)
    stretch = np.repeat(np.arange(len(piece)), count)
    number = np.arange(len(stretch)) - np.repeat(np.cumsum(count) - count, count)
    parts = from_pieces(
        (places[:-1], first, curve.slope(places[:-1], piece)), (places[1:], last, curve.slope(places[1:], piece))
    )
    return parts.solve(levels[low[stretch] + number], parts.piece_at(middles)[stretch])


def refuse_not_invertible(time_map: "TimeMap") -> None:
    """Raise NotInvertibleError with the place where a map shows an old time twice or not at all."""
    curve = time_map.curve
    steps = np.diff(curve.values)
    if time_map.ends is Ends.CYCLE:
        raise NotInvertibleError("The timing repeats itself, so an old time has many new times")
    if curve.has_jumps:
        place = curve.knots[:-1][np.diff(curve.knots) == 0.0][0]
        raise NotInvertibleError(f"The timing is cut at {place:.4g} s; close the cut first")
    if (steps == 0.0).any():
        place = curve.knots[:-1][steps == 0.0][0]
        raise NotInvertibleError(f"Time stands still from {place:.4g} s on; give the hold some movement first")
    if time_map.direction == 0:
        raise NotInvertibleError("Time runs forward and backward; split the timing where it turns round")


def inverse(time_map: "TimeMap") -> "TimeMap":
    """The map from old to new time."""
    refuse_not_invertible(time_map)
    curve, backward = time_map.curve, time_map.direction < 0
    last = len(curve.slopes) - 1

    def sample(share: Array, stretch: Pieces) -> Sampled:
        piece = last - stretch if backward else stretch
        way = 1.0 - share if backward else share
        start, end = curve.knots[piece], curve.knots[piece + 1]
        place = np.where(way == 1.0, end, start + way * (end - start))
        slope = curve.slope(place, piece)
        # A momentary stop has an endless slope here; `fit` brings it down to what a piece can have.
        tiny = np.copysign(1e-150, time_map.direction)
        return curve.value(place, piece), place, 1.0 / np.where(np.abs(slope) < 1e-150, tiny, slope)

    return _with(time_map, fit(sample, last + 1, tolerance=TOLERANCE), time_map.ends)


def solve(time_map: "TimeMap", old_times: Array) -> Array:
    """New time of old times, for a map that can be inverted."""
    curve, sign = time_map.curve, float(time_map.direction)
    inside = np.clip(old_times, min(curve.values[0], curve.values[-1]), max(curve.values[0], curve.values[-1]))
    found = np.searchsorted(sign * curve.values, sign * inside, side="right") - 1
    new = curve.solve(inside, np.clip(found, 0, len(curve.slopes) - 1))
    if time_map.ends is Ends.EXTEND:
        beyond = old_times - inside
        rate = np.where(sign * beyond < 0.0, curve.slopes[0, 0], curve.slopes[-1, 1])
        if (rate[beyond != 0.0] == 0.0).any():
            raise NotInvertibleError("Time stands still outside the timing, where there are keys")
        new = new + np.where(beyond == 0.0, 0.0, beyond / np.where(rate == 0.0, 1.0, rate))
    return new


def one_way_parts(time_map: "TimeMap") -> list["TimeMap"]:
    """The map itself, or the parts between the times at which it turns round or is cut."""
    if time_map.direction:
        return [time_map]
    curve = time_map.curve
    places = np.unique(np.concatenate([curve.knots, curve.turning_points()]))
    ends = np.stack([places[:-1], places[1:]], axis=-1)
    pieces = np.repeat(curve.piece_at(ends.mean(axis=1))[:, None], 2, axis=1)
    parts = zip(ends, curve.value(ends, pieces), curve.slope(ends, pieces), strict=True)
    return [_with(time_map, PiecewiseCubic(knots, values, slopes[None]), Ends.HOLD) for knots, values, slopes in parts]


def entered(time_map: "TimeMap", old_times: Array) -> Array:
    """New times at which a map that runs one way comes to old times between its ends; NaN where they are cut out."""
    curve, sign = time_map.curve, float(time_map.direction)
    values, wanted = sign * curve.values, sign * old_times
    piece = np.clip(np.searchsorted(values, wanted, side="left") - 1, 0, len(curve.slopes) - 1)
    cut_out = (np.diff(curve.knots)[piece] == 0.0) & (values[piece] < wanted) & (wanted < values[piece + 1])
    inside = sign * np.clip(wanted, values[piece], values[piece + 1])
    return np.where(cut_out, np.nan, curve.solve(inside, piece))


def blend(first: "TimeMap", second: "TimeMap", weight: float) -> "TimeMap":
    """Weighted mean of the old times of two maps."""
    if weight == 0.0 or weight == 1.0:
        return second if weight else first
    start = min(first.new_times[0], second.new_times[0])
    end = max(first.new_times[-1], second.new_times[-1])
    ends = first.ends
    if Ends.CYCLE in (first.ends, second.ends):
        same = first.ends is second.ends and (first.new_times[[0, -1]] == second.new_times[[0, -1]]).all()
        if not same:
            raise MotionEditError("Cycles blend only with cycles of the same start and length")
    elif first.ends is not second.ends:
        # A knot further out on both sides gives the mixture of holding and going on its slope.
        start, end, ends = start - 1.0, end + 1.0, Ends.EXTEND
    one, two = unrolled(first, start, end).curve, unrolled(second, start, end).curve
    return _with(first, _mixed(one, two, weight), ends)


def weakened(time_map: "TimeMap", weight: float, start: float, end: float, step: float) -> "TimeMap":
    """The map by a share, see `TimeMap.weakened`."""
    if weight == 1.0:
        return time_map
    refuse_not_invertible(time_map)
    if time_map.direction < 0:
        raise NotInvertibleError("A motion that runs backward cannot do so by a share: mute it or take it as a whole")
    low, high = time_map.old_times[[0, -1]]
    if time_map.ends is Ends.EXTEND:
        low, high = min(low, start), max(high, end)
    old = np.unique([*np.linspace(low, high, max(2, round((high - low) / step) + 1)), *time_map.old_times])
    new = (1.0 - weight) * old + weight * solve(time_map, old)
    return type(time_map).from_samples(new, old, ends=time_map.ends)


def _mixed(one: PiecewiseCubic, two: PiecewiseCubic, weight: float) -> PiecewiseCubic:
    places = _cuts(one, two.knots)
    middles = 0.5 * (places[:-1] + places[1:])

    def side(at: Array) -> Sampled:
        parts = [(curve.value(at, p), curve.slope(at, p)) for curve in (one, two) for p in [curve.piece_at(middles)]]
        values, slopes = ((1.0 - weight) * a + weight * b for a, b in zip(*parts, strict=True))
        return at, values, slopes

    return from_pieces(side(places[:-1]), side(places[1:]))


def covering(time_map: "TimeMap", old_start: float, old_end: float) -> tuple[float, float]:
    """New times between which an old range is seen, as far as the map shows it."""
    sign = time_map.direction
    if sign == 0:
        return float(time_map.new_times[0]), float(time_map.new_times[-1])
    if time_map.ends is Ends.EXTEND:
        time_map = _reaching(time_map, np.array([old_start, old_end]))
    entry, leave = (old_start, old_end) if sign > 0 else (old_end, old_start)
    values, last = sign * time_map.old_times, len(time_map.old_times) - 1
    # Holds count as seen: the piece before the first and after the last knot with that time.
    before = int(np.searchsorted(values, sign * entry, side="left")) - 1
    after = int(np.searchsorted(values, sign * leave, side="right")) - 1
    start = time_map.new_times[0] if before < 0 else _solved(time_map.curve, entry, min(before, last - 1))
    end = time_map.new_times[-1] if after >= last else _solved(time_map.curve, leave, max(after, 0))
    return float(start), float(end)


def _solved(curve: PiecewiseCubic, value: float, piece: int) -> float:
    return float(curve.solve(np.array([value]), np.array([piece]))[0])
