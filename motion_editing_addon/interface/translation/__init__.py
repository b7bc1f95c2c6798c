"""Texts of the interface in other languages; Blender asks these tables for what it cannot translate itself.

Each module is one language, with English texts and what they are in it. Blender finds a table by its language alone:
"de" serves "de_DE" too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ...border.lazy_modules import lazy_submodules

__getattr__ = lazy_submodules(__name__)

from . import german, japanese

if TYPE_CHECKING:
    from types import ModuleType

_EXTENSION = __package__.rsplit(".", 3)[0]


# By contexts and texts, as Blender takes it.
Table = dict[tuple[str, str], str]


def tables() -> dict[str, Table]:
    """All tables by language; they are loaded only where Blender has languages."""
    return {language: _table(module) for language, module in (("de", german), ("ja", japanese))}


def register() -> None:
    """Give Blender the tables."""
    if bpy.app.translations.locales:
        bpy.app.translations.register(_EXTENSION, tables())


def unregister() -> None:
    """Take them back."""
    if bpy.app.translations.locales:
        bpy.app.translations.unregister(_EXTENSION)


def _table(language: ModuleType) -> Table:
    """Blender asks for labels of operators in a context of their own."""
    contexts = {"Operator": language.OPERATORS, "*": language.TEXTS}
    return {(context, text): told for context, texts in contexts.items() for text, told in texts.items()}
