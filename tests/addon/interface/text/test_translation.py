"""Texts in other languages: tables that fit the interface, and reports that are filled in after translating."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import bpy
import pytest
from interface_texts import all_tooltips
from motion_editing.motion_editing_addon.border.translation import counted_text, label_text, report_text, told_by
from motion_editing.motion_editing_addon.character.panel import rows
from motion_editing.motion_editing_addon.interface import translation

PROJECT = Path(translation.__file__).resolve().parents[3]
LANGUAGES = ("de", "ja")
# Of the first panels of the tab: what they show is in the tables.
TRANSLATED = (
    "load_sample_motion",
    "bring_in_motion",
    "import_bvh",
    "export_bvh",
    "guess_source_rate",
    "restore_original",
    "make_action_local",
    "find_character",
    "set_role",
    "clear_role",
)
FACTS = ("source_rate", "skipped_frames")
needs_languages = pytest.mark.skipif(
    not bpy.app.build_options.international,
    reason="this Blender is built without languages: a window scenario has them",
)


def table(language: str) -> dict[tuple[str, str], str]:
    return translation.tables()[language]


def test_all_languages_have_the_same_texts():
    assert set(translation.tables()) == set(LANGUAGES)
    assert table("de").keys() == table("ja").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_translated_texts_have_the_same_values(language):
    for (_context, text), told in table(language).items():
        assert told, text
        assert sorted(re.findall(r"{(\w*)}", told)) == sorted(re.findall(r"{(\w*)}", text)), text


def nodes() -> Iterator[ast.AST]:
    """Everything in the source but the tables."""
    for path in [*(PROJECT / "core").rglob("*.py"), *(PROJECT / "motion_editing_addon").rglob("*.py")]:
        if path.parent.name != "translation":
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@cache
def texts() -> frozenset[str]:
    """All texts in the source."""
    return frozenset(node.value for node in nodes() if is_text(node))


@cache
def labels() -> frozenset[str]:
    """What buttons of operators are called: by their operator, or where they are drawn."""
    own = {getattr(bpy.ops.motion_editing, name).get_rna_type().name for name in dir(bpy.ops.motion_editing)}
    drawn = [node for node in nodes() if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    words = [word for call in drawn if call.func.attr == "operator" for word in call.keywords if word.arg == "text"]
    return frozenset(own | {word.value.value for word in words if is_text(word.value)})


def is_counted(text: str) -> bool:
    """Whether a text is a number with a noun, as `counted_text` makes it."""
    number, _, noun = text.partition(" ")
    return number == "{count}" and bool({noun, noun.removesuffix("s")} & texts())


def body_parts() -> set[str]:
    bpy.ops.motion_editing.load_sample_motion()
    bpy.ops.motion_editing.find_character()
    return {role.title() for role, _bones in rows(bpy.context.object.motion_editing.body)}


def test_every_text_of_the_tables_is_in_the_interface():
    parts = body_parts()
    for context, text in table("de"):
        if context == "Operator":
            assert text in labels(), f"no button is called '{text}' any more"
        else:
            assert text in texts() or text in parts or is_counted(text), f"'{text}' is not in the interface any more"


def test_what_the_first_panels_show_is_in_the_tables():
    shown = {("*", part) for part in body_parts()} | {("*", "Clip"), ("*", "Character"), ("*", "Motion Editing")}
    for tip in all_tooltips():
        if tip.owner in TRANSLATED and "." not in tip.option and "file" not in tip.option.lower():
            shown |= {("*" if tip.option else "Operator", tip.label), ("*", tip.text)}
        elif tip.owner == "MOTIONEDIT_PG_action" and tip.option in FACTS:
            shown |= {("*", tip.label), ("*", tip.text)}
    assert not sorted(shown - table("de").keys())


def test_names_of_bones_and_actions_are_not_translated():
    """A bone that is called Head stays so in every language."""
    named = {"name", "bone", "source"}
    shown = [node for node in nodes() if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".label")]
    found = []
    for call in shown:
        words = {word.arg: word.value for word in call.keywords}
        text = words["text"].values[0] if isinstance(words.get("text"), ast.BoolOp) else words.get("text")
        if isinstance(text, ast.Attribute) and text.attr in named and "translate" not in words:
            found.append(ast.unparse(call))
    assert not found


def test_without_a_table_texts_are_the_english_ones():
    assert counted_text(1, "bone") == "1 bone"
    assert counted_text(2, "foot", "feet") == "2 feet"
    assert counted_text(1.0, "frame", form="+.0f") == "+1 frame"
    assert report_text("{verb} {bones}", verb="Filtered", bones="{1}") == "Filtered {1}"
    assert label_text("{not a value}") == "{not a value}"
    assert told_by(RuntimeError("Error: Select an armature\n")) == "Select an armature"


@needs_languages
def test_reports_and_labels_are_in_the_language_that_is_chosen():
    view = bpy.context.preferences.view
    before = view.language
    try:
        view.language = "de_DE"
        view.use_translate_interface = view.use_translate_reports = True
        assert counted_text(2, "hand") == "2 Hände"
        assert label_text("Character") == "Figur"
        view.language = "en_US"
        assert counted_text(2, "hand") == "2 hands"
    finally:
        view.language = before
