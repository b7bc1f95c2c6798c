"""What is in the zip, and that building is repeatable."""

from __future__ import annotations

import zipfile
from pathlib import Path

import build
from workshop.places import PROJECT

SHIPPED = {
    "__init__.py",
    "blender_manifest.toml",
    "core",
    "LICENSE",
    "manual",
    "motion_editing_addon",
    "recipes",
}


def test_archive_holds_only_what_users_need(built_zip: Path) -> None:
    with zipfile.ZipFile(built_zip) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} <= SHIPPED
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_archive_carries_the_manual(built_zip: Path) -> None:
    with zipfile.ZipFile(built_zip) as archive:
        names = {name for name in archive.namelist() if name.startswith("manual/")}
    pages = {f"manual/{page.stem}.html" for page in (PROJECT / "docs").glob("*.md")}
    assert "manual/index.html" in pages
    assert pages <= names
    assert any(name.endswith(".webp") for name in names)


def test_archive_is_small(built_zip: Path) -> None:
    assert built_zip.stat().st_size < build.SIZE_LIMIT


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (build.build(tmp_path / name) for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
