"""By how much constraints are missed: noted in the list, and told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.wording import angle_text
from ..border.lengths import length_text
from ..border.translation import counted_text, report_text
from .kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bpy.types import PropertyGroup

    from ...core.solve.spacetime import Violation

_MOST_NAMED = 3


def amount_text(kind: str, amount: float) -> str:
    """By how much a constraint of a kind is missed, with its unit: "12 mm", "3.5°"."""
    return angle_text(amount) if kind in KINDS and KINDS[kind].is_angle else length_text(amount)


def note_miss(item: PropertyGroup, missed: Violation | None) -> None:
    """Note beside a constraint that was held by how much it is missed."""
    item.missed = missed.amount if missed else 0.0
    item.missed_frame = missed.frame if missed else 0.0


def missed_text(missed: Iterable[tuple[str, Violation]]) -> str:
    """Constraints that are missed, given with their kinds, in one line; the worst ones are named."""
    worst = sorted(missed, key=lambda each: -each[1].amount)
    named = [
        report_text(
            "'{name}' by {amount} at frame {frame}",
            name=each.name,
            amount=amount_text(kind, each.amount),
            frame=f"{each.frame:g}",
        )
        for kind, each in worst[:_MOST_NAMED]
    ]
    count, told = len(worst), ", ".join(named)
    if count > _MOST_NAMED:
        told = report_text("{names} and {count} more", names=told, count=count - _MOST_NAMED)
    held = counted_text(count, "constraint is", "constraints are")
    return report_text("{constraints} missed: {names}", constraints=held, names=told)
