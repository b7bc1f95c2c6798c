"""A body as plain data with joint names, to be saved with an armature."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..motion import Skeleton
from .axis import Axis
from .description import Body
from .limb import Limb, LimbKind, Side


def to_dict(body: Body) -> dict[str, Any]:
    """Names, lists, numbers and text only; None and empty lists where nothing is known."""
    names = body.skeleton.names
    return {
        "root": _name(names, body.root),
        "torso": _names(names, body.torso),
        "neck": _names(names, body.neck),
        "head": _name(names, body.head),
        "limbs": [_limb_to_dict(names, limb) for limb in body.limbs],
        "pairs": [_names(names, pair) for pair in body.pairs],
        "up": None if body.up is None else body.up.value,
        "forward": None if body.forward is None else body.forward.value,
        "height": body.height,
    }


def _name(names: tuple[str, ...], joint: int | None) -> str | None:
    return None if joint is None else names[joint]


def _names(names: tuple[str, ...], joints: Iterable[int]) -> list[str]:
    return [names[joint] for joint in joints]


def _limb_to_dict(names: tuple[str, ...], limb: Limb) -> dict[str, Any]:
    return {
        "kind": limb.kind.value,
        "side": limb.side.value,
        "chain": _names(names, limb.chain),
        "end": _name(names, limb.end),
        "girdle": _names(names, limb.girdle),
        "digits": [_names(names, digit) for digit in limb.digits],
        "number": limb.number,
    }


def from_dict(skeleton: Skeleton, data: Mapping[str, Any]) -> tuple[Body, tuple[str, ...]]:
    """Read a saved body for a skeleton that may have changed since.

    Returns:
        The body without joints that no longer exist, and the names of those joints.

    Raises:
        ValueError: A limb's kind or side or an axis is none that this version knows.
    """
    reader = _Reader(skeleton)
    limbs = [reader.limb(saved) for saved in data.get("limbs") or ()]
    pairs = [reader.joints(saved) for saved in data.get("pairs") or ()]
    height = data.get("height")
    body = Body(
        skeleton=skeleton,
        root=reader.joint(data.get("root")),
        torso=reader.joints(data.get("torso")),
        neck=reader.joints(data.get("neck")),
        head=reader.joint(data.get("head")),
        limbs=tuple(limb for limb in limbs if limb.chain or limb.end is not None),
        pairs=tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2),
        up=_axis(data.get("up")),
        forward=_axis(data.get("forward")),
        height=None if height is None else float(height),
    )
    return body, tuple(reader.dropped)


def _axis(text: str | None) -> Axis | None:
    return None if text is None else Axis(text)


class _Reader:
    """Turns names into joint numbers and keeps the names that the skeleton lacks, each once."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.dropped: dict[str, None] = {}

    def joint(self, name: str | None) -> int | None:
        if name is None:
            return None
        number = self.skeleton.index.get(name)
        if number is None:
            self.dropped[name] = None
        return number

    def joints(self, names: Iterable[str] | None) -> tuple[int, ...]:
        numbers = [self.joint(name) for name in names or ()]
        return tuple(number for number in numbers if number is not None)

    def limb(self, saved: Mapping[str, Any]) -> Limb:
        digits = [self.joints(digit) for digit in saved.get("digits") or ()]
        return Limb(
            kind=LimbKind(saved.get("kind")),
            side=Side(saved.get("side")),
            chain=self.joints(saved.get("chain")),
            end=self.joint(saved.get("end")),
            girdle=self.joints(saved.get("girdle")),
            digits=tuple(digit for digit in digits if digit),
            number=int(saved.get("number") or 1),
        )
