"""The numbers of a clip as the report writes them."""

from __future__ import annotations

from typing import Any, NamedTuple

# Share of the body's height that a planted foot may slide further than before until it is pointed out.
_MORE_SLIDE = 0.01
_NOT_COMPARED = "The result is on another figure, or too unlike to compare"


class Number(NamedTuple):
    """A number of a clip.

    Attributes:
        text: As people read it.
        value: To sort by; None comes last.
        more: What else there is to know, shown when the mouse is over it.
        striking: Whether a person should look at it.
    """

    text: str
    value: float | None
    more: str = ""
    striking: bool = False


SLIDE = "foot slide"
HEADINGS = ("frames", "seconds", "keys", "largest turn", "largest move", SLIDE, "warnings", "took")


def numbers_of(record: dict[str, Any], clip: dict[str, Any]) -> list[Number]:
    """One number for each heading."""
    took = record["seconds"] / len(record["clips"])
    return [
        _change(clip, "frames", 0),
        _change(clip, "length", 2),
        _change(clip, "keys", 0),
        _turn(clip),
        _move(clip),
        _slide(clip),
        _warnings([*record.get("warnings", ()), *clip.get("warnings", ())]),
        Number(f"{took:.1f} s", took),
    ]


def _change(clip: dict[str, Any], name: str, digits: int) -> Number:
    before, after = (f"{clip[f'{name}_{when}']:.{digits}f}" for when in ("before", "after"))
    return Number(before if before == after else f"{before} → {after}", clip[f"{name}_after"])


def _warnings(warnings: list[str]) -> Number:
    return (
        Number(str(len(warnings)), len(warnings), "; ".join(warnings), striking=True) if warnings else Number("–", None)
    )


def _about(clip: dict[str, Any]) -> str:
    """Where moments were found by comparing poses, changes are known roughly."""
    return "≈ " if clip["estimated"] else ""


def _turn(clip: dict[str, Any]) -> Number:
    turned = clip["turned"]
    if turned is None:
        return Number("–", None, _NOT_COMPARED)
    return Number(f"{_about(clip)}{turned:.1f}° {clip['turned_joint']}", turned)


def _move(clip: dict[str, Any]) -> Number:
    moved = clip["moved"]
    if moved is None:
        return Number("–", None, _NOT_COMPARED)
    share = _share(moved, clip["height_before"])
    return Number(f"{_about(clip)}{_part(moved, share)} {clip['moved_joint']}", share, f"{moved:.3g} scene units")


def _slide(clip: dict[str, Any]) -> Number:
    before, after = clip["slide_before"], clip["slide_after"]
    if before is None or after is None:
        return Number("–", None, "Feet are not known")
    shares = _share(before, clip["height_before"]), _share(after, clip["height_after"])
    text = " → ".join(_part(slide, share) for slide, share in zip((before, after), shares, strict=True))
    return Number(text, shares[1], f"{before:.3g} → {after:.3g} scene units", shares[1] > shares[0] + _MORE_SLIDE)


def _share(length: float, height: float) -> float:
    """Of the body's height; the length itself where no height is known."""
    return length / height if height else length


def _part(length: float, share: float) -> str:
    return f"{length:.3g}" if share == length else f"{100.0 * share:.1f} %"
