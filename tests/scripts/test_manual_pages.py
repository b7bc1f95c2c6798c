"""The manual's pages: what becomes of Markdown, and that nothing in them leads nowhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import manual_pages
import pytest
from workshop.places import PROJECT

PICTURE_LIMIT = 150_000
WITHOUT_END = {"img", "meta", "!doctype"}


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# A *b*", '<h1 id="a-b">A <em>b</em></h1>'),
        ("one\ntwo", "<p>one two</p>"),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
        ("- a\n- b\n  more", "<ul>\n<li>a</li>\n<li>b more</li>\n</ul>"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
        ("**a** and `b*c*`", "<p><strong>a</strong> and <code>b*c*</code></p>"),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("[x](keys.md#scope)", '<p><a href="keys.html#scope">x</a></p>'),
        ("[x](https://example.org/a.md)", '<p><a href="https://example.org/a.md">x</a></p>'),
        ("![x](pictures/a.png)", '<p><img src="pictures/a.png" alt="x"></p>'),
        ("```\n# <no>\n\n- heading\n```\nafter", "<pre><code># &lt;no&gt;\n\n- heading</code></pre>\n<p>after</p>"),
        (
            "| a | b |\n|---|---|\n| 1 | `x` |",
            "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td><code>x</code></td></tr>\n</table>",
        ),
    ],
)
def test_markdown_becomes_html(markdown: str, html: str) -> None:
    assert manual_pages.to_html(markdown) == html


class Reader(HTMLParser):
    """Checks that tags close in order, and collects links and anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in WITHOUT_END:
            self.open.append(tag)
        values = dict(attrs)
        self.links += [value for name in ("href", "src") if (value := values.get(name))]
        self.anchors |= {values["id"]} if values.get("id") else set()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(content: bytes) -> Reader:
    """A page taken apart."""
    reader = Reader()
    reader.feed(content.decode())
    assert reader.open == []
    return reader


def test_every_link_and_picture_of_every_page_exists() -> None:
    files = manual_pages.manual_files()
    pages = {name: read(content) for name, content in files.items() if name.endswith(".html")}
    assert "index.html" in pages
    for name, page in pages.items():
        for link in page.links:
            target, _, anchor = link.partition("#")
            target = target or name
            assert target in files, f"{name} leads to {link}"
            assert not anchor or anchor in pages[target].anchors, f"{name} leads to {link}"


def test_links_of_the_readme_and_the_guide_exist() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        for _text, link in manual_pages.LINK.findall((PROJECT / name).read_text(encoding="utf-8")):
            target = link.partition("#")[0]
            assert not target or (PROJECT / target).exists(), f"{name} leads to {link}"


def test_pictures_are_small_and_all_are_shown() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (*(PROJECT / "docs").glob("*.md"), PROJECT / "README.md")]
    shown = {Path(match[2]).name for text in texts for match in manual_pages.PICTURE.finditer(text)}
    pictures = list((PROJECT / "docs" / "pictures").iterdir())
    assert {picture.name for picture in pictures} == shown
    for picture in pictures:
        assert picture.stat().st_size < PICTURE_LIMIT, f"{picture.name} is too large"


def test_pages_need_nothing_from_the_network() -> None:
    for name, content in manual_pages.manual_files().items():
        if name.endswith(".html"):
            assert not re.search(rb"(src|href)=\"https?:", content), name
