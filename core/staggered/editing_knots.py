"""Editing knots: knots at the pose time where the extreme lies elsewhere (section 3, Figure 3b)."""

import numpy as np

from .timing import TINY_TIME, Flags, Timing


def seated(timing: Timing, chosen: Flags) -> Timing:
    """Put the editing knots of chosen (K, V) knots at their pose time, or take them away.

    There is none where the extreme is at the pose time itself, nor where a neighbouring pose's
    extreme lies between the two. Ends of the motion that no knot covers get one of their own.
    """
    offset = timing.pose_times[:, None] - timing.extreme_times
    before, after = timing.neighbour_times()
    pose_times = timing.pose_times[:, None]
    room = (pose_times >= before + timing.margin) & (pose_times <= after - timing.margin)
    useful = timing.present & room & (np.abs(offset) > TINY_TIME)
    companions = np.where(chosen, np.where(useful, offset, 0.0), timing.companions)
    return anchored(timing.changed(companions=companions))


def anchored(timing: Timing) -> Timing:
    """With a knot at the start and at the end of the motion for every variable that has none there."""
    bare = timing.changed(anchors=np.zeros_like(timing.anchors))
    inner = np.where(bare.slots_used[1:-1], bare.slot_times[1:-1], np.nan)
    first = np.fmin.reduce(inner, axis=0, initial=np.inf)
    last = np.fmax.reduce(inner, axis=0, initial=-np.inf)
    return timing.changed(anchors=np.stack([first > timing.span[0], last < timing.span[1]]))


def unseated(timing: Timing) -> Flags:
    """(K, V) the pose time is governed neither by the extreme nor by its editing knot."""
    pose_times = timing.pose_times[:, None]
    at_extreme = np.abs(timing.extreme_times - pose_times) <= TINY_TIME
    at_companion = timing.has_companion & (np.abs(timing.companion_times - pose_times) <= TINY_TIME)
    flags: Flags = timing.present & ~at_extreme & ~at_companion
    return flags
