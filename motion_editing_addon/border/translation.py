"""Texts in the language of the interface.

A text is translated as a whole, with the names of its values in braces; the values are filled in afterwards. The
English text is what tables of other languages are asked for, and what is shown where they have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.app import translations

from ...core.wording import counted

if TYPE_CHECKING:
    from bpy.types import Operator


def report_text(text: str, /, **values: object) -> str:
    """What an operator reports, or a clause of it with its punctuation: ", {keys} became {after}"."""
    return _filled(translations.pgettext_rpt(text), values)


def label_text(text: str, /, **values: object) -> str:
    """What a panel shows."""
    return _filled(translations.pgettext_iface(text), values)


def counted_text(count: float | str, one: str, many: str = "", *, form: str = "") -> str:
    """A number and its noun in a report: tables have "{count} bone" and "{count} bones"."""
    number, _, noun = counted(count, one, many, form=form).partition(" ")
    return report_text(f"{{count}} {noun}", count=number)


def tool_text(operator: Operator) -> str:
    """The name of an operator in a report, as its button shows it."""
    return translations.pgettext_rpt(operator.bl_label, "Operator")


def told_by(error: Exception | str) -> str:
    """What an operator reported that was called and failed, without Blender's word for an error before it."""
    return str(error).removeprefix(f"{translations.pgettext_rpt('Error')}: ").strip()


def _filled(text: str, values: dict[str, object]) -> str:
    """A text without values may have braces of its own."""
    return text.format(**values) if values else text
