"""The path that the root takes so that standing limbs reach what they hold, as bent as they were.

A leg that is almost straight answers a millimetre less between hip and ankle with six degrees of its knee, so
bodies give way before knees do: the root is moved a little, smoothly, over all frames at once. What limbs want
is not linear: the search goes from path to path, each the least of springs that pull as limbs do at the one before,
and holds back those frames only in which a limb would not reach.
"""

from collections.abc import Sequence

import numpy as np

from ....numerics import Array
from ...smooth_path import Fading
from .limb_pull import LimbPull, Pulls

# Body heights below which the length of a limb is what it was: less would bend a straight knee by a degree only. The
# search starts roughly and comes closer from round to round: straight legs leave no way else.
_SAME_LENGTH, _ROUGHLY, _CLOSER = 5e-5, 0.02, 0.3
# What it counts on the way there that the root is not lifted as far as it has to be.
_MISSED = 1e3
# How much more a way to the side counts than one up or down.
_ASIDE = 3.0
# Most rounds of solving, and the share of the body's height below which another one is not worth it.
_ROUNDS, _SETTLED = 12, 2e-5
# Rounds in which limbs are brought within their reach in the end.
_CLOSING = 5
# Rounds in which limbs that need not be held back are released, and others are held.
_RELEASED = 8
# How strongly a path is held back where the one before led astray, and how much more each time.
_LEAST_CAUTION, _GROWTH = 1.0, 8.0


def root_path(limbs: Sequence[LimbPull], fade: Fading, *, height: float, up: Array, lift: Array | None = None) -> Array:
    """(F, 3) how far the root is moved in the scene.

    Args:
        limbs: Held limbs that go with the root.
        fade: How the path comes and goes.
        height: The body's.
        up: (3,) away from the ground.
        lift: (F,) least way up; minus infinity where the root is free.
    """
    search = _Search(limbs, fade, up, np.full(len(fade.times), -np.inf) if lift is None else lift)
    path, same, caution = search.start(), _ROUGHLY, _GROWTH
    for _ in range(_ROUNDS):
        found = search.next(path, caution, same)
        if not search.cost(found, same) <= search.cost(path, same):
            caution = max(_LEAST_CAUTION, _GROWTH * caution)
            continue
        step, path = float(np.abs(found - path).max(initial=0.0)), found
        if step <= _SETTLED * height and same == _SAME_LENGTH and not caution:
            break
        caution = caution / _GROWTH if caution > _LEAST_CAUTION else 0.0
        same = max(_SAME_LENGTH, same * _CLOSER)
    path = search.within_reach(path)
    path[search.still] = 0.0
    return path


class _Search:
    """The search for a root's path: what pulls at it, and what it costs."""

    def __init__(self, limbs: Sequence[LimbPull], fade: Fading, up: Array, lift: Array) -> None:
        """Arguments are those of `root_path`."""
        self._limbs, self._calm, self._up, self._lift = limbs, fade.calm, up, lift
        self.still = ~fade.reached(np.any([np.isfinite(lift), *(limb.active for limb in limbs)], axis=0))
        if fade.fixed is not None:
            self.still |= fade.fixed

    def start(self) -> Array:
        """(F, 3) a path near by: from far away the way to its end says nothing about how a limb will be bent there."""
        pulls, path = self._pulls(), np.zeros((len(self.still), 3))
        for limb in self._limbs:
            limb.draw_back(pulls, path)
        return self._calm.path(pulls.stiffness, pulls.right)

    def next(self, path: Array, caution: float, same: float) -> Array:
        """(F, 3) the path that makes all costs least as they look from a path; near it if it is taken with caution."""
        pulls = self._pulls()
        for limb in self._limbs:
            limb.pull(pulls, path, same)
        low = path @ self._up < self._lift
        pulls.add_along(self._up, np.where(low, self._calm.held, 0.0), np.where(low, self._lift, 0.0))
        pulls.add_everywhere(np.full(len(path), caution), path)
        return path + self._way(path, pulls)

    def within_reach(self, path: Array) -> Array:
        """(F, 3) the nearest path on which all limbs reach, whatever their knees say."""
        for _ in range(_CLOSING):
            if not any(limb.misses(path) for limb in self._limbs):
                break
            still = Pulls.none(len(path))
            still.add_everywhere(np.where(self.still, self._calm.held, 0.0), path)
            # The path itself costs nothing any more.
            still.right += self._calm.pull(path)
            path = path + self._way(path, still)
        return path

    def cost(self, path: Array, same: float) -> float:
        """Of a path."""
        low = np.maximum(np.where(np.isfinite(self._lift), self._lift - path @ self._up, 0.0), 0.0)
        aside = float((path**2).sum() - ((path @ self._up) ** 2).sum())
        limbs = sum(limb.cost(path, same) for limb in self._limbs)
        return self._calm.cost(path) + _ASIDE * aside + _MISSED * float((low**2).sum()) + limbs

    def _way(self, path: Array, pulls: Pulls) -> Array:
        """(F, 3) the way from a path that pulls lead to, limbs that do not reach held back."""
        # What is asked for is told from nothing: here it is the way from the path.
        pulls.right -= np.einsum("fij,fj->fi", pulls.stiffness, path) + self._calm.pull(path)
        beyond = [limb.beyond(path) for limb in self._limbs]
        for _ in range(_RELEASED):
            held = pulls.copy()
            for limb, frames in zip(self._limbs, beyond, strict=True):
                limb.hold(held, path, frames, self._calm.held)
            way = self._calm.path(held.stiffness, held.right)
            # A limb that the others' holds have brought within its reach is not to be held out there.
            pressed = [limb.beyond(path, way) for limb in self._limbs]
            if all((now == then).all() for now, then in zip(pressed, beyond, strict=True)):
                break
            beyond = pressed
        return way

    def _pulls(self) -> Pulls:
        """What pulls always: frames that stay, and that a way to the side counts more."""
        frames = len(self.still)
        pulls = Pulls.none(frames)
        pulls.add_everywhere(np.where(self.still, self._calm.held, _ASIDE), np.zeros((frames, 3)))
        pulls.add_along(self._up, np.full(frames, -_ASIDE), np.zeros(frames))
        return pulls
