"""How hand or foot must be turned and placed in every frame so that its contacts hold."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...motion import GlobalPoses, Mask, Motion
from ...numerics import Array, quaternion
from ..smooth_path import Fading
from .held_limb import HeldLimb
from .reach import NOTHING

# Times the fade of corrections in which a foot that lies comes loose.
_LOOSENING = 0.4


@dataclass(frozen=True, eq=False)
class LimbGoal:
    """Where the contacts want a limb's end.

    Attributes:
        limb: The limb.
        active: (F,) frames in which one of its contacts is held.
        end_turn: (F, 3) rotation vector, in scene space, by which the end is turned.
        end_place: (F, 3) place of the end in scene space; counts where active.
        digit_turns: By joint, (F, 3) rotation vector in the joint's own axes.
        loose: (F,) 0 to 1: how freely the end may turn about its first digit, which stands alone.
    """

    limb: HeldLimb
    active: Mask
    end_turn: Array
    end_place: Array
    digit_turns: Mapping[int, Array]
    loose: Array


def goal_of(
    limb: HeldLimb,
    reference: GlobalPoses,
    edited: Motion,
    active: Mapping[int, Mask],
    fade: Fading,
    *,
    flat: Mask | None = None,
) -> LimbGoal:
    """Pose of one limb's end that holds its contacts.

    The end keeps the orientation that the edit gave it, and only its place is held: a heel may be
    raised over standing toes. When two of its joints stand, or when an ankle stands of whose toes
    nothing is known, the sole lies on something, and the end has its orientation in the reference.
    Toes that stand keep theirs, so that they do not dip into the floor under a turning foot.

    Args:
        reference: Poses in which the contacts are right, frame by frame those of the edit.
        edited: Motion to correct.
        active: By joint, (F,) frames in contact.
        fade: How turns fade in and out.
        flat: (F,) frames in which the end's orientation counts; told from the contacts if not given.
    """
    end, nowhere = limb.end, np.zeros(len(edited), dtype=np.bool_)
    end_active = active[end] if limb.holds_end else nowhere
    digits_active = np.any([nowhere, *(active[digit] for digit in limb.digits)], axis=0)
    flat = flat_frames(limb, end_active, digits_active) if flat is None else flat
    turn = _between(edited.poses.rotations[:, end], reference.rotations[:, end])
    end_turn = fade.carried(without_rounding(turn, 1.0), flat)
    return LimbGoal(
        limb,
        end_active | digits_active,
        end_turn,
        _end_place(limb, reference, edited, active, end_turn),
        {digit: _digit_turn(digit, reference, edited, active, end_turn, fade) for digit in limb.digits if limb.is_leg},
        _looseness(limb, digits_active & ~end_active & ~flat, flat | end_active, fade),
    )


def _looseness(limb: HeldLimb, alone: Mask, lies: Mask, fade: Fading) -> Array:
    """(F,) how freely a foot turns about toes that stand alone: not at all where it begins or ends to lie."""
    if not limb.is_leg or not limb.digits or not alone.any():
        return np.zeros(len(alone))
    held = replace(fade, seconds=_LOOSENING * fade.seconds).carried(np.ones((len(alone), 1)), lies)[:, 0]
    return np.where(alone, np.clip(1.0 - held, 0.0, 1.0), 0.0)


def without_rounding(corrections: Array, scale: float | Array) -> Array:
    """Corrections (F, 3) with those that are only rounding put to zero."""
    length = np.sqrt(quaternion.dot(corrections, corrections))
    return np.where((length > NOTHING * scale)[:, None], corrections, 0.0)


def flat_frames(limb: HeldLimb, end_active: Mask, digits_active: Mask) -> Mask:
    """(F,) frames in which the end lies on something and its orientation counts.

    Args:
        end_active: (F,) frames in which the end itself stands.
        digits_active: (F,) frames in which one of its digits does.
    """
    if not limb.digits:
        return end_active & limb.is_leg
    # One frame more on both sides: a foot that rolls from heel to toes between two frames must
    # have one orientation in both, or its place would jump.
    return (end_active | digits_active) & widened(end_active) & widened(digits_active)


def widened(active: Mask) -> Mask:
    """The frames and their neighbours on both sides."""
    wide = active.copy()
    wide[1:] |= active[:-1]
    wide[:-1] |= active[1:]
    return wide


def _between(start: Array, goal: Array) -> Array:
    """Rotation vectors, in scene space, that lead from one orientation to the other."""
    return quaternion.log(quaternion.multiply(goal, quaternion.conjugate(start)))


def _end_place(
    limb: HeldLimb, reference: GlobalPoses, edited: Motion, active: Mapping[int, Mask], end_turn: Array
) -> Array:
    """(F, 3) place of the end: its own in the reference, else that which leaves a digit in its place."""
    end = limb.end
    now, wanted = edited.poses.positions, reference.positions
    place = np.array(now[:, end])
    turns = quaternion.exp(end_turn)
    for digit in reversed(limb.digits):
        stands = active[digit]
        arm = quaternion.rotate(turns[stands], now[stands, digit] - now[stands, end])
        place[stands] = wanted[stands, digit] - arm
    if limb.holds_end:
        place[active[end]] = wanted[active[end], end]
    return place


def _digit_turn(
    digit: int, reference: GlobalPoses, edited: Motion, active: Mapping[int, Mask], end_turn: Array, fade: Fading
) -> Array:
    """(F, 3) turn in a toe's own axes that gives it its orientation in the reference while it stands."""
    carried = quaternion.exp(end_turn) if edited.skeleton.inherits_rotation[digit] else quaternion.IDENTITY
    now = quaternion.multiply(carried, edited.poses.rotations[:, digit])
    turn = quaternion.log(quaternion.multiply(quaternion.conjugate(now), reference.rotations[:, digit]))
    return fade.carried(without_rounding(turn, 1.0), active[digit])
