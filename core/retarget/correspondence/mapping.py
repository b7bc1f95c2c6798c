"""Which joint of one skeleton does what a joint of another one does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...errors import SkeletonMismatchError
from ...motion import Skeleton


@dataclass(frozen=True)
class JointPair:
    """Two joints that do the same.

    Attributes:
        source: Name of the joint whose motion is taken.
        target: Name of the joint that gets it.
        confidence: 0 to 1: how sure the proposal is; a pair that somebody chose has 1.
        reason: How it was found: 'same name', 'like name', 'body part' or 'chosen'.
    """

    source: str
    target: str
    confidence: float = 1.0
    reason: str = "chosen"


@dataclass(frozen=True)
class JointMapping:
    """Pairs of joints of two skeletons, each joint in one pair at most. Every correction makes a new mapping.

    Attributes:
        pairs: In the order of the target's joints.
        source_names: All joints of the source.
        target_names: All joints of the target.
    """

    pairs: tuple[JointPair, ...]
    source_names: tuple[str, ...]
    target_names: tuple[str, ...]

    def __post_init__(self) -> None:
        for side, names in (("source", self.source_names), ("target", self.target_names)):
            used = [getattr(pair, side) for pair in self.pairs]
            if missing := sorted(set(used) - set(names)):
                raise SkeletonMismatchError(f"The {side} has no bone '{missing[0]}'; choose another one")
            if len(set(used)) != len(used):
                twice = next(name for name in used if used.count(name) > 1)
                raise SkeletonMismatchError(f"'{twice}' of the {side} is in two pairs; remove one of them")

    @cached_property
    def source_of(self) -> dict[str, str]:
        """Source joint by target joint."""
        return {pair.target: pair.source for pair in self.pairs}

    @cached_property
    def target_of(self) -> dict[str, str]:
        """Target joint by source joint."""
        return {pair.source: pair.target for pair in self.pairs}

    @property
    def unmatched_source(self) -> tuple[str, ...]:
        """Source joints without a partner."""
        return tuple(name for name in self.source_names if name not in self.target_of)

    @property
    def unmatched_target(self) -> tuple[str, ...]:
        """Target joints without a partner."""
        return tuple(name for name in self.target_names if name not in self.source_of)

    def with_pair(self, source: str, target: str) -> "JointMapping":
        """The same mapping with two joints made partners; what they were paired with before is free again."""
        kept = [pair for pair in self.pairs if pair.source != source and pair.target != target]
        return replace(self, pairs=_in_order([*kept, JointPair(source, target)], self.target_names))

    def without(self, joint: str) -> "JointMapping":
        """The same mapping without the pair of a target joint."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair.target != joint))

    def numbers(self, source: Skeleton, target: Skeleton) -> dict[int, int]:
        """Source joint by target joint, by number.

        Raises:
            SkeletonMismatchError: The mapping names joints that a skeleton does not have.
        """
        for side, skeleton in (("source", source), ("target", target)):
            for pair in self.pairs:
                if getattr(pair, side) not in skeleton.index:
                    raise SkeletonMismatchError(
                        f"The {side} has no bone '{getattr(pair, side)}'; correct the mapping or propose it again"
                    )
        return {target.index[pair.target]: source.index[pair.source] for pair in self.pairs}

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and texts, to be saved."""
        return {
            "pairs": [[pair.source, pair.target, pair.confidence, pair.reason] for pair in self.pairs],
            "source": list(self.source_names),
            "target": list(self.target_names),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "JointMapping":
        """A mapping from what `to_dict` gave."""
        pairs = tuple(JointPair(str(one), str(two), float(sure), str(why)) for one, two, sure, why in data["pairs"])
        return cls(pairs, tuple(data["source"]), tuple(data["target"]))

    @classmethod
    def of_pairs(cls, pairs: Iterable[JointPair], source: Skeleton, target: Skeleton) -> "JointMapping":
        """A mapping between two skeletons."""
        return cls(_in_order(pairs, target.names), source.names, target.names)


def _in_order(pairs: Iterable[JointPair], names: tuple[str, ...]) -> tuple[JointPair, ...]:
    place = {name: number for number, name in enumerate(names)}
    return tuple(sorted(pairs, key=lambda pair: place.get(pair.target, len(names))))
