"""F1 over buttons opens the pages that the installed extension carries."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlparse

from harness import Window, check, check_equal
from window_input import REDRAW_PAUSE, Point, Steps


def scenario(window: Window) -> Steps:
    """Press F1 over a button, a property and a button of another panel."""
    opened: list[str] = []
    webbrowser.open = opened.append  # there is no browser here, and none should start
    yield from window.open_sidebar("Motion")
    button = yield from window.find_operator_button("motion_editing.load_sample_motion")
    yield from check_page(window, opened, button, "clip.html")
    yield from window.click_operator("motion_editing.load_sample_motion")
    button = yield from window.find_property_button("motion_editing.source_rate")
    yield from check_page(window, opened, button, "clip.html")
    button = yield from window.find_operator_button("motion_editing.convert_keys")
    yield from check_page(window, opened, button, "keys.html")


def check_page(window: Window, opened: list[str], button: Point, name: str) -> Steps:
    """Press F1 over a button; one page should open, and its pictures should be there."""
    opened.clear()
    yield from window.move(button.x, button.y)
    yield from window.press("F1")
    yield REDRAW_PAUSE
    check_equal(len(opened), 1, "pages that F1 opens")
    page = Path(unquote(urlparse(opened[0]).path))
    check_equal((page.parent.name, page.name), ("manual", name), "page")
    check(page.is_file(), f"{page} should be installed")
    check((page.parent / "pictures" / "clip.webp").is_file(), "its pictures should be installed")
