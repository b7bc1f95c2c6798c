"""Which control of a rig shows which joint of its figure."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...body import Body, Limb
from ...motion import Indices, Mask
from ...numerics import Array
from .responses import Responses

# How much a control has to turn that those chosen before do not.
_NEEDED = 0.15
# Two joints turn alike if their gains differ by less; how much the second of them counts.
_ALIKE, _FOLLOWING = 0.05, 0.01
# Joints that may turn with a control in another way: so many, or such a part of all.
_FEW, _MOST = 3, 0.2
# Keeps controls from turning much for little.
_HOLD = 1e-6


@dataclass(frozen=True)
class Swivel:
    """A control that turns a limb about the line between its ends.

    Attributes:
        control: Bone of the rig.
        upper: Joint of the figure that the limb begins at.
        middle: The one that goes round: knee or elbow.
        end: Hand or foot.
        is_place: The limb bends to where the control is; else it turns with the control.
    """

    control: int
    upper: int
    middle: int
    end: int
    is_place: bool


@dataclass(frozen=True, eq=False)
class ControlRoles:
    """Controls by what they do, with joints of the figure, counted from its first bone.

    Attributes:
        turning: C controls that turn joints.
        shares: (C, K) how much each turns by itself for the turn that is missing of every joint.
        follows: (C, C) how much each turns with the others, those that are turned first.
        gains: (C, K) how much joints turn with each.
        untwisted: (K,) joints whose turns about themselves are left as they are.
        placing: Control by the joint that goes where it goes.
        parents: (K,) the joint that each joint hangs on; negative for none.
        swivels: Controls of limbs that are placed by their ends.
    """

    turning: tuple[int, ...]
    shares: Array
    follows: Array
    gains: Array
    untwisted: Mask
    placing: dict[int, int]
    parents: Indices
    swivels: tuple[Swivel, ...] = ()

    @property
    def controls(self) -> set[int]:
        """All of them."""
        return {*self.turning, *self.placing.values(), *(each.control for each in self.swivels)}

    def resting(self, turned: Mask) -> frozenset[int]:
        """Controls that stay as they are where only some joints (K,) turn against those that they hang on."""
        rows = (row for row, control in enumerate(self.turning) if control not in self.placing.values())
        return frozenset(self.turning[row] for row in rows if self._rests(row, turned))

    def _rests(self, row: int, turned: Mask) -> bool:
        """Whether nothing that a control turns does, and it goes along with what that hangs on."""
        joints = np.flatnonzero(self.gains[row])
        if not len(joints) or turned[joints].any():
            return False
        above = int(self.parents[joints[0]])
        along = self.gains[:, above] if above >= 0 else np.zeros(len(self.gains))
        away = np.abs(self.follows[:, row] - along)
        return bool(np.delete(away, row).max(initial=0.0) < _ALIKE)


def find_roles(responses: Responses, body: Body, keyed: Mask) -> ControlRoles:
    """Choose controls that can show all turns of a figure, as few as possible.

    Args:
        responses: How the bones of the figure answer to controls.
        body: Of the figure.
        keyed: (C,) controls that have keys: they come first among those that do the same.
    """
    search = _Search(responses, body, keyed)
    ends, carrier = dict(search.ends()), search.carrier()
    swivels = tuple(search.swivels(ends))
    rows = search.turning({each.control for each in swivels}, carrier, ends)
    placing = {joint: responses.controls[row] for joint, row in ends.items()}
    if carrier is not None and body.root is not None:
        placing[body.root - 1] = responses.controls[carrier]
    gains, twists = responses.gains[rows], responses.twists[rows]
    return ControlRoles(
        tuple(responses.controls[row] for row in rows),
        _shares(gains, search.weights(gains.T, ends)),
        responses.follows[np.ix_(rows, rows)],
        gains,
        _undecided(twists, search.weights(twists.T, ends)),
        placing,
        body.skeleton.parents[1:] - 1,
        swivels,
    )


def find_carriers_above(responses: Responses, body: Body) -> set[int]:
    """Controls that carry more than the one that carries the body, and that one with it: roots and travellers."""
    search = _Search(responses, body, np.zeros(len(responses.controls), dtype=np.bool_))
    carrier = search.carrier()
    return {control for row, control in enumerate(responses.controls) if search.is_above(row, carrier)}


def _undecided(gains: Array, weights: Array) -> Mask:
    """(K,) joints that controls do not turn each for itself, for (C, K) gains."""
    undecided: Mask = (gains * _shares(gains, weights)).sum(axis=0) < 0.5
    return undecided


def _shares(gains: Array, weights: Array) -> Array:
    """(C, K) how much controls turn so that joints turn as they should, for (C, K) gains and (K,) weights."""
    weighted = gains * weights
    shares: Array = np.linalg.solve(weighted @ gains.T + _HOLD * np.eye(len(gains)), weighted).astype(np.float64)
    return shares


@dataclass(frozen=True)
class _LimbJoints:
    """Joints of a limb: from its first to before its end, and those that a control may place, the end first."""

    chain: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, limb: Limb) -> "_LimbJoints":
        ends = (limb.end, *(digit[0] for digit in limb.digits if digit))
        chain = (joint for joint in limb.chain if joint != limb.end)
        return cls(tuple(joint - 1 for joint in chain), tuple(joint - 1 for joint in ends if joint is not None))

    def placed_end(self, ends: dict[int, int]) -> int | None:
        """The joint that a control places; None if there is none."""
        return next((joint for joint in self.ends if joint in ends), None)


class _Search:
    def __init__(self, responses: Responses, body: Body, keyed: Mask) -> None:
        self._found, self._keyed = responses, keyed
        # The first joint of the body is the object, which no control moves.
        self._root, self._head = (None if each is None else each - 1 for each in (body.root, body.head))
        limbs = (_LimbJoints.of(limb) for limb in body.limbs if limb.end is not None)
        self._limbs = [limb for limb in limbs if len(limb.chain) > 1]
        self._parents = body.skeleton.parents[1:] - 1
        self._moves = responses.moved.sum(axis=1)

    def _best(self, able: Mask, counts: Array, joint: int) -> int | None:
        """Among able controls the one that moves the least, for a joint."""
        rows, away = np.flatnonzero(able).tolist(), self._found.away[:, joint]
        return min(rows, key=lambda row: (counts[row], not self._keyed[row], away[row]), default=None)

    def carrier(self) -> int | None:
        """The control that carries the body: root and head turn and go with it."""
        found, root, head = self._found, self._root, self._head
        if root is None:
            return None
        carries = found.moved_with[:, root] & (found.gains[:, root] > 0.9)
        whole = carries & found.moved[:, head] if head is not None else carries
        for able in (whole, carries, found.moved_with[:, root]):
            row = self._best(able, self._moves, root)
            if row is not None:
                return row
        return None

    def weights(self, gains: Array, ends: dict[int, int]) -> Array:
        """(K,) how much the turn of each joint counts, for (K, C) gains.

        Joints that follow from where their limb is placed do not count, and those that always turn as the joint does
        that they hang on count little.
        """
        weights = np.where(self.led(ends), 0.0, 1.0)
        above = np.maximum(self._parents, 0)
        alike = np.abs(gains - gains[above]).max(axis=1, initial=0.0) < _ALIKE
        return np.where(alike & (self._parents >= 0), _FOLLOWING, 1.0) * weights

    def ends(self) -> Iterator[tuple[int, int]]:
        """Hands and feet that controls of their own place; of paws and hooves that is a toe."""
        found = self._found
        for limb in self._limbs:
            for joint in limb.ends:
                upper = limb.chain[0]
                able = found.moved_with[:, joint] & found.bent[:, upper] & ~found.moved[:, upper]
                row = self._best(able, self._moves, joint)
                if row is not None:
                    yield joint, row
                    break

    def led(self, ends: dict[int, int]) -> Mask:
        """(K,) joints of limbs that are placed by their ends: they follow from that."""
        found = np.zeros(self._found.gains.shape[1], dtype=np.bool_)
        for limb in self._limbs:
            if limb.placed_end(ends) is not None:
                found[list(limb.chain)] = True
        return found

    def turning(self, swivels: set[int], carrier: int | None, ends: dict[int, int]) -> list[int]:
        """Controls that turn joints; only those that do what others do not."""
        found, chosen = self._found, list[int]()
        gains = found.gains * ~self.led(ends)
        first = {*ends.values()} | (set() if carrier is None else {carrier})
        counts = (gains > 0.0).sum(axis=1)
        nearest = np.where(gains > 0.9, found.away, np.inf).min(axis=1)
        order = sorted(
            np.flatnonzero(counts).tolist(),
            key=lambda row: (row not in first, not self._keyed[row], counts[row], nearest[row]),
        )
        directions = np.zeros((0, gains.shape[1]))
        for row in order:
            if found.controls[row] in swivels or self.is_above(row, carrier) or not self._is_plain(row):
                continue
            left = gains[row] - directions.T @ (directions @ gains[row])
            size = float(np.linalg.norm(left))
            if size > _NEEDED:
                directions = np.concatenate([directions, left[None] / size])
                chosen.append(row)
        return chosen

    def _is_plain(self, row: int) -> bool:
        """Whether most of what turns with a control turns as it does; a fan of fingers does not."""
        turned, otherwise = self._found.turned[row], self._found.turned[row] & (self._found.gains[row] == 0.0)
        return bool(otherwise.sum() < max(_FEW, _MOST * turned.sum()))

    def is_above(self, row: int, carrier: int | None) -> bool:
        """Whether a control carries more than what carries the body, or that itself."""
        if carrier is None or row == carrier:
            return False
        moved = self._found.moved
        return bool(self._found.follows[row, carrier] > 0.9 and (moved[row] | ~moved[carrier]).all())

    def swivels(self, ends: dict[int, int]) -> Iterator[Swivel]:
        """Controls that bring the middle of a placed limb round, and leave its ends where they are."""
        found = self._found
        for limb in self._limbs:
            end = limb.placed_end(ends)
            if end is None:
                continue
            upper, middle = limb.chain[0], limb.chain[1]
            for goes, turns, is_place in ((found.moved, found.bent, True), (found.swung, found.swung, False)):
                able = (goes | turns)[:, middle] & ~goes[:, end] & ~goes[:, upper]
                row = self._best(able, goes.sum(axis=1), middle)
                if row is not None:
                    yield Swivel(found.controls[row], upper, middle, end, is_place)
                    break
