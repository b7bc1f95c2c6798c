"""Key reduction of a whole character: bones keep their rotations, ends of bones and contacts their places."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.contacts import ContactSpans
from ..analysis.flaws import Flaw
from ..motion import Motion
from ..numerics import Array
from .bezier.curves import reduce_curves
from .bezier.keyed_curves import KeyedCurves, evaluate_keys, join
from .channels import Channel, ChannelSet, channel_set
from .columns import choose_columns
from .measures import Accuracy, Errors, Yardstick
from .options import ReductionOptions
from .outliers import without_outliers
from .shown_ends import ShownEnds
from .tolerances import blame, first_tolerances, tightened

# After some rounds whole chains answer for an error, then they may have none at all where it is, and in
# the end none anywhere: every sample is a key, which has no error.
_WHOLE_CHAINS, _NO_ERROR_THERE, _NO_ERROR, _MOST_ROUNDS = 12, 18, 28, 30
# Share of the curves for which pose columns must be enough; the others get keys of their own between.
_COLUMN_SHARE = 0.9


@dataclass(frozen=True, eq=False)
class ReducedMotion:
    """Keys of a motion's channels and the errors that they leave.

    Attributes:
        keys: Curves channel by channel.
        accuracy: Their largest errors.
        yardstick: What they were measured with; outliers that were left out are bridged in it.
        rounds: How many times curves were fitted.
        outliers: Samples that were left out; for these the bounds do not hold.
    """

    keys: KeyedCurves
    accuracy: Accuracy
    yardstick: Yardstick
    rounds: int
    outliers: tuple[Flaw, ...] = ()


def reduce_motion(
    motion: Motion,
    channels: Sequence[Channel],
    *,
    options: ReductionOptions | None = None,
    contacts: ContactSpans | None = None,
    landmarks: Any = None,
    times: Any = None,
) -> ReducedMotion:
    """Fit keys to channels so that every bone, its ends and every contact keep their bounds.

    Curves are fitted with tolerances that a single joint may use; then the whole character is
    measured, and pieces that are to blame for an error above its bound are fitted again more tightly.

    Args:
        motion: F samples; joints without a channel move as they do there.
        channels: What is reduced.
        options: Bounds, and how keys are placed.
        contacts: During these the joints slide no more than the options say; none if not given.
        landmarks: (F, P) samples at which a channel must have keys.
        times: (F,) in which keys are wanted; the motion's own seconds if not given.
    """
    return all_rounds(
        reduction_rounds(motion, channels, options=options, contacts=contacts, landmarks=landmarks, times=times)
    )


def all_rounds(rounds: Generator[float, None, ReducedMotion]) -> ReducedMotion:
    """The result of a reduction, without a stop between its rounds."""
    while True:
        try:
            next(rounds)
        except StopIteration as end:
            result: ReducedMotion = end.value
            return result


def reduction_rounds(
    motion: Motion,
    channels: Sequence[Channel],
    *,
    options: ReductionOptions | None = None,
    contacts: ContactSpans | None = None,
    landmarks: Any = None,
    times: Any = None,
    seen: Callable[[Motion], Motion] | None = None,
) -> Generator[float, None, ReducedMotion]:
    """`reduce_motion` in rounds: yields about which share is done, and returns the result.

    Where joints are controls, `seen` tells what the figure does that they move: its ends and contacts keep the bounds.
    """
    options = options or ReductionOptions()
    outliers: tuple[Flaw, ...] = ()
    if options.ignore_outliers:
        motion, channels, outliers = without_outliers(motion, channels)
    yield 0.0
    chosen, spans = channel_set(motion, channels, times), contacts or ContactSpans()
    shown = ShownEnds(chosen, options, spans, seen) if seen else None
    fit = _Fit(Yardstick(chosen, options, ContactSpans() if seen else spans, shown), landmarks)
    while (blamed := fit.blamed()).max(initial=0.0) > 1.0 and fit.rounds < _MOST_ROUNDS:
        # Most motions are done after a few rounds, whatever the last one may be.
        yield fit.rounds / (fit.rounds + 4.0)
        fit.again(blamed)
    accuracy = fit.yardstick.accuracy(fit.values, fit.errors)
    return ReducedMotion(join(fit.parts), accuracy, fit.yardstick, fit.rounds, outliers)


class _Fit:
    """Keys, their errors, and the tolerances that they were fitted with."""

    def __init__(self, yardstick: Yardstick, landmarks: Any) -> None:
        self.yardstick = yardstick
        self.channels: ChannelSet = yardstick.channels
        self.tolerances = first_tolerances(yardstick)
        self.parts: list[KeyedCurves] = [join([])] * len(self.channels.channels)
        self.fixed = self._columns(landmarks) if yardstick.options.pose_columns else self._fixed(landmarks)
        self.rounds = 0
        self._fit(np.arange(len(self.parts)))

    def _fixed(self, landmarks: Any) -> list[Any]:
        """Samples that must be keys of every curve that moves by more than its tolerance."""
        count = len(self.channels.values.T)
        if landmarks is None:
            return [np.empty(0, dtype=np.intp)] * count
        moves = np.ptp(self.channels.values, axis=0) > self.tolerances.max(axis=0)
        owners = np.repeat(np.arange(len(self.parts)), np.diff(self.channels.offsets))
        return [np.flatnonzero(landmarks[:, owner] & moving) for owner, moving in zip(owners, moves, strict=True)]

    def _columns(self, landmarks: Any) -> list[Any]:
        """Samples at which all curves that move have keys, landmarks of any channel among them."""
        chosen = choose_columns(
            self.channels.times,
            self.channels.values,
            self.tolerances,
            kind=self.yardstick.options.kind,
            fixed=() if landmarks is None else np.flatnonzero(np.asarray(landmarks).any(axis=1)),
            held=self.channels.held,
            between=self.channels.between,
            share=_COLUMN_SHARE,
        )
        return [np.flatnonzero(each) for each in chosen]

    def _fit(self, numbers: Any) -> None:
        """Fit some channels and measure all."""
        spans = [np.arange(*self.channels.offsets[number : number + 2]) for number in numbers]
        curves = np.concatenate([np.empty(0, dtype=np.intp), *spans])
        keys = reduce_curves(
            self.channels.times,
            self.channels.values[:, curves],
            self.tolerances[:, curves],
            kind=self.yardstick.options.kind,
            fixed=[self.fixed[curve] for curve in curves],
            held=self.channels.held[:, curves],
            between=self.channels.between[:, curves],
        )
        first = 0
        for number, span in zip(numbers, spans, strict=True):
            self.parts[number] = keys.part(first, first + len(span))
            first += len(span)
        self.rounds += 1
        self.values = evaluate_keys(join(self.parts), self.channels.grid)
        self.errors: Errors = self.yardstick.errors(self.values)

    def blamed(self) -> Array:
        """(G, P) how many times too large the errors are that each channel has to answer for."""
        all_of_them, shown = self.rounds >= _WHOLE_CHAINS, self.yardstick.shown
        blamed = blame(self.yardstick, self.errors, all_of_them=all_of_them)
        if shown is None or blamed.max(initial=0.0) > 1.0:
            return blamed
        # Playing a figure takes long: it is looked at when the controls themselves are right.
        return np.maximum(blamed, shown.blame(self.errors.motion, self.errors.own, all_of_them=all_of_them))

    def again(self, blamed: Array) -> None:
        """Tighten and fit again what is to blame."""
        numbers = np.flatnonzero((blamed > 1.0).any(axis=0)).tolist()
        for number in numbers:
            curves, keys = self.channels.curves_of(number), self.parts[number]
            frames = np.searchsorted(self.channels.times, keys.times)
            self.tolerances[:, curves] = tightened(
                self.tolerances[:, curves],
                keys,
                frames,
                blamed[:, number],
                to_nothing=self.rounds >= _NO_ERROR_THERE,
            )
        if self.rounds >= _NO_ERROR:
            self.tolerances[:] = 0.0
        self._fit(numbers)
