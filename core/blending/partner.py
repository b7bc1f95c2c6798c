"""The other motion laid beside this one, frame by frame, ready to be blended with any weight."""

from dataclasses import dataclass, replace

import numpy as np

from ..body import Body
from ..errors import MotionEditError
from ..motion import Indices, Motion, at_rate_of
from ..numerics import Array, ease
from ..wording import counted
from .ground_alignment import align_on_ground, blend_along_one_path
from .motion_blend import blend
from .time_alignment import align_in_time


@dataclass(frozen=True)
class Partner:
    """Two motions with the same frames.

    Attributes:
        own: This motion.
        other: The other one at the same frames.
        body: Of the character.
        one_path: Blend speed and turning instead of places.
    """

    own: Motion
    other: Motion
    body: Body
    one_path: bool

    @classmethod
    def of(cls, own: Motion, other: Motion, body: Body, *, ground: str) -> "Partner":
        """Bring the other motion, at the same frames, onto the ground of this one: PLACES, START or PATH."""
        other = replace(other, skeleton=own.skeleton, carriers=own.carriers)
        if ground == "START":
            other = align_on_ground(own, other, body).applied(other)
        return cls(own, other, body, ground == "PATH")

    def blended(self, weights: Array) -> Motion:
        """The blend with (F,) weights of the other motion; the motion itself where all are 0."""
        if not weights.any():
            return self.own
        motions, shares = [self.own, self.other], np.stack([1.0 - weights, weights], axis=1)
        if self.one_path:
            return blend_along_one_path(motions, shares, self.body, anchor=0)
        return blend(motions, shares)


def beside(own: Motion, other: Motion, body: Body, *, name: str, timing: str, offset: int) -> Motion:
    """The other motion at the frames of this one.

    Args:
        own: This motion, as a whole.
        other: The other one, with the same joints.
        body: Of this motion's skeleton.
        name: Of the other one.
        timing: RECORDED, STRETCHED or IN_STEP.
        offset: Frame of the other motion that is shown in the first frame.

    Raises:
        MotionEditError: The offset lies beyond the other motion's end.
    """
    if not offset < len(other) - 1:
        raise MotionEditError(f"Offset {offset} leaves nothing of '{name}', which has {counted(len(other), 'frame')}")
    return _TIMINGS[timing](own, other.part(offset, len(other)), body)


def weights_over(times: Array, weight: float, *, profile: str, fade: float) -> Array:
    """(F,) weights of the other motion.

    Args:
        times: (F,) seconds.
        weight: The largest weight, 0 to 1.
        profile: CONSTANT, IN, OUT or IN_OUT.
        fade: Seconds that IN_OUT takes to come and to go.
    """
    since, length = times - times[0], max(float(times[-1] - times[0]), 1e-9)
    if profile == "CONSTANT":
        return np.full(len(times), weight)
    if profile == "IN_OUT":
        ramp = np.minimum(since, length - since) / max(min(fade, 0.5 * length), 1e-9)
        return weight * ease(np.clip(ramp, 0.0, 1.0))
    share = ease(since / length)
    return weight * (share if profile == "IN" else 1.0 - share)


def _recorded(own: Motion, other: Motion, _body: Body) -> Motion:
    """Frame for frame from the start on; the last pose is held where the other is too short."""
    paced = at_rate_of(other, own)
    steps = np.round((own.times - own.times[0]) * own.rate, 6)
    if (steps == np.round(steps)).all():
        rows = np.minimum(steps.astype(np.intp), len(paced) - 1)
        return _at_own(paced, rows, own)
    return replace(paced.at(paced.times[0] + own.times - own.times[0]), times=own.times, rate=own.rate)


def _stretched(own: Motion, other: Motion, _body: Body) -> Motion:
    """Evenly faster or slower, so that both begin and end together."""
    if len(own) == len(other):
        return replace(other, times=own.times, rate=own.rate)
    return _shown(own, other, np.interp(own.times, own.times[[0, -1]], other.times[[0, -1]]))


def _in_step(own: Motion, other: Motion, body: Body) -> Motion:
    """The same poses at the same times."""
    return _shown(own, other, align_in_time(own, other, body)(own.times))


_TIMINGS = {"RECORDED": _recorded, "STRETCHED": _stretched, "IN_STEP": _in_step}


def _shown(own: Motion, other: Motion, times: Array) -> Motion:
    return replace(other.at(times), times=own.times, rate=own.rate)


def _at_own(motion: Motion, rows: Indices, own: Motion) -> Motion:
    """Chosen frames, bit for bit, at the times of another motion."""
    arrays = {name: getattr(motion, name)[rows] for name in ("rotations", "locations", "scales", "scalars")}
    return replace(motion, times=own.times, rate=own.rate, **arrays)
