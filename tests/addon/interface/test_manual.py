"""F1 on every operator and property of ours opens a page that exists and speaks of it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

import bpy
import manual_pages
import pytest
from motion_editing.motion_editing_addon.interface import manual


def operators() -> list[str]:
    """Names of all registered operators of ours."""
    return sorted(dir(bpy.ops.motion_editing))


def page_of(identifier: str) -> Path:
    """The file that Blender's own search for F1 leads to."""
    address = bpy.types.WM_OT_doc_view_manual._lookup_rna_url(identifier, verbose=False)
    parts = urlparse(address)
    assert parts.scheme == "file"
    return Path(unquote(parts.path))


def test_every_operator_has_a_page_of_its_capability_that_names_it():
    assert len(operators()) >= 9
    for name in operators():
        page = page_of(f"bpy.ops.motion_editing.{name}")
        assert page.is_file(), f"{name}: {page} is missing"
        assert page.stem != "index", f"{name} leads to the first page only"
        label = getattr(bpy.ops.motion_editing, name).get_rna_type().name
        assert label in page.read_text(encoding="utf-8"), f"{page.name} does not speak of '{label}'"


@pytest.mark.parametrize(
    ("identifier", "page"),
    [
        ("bpy.ops.motion_editing.convert_keys", "keys"),
        ("bpy.ops.motion_editing.import_bvh", "clip"),
        ("bpy.ops.motion_editing.set_role", "character"),
        ("bpy.types.MOTIONEDIT_PG_action.source_rate", "clip"),
        ("bpy.types.MOTIONEDIT_PG_armature.body", "character"),
        ("bpy.types.MOTIONEDIT_Preferences.keep_original", "index"),
        ("bpy.ops.motion_editing.not_written_yet", "index"),
    ],
)
def test_pages_are_found_by_what_the_mouse_is_over(identifier, page):
    assert page_of(identifier).stem == page


def test_blenders_own_pages_stay():
    address = bpy.types.WM_OT_doc_view_manual._lookup_rna_url("bpy.ops.object.add", verbose=False)
    assert "blender.org" in address


def test_every_property_of_the_tools_is_explained():
    for name in operators():
        text = page_of(f"bpy.ops.motion_editing.{name}").read_text(encoding="utf-8")
        for prop in getattr(bpy.ops.motion_editing, name).get_rna_type().properties:
            if prop.identifier not in HELPERS and not prop.is_hidden:
                assert f"**{prop.name}**" in text, f"{name}: '{prop.name}' is not on its page"


# Of Blender's file dialog and of every operator.
HELPERS = {"rna_type", "filepath", "files", "directory", "check_existing", "filter_glob"}


def test_the_built_extension_leads_to_html(tmp_path, monkeypatch):
    for name, content in manual_pages.manual_files().items():
        (tmp_path / "manual" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "manual" / name).write_bytes(content)
    monkeypatch.setattr(manual, "_ROOT", tmp_path)
    manual._pages.cache_clear()
    try:
        for name in operators():
            page = page_of(f"bpy.ops.motion_editing.{name}")
            assert page.suffix == ".html"
            assert page.is_file()
    finally:
        manual._pages.cache_clear()


def test_disabling_takes_the_pages_out(registered_addon):
    registered_addon.unregister()
    try:
        assert manual.manual_map not in bpy.utils._manual_map
    finally:
        registered_addon.register()
    assert bpy.utils._manual_map.count(manual.manual_map) == 1
