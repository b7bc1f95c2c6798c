"""What two motions with the same frames have different, rounding aside."""

from dataclasses import replace

import numpy as np

from ...motion import Motion
from ...numerics import quaternion

# Differences below this, in radians and units, come from single precision, not from an edit.
_ROUNDING = 2e-6


def without_rounding(now: Motion, wanted: Motion) -> Motion:
    """The wanted motion with everything that is as it was put back bit for bit."""
    turned = quaternion.angle_between(now.rotations, wanted.rotations) > _ROUNDING
    moved = np.abs(now.locations - wanted.locations) > _ROUNDING
    scaled = np.abs(now.scales - wanted.scales) > _ROUNDING
    return replace(
        wanted,
        rotations=np.where(turned[..., None], wanted.rotations, now.rotations),
        locations=np.where(moved, wanted.locations, now.locations),
        scales=np.where(scaled, wanted.scales, now.scales),
        scalars=np.where(np.abs(now.scalars - wanted.scalars) > _ROUNDING, wanted.scalars, now.scalars),
    )


def carried_over(now: Motion, before: Motion, after: Motion) -> Motion:
    """A motion changed by what leads from one to another; where these are the same it stays bit for bit."""
    after = without_rounding(before, after)
    same = (before.rotations == after.rotations).all(axis=-1)[..., None]
    turn = quaternion.multiply(after.rotations, quaternion.conjugate(before.rotations))
    return replace(
        now,
        rotations=np.where(same, now.rotations, quaternion.multiply(turn, now.rotations)),
        locations=now.locations + (after.locations - before.locations),
        scales=now.scales + (after.scales - before.scales),
        scalars=now.scalars + (after.scalars - before.scalars),
    )


def changed_only(now: Motion, before: Motion, after: Motion) -> Motion:
    """A motion, bit for bit, where two others are the same; where they differ it is the second of them."""
    turned = (before.rotations != after.rotations).any(axis=-1)[..., None]
    return replace(
        after,
        rotations=np.where(turned, after.rotations, now.rotations),
        locations=np.where(before.locations != after.locations, after.locations, now.locations),
        scales=np.where(before.scales != after.scales, after.scales, now.scales),
        scalars=np.where(before.scalars != after.scalars, after.scalars, now.scalars),
    )


def changed_frames(before: Motion, after: Motion) -> int:
    """At how many of its frames a motion shows something else than another one does at the same times."""
    old = before.at(after.times)
    new = without_rounding(old, after)
    parts = ((getattr(old, name) != getattr(new, name)) for name in ("rotations", "locations", "scales", "scalars"))
    return int(np.any([part.reshape(len(new), -1).any(axis=1) for part in parts], axis=0).sum())
