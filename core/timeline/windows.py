"""The operation window with those that are like it: where edits of the timeline are made."""

from dataclasses import dataclass, replace

from ..editing import PropagationWindow
from ..errors import MotionEditError

# Numbers that stand for the operation window, and for it and all enabled ones, where windows are counted from 0.
OPERATION, ALL = -1, -2


class NoWindowError(MotionEditError):
    """There is no operation window, or no propagation window of that number."""


@dataclass(frozen=True)
class Windows:
    """Windows in sample numbers.

    Attributes:
        operation: The blue window, with itself as correspondence.
        others: Propagation windows in the order of the list.
    """

    operation: PropagationWindow
    others: tuple[PropagationWindow, ...]

    def ticked(self) -> list[PropagationWindow]:
        """The propagation windows that edits are carried to."""
        return [window for window in self.others if window.ticked]

    def edited(self) -> list[PropagationWindow]:
        """The operation window and the ticked ones, in order of time."""
        return sorted([self.operation, *self.ticked()], key=lambda window: window.start)

    def numbered(self, number: int) -> PropagationWindow:
        """A propagation window, or the operation window for -1."""
        if number == OPERATION:
            return self.operation
        if not 0 <= number < len(self.others):
            raise NoWindowError(f"There is no propagation window with number {number} among {len(self.others)}")
        return self.others[number]

    def holding(self, sample: float) -> PropagationWindow | None:
        """The window that a sample lies in, the operation window first."""
        return next((each for each in (self.operation, *self.others) if each.start < sample < each.end), None)

    def targets(self, target: int, source: int | None) -> list[PropagationWindow]:
        """The windows that something is carried to: one, or all edited ones but the source itself, if it is one."""
        known = None if source is None else self.numbered(source)
        chosen = self.edited() if target == ALL else [self.numbered(target)]
        found = [window for window in chosen if window is not known]
        if not found:
            raise NoWindowError("No other window is there to carry it to: enable windows, or choose another reference")
        return found

    def seen_from(self, source: int, targets: list[PropagationWindow]) -> list[PropagationWindow]:
        """The targets with their correspondence to another window than the operation window."""
        window = self.numbered(source)
        if window is self.operation:
            return targets
        return [replace(each, operation_frames=window.own_at(each.operation_frames)) for each in targets]

    def factor_to(self, number: int, end: float) -> float:
        """The factor for all edited windows with which one of them ends at a sample.

        Windows before it grow by the same factor and push it on.
        """
        window = self.numbered(number)
        if not window.ticked:
            raise MotionEditError("The window is disabled: enable it to stretch it")
        before = sum(each.length for each in self.edited() if each.start < window.start)
        factor = (end - window.start + before) / (window.length + before)
        if end <= window.start - before or factor <= 0.0:
            raise MotionEditError("The window would end before it starts: choose a later frame")
        return factor

    def pose_places(self, window: PropagationWindow, sample: float) -> list[tuple[float, float, float]]:
        """Start, pose and end of every window that a move reaches; a window that is not ticked moves alone."""
        operation_sample = float(window.operation_at(sample))
        reached = self.edited() if window.ticked else [window]
        poses = [sample if each is window else float(each.own_at(operation_sample)) for each in reached]
        places = [(each.start, pose, each.end) for each, pose in zip(reached, poses, strict=True)]
        return [place for place in places if place[0] < place[1] < place[2]]
