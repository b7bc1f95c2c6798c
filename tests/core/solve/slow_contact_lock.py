"""Holding the contacts of one foot, frame by frame, as it is described: no reach, no lowering."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from scipy.spatial.transform import Rotation

from core.analysis.contacts import ContactSpans
from core.motion.motion import Motion
from core.numerics.quaternion import Array


class SlowFoot:
    """Where ankle, foot and toes of one leg have to be in every frame."""

    def __init__(self, before: Motion, after: Motion, contacts: ContactSpans, ankle: str, toe: str, fade: float):
        self.before, self.after, self.contacts, self.fade = before, after, contacts, fade
        self.ankle, self.toe = ankle, toe
        frames = range(len(after))
        self.on_ankle = {frame for frame in frames if self._active(ankle, frame)}
        self.on_toe = {frame for frame in frames if self._active(toe, frame)}
        self.down = self.on_ankle | self.on_toe
        self.flat = {f for f in self.down if self._near(self.on_ankle, f) and self._near(self.on_toe, f)}
        self.turns = [Rotation.from_rotvec(self._carried(self.flat, self._flattening, f)) for f in frames]

    def ankle_place(self, frame: int) -> Array:
        return self._place(self.after, self.ankle, frame) + self._carried(self.down, self._move, frame, paced=True)

    def foot_orientation(self, frame: int) -> Rotation:
        return self.turns[frame] * self._orientation(self.after, self.ankle, frame)

    def toe_orientation(self, frame: int) -> Rotation:
        bend = Rotation.from_rotvec(self._carried(self.on_toe, self._toe_bend, frame))
        return self.turns[frame] * self._orientation(self.after, self.toe, frame) * bend

    def _active(self, joint: str, frame: int) -> bool:
        time = self.after.times[frame]
        return any(start - 1e-9 <= time <= end + 1e-9 for start, end in self.contacts.of(joint))

    @staticmethod
    def _near(frames: Iterable[int], frame: int) -> bool:
        return any(abs(other - frame) <= 1 for other in frames)

    def _carried(
        self, active: set[int], correction: Callable[[int], Array], frame: int, *, paced: bool = False
    ) -> Array:
        if frame in active:
            return correction(frame)
        times, total = self.after.times, np.zeros(3)
        earlier = max((f for f in active if f < frame), default=None)
        later = min((f for f in active if f > frame), default=None)
        window = self.fade
        if earlier is not None and later is not None:
            window = min(window, times[later] - times[earlier])
        for edge, inner in ((earlier, -1), (later, 1)):
            if edge is not None and abs(times[frame] - times[edge]) < window:
                share = abs(times[frame] - times[edge]) / window
                total += (2 * share**3 - 3 * share**2 + 1) * correction(edge)
                if paced and edge + inner in active:
                    total += share * (1 - share) ** 2 * self._pace(correction, edge, edge + inner, window)
        return total

    def _pace(self, correction: Callable[[int], Array], edge: int, inner: int, window: float) -> Array:
        """Change within the window at the speed at the edge, at most twice the correction."""
        seconds = abs(self.after.times[edge] - self.after.times[inner])
        pace = (correction(edge) - correction(inner)) * window / seconds
        most = 2 * np.linalg.norm(correction(edge))
        return pace if np.linalg.norm(pace) <= most else pace * most / np.linalg.norm(pace)

    def _flattening(self, frame: int) -> Array:
        now, wanted = (self._orientation(motion, self.ankle, frame) for motion in (self.after, self.before))
        return (wanted * now.inv()).as_rotvec()

    def _toe_bend(self, frame: int) -> Array:
        carried = self.turns[frame] * self._orientation(self.after, self.toe, frame)
        return (carried.inv() * self._orientation(self.before, self.toe, frame)).as_rotvec()

    def _move(self, frame: int) -> Array:
        now = self._place(self.after, self.ankle, frame)
        if frame in self.on_ankle:
            return self._place(self.before, self.ankle, frame) - now
        arm = self._place(self.after, self.toe, frame) - now
        return self._place(self.before, self.toe, frame) - self.turns[frame].apply(arm) - now

    @staticmethod
    def _place(motion: Motion, joint: str, frame: int) -> Array:
        return motion.poses.positions[frame, motion.skeleton.index[joint]]

    @staticmethod
    def _orientation(motion: Motion, joint: str, frame: int) -> Rotation:
        return Rotation.from_quat(motion.poses.rotations[frame, motion.skeleton.index[joint]][[1, 2, 3, 0]])
