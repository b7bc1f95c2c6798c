"""In which order the bones of a rig are worked out."""

from collections.abc import Callable, Iterable, Sequence

from .chain import Chain
from .constraints import Constraint
from .rig import Rig, seen_joints


class Plan:
    """The bones that others follow from, those first that decide later ones.

    Attributes:
        steps: Bones, and chains after the last of their bones.
        unknown: Why a bone that is needed cannot be worked out; empty if all can.
    """

    def __init__(
        self,
        rig: Rig,
        joints: Iterable[int],
        acting: Callable[[int], Sequence[Constraint]],
        chain_of: Callable[[int], Chain | None],
    ) -> None:
        """Look at what is needed.

        Args:
            rig: Whose bones.
            joints: Those that are asked for.
            acting: Gives the constraints of a bone that do something.
            chain_of: Gives the chain that a bone belongs to, if that reaches for something.
        """
        self._rig, self._acting, self._chain_of = rig, acting, chain_of
        self._done: set[int] = set()
        self._open: set[int] = set()
        self._reasons = dict(rig.unknown)
        self.steps: list[int | Chain] = []
        self.unknown = ""
        for joint in joints:
            self._visit(joint)

    def _visit(self, wanted: int) -> None:
        """Add a bone and all that it follows from, without recursion: bones may hang on each other by hundreds."""
        waiting: list[tuple[int, bool]] = [(wanted, False)]
        while waiting:
            joint, is_ready = waiting.pop()
            if joint in self._done or joint <= 0:
                continue
            chain = self._chain_of(joint)
            members = chain.joints if chain is not None else (joint,)
            if is_ready:
                self.steps += [*members, *([chain] if chain is not None else [])]
                self._done.update(members)
                continue
            if joint in self._open:
                self.unknown = self.unknown or f"'{self._rig.names[joint]}' follows itself"
                self._done.add(joint)
                continue
            self._open.update(members)
            self.unknown = self.unknown or next(filter(None, map(self._reasons.get, members)), "")
            waiting.append((joint, True))
            waiting += [(source, False) for source in self._needed(members, chain)]

    def _needed(self, members: Sequence[int], chain: Chain | None) -> list[int]:
        found = [source for joint in members for source in self._rig.sources(joint, self._acting(joint))]
        for goal in chain.goals if chain is not None else ():
            found += [goal.target.joint, *([goal.pole.joint] if goal.pole is not None else [])]
            found += seen_joints([goal.influence])
        return [source for source in found if source not in members]
